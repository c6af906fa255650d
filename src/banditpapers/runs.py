"""Finished blocks, put together again per cell, for the summaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers import records
from banditpapers.canonical import canonical, normal
from banditpapers.cells import Cell


@dataclass(frozen=True)
class CellRuns:
    """All finished replicates below `planned` of one cell.

    values: shape (replicates, checkpoints, rules, quantities), replicates in ascending order.
    """

    cell: Cell
    planned: int
    failed: int
    values: NDArray[np.float64]
    checkpoints: tuple[str, ...]
    rules: tuple[str, ...]
    quantities: tuple[str, ...]
    facts: dict[str, Any]
    cpu_seconds: float
    source: str = ""  # of the real data that it was played on, in words that a figure may print

    @property
    def finished(self) -> int:
        """The number of replicates with a result."""
        return len(self.values)

    @property
    def counts(self) -> dict[str, int]:
        """n planned, finished and failed: they go with every mean."""
        return {"planned": self.planned, "finished": self.finished, "failed": self.failed}

    def of(self, checkpoint: str, rule: str, quantity: str) -> NDArray[np.float64]:
        """One number per replicate. Raises ValueError for an unknown checkpoint, rule or quantity."""
        return self.values[:, self.checkpoints.index(checkpoint), self.rules.index(rule), self.quantities.index(quantity)]

    def path(self, rule: str, quantity: str) -> NDArray[np.float64]:
        """Shape (replicates, checkpoints): a quantity along the checkpoints."""
        return self.values[:, :, self.rules.index(rule), self.quantities.index(quantity)]


@dataclass(frozen=True)
class Runs:
    """The cells that an exhibit shows, and what its sidecar says of them."""

    cells: tuple[CellRuns, ...]
    about: dict[str, Any]

    def matching(self, algorithm: str, **parameters: Any) -> Iterator[CellRuns]:
        """The cells of an algorithm whose environment or algorithm parameters have these values."""
        for runs in self.cells:
            described = {**runs.cell.environment, **runs.cell.algorithm}
            wanted = {"name": algorithm, **{key: normal(value) for key, value in parameters.items()}}
            if all(key in described and described[key] == value for key, value in wanted.items()):
                yield runs

    def one(self, algorithm: str, **parameters: Any) -> CellRuns:
        """The only such cell. Raises LookupError when there is none or more than one."""
        found = list(self.matching(algorithm, **parameters))
        if len(found) != 1:
            raise LookupError(f"{len(found)} cells of {algorithm} with {parameters}; one was expected")
        return found[0]


def read(paths: Iterable[Path], planned: int) -> Runs:
    """Read blocks and keep the replicates below `planned`.

    Raises DamagedRecordError for a damaged file, ValueError when two blocks hold the same replicate of a cell, when one is missing, or when
    the blocks of a cell do not belong together.
    """
    blocks: dict[str, list[tuple[Any, dict[str, Any]]]] = {}
    for path in sorted(paths):
        table, about = records.read(path)
        blocks.setdefault(about["cell"], []).append((table, about))
    cells = tuple(_join(Cell.from_json(text), parts, planned) for text, parts in sorted(blocks.items()))
    abouts = [about for parts in blocks.values() for _, about in parts]
    counts = {word: sum(runs.counts[word] for runs in cells) for word in ("planned", "finished", "failed")}
    return Runs(
        cells,
        {
            "cells": [
                {
                    "id": runs.cell.id,
                    "cell": runs.cell.json,
                    **runs.counts,
                    "code": _all(about["code"] for _, about in blocks[runs.cell.json]),
                    **_data(blocks[runs.cell.json][0][1]),
                }
                for runs in cells
            ],
            "replicates": counts,
            "master_seed": sorted({about["master_seed"] for about in abouts}),
            **_circumstances(abouts or [records.made_with()]),
            "cpu_seconds": round(sum(about["cpu_seconds"] for about in abouts), 1),
        },
    )


def _data(about: Mapping[str, Any]) -> dict[str, Any]:
    """What a cell's block says of the real data that it was played on; nothing where there are none."""
    return {"data": about["data"]} if "data" in about else {}


def _circumstances(abouts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Versions, machine and lock file of all blocks. A block from before one of them was recorded says "unknown"."""
    now = records.made_with()
    together: dict[str, Any] = {"lock": _all(about.get("lock", "unknown") for about in abouts)}
    for part in ("versions", "machine"):
        names = {name for about in (now, *abouts) for name in about.get(part, {})}
        together[part] = {name: _all(about.get(part, {}).get(name, "unknown") for about in abouts) for name in names}
    return together


def _all(values: Iterable[Any]) -> str:
    """What all blocks agree on; where they differ, all of it, so that a mixture shows."""
    return ", ".join(sorted({str(value) for value in values}))


def _join(cell: Cell, parts: list[tuple[Any, dict[str, Any]]], planned: int) -> CellRuns:
    parts = sorted(parts, key=lambda part: part[1]["replicates"])
    covered = [replicate for _, about in parts for replicate in range(about["replicates"][0], about["replicates"][1] + 1)]
    if len(covered) != len(set(covered)) or not set(range(planned)) <= set(covered):
        raise ValueError(f"the blocks of {cell.id} do not cover replicates 0 to {planned - 1} once each; delete its folder and run again")
    kinds = {(about["master_seed"], *map(tuple, (about["checkpoints"], about["rules"], table.column_names[3:]))) for table, about in parts}
    if len(kinds) > 1:
        raise ValueError(f"the blocks of {cell.id} differ in their master seed or in what they record; delete its folder and run again")
    data = {canonical(_data(about)) for _, about in parts}
    if len(data) > 1:
        raise ValueError(f"the blocks of {cell.id} were simulated on different data; delete its folder and run again")
    _, checkpoints, rules, quantities = kinds.pop()
    values = np.concatenate([np.stack([table.column(name).to_numpy() for name in quantities], axis=-1) for table, _ in parts])
    replicates = np.concatenate([table.column("replicate").to_numpy() for table, _ in parts])
    keep = replicates < planned
    failures = [int(replicate) for _, about in parts for replicate in about["failures"]]
    return CellRuns(
        cell=cell,
        planned=planned,
        failed=sum(replicate < planned for replicate in failures),
        values=values[keep].reshape(-1, len(checkpoints), len(rules), len(quantities)),
        checkpoints=checkpoints,
        rules=rules,
        quantities=quantities,
        facts=parts[0][1]["facts"],
        cpu_seconds=sum(about["cpu_seconds"] for _, about in parts),
        source=str(_data(parts[0][1]).get("data", {}).get("source", "")),
    )
