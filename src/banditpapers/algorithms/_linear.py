"""What the linear Thompson samplers share: checks of their parameters, and the loop over a sweep of them on one world."""

import math
from collections.abc import Callable, Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

from banditpapers.environments.linear_contexts import OUTCOME, History, World, account
from banditpapers.kernels.ridge import SQRT


def refuse(name: str, rounds: tuple[int, ...], v: tuple[float, ...], ridge: float | str) -> None:
    """Raises ValueError, with one sentence, for recorded rounds, exploration parameters or regularisation that mean nothing."""
    if not rounds or any(later <= earlier for earlier, later in zip((0, *rounds), rounds, strict=False)):
        raise ValueError(f"{name}: rounds is {rounds}; write integers of at least 1, each larger than the one before")
    if not v or len(set(v)) < len(v) or not all(0 < scale < math.inf for scale in v):
        raise ValueError(f"{name}: v is {v}; write numbers above 0, none of them twice")
    if ridge != SQRT and not (isinstance(ridge, int | float) and 0 < ridge < math.inf):
        raise ValueError(f"{name}: ridge is {ridge!r}; write a number above 0 or {SQRT!r}")


def play_sweep(
    world: World, rounds: NDArray[np.int64], sweep: Iterable[tuple[Hashable, Callable[[], History]]]
) -> NDArray[np.float64]:
    """Play every member of a sweep on one world. Members with the same key are one algorithm and are played once.

    Returns shape (recorded rounds, members, 5), the last axis as in linear_contexts.OUTCOME.
    """
    played: dict[Hashable, NDArray[np.float64]] = {}
    columns = []
    for key, play in sweep:
        if key not in played:
            played[key] = account(world, play(), rounds)
        columns.append(played[key])
    return np.stack(columns, axis=1).reshape(rounds.size, len(columns), len(OUTCOME))
