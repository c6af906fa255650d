"""Replicable elimination with randomised thresholds, in the style of RSE and REC: a reconstruction, not the authors' own algorithm.

Source: after Komiyama, Ito, Yoshida and Koshino, Replicability is asymptotically free in multi-armed bandits (2024). Its structure is
known from public descriptions; the constants here are derived, not theirs.

    N_p = 4^p,  P = ceil(log4 T) + 1,  width(b) = max(sqrt(log(2 K^2 P T) / N_p), (8/b) sqrt(log(8 K^2 P / b) / N_p))
    U_0, U_1, ..., U_K uniform in [0, 1], shared by both runs
    for p = 1, ..., P:
        leave if the phase has more rounds than are left, or one arm is left
        play each arm of A until it has N_p plays
        if the best mean exceeds the second by (2 + U_0) width(rho / 2): keep the best arm alone
        else ("RSE"): drop each a that lies (2 + U_a) width(rho / (2 (K - 1))) below the best      ("REC": drop none)
    play for the rest the first arm of A
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._pairs import refuse, settle, shared_offsets
from banditpapers.environments.constrained_arms import ConstrainedArms, pull
from banditpapers.kernels.normal import logarithm
from banditpapers.seeding import Streams

STYLES = ("RSE", "REC")


@dataclass(frozen=True)
class PhasedElimination:
    """Parameters.

    horizons: T of each pair, increasing. rho: the probabilities with which the runs of a pair may differ, one rule each. style: "RSE" or
    "REC".
    """

    horizons: tuple[int, ...]
    rho: tuple[float, ...]
    style: str = "RSE"

    def __post_init__(self) -> None:
        refuse("phased_elimination", self.horizons, self.rho, 0.1)
        if self.style not in STYLES:
            raise ValueError(f"phased_elimination: style is {self.style!r}; write one of {', '.join(STYLES)}")

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
        r, value = environment.r, environment.optimum[1]
        found = np.zeros((len(self.horizons), len(self.rho), 9))
        for (i, horizon), (j, rho) in product(enumerate(self.horizons), enumerate(self.rho)):
            shared = shared_offsets(len(r) + 1, horizon, *streams.algorithm_words)
            told = r, horizon, float(rho), self.style == "RSE", shared, streams.environment
            settle(r, environment.g, environment.alpha, value, play_once(*told), play_once(*told), found[i, j])
        return found


@njit(cache=True)
def scale(arms, phases, horizon, budget):  # type: ignore[no-untyped-def]
    """width(b) sqrt(N_p)."""
    regular = math.sqrt(logarithm(2.0 * arms * arms * phases * horizon))
    return max(regular, 8.0 / budget * math.sqrt(logarithm(8.0 * arms * arms * phases / budget)))


@njit(cache=True)
def play_once(r, horizon, rho, eliminates, shared, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, no calls, no outputs, 0), see _pairs.compare. Shapes: r (K,), shared (K + 1,)."""
    arms, phases = r.size, 1
    while 4.0 ** (phases - 1) < horizon:
        phases += 1
    most = phases * arms + 1
    active, sums, count, t, h = np.ones(arms, np.bool_), np.zeros(arms), 0, 0, 0
    strategies, rounds = np.zeros((most, arms)), np.empty(most, np.int64)
    commit, drop = scale(arms, phases, horizon, rho / 2.0), scale(arms, phases, horizon, rho / (2.0 * max(arms - 1, 1)))
    for p in range(1, phases + 1):
        left, more = active.sum(), 4**p - count
        if left == 1 or more * left > horizon - t:
            break
        count += more
        best, second = -1, -np.inf
        for a in range(arms):
            if active[a]:
                strategies[h, a], rounds[h] = 1.0, more
                sums[a] += pull(generator, r, a, more)
                t += more
                h += 1
                if best < 0 or sums[a] > sums[best]:
                    second = sums[best] if best >= 0 else second
                    best = a
                else:
                    second = max(second, sums[a])
        root = math.sqrt(count)
        if (sums[best] - second) / count >= (2.0 + shared[0]) * commit / root:
            active[:] = False
            active[best] = True
        elif eliminates:
            top = sums[best]
            for a in range(arms):
                active[a] &= (top - sums[a]) / count < (2.0 + shared[1 + a]) * drop / root
    if t < horizon:
        strategies[h, active.argmax()], rounds[h] = 1.0, horizon - t
        h += 1
    return strategies[:h], rounds[:h], np.zeros(h, np.int64), np.empty(0), 0
