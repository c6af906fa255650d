"""UCB1, round by round.

Source: Auer, Cesa-Bianchi and Fischer, Finite-time analysis of the multiarmed bandit problem (2002), Figure 1.

    for t = 1, ..., T:
        play the first arm without plays, else argmax_a S_a / N_a + sqrt(2 log t / N_a)     (the smallest index wins ties)

It needs no horizon: one run gives all checkpoints. There is nothing random in the algorithm, so that two runs share nothing.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._pairs import refuse
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.normal import logarithm
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class Ucb1:
    """Parameters: `horizons`, the rounds that are recorded, increasing."""

    DETERMINISTIC: ClassVar[bool] = True  # no coin flips

    horizons: tuple[int, ...]

    def __post_init__(self) -> None:
        refuse("ucb1", self.horizons, (0.5,), 0.1)

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.horizons))

    @property
    def rules(self) -> tuple[str, ...]:
        """The one rule that there is."""
        return ("ucb1",)

    @property
    def quantities(self) -> tuple[str, ...]:
        """The regret of a run; a pair would share nothing."""
        return ("regret",)

    def play(self, environment: ConstrainedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one run. Returns shape (horizons, 1, 1)."""
        counts = _play(environment.r, np.array(self.horizons, dtype=np.int64), streams.environment)
        gaps = environment.optimum[1] - environment.r
        return np.cumsum(counts * gaps, axis=1)[:, -1][:, np.newaxis, np.newaxis]


@njit(cache=True)
def _play(r, horizons, generator):  # type: ignore[no-untyped-def]
    """Plays of each arm after each of the rounds `horizons`, shape (horizons, K)."""
    arms, mark = r.size, 0
    counts, sums, found = np.zeros(arms, np.int64), np.zeros(arms), np.empty((horizons.size, arms), np.int64)
    for t in range(horizons[-1]):
        arm, best, double = 0, -np.inf, 2.0 * logarithm(t + 1.0)
        for a in range(arms):
            bound = np.inf if counts[a] == 0 else sums[a] / counts[a] + math.sqrt(double / counts[a])
            if bound > best:
                arm, best = a, bound
        sums[arm] += generator.random() < r[arm]
        counts[arm] += 1
        if t + 1 == horizons[mark]:
            for a in range(arms):
                found[mark, a] = counts[a]
            mark += 1
    return found
