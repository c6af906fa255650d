"""UCB in doubling epochs: DEBORA with plain means, which is what replicability is to be weighed against.

Source: Auer, Cesa-Bianchi and Fischer, Finite-time analysis of the multiarmed bandit problem (2002), in the epochs of Bollini et al.,
Replicable constrained bandits (2026), Algorithm 2.

    while t < T:
        b = the first arm without plays, else argmax_a S_a / N_a + sqrt(log(2 K L / delta) / (2 N_a)),  L = ceil(log2 T)
        play b until its count has doubled                  (the smallest index wins ties)

There is nothing random in the algorithm: the runs of a pair share nothing.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._pairs import doublings, epochs_at_most, refuse, settle
from banditpapers.environments.constrained_arms import ConstrainedArms, pull
from banditpapers.kernels.normal import logarithm
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class DoublingUcb:
    """Parameters: `horizons`, T of each pair, increasing; `delta`, with which probability a bound may fail."""

    DETERMINISTIC: ClassVar[bool] = True  # no coin flips

    horizons: tuple[int, ...]
    delta: float = 0.03

    def __post_init__(self) -> None:
        refuse("doubling_ucb", self.horizons, (0.5,), 0.1)
        if not 0 < self.delta < 1:
            raise ValueError(f"doubling_ucb: delta is {self.delta}; write a number above 0 and below 1")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the horizons, each a pair of its own."""
        return tuple(map(str, self.horizons))

    @property
    def rules(self) -> tuple[str, ...]:
        """The one rule, named by its delta."""
        return (f"delta={float(self.delta)!r}",)

    def play(self, environment: ConstrainedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one pair for each horizon. Returns shape (horizons, 1, 9), the last axis as in constrained_arms.OUTCOME."""
        r, value = environment.r, environment.optimum[1]
        found = np.zeros((len(self.horizons), 1, 9))
        for i, horizon in enumerate(self.horizons):
            width = math.sqrt(float(logarithm(2.0 * len(r) * doublings(horizon) / self.delta)) / 2.0)
            runs = [play_once(r, horizon, width, streams.environment) for _ in range(2)]
            settle(r, environment.g, environment.alpha, value, runs[0], runs[1], found[i, 0])
        return found


@njit(cache=True)
def play_once(r, horizon, width, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, no calls, no outputs, missed), see _pairs.compare. r: shape (K,)."""
    arms, most = r.size, epochs_at_most(r.size, horizon)
    counts, sums, means, bounds = np.zeros(arms, np.int64), np.zeros(arms), np.full(arms, 0.5), np.full(arms, np.inf)
    strategies, rounds, t, h, missed = np.zeros((most, arms)), np.empty(most, np.int64), 0, 0, 0
    while t < horizon:
        arm = (means + bounds).argmax()
        strategies[h, arm] = 1.0
        rounds[h] = min(max(counts[arm], 1), horizon - t)
        sums[arm] += pull(generator, r, arm, rounds[h])
        counts[arm] += rounds[h]
        t += rounds[h]
        means[arm], bounds[arm] = sums[arm] / counts[arm], width / math.sqrt(counts[arm])
        missed += abs(means[arm] - r[arm]) > bounds[arm]
        h += 1
    return strategies[:h], rounds[:h], np.zeros(h, np.int64), np.empty(0), missed
