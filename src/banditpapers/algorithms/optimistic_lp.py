"""Optimistic linear programs with plain means (OptLP): soft constraints without replicability.

Source: Efroni, Mannor and Pirotta, Exploration-exploitation in constrained MDPs (2020), for one state, as compared with DEBORA-S in
Bollini et al., Replicable constrained bandits (2026), section 4.1.

    x = argmax (r^ + w)'x over the simplex with (g^_i - w)'x <= alpha_i for all i,   w = sqrt(log(2 M / delta) / (2 N)),  w = w(1) at N = 0
    play a ~ x for one round, or until some arm's count has doubled; r^, g^ are plain means

The number M of bounds is that of DEBORA-S. There is no grid: the runs of a pair share the arms drawn from x as long as they agree, that
is for a few rounds.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._constrained import EPOCHS, MEANS, learn, optimistic, play_epoch, refuse_constrained, widths
from banditpapers.algorithms._pairs import epochs_at_most, settle
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.epochs import draw_epoch
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class OptimisticLp:
    """Parameters: `horizons`, T of each pair, increasing; delta, the probability that a bound fails; epochs: "doubling" or "rounds"."""

    horizons: tuple[int, ...]
    delta: float = 0.03
    epochs: str = "doubling"

    def __post_init__(self) -> None:
        refuse_constrained("optimistic_lp", self.horizons, (0.5,), 0.1, MEANS, "union", 1.0)
        if not 0 < self.delta < 1:
            raise ValueError(f"optimistic_lp: delta is {self.delta}; write a number above 0 and below 1")
        if self.epochs not in EPOCHS:
            raise ValueError(f"optimistic_lp: epochs is {self.epochs!r}; write one of {', '.join(EPOCHS)}")

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
        r, g, limits, value = environment.r, environment.g, environment.alpha, environment.optimum[1]
        told, xi, found = np.vstack([r, g]), streams.algorithm, np.zeros((len(self.horizons), 1, 9))
        for i, horizon in enumerate(self.horizons):
            width = widths(environment, horizon, 1.0, self.delta, MEANS, "union", 1.0).width
            shared, runs = xi.bit_generator.state, []
            for _ in range(2):
                xi.bit_generator.state = shared  # both runs draw the same
                runs.append(play_once(told, limits, horizon, width, self.epochs == "rounds", xi, streams.environment))
            settle(r, g, limits, value, runs[0], runs[1], found[i, 0])
        return found


@njit(cache=True)
def play_once(told, limits, horizon, width, by_round, xi, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, no calls, no outputs, missed), see _pairs.compare.

    Shapes: told (1 + m, K), rewards above costs; limits (m,).
    """
    arms, m = told.shape[1], limits.size
    most = horizon if by_round else epochs_at_most(arms, horizon)
    counts, at, played = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.empty(arms, np.int64)
    sums, estimates, bounds = np.zeros((1 + m, arms)), np.full((1 + m, arms), 0.5), np.full(arms, width)
    values, costs, need, ignored = np.empty(arms), np.empty((m, arms)), np.ones(arms, np.int64), np.empty((1 + m) * arms)
    strategies, rounds, t, h, missed = np.empty((most, arms)), np.empty(most, np.int64), 0, 0, 0
    while t < horizon:
        optimistic(estimates, bounds, limits, values, costs, strategies[h])
        for a in range(arms):
            need[a] = 1 if by_round else max(counts[a], 1)
        rounds[h] = draw_epoch(xi, strategies[h], need, 1 if by_round else horizon - t, played)
        play_epoch(generator, told, counts, sums, played)
        t += rounds[h]
        missed += learn(counts, sums, told, 0.0, width, False, ignored, 0, estimates, bounds, at, ignored)[1]
        h += 1
    return strategies[:h], rounds[:h], np.zeros(h, np.int64), np.empty(0), missed
