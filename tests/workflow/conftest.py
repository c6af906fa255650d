"""A copy of the checkout in which Snakemake runs for real, and the finished quick preset in it."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUICK = ("--configfile", "config/quick.yaml")
# a person's shell has none of these: bytecode and compiled kernels are kept beside the sources, and the interpreter is not instrumented
UNSET = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "SNAKEMAKE_PROFILE")


@dataclass(frozen=True)
class Jobs:
    """What a dry run says that it would do: jobs by rule, and the blocks (cell, first, last) and exhibits among them."""

    counts: Counter[str]
    blocks: frozenset[tuple[str, int, int]]
    exhibits: frozenset[str]

    @property
    def cells(self) -> frozenset[str]:
        """The cells with a block to simulate."""
        return frozenset(cell for cell, _, _ in self.blocks)


@dataclass(frozen=True)
class Checkout:
    """A folder with everything that a clone has."""

    root: Path

    def command(self, *arguments: str) -> list[str]:
        """Targets stand before --configfile and --config, which would take them for their own."""
        return [sys.executable, "-m", "snakemake", *arguments]

    def environment(self, **variables: str) -> dict[str, str]:
        """The environment of a person's shell, with `variables` set."""
        return {name: value for name, value in os.environ.items() if name not in UNSET} | variables

    def start(self, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        """Snakemake in this folder, in the background and in a process group of its own."""
        return subprocess.Popen(
            self.command(*arguments), cwd=self.root, env=self.environment(**variables), text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip

    def run(self, *arguments: str, code: int = 0, **variables: str) -> str:
        """Run Snakemake in this folder to its end, which must have this exit code; returns what it printed."""
        process = self.start(*arguments, **variables)
        printed, _ = process.communicate()
        assert process.returncode == code, f"exit code {process.returncode} of snakemake {' '.join(arguments)}:\n{printed}"
        return printed

    def refused(self, *arguments: str) -> str:
        """Run Snakemake, which must fail with exit code 1 and without a traceback as the last word; returns what it printed."""
        printed = self.run(*arguments, code=1)
        assert "Traceback" not in printed, printed
        return printed

    def dry_run(self, *arguments: str) -> Jobs:
        """What Snakemake would do."""
        printed = self.run("--dry-run", *arguments)
        if "Nothing to be done" in printed:
            return Jobs(Counter(), frozenset(), frozenset())
        table = re.search(r"^Job stats:\njob +count\n[- ]+\n((?:\w+ +\d+\n)+)", printed, re.MULTILINE)
        assert table, printed
        counts = Counter({name: int(count) for name, count in (line.split() for line in table[1].splitlines())})
        blocks = re.findall(r"^Job \d+: lp2s: (\S+), replicates (\d+) to (\d+)$", printed, re.MULTILINE)
        exhibits = re.findall(r"^Job \d+: lp2s: (\w+)$", printed, re.MULTILINE)
        assert len(blocks) == counts["simulate"]
        assert len(exhibits) == counts["figure"] + counts["table"]
        assert counts.total() == counts.pop("total") * 2
        return Jobs(counts, frozenset((cell, int(first), int(last)) for cell, first, last in blocks), frozenset(exhibits))

    def edit(self, path: str, change: Callable[[str], str]) -> None:
        """Change the text of a file of this folder; a change that changes nothing is an error."""
        before = (self.root / path).read_text(encoding="utf-8")
        after = change(before)
        assert after != before
        (self.root / path).write_text(after, encoding="utf-8")

    def files(self, folder: str, suffixes: Sequence[str] = ("",)) -> dict[str, bytes]:
        """The bytes of the files below a folder by relative path, where they end so."""
        below = self.root / folder
        return {
            path.relative_to(below).as_posix(): path.read_bytes()
            for path in sorted(below.rglob("*"))
            if path.is_file() and path.name.endswith(tuple(suffixes))
        }

    def clone(self, folder: Path) -> "Checkout":
        """The same state in another folder, results and Snakemake's memory included; times of files are kept, on which caches depend."""
        return Checkout(Path(shutil.copytree(self.root, folder, symlinks=True)))


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
def work(finished, tmp_path) -> Checkout:
    """The finished quick preset, to be edited and broken."""
    return finished.clone(tmp_path / "là bas")
