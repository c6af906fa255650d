"""DEBORA-S: replicable optimism with soft constraints.

Source: Bollini, Genalti, Stradi, Castiglioni and Marchesi, Replicable constrained bandits (2026), Algorithm 3 (reconstructed from section
4).

    r^ = g^ = 1/2, zeta = C for all arms
    while t < T:
        x = argmax (r^ + zeta)'x over the simplex with (g^_i - zeta)'x <= alpha_i for all i     (kernels/simplex_lp.py)
        play a ~ x until some arm's count has doubled in this epoch                              (kernels/epochs.py)
        for every arm with plays: zeta = C / sqrt(N), r^ = RepMean, g^_i = RepMean               (_constrained.py)

A replicate is a pair of runs that share the shifts of RepMean's grids and the arms drawn from x.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._constrained import calls_at_most, learn, optimistic, play_epoch, refuse_constrained, widths
from banditpapers.algorithms._pairs import epochs_at_most, settle, shared_offsets
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.epochs import draw_epoch
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class DeboraSoft:
    """Parameters of DEBORA-S.

    horizons: T of each pair, increasing. rho: the probabilities with which the runs of a pair may differ, one rule each; ratio: delta /
    rho. grid: "paper", "whole", "sharp", or "means" for plain means. calls: "union", "text" or "lazy". factor: scales the widths.
    """

    horizons: tuple[int, ...]
    rho: tuple[float, ...]
    ratio: float = 0.1
    grid: str = "paper"
    calls: str = "union"
    factor: float = 1.0

    def __post_init__(self) -> None:
        refuse_constrained("debora_soft", self.horizons, self.rho, self.ratio, self.grid, self.calls, self.factor)

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
        r, g, limits, value = environment.r, environment.g, environment.alpha, environment.optimum[1]
        told, xi = np.vstack([r, g]), streams.algorithm
        found, lazy = np.zeros((len(self.horizons), len(self.rho), 9)), self.calls == "lazy"
        for (i, horizon), (j, rho) in product(enumerate(self.horizons), enumerate(self.rho)):
            coefficients = widths(environment, horizon, rho, self.ratio * rho, self.grid, self.calls, self.factor)
            offsets = shared_offsets(calls_at_most(len(r), len(g), horizon), horizon, *streams.algorithm_words)
            shared, runs = xi.bit_generator.state, []
            for _ in range(2):
                xi.bit_generator.state = shared  # both runs draw the same
                runs.append(play_once(told, limits, horizon, *coefficients, lazy, offsets, xi, streams.environment))
            settle(r, g, limits, value, runs[0], runs[1], found[i, j])
        return found


@njit(cache=True)
def play_once(told, limits, horizon, cell, width, lazy, offsets, xi, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, calls by the end of each epoch, outputs of the calls, missed), see _pairs.compare.

    Shapes: told (1 + m, K), rewards above costs; limits (m,); offsets (calls,).
    """
    arms, m, most = told.shape[1], limits.size, epochs_at_most(told.shape[1], horizon)
    counts, at, played = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.empty(arms, np.int64)
    sums, estimates, bounds = np.zeros((1 + m, arms)), np.full((1 + m, arms), 0.5), np.full(arms, width)
    values, costs, need = np.empty(arms), np.empty((m, arms)), np.empty(arms, np.int64)
    strategies, rounds, calls = np.empty((most, arms)), np.empty(most, np.int64), np.empty(most, np.int64)
    outputs, t, h, call, missed = np.empty(offsets.size), 0, 0, 0, 0
    while t < horizon:
        # the strategy of the epoch
        optimistic(estimates, bounds, limits, values, costs, strategies[h])
        # play until a count has doubled
        for a in range(arms):
            need[a] = max(counts[a], 1)
        rounds[h] = draw_epoch(xi, strategies[h], need, horizon - t, played)
        play_epoch(generator, told, counts, sums, played)
        t += rounds[h]
        # learn
        call, wrong = learn(counts, sums, told, cell, width, lazy, offsets, call, estimates, bounds, at, outputs)
        missed += wrong
        calls[h] = call
        h += 1
    return strategies[:h], rounds[:h], calls[:h], outputs[:call], missed
