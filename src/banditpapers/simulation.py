"""Simulate one block of replicates of one cell: the only way in which results come into being.

A replicate that fails is recorded as failed with its reason, never left out in silence; the others go on.
"""

import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from banditpapers import records
from banditpapers.cells import Cell
from banditpapers.plugins import build
from banditpapers.seeding import streams


@dataclass(frozen=True)
class Block:
    """What one job produced. outcomes: shape (finished replicates, checkpoints, rules, quantities)."""

    cell: Cell
    first: int
    last: int
    outcomes: NDArray[np.float64]
    replicates: NDArray[np.int32]
    checkpoints: tuple[str, ...]
    rules: tuple[str, ...]
    quantities: tuple[str, ...]
    facts: dict[str, Any]
    failures: dict[str, str]
    seconds: float


def simulate(cell: Cell, master_seed: int, first: int, last: int) -> Block:
    """Play replicates first..last (both included) of a cell. Raises ValueError when the cell's parameters are refused."""
    environment, algorithm = build("environments", cell.environment), build("algorithms", cell.algorithm)
    quantities: tuple[str, ...] = getattr(algorithm, "quantities", import_module(type(environment).__module__).OUTCOME)
    started = time.process_time()
    facts = algorithm.facts(environment) if hasattr(algorithm, "facts") else {}
    finished: dict[int, NDArray[np.float64]] = {}
    failures: dict[str, str] = {}
    # these are no part of the stream's name: one more budget, or another value of a tuned parameter, leaves all coin flips as they are
    common = getattr(algorithm, "COMMON", ())
    player = {name: value for name, value in cell.algorithm.items() if name not in common}
    for replicate in range(first, last + 1):
        try:
            finished[replicate] = algorithm.play(environment, streams(master_seed, cell.paper, cell.environment, player, replicate))
        except (ArithmeticError, ValueError, IndexError, RuntimeError) as error:
            failures[str(replicate)] = f"{type(error).__name__}: {error}"
    shape = (0, len(algorithm.checkpoints), len(algorithm.rules), len(quantities))
    return Block(
        cell=cell,
        first=first,
        last=last,
        outcomes=np.stack(list(finished.values())) if finished else np.empty(shape),
        replicates=np.array(list(finished), dtype=np.int32),
        checkpoints=tuple(algorithm.checkpoints),
        rules=tuple(algorithm.rules),
        quantities=quantities,
        facts=facts,
        failures=failures,
        seconds=time.process_time() - started,
    )


def write(path: Path, block: Block, master_seed: int, code: str) -> None:
    """One row per replicate, checkpoint and recommendation rule; the metadata says what the rows are and how they came about."""
    n, checkpoints, rules, _ = block.outcomes.shape
    replicate, checkpoint, rule = (axis.ravel().astype(np.int32) for axis in np.indices((n, checkpoints, rules)))
    columns: dict[str, Any] = {
        "replicate": records.column(block.replicates[replicate] if n else block.replicates),
        "checkpoint": records.labels(checkpoint, block.checkpoints),
        "rule": records.labels(rule, block.rules),
    }
    columns |= {quantity: records.column(block.outcomes[..., i].ravel()) for i, quantity in enumerate(block.quantities)}
    about = {
        "cell": block.cell.json,
        "replicates": [block.first, block.last],
        "checkpoints": block.checkpoints,
        "rules": block.rules,
        "master_seed": master_seed,
        "code": code,
        "versions": records.versions(),
        "facts": block.facts,
        "failures": block.failures,
        "cpu_seconds": round(block.seconds, 3),
    }
    records.write(path, pa.table(columns), about)
