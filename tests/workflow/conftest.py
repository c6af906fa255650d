"""The checkout as a clone would be, and in it the tiny preset, finished."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import TINY, Checkout, take_compiled_code_along, warm

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def warm_to_the_end() -> Iterator[None]:
    """Ends the process that `Checkout.ask` may have started."""
    yield
    if warm.cache_info().currsize:
        warm().close()


@pytest.fixture(scope="session")
def fresh(tmp_path_factory) -> Checkout:
    """What a clone of the repository would hold, at a path with blanks and accents."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("été à Zürich") / "bandit papers"
    return Checkout(Path(shutil.copytree(ROOT, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", *ignored))))


@pytest.fixture(scope="session")
def finished(fresh, tmp_path_factory) -> Checkout:
    """A clone in which the tiny preset has run, as a person runs it."""
    checkout = fresh.clone(tmp_path_factory.mktemp("finished") / "ça marche")
    take_compiled_code_along(checkout)
    checkout.run("--cores", "2", *TINY, PYTHONHASHSEED="1")
    return checkout


@pytest.fixture(scope="session")
def kept(finished, tmp_path_factory) -> tuple[Checkout, dict[Path, int]]:
    """A second copy of the finished preset, and when each file of the first last changed."""
    return finished.clone(tmp_path_factory.mktemp("kept") / "copy"), changes(finished.root)


def changes(root: Path) -> dict[Path, int]:
    """Every file below a folder, and the system's own time of its last change, which no program can set."""
    return {path: path.lstat().st_ctime_ns for path in root.rglob("*") if path.is_symlink() or path.is_file()}


@pytest.fixture
def work(finished, kept) -> Iterator[Checkout]:
    """The finished preset, to be edited and broken in its own folder; afterwards all is as it was."""
    yield finished
    copy, known = kept
    now = changes(finished.root)
    for path in now.keys() - known.keys():
        path.unlink()
    for path in [path for path, time in known.items() if now.get(path) != time]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        shutil.copy2(copy.root / path.relative_to(finished.root), path, follow_symlinks=False)
        known[path] = path.lstat().st_ctime_ns
