"""The configuration's key `algorithms`, as cells are made of it: each file with its class, parameters and label."""

import os
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banditpapers.canonical import canonical, normal
from banditpapers.cells import Cell
from banditpapers.outside import OwnAlgorithm
from banditpapers.own import classes
from banditpapers.own.problems import PROBLEMS, Problem
from banditpapers.plugins import names

SHOWN = ("name", "problem", "label", "parameters", "horizon")  # what tidy tables and pictures have to know


@dataclass(frozen=True)
class Entry:
    """An algorithm of one's own.

    name: the file's, in cells. label: its name in tables and legends. horizon: up to which it is played where the papers' horizons have no
    end of their own; None of a class with `play`, which is played to all of them. papers: where it is played.
    """

    file: Path
    name: str
    label: str
    problem: str
    parameters: Mapping[str, Any]
    horizon: int | None
    papers: tuple[str, ...]

    @property
    def interface(self) -> Problem:
        """What its class has."""
        return PROBLEMS[self.problem]

    @property
    def compiled(self) -> bool:
        """Whether its class has the package's own `play`."""
        return hasattr(classes.load(self.file), "play")

    def cell(self, records: Sequence[int]) -> dict[str, Any]:
        """The algorithm of a cell that records at these rounds, horizons or budgets."""
        return {"name": self.name, self.interface.records: list(records), **self.parameters}

    def within(self, horizons: Sequence[int]) -> list[int]:
        """The horizons that it is played to, or its own where all are longer."""
        return [horizon for horizon in horizons if self.horizon is None or horizon <= self.horizon] or [int(self.horizon or 0)]

    def made(self, algorithm: Mapping[str, Any]) -> bool:
        """Whether the algorithm of a cell is this one."""
        return {key: value for key, value in algorithm.items() if key not in ("name", self.interface.records)} == normal(
            self.parameters
        ) and algorithm["name"] == self.name

    def seconds(self, cell: Cell) -> float:
        """Forecast of the CPU seconds of one replicate: of plain Python, or of a compiled loop."""
        records, arms = cell.algorithm[self.interface.records], int(cell.environment["arms"])
        match self.problem:
            case "linear":
                return (3e-6 if self.compiled else 6e-5) * int(records[-1])
            case "best-arm":
                return 1e-7 * arms * len(records) if self.compiled else len(records) * (1e-3 + 3e-6 * arms)
        return 1e-4 * len(records) if self.compiled else 4e-5 * sum(map(int, records))

    def largest_block(self, cell: Cell) -> int:
        """Of which the papers' numbers of replicates are multiples."""
        return 100 if self.problem == "best-arm" else 10

    @property
    def described(self) -> dict[str, Any]:
        """What summaries and pictures have to know."""
        return {key: getattr(self, key) for key in SHOWN}


def entries(written: Sequence[OwnAlgorithm]) -> tuple[Entry, ...]:
    """Every algorithm that the key `algorithms` names. Raises ValueError with one sentence for what cannot be played."""
    files = [(file, one) for one in written for file in _files(one)]
    several = Counter(file.resolve() for file, _ in files)
    found = [_entry(file, one, several[file.resolve()] > 1) for file, one in files]
    for what, values in (("the label", [one.label for one in found]), ("the file", [canonical(one.cell(())) for one in found])):
        twice = next((i for i, value in enumerate(values) if value in values[:i]), None)
        if twice is not None:
            raise ValueError(f"algorithms: {what} {found[twice].label!r} stands twice, with the same parameters; write each once")
    by_name = {one.name: one.file.resolve() for one in reversed(found)}
    other = next((one for one in found if by_name[one.name] != one.file.resolve()), None)
    if other is not None:
        raise ValueError(f"algorithms: {other.file} and another file have the name {other.name}; rename one of them")
    return tuple(found)


def _files(one: OwnAlgorithm) -> list[Path]:
    path = Path(one.file).expanduser()
    if not path.is_dir():
        return [path]
    if one.parameters or one.label:
        raise ValueError(f"algorithms: {path} is a folder, which has no parameters and no label of its own; name its files one by one")
    found = sorted(file for file in path.glob("*.py") if not file.name.startswith("_"))
    if not found:
        raise ValueError(f"algorithms: the folder {path} holds no Python file whose name begins without _; write the path of one that does")
    return found


def _entry(file: Path, one: OwnAlgorithm, several: bool) -> Entry:
    kind, name = classes.load(file), unicodedata.normalize("NFC", file.stem)
    ours = names("algorithms")
    changed = ", ".join(f"{key} = {value}" for key, value in one.parameters.items())
    label = one.label or (f"{name}, {changed}" if several and changed else name)
    if name in ours:
        raise ValueError(f"algorithms: {file} has the name of an algorithm of this project, {name}; rename the file")
    if label in ours:
        raise ValueError(f"algorithms: the label of {file} is {label!r}, the name of an algorithm of this project; write another label")
    problem = PROBLEMS[kind.problem]  # type: ignore[attr-defined]
    compiled = hasattr(kind, "play")
    reserved = [key for key in ("name", *(other.records for other in PROBLEMS.values())) if key in one.parameters]
    if reserved:
        raise ValueError(f"algorithms: {file}: {reserved[0]!r} is no parameter of yours, it is set for each cell; leave it out")
    classes.make(kind, {**one.parameters, **({problem.records: (1, 2)} if compiled else {})}, str(file))
    papers = tuple(getattr(kind, "papers", problem.papers))
    if not set(papers) <= set(problem.papers):
        raise ValueError(f"algorithms: {file}: papers is {papers}; write some of {', '.join(problem.papers)}")
    return Entry(Path(os.path.relpath(file)), name, label, kind.problem, one.parameters, None if compiled else one.horizon, papers)  # type: ignore[attr-defined]
