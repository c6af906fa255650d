"""A copy of the checkout in which Snakemake runs for real."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warm import Warm

from banditpapers import configuration

ROOT = Path(__file__).parents[2]
QUICK = ("--configfile", "config/quick.yaml")
TINY = (*QUICK, "tests/data/tiny.yaml")
RESULTS = "results/tiny"
PAPERS = ("lp2s", "drts")  # of the tiny preset
# a person's shell has none of these: bytecode and compiled kernels are kept beside the sources, and the interpreter is not instrumented
UNSET = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "SNAKEMAKE_PROFILE")


@dataclass(frozen=True)
class Jobs:
    """What a dry run says that it would do: jobs by rule, and the blocks (cell, first, last) and exhibits (lp2s_table2) among them."""

    counts: Counter[str]
    blocks: frozenset[tuple[str, int, int]] = frozenset()
    exhibits: frozenset[str] = frozenset()

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

    def ask(self, *arguments: str, code: int = 0) -> str:
        """`run` for a command that starts no job: in a process that has Snakemake imported already."""
        found, printed = warm().run(self.root, arguments, self.environment())
        assert found == code, f"exit code {found} of snakemake {' '.join(arguments)}:\n{printed}"
        return printed

    def refused(self, *arguments: str, before_any_job: bool = False) -> str:
        """Run Snakemake, which must fail with exit code 1 and a sentence, not a frame of a traceback, as the last word."""
        printed = (self.ask if before_any_job else self.run)(*arguments, code=1)
        assert re.match(r"\S.* ", printed.rstrip().splitlines()[-1]), printed
        return printed

    def dry_run(self, *arguments: str, cold: bool = False) -> Jobs:
        """What Snakemake would do; `cold` asks a process of its own, as a person would."""
        printed = (self.run if cold else self.ask)("--dry-run", *arguments)
        if "Nothing to be done" in printed:
            return Jobs(Counter())
        table = re.search(r"^Job stats:\njob +count\n[- ]+\n((?:\w+ +\d+\n)+)", printed, re.MULTILINE)
        assert table, printed
        counts = Counter({name: int(count) for name, count in (line.split() for line in table[1].splitlines())})
        papers = "|".join(configuration.PAPERS)
        blocks = re.findall(rf"^Job \d+: (?:{papers}): (\S+), replicates (\d+) to (\d+)$", printed, re.MULTILINE)
        exhibits = re.findall(rf"^Job \d+: ({papers}): (\w+)$", printed, re.MULTILINE)
        assert len(blocks) == counts["simulate"]
        assert len(exhibits) == counts["figure"] + counts["table"]
        assert counts.pop("total") == counts.total()
        return Jobs(
            counts,
            frozenset((cell, int(first), int(last)) for cell, first, last in blocks),
            frozenset(f"{paper}_{name}" for paper, name in exhibits),
        )

    def cells(self, paper: str) -> frozenset[str]:
        """The cells of a paper with runs."""
        return frozenset(path.name for path in (self.root / RESULTS / paper / "runs").iterdir())

    def edit(self, path: str, change: Callable[[str], str]) -> None:
        """Change the text of a file of this folder; a change that changes nothing is an error."""
        before = (self.root / path).read_text(encoding="utf-8")
        after = change(before)
        assert after != before
        (self.root / path).write_text(after, encoding="utf-8")

    def files(self, folder: str) -> dict[str, bytes]:
        """The bytes of all files below a folder by relative path."""
        below = self.root / folder
        return {path.relative_to(below).as_posix(): path.read_bytes() for path in sorted(below.rglob("*")) if path.is_file()}

    def clone(self, folder: Path) -> "Checkout":
        """The same state in another folder, results and Snakemake's memory included; times of files are kept, on which caches depend."""
        return Checkout(Path(shutil.copytree(self.root, folder, symlinks=True)))


def take_compiled_code_along(checkout: Checkout) -> None:
    """What the tests have compiled by now saves a minute; numba looks for it by the path, the time and the size of its source."""
    compiled = Path(os.environ["NUMBA_CACHE_DIR"])
    for room in ("kernels", "environments", "algorithms"):
        here, there = (
            f"{room}_{hashlib.sha1(str(root / 'src' / 'banditpapers' / room).encode()).hexdigest()}" for root in (ROOT, checkout.root)
        )
        if (compiled / here).is_dir():
            half_written = shutil.ignore_patterns("*.tmp.*")  # by tests that run beside this one
            shutil.copytree(compiled / here, checkout.root / ".numba" / compiled.name / there, ignore=half_written)


@cache
def warm() -> Warm:
    """One for all tests, started when the first of them asks."""
    return Warm(Checkout(Path()).environment(OMP_NUM_THREADS="1"))
