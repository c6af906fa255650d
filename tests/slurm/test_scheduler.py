"""Exhibits of all four papers come back from a scheduler as the files that a local run makes."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import Checkout, take_compiled_code_along
from cluster import ALL, FEW, GENERIC, SLURM, Cluster, end_session, lines, same

pytestmark = pytest.mark.slurm
WAYS = {"slurm": SLURM, "generic": GENERIC}


@pytest.fixture(scope="module")
def finished(cluster: Cluster) -> Iterator[dict[str, tuple[Cluster, str]]]:
    """Both ways at once, as most of the time is waiting; each in a checkout of its own, which Snakemake locks."""
    runs = {}
    try:
        for way, profile in WAYS.items():
            copy = Cluster(Path(shutil.copytree(cluster.root, cluster.root.parent / way, symlinks=True)), cluster.lab)
            take_compiled_code_along(Checkout(copy.root))
            runs[way] = (copy, copy.start(way, *profile, *FEW, targets=ALL))
        yield {way: (copy, copy.ended(way, process)) for way, (copy, process) in runs.items()}
    finally:
        for _, process in runs.values():
            end_session(process)


@pytest.mark.parametrize("way", list(WAYS))
def test_a_scheduler_makes_the_local_files(cluster: Cluster, finished: dict[str, tuple[Cluster, str]], way: str):
    copy, said = finished[way]
    assert "(100%) done" in said
    assert {"lp2s", "drts", "softucb", "debora"} <= {file.split("/")[0] for file in copy.contents(way)}
    same(copy.contents(way), cluster.contents("local"))


def test_times_of_files_rerun_nothing(finished: dict[str, tuple[Cluster, str]]):
    """The clocks of nodes differ, and copies have other times: results may be older than what they were made of."""
    copy, _ = finished["slurm"]
    files = sorted(path for path in (copy.root / "results" / "slurm").rglob("*") if path.is_file())
    for number, path in enumerate(files):
        time = 1.7e9 + 1e5 * (number * 7919 % len(files))
        os.utime(path, (time, time))
    said = copy.finish("slurm", "--dry-run", "--cores", "1", targets=ALL)
    assert lines(said, ["Nothing to be done"]), said
