"""Simulate one block of replicates of one cell: the only way in which results come into being.

A replicate that fails is recorded as failed with its reason, never left out in silence; the others go on.
"""

import resource
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from banditpapers import records
from banditpapers.cells import Cell
from banditpapers.guard import guarded
from banditpapers.plugins import build
from banditpapers.seeding import streams

# what happens to a replicate; anything else is a fault of the program and ends the job
FAILURES = (ArithmeticError, ValueError, IndexError, RuntimeError, MemoryError)
FINISHED, FAILED = b"+", b"-"  # how the answer of a replicate begins


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
    data: Mapping[str, Any] | None = None  # what the environment's data are, where it has some


def simulate(cell: Cell, master_seed: int, first: int, last: int, limit: int | None = None, data: Path | None = None) -> Block:
    """Play replicates first..last (both included) of a cell.

    limit: CPU seconds after which a replicate is ended and recorded as failed. data: the table of ratings that the environment plays on,
    where it plays on some. Raises ValueError when the cell's parameters or its data are refused.
    """
    world = {**cell.environment, "table": str(data)} if data else cell.environment
    environment, algorithm = build("environments", world), build("algorithms", cell.algorithm)
    about_data = getattr(environment, "data", None)  # read here, once, and refused before anything is played
    quantities: tuple[str, ...] = getattr(algorithm, "quantities", import_module(type(environment).__module__).OUTCOME)
    started = _cpu_seconds()
    facts = algorithm.facts(environment) if hasattr(algorithm, "facts") else {}
    finished: dict[int, NDArray[np.float64]] = {}
    failures: dict[str, str] = {}
    # these are no part of the stream's name: one more budget, or another value of a tuned parameter, leaves all coin flips as they are
    common = getattr(algorithm, "COMMON", ())
    player = {name: value for name, value in cell.algorithm.items() if name not in common}
    shape = (len(algorithm.checkpoints), len(algorithm.rules), len(quantities))

    def play(replicate: int) -> bytes:
        try:
            outcome = algorithm.play(environment, streams(master_seed, cell.paper, cell.environment, player, replicate))
        except FAILURES as error:
            return FAILED + f"{type(error).__name__}: {error}".removesuffix(": ").encode()
        return FINISHED + np.asarray(outcome, dtype=np.float64).tobytes()

    numbers = range(first, last + 1)
    answers: Iterable[tuple[int, bytes | None]] = guarded(numbers, play, limit) if limit else ((number, play(number)) for number in numbers)
    for replicate, answer in answers:
        if answer is None:
            failures[str(replicate)] = f"TimeLimit: more than {limit} CPU seconds"
        elif answer.startswith(FAILED):
            failures[str(replicate)] = answer.removeprefix(FAILED).decode()
        else:
            finished[replicate] = np.frombuffer(answer, offset=len(FINISHED)).reshape(shape)
    return Block(
        cell=cell,
        first=first,
        last=last,
        outcomes=np.stack(list(finished.values())) if finished else np.empty((0, *shape)),
        replicates=np.array(list(finished), dtype=np.int32),
        checkpoints=tuple(algorithm.checkpoints),
        rules=tuple(algorithm.rules),
        quantities=quantities,
        facts=facts,
        failures=failures,
        seconds=_cpu_seconds() - started,
        data=about_data,
    )


def _cpu_seconds() -> float:
    """Of this process and of those that it waited for."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def table(block: Block) -> pa.Table:
    """One row per replicate, checkpoint and recommendation rule."""
    n, checkpoints, rules, _ = block.outcomes.shape
    replicate, checkpoint, rule = (axis.ravel().astype(np.int32) for axis in np.indices((n, checkpoints, rules)))
    columns: dict[str, Any] = {
        "replicate": records.column(block.replicates[replicate] if n else block.replicates),
        "checkpoint": records.labels(checkpoint, block.checkpoints),
        "rule": records.labels(rule, block.rules),
    }
    columns |= {quantity: records.column(block.outcomes[..., i].ravel()) for i, quantity in enumerate(block.quantities)}
    return pa.table(columns)


def write(path: Path, block: Block, master_seed: int, code: str) -> None:
    """Write the table; the metadata says what its rows are and how they came about."""
    about = {
        "cell": block.cell.json,
        "replicates": [block.first, block.last],
        "checkpoints": block.checkpoints,
        "rules": block.rules,
        "master_seed": master_seed,
        "code": code,
        **records.made_with(),
        "facts": block.facts,
        "failures": block.failures,
        "cpu_seconds": round(block.seconds, 3),
        **({"data": block.data} if block.data else {}),
    }
    records.write(path, table(block), about)
