"""DEBORA-H: replicable optimism with hard constraints, mixed with a strategy that is known to be safe.

Source: Bollini, Genalti, Stradi, Castiglioni and Marchesi, Replicable constrained bandits (2026), Algorithm 4 (reconstructed from section
5).

    x~ = the strategy of DEBORA-S                                                     (debora_soft.py)
    V = {i: (g^_i + zeta)'x~ > alpha_i}                                               constraints that x~ may break
    gamma = 1 if V is empty, else min over V of (alpha_i - lambda_i) / ((g^_i + zeta)'x~ - lambda_i)
    x = gamma x~ + (1 - gamma) x_diamond,   lambda_i = g_i'x_diamond

gamma is the largest weight for which gamma (g^_i + zeta)'x~ + (1 - gamma) lambda_i <= alpha_i for all i. The learner knows x_diamond and
lambda.
"clip": no cost exceeds 1, so that min(1, g^ + zeta) is as safe, and less cautious as long as zeta is large. The text has no clip.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._constrained import calls_at_most, learn, optimistic, play_epoch, refuse_constrained, refuse_unsafe, widths
from banditpapers.algorithms._pairs import epochs_at_most, settle, shared_offsets
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.epochs import draw_epoch
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class DeboraHard:
    """Parameters of DEBORA-H: those of DEBORA-S, and `clip`."""

    horizons: tuple[int, ...]
    rho: tuple[float, ...]
    ratio: float = 0.1
    grid: str = "paper"
    calls: str = "union"
    factor: float = 1.0
    clip: bool = False

    def __post_init__(self) -> None:
        refuse_constrained("debora_hard", self.horizons, self.rho, self.ratio, self.grid, self.calls, self.factor)

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
        refuse_unsafe("debora_hard", environment)
        r, g, limits, value = environment.r, environment.g, environment.alpha, environment.optimum[1]
        told, xi, safe = np.vstack([r, g]), streams.algorithm, environment.safest
        found, lazy = np.zeros((len(self.horizons), len(self.rho), 9)), self.calls == "lazy"
        for (i, horizon), (j, rho) in product(enumerate(self.horizons), enumerate(self.rho)):
            coefficients = widths(environment, horizon, rho, self.ratio * rho, self.grid, self.calls, self.factor)
            offsets = shared_offsets(calls_at_most(len(r), len(g), horizon), horizon, *streams.algorithm_words)
            shared, runs = xi.bit_generator.state, []
            for _ in range(2):
                xi.bit_generator.state = shared  # both runs draw the same
                run = play_once(told, limits, *safe, self.clip, horizon, *coefficients, lazy, offsets, xi, streams.environment)
                runs.append(run[:5])
            settle(r, g, limits, value, runs[0], runs[1], found[i, j])
        return found


@njit(cache=True)
def mixing_weight(x, estimates, bounds, limits, lambdas, clip):  # type: ignore[no-untyped-def]
    """(gamma, the largest pessimistic cost of x above its limit). estimates: r^ and g^, shape (1 + m, K); bounds: zeta, shape (K,)."""
    gamma, excess = 1.0, -np.inf
    for i in range(limits.size):
        cost = 0.0
        for a in range(x.size):
            high = estimates[1 + i, a] + bounds[a]
            cost += x[a] * (min(high, 1.0) if clip else high)
        excess = max(excess, cost - limits[i])
        if cost > limits[i]:
            gamma = min(gamma, (limits[i] - lambdas[i]) / (cost - lambdas[i]))
    return gamma, excess


@njit(cache=True)
def play_once(told, limits, safe, lambdas, clip, horizon, cell, width, lazy, offsets, xi, generator):  # type: ignore[no-untyped-def]
    """One run. Returns what DEBORA-S's does and, for each epoch, gamma and the largest pessimistic cost above its limit, shape (H, 2)."""
    arms, m, most = told.shape[1], limits.size, epochs_at_most(told.shape[1], horizon)
    counts, at, played = np.zeros(arms, np.int64), np.zeros(arms, np.int64), np.empty(arms, np.int64)
    sums, estimates, bounds = np.zeros((1 + m, arms)), np.full((1 + m, arms), 0.5), np.full(arms, width)
    values, costs, need = np.empty(arms), np.empty((m, arms)), np.empty(arms, np.int64)
    strategies, rounds, calls = np.empty((most, arms)), np.empty(most, np.int64), np.empty(most, np.int64)
    outputs, mixed, t, h, call, missed = np.empty(offsets.size), np.empty((most, 2)), 0, 0, 0, 0
    while t < horizon:
        # the strategy of the epoch
        x = strategies[h]
        optimistic(estimates, bounds, limits, values, costs, x)
        mixed[h, 0], mixed[h, 1] = mixing_weight(x, estimates, bounds, limits, lambdas, clip)
        for a in range(arms):
            x[a] = mixed[h, 0] * x[a] + (1.0 - mixed[h, 0]) * safe[a]
            need[a] = max(counts[a], 1)
        # play until a count has doubled
        rounds[h] = draw_epoch(xi, x, need, horizon - t, played)
        play_epoch(generator, told, counts, sums, played)
        t += rounds[h]
        # learn
        call, wrong = learn(counts, sums, told, cell, width, lazy, offsets, call, estimates, bounds, at, outputs)
        missed += wrong
        calls[h] = call
        h += 1
    return strategies[:h], rounds[:h], calls[:h], outputs[:call], missed, mixed[:h]
