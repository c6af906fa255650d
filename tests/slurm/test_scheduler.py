"""Exhibits of all four papers come back from a scheduler as the files that a local run makes."""

import os

import pytest
from cluster import ALL, FEW, GENERIC, SLURM, Cluster, lines

pytestmark = pytest.mark.slurm


@pytest.mark.parametrize("way", ["slurm", "generic"])
def test_a_scheduler_makes_the_local_files(cluster: Cluster, way: str):
    said = cluster.finish(way, *(SLURM if way == "slurm" else GENERIC), *FEW, targets=ALL)
    assert "(100%) done" in said
    assert len({paper for file in cluster.contents(way) if (paper := file.split("/")[0]) != "figures"}) == 4
    cluster.as_local(way)


def test_times_of_files_rerun_nothing(cluster: Cluster):
    """The clocks of nodes differ, and copies have other times: what came from the scheduler is read last of all, or first."""
    files = sorted(path for path in (cluster.root / "results" / "slurm").rglob("*") if path.is_file())
    assert len(files) > 40, "the run before is what this test looks at"
    for number, path in enumerate(files):
        time = 1.7e9 + 1e5 * (number * 7919 % len(files))
        os.utime(path, (time, time))
    said = cluster.finish("slurm", "--dry-run", "--cores", "1", targets=ALL)
    assert lines(said, ["Nothing to be done"]), said
