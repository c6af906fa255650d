"""Runs of a few blocks of each paper, what is there when one is interrupted, and what an uninterrupted run leaves."""

import base64
import random
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

from checkout import TINY, Checkout

from banditpapers import records

TARGETS = ("lp2s_figure2", "drts_table1", "softucb_coverage", "debora_replicability")
Stamp = tuple[int, int]  # inode and time of the last change


@dataclass(frozen=True)
class Trial:
    """One folder of results in a checkout, filled by one command."""

    checkout: Checkout
    name: str

    @property
    def folder(self) -> Path:
        """Where its results are; the figures are below."""
        return self.checkout.root / "results" / self.name

    @property
    def command(self) -> tuple[str, ...]:
        """What a person types: two dozen jobs, with blocks of two replicates."""
        folders = (f"results=results/{self.name}", f"figures=results/{self.name}/figures")
        return ("--cores", "2", *TARGETS, *TINY, "--config", *folders, "block={largest: 2}", "papers=[lp2s, drts, softucb, debora]")

    def blocks(self) -> list[Path]:
        """The blocks with their final names."""
        return sorted(self.folder.glob("*/runs/*/*.parquet"))

    def incomplete(self) -> set[Path]:
        """The files of the jobs that Snakemake remembers as begun and not as finished."""
        folder = self.checkout.root / ".snakemake/incomplete"
        names = [path.relative_to(folder).as_posix().replace("/@", "") for path in folder.rglob("*") if path.is_file()]
        return {self.checkout.root / base64.b64decode(name).decode() for name in names if name != "migrated"}

    def finished(self) -> dict[Path, Stamp]:
        """The blocks whose jobs Snakemake has seen finish."""
        begun = self.incomplete()
        return {path: stamp(path) for path in self.blocks() if path not in begun}

    def contents(self) -> dict[str, Any]:
        """All that was made: tables with what they say of themselves, and bytes; without CPU seconds, which nobody can repeat."""
        found: dict[str, Any] = {}
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if path.suffix == ".parquet" and not path.name.startswith("."):
                table, about = records.read(path)
                found[name] = (table.to_pydict(), {key: value for key, value in about.items() if key != "cpu_seconds"})
            elif path.suffix in (".svg", ".png", ".csv", ".md", ".tex"):
                found[name] = path.read_bytes()
        return found

    def is_part_of(self, whole: "Trial") -> bool:
        """Every file under a final name is what the uninterrupted run wrote: nothing is cut short."""
        reference = whole.contents()
        return all(repr(reference[name]) == repr(content) for name, content in self.contents().items())

    def remove(self) -> None:
        """Leave no trace in the checkout."""
        shutil.rmtree(self.folder, ignore_errors=True)


def stamp(path: Path) -> Stamp:
    """What shows that a file was written again."""
    return path.stat().st_ino, path.stat().st_mtime_ns


def when(condition: Callable[[], Any], process: "Popen[str]", seconds: float = 300) -> None:
    """Wait for something to be there while a process runs."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def workers(process: "Popen[str]") -> Iterator[int]:
    """The processes that run scripts of the workflow for a Snakemake that leads its own session."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            session = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
            line = (folder / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError, IndexError):
            continue  # it has ended meanwhile
        if session == process.pid and any(word.startswith(b"workflow/scripts/") for word in line):
            yield int(folder.name)


def a_worker(process: "Popen[str]", chance: random.Random) -> int | None:
    """One of them, as soon as there is one; None when Snakemake ends before."""
    while process.poll() is None:
        if found := sorted(workers(process)):
            return chance.choice(found)
        time.sleep(0.02)
    return None
