"""Pairs of runs of a replicable algorithm: the same internal randomness, other rewards and costs; and what is recorded of a pair.

A run is told by its epochs: the strategy of each, its rounds, the number of RepMean calls made by its end, and the calls' outputs.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numba import njit

from banditpapers.environments.constrained_arms import account
from banditpapers.kernels.philox import fill_uniforms

OFFSET = 11  # purpose of counters, see kernels/philox.py
WORD = 2**32


def doublings(horizon: int) -> int:
    """ceil(log2 T), at least 1: how often an arm's count can double."""
    return max((horizon - 1).bit_length(), 1)


def refuse(name: str, horizons: Sequence[int], rho: Sequence[float], ratio: float) -> None:
    """Raises ValueError for horizons, replicability parameters or a delta / rho that mean nothing."""
    if not horizons or not all(earlier < later < math.inf and later == int(later) for earlier, later in pairwise((0, *horizons))):
        raise ValueError(f"{name}: horizons is {tuple(horizons)}; write integers of at least 1, each larger than the one before")
    if not rho or len(set(rho)) < len(rho) or not all(0 < one < 1 for one in rho):
        raise ValueError(f"{name}: rho is {tuple(rho)}; write numbers above 0 and below 1, none of them twice")
    if not 0 < ratio < 0.5 or not math.isfinite(ratio):
        raise ValueError(f"{name}: ratio is {ratio}; write delta / rho, a number above 0 and below 0.5")


@njit(cache=True)
def epochs_at_most(arms, horizon):  # type: ignore[no-untyped-def]
    """Room for all epochs: K ceil(log2 T), and a few more for K = 1 and T = 1, for which that bound is one too small."""
    length = 1
    while 2**length < horizon:
        length += 1
    return arms * (length + 1) + 1


@njit(cache=True)
def shared_offsets(calls, horizon, seed, lane):  # type: ignore[no-untyped-def]
    """The uniforms that both runs of a pair shift their grids by, one per RepMean call, shape (calls,)."""
    offsets = np.empty(calls)
    fill_uniforms(offsets, seed, OFFSET, horizon % WORD, lane, horizon // WORD)
    return offsets


@njit(cache=True)
def compare(first, second):  # type: ignore[no-untyped-def]
    """Whether two runs are the same in all strategies and epochs, and how many RepMean calls split until they part.

    first, second: (strategies (H, K), rounds (H,), calls made by the end of each epoch (H,), outputs of the calls, missed).
    """
    same, epochs, agreed = True, min(first[1].size, second[1].size), 0
    while same and agreed < epochs:
        same = first[1][agreed] == second[1][agreed]
        for a in range(first[0].shape[1]):
            same &= first[0][agreed, a] == second[0][agreed, a]
        agreed += same
    splits = 0
    if agreed > 0:
        for call in range(min(first[2][agreed - 1], second[2][agreed - 1])):
            splits += first[3][call] != second[3][call]
    return same and first[1].size == second[1].size, splits


@njit(cache=True)
def settle(r, g, alpha, value, first, second, row):  # type: ignore[no-untyped-def]
    """Write the outcome of a pair into `row`, shape (9,), see constrained_arms.OUTCOME."""
    for run, played in enumerate((first, second)):
        losses = np.zeros(2 + alpha.size)
        for h in range(played[1].size):
            account(r, g, alpha, value, played[0][h], played[1][h], losses)
        row[run] = losses[0]
        row[2 + run] = losses[2:].max() if alpha.size else 0.0
        if run == 0:
            row[5], row[7], row[8] = played[1].size, losses[1], played[4]
    same, splits = compare(first, second)
    row[4], row[6] = same, splits
