"""The checkout as a clone would be, and the finished quick preset in it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import QUICK, Checkout

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def fresh(tmp_path_factory) -> Checkout:
    """What a clone of the repository would hold, at a path with blanks and accents."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("été à Zürich") / "bandit papers"
    return Checkout(Path(shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", *ignored))))


@pytest.fixture(scope="session")
def finished(fresh, tmp_path_factory) -> Checkout:
    """A clone in which the quick preset has run, by the command that the documentation names."""
    checkout = fresh.clone(tmp_path_factory.mktemp("finished") / "ça marche")
    checkout.run("--cores", "2", *QUICK, PYTHONHASHSEED="1")
    return checkout


@pytest.fixture
def work(finished, tmp_path) -> Iterator[Checkout]:
    """The finished quick preset, to be edited and broken; afterwards all is as it was.

    It stays in its folder, since numba looks for compiled code by the path of its source.
    """
    kept = finished.clone(tmp_path / "kept")
    yield finished
    shutil.rmtree(finished.root)
    shutil.move(kept.root, finished.root)
