"""DEBORA: optimism with replicable means, in epochs that end when the arm's count has doubled.

Source: Bollini, Genalti, Stradi, Castiglioni and Marchesi, Replicable constrained bandits (2026), Algorithm 2 (reconstructed from section
3).

    M = K ceil(log2 T),  rho' = rho / M,  delta' = delta / M
    while t < T:
        b = the first arm without plays, else argmax_a r^_a + zeta_a       (the smallest index wins ties)
        play b until its count has doubled: 1, 1, 2, 4, ... rounds
        r^_b = RepMean of all its rewards so far, zeta_b = C / sqrt(N_b)    (kernels/replicable_mean.py)

Counts are powers of two, so that RepMean is called on a table of M entries: the union bound is over these. An epoch's rewards are one
binomial number: a run costs the same for every horizon. A replicate is a pair of runs that share the shifts of RepMean's grids.
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._pairs import doublings, epochs_at_most, refuse, settle, shared_offsets
from banditpapers.environments.constrained_arms import ConstrainedArms, pull
from banditpapers.kernels.replicable_mean import GRIDS, precision, replicable_mean
from banditpapers.seeding import Streams

REFRESHES = ("played", "every")


@dataclass(frozen=True)
class Debora:
    """Parameters of DEBORA.

    horizons: T of each pair, increasing. rho: the probabilities with which the runs of a pair may differ, one rule each; ratio: delta /
    rho. grid: "paper", "whole" or "sharp", see kernels/replicable_mean.py. refresh: RepMean of the arm just "played", or of "every" arm
    in each epoch with the same rho': a misreading, kept as a control, for which the union bound is too small.
    """

    horizons: tuple[int, ...]
    rho: tuple[float, ...]
    ratio: float = 0.1
    grid: str = "paper"
    refresh: str = "played"

    def __post_init__(self) -> None:
        refuse("debora", self.horizons, self.rho, self.ratio)
        if self.grid not in GRIDS:
            raise ValueError(f"debora: grid is {self.grid!r}; write one of {', '.join(GRIDS)}")
        if self.refresh not in REFRESHES:
            raise ValueError(f"debora: refresh is {self.refresh!r}; write one of {', '.join(REFRESHES)}")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the horizons, each a pair of its own."""
        return tuple(map(str, self.horizons))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per rho."""
        return tuple(f"rho={float(rho)!r}" for rho in self.rho)

    def play(self, environment: ConstrainedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one pair for each horizon and rho. Returns shape (horizons, rules, 9), the last axis as in constrained_arms.OUTCOME."""
        told = environment.r, environment.g, environment.alpha, environment.optimum[1]
        found, every = np.zeros((len(self.horizons), len(self.rho), 9)), self.refresh == "every"
        for (i, horizon), (j, rho) in product(enumerate(self.horizons), enumerate(self.rho)):
            most = environment.arms * doublings(horizon)
            width = precision(rho / most, self.ratio * rho / most, self.grid)
            _pair(*told, horizon, *width, every, *streams.algorithm_words, streams.environment, found[i, j])
        return found


@njit(cache=True)
def _pair(r, g, alpha, value, horizon, cell, width, every, seed, lane, generator, row):  # type: ignore[no-untyped-def]
    epochs = epochs_at_most(r.size, horizon)
    offsets = shared_offsets(epochs * (r.size if every else 1), horizon, seed, lane)
    first = play_once(r, horizon, cell, width, every, offsets, generator)
    settle(r, g, alpha, value, first, play_once(r, horizon, cell, width, every, offsets, generator), row)


@njit(cache=True)
def play_once(r, horizon, cell, width, every, offsets, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, calls by the end of each epoch, outputs of the calls, missed), see _pairs.compare.

    Shapes: r (K,), offsets (calls,).
    """
    arms, most = r.size, epochs_at_most(r.size, horizon)
    counts, sums = np.zeros(arms, np.int64), np.zeros(arms)
    means, bounds = np.full(arms, 0.5), np.full(arms, np.inf)
    strategies, rounds, calls = np.zeros((most, arms)), np.empty(most, np.int64), np.empty(most, np.int64)
    outputs, t, h, call, missed = np.empty(offsets.size), 0, 0, 0, 0
    while t < horizon:
        # the arm of the epoch: an arm without plays has an infinite bound
        arm = (means + bounds).argmax()
        strategies[h, arm] = 1.0
        rounds[h] = min(max(counts[arm], 1), horizon - t)
        # play
        sums[arm] += pull(generator, r, arm, rounds[h])
        counts[arm] += rounds[h]
        t += rounds[h]
        # learn
        for a in range(arms):
            if a == arm or (every and counts[a] > 0):
                root = math.sqrt(counts[a])
                means[a] = replicable_mean(sums[a], counts[a], cell / root, offsets[call])
                bounds[a] = width / root
                missed += abs(means[a] - r[a]) > bounds[a]
                outputs[call] = means[a]
                call += 1
        calls[h] = call
        h += 1
    return strategies[:h], rounds[:h], calls[:h], outputs[:call], missed
