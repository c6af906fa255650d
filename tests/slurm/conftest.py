"""A private SLURM, a checkout on it, and what an uninterrupted local run of the same targets leaves."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "workflow"))  # its copy of a checkout, and its way to compare what was made

from checkout import Checkout, take_compiled_code_along  # noqa: E402
from cluster import ALL, LAB, PYTHON, Cluster, missing  # noqa: E402


@pytest.fixture(scope="session")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    """Two nodes of two cores; all that was started on them is ended at last, by process id."""
    if why := missing():
        pytest.skip(why)
    lab, root = tmp_path_factory.mktemp("slurm"), tmp_path_factory.mktemp("checkout") / "banditpapers"
    found = Cluster(root, lab)
    subprocess.run([LAB, "start", lab, "2", "2"], check=True)
    try:
        ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]
        shutil.copytree(ROOT, root, symlinks=True, ignore=shutil.ignore_patterns(".git", *ignored))
        take_compiled_code_along(Checkout(root))
        found.finish("local", "--cores", "2", targets=ALL)
        yield found
    finally:
        found.sweep()
        subprocess.run([LAB, "stop", lab], check=True)
    assert not found.left(), "something that the tests have started still runs"


def pytest_report_header() -> list[str]:
    """Why nothing runs here, where nothing does."""
    why = missing()
    return [f"slurm: {why}"] if why else [f"slurm: {os.path.relpath(PYTHON, ROOT)}"]
