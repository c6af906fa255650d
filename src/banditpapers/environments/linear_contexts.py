"""Linear contextual bandit with correlated normal contexts: the instances of Kim, Kim & Paik, NeurIPS 2021, section 5.

    mu = (-N, -N + 2, ..., -2, 2, ..., N),   X_ij = mu_i + sqrt(1/2) c_j + sqrt(1/2) e_ij,   c, e ~ N(0, 1),

so that a coordinate of the N arms is N(mu, V) with V_ii = 1, V_ik = 1/2; then a *reading* of "we truncate the contexts so that |X_i| <= 1":

    radial      u_i X_i / |X_i| with u_i ~ U(0, 1): what the authors' program does
    projection  X_i / max(1, |X_i|)
    clip        each coordinate to [-1/sqrt(d), 1/sqrt(d)]
    global      X_i / (sqrt(d) (N + 3)): a constant; only nearly all |X_i| are then at most 1
    truncated   the normal law conditioned on |X_i| <= 1 for all i

Every arm's reward in a round is X_i beta + eta with one eta ~ N(0, 1) for all arms. Regret is max_j X_j beta - X_i beta: without eta.
Rounds are numbered from 0 in the counters of the random numbers (kernels/philox.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.ball_gibbs import SWEEPS, fill_ball
from banditpapers.kernels.normal import quantile
from banditpapers.kernels.philox import BETA, CONTEXT, NOISE, RADIUS, fill_draws, fill_normals, philox, uniform
from banditpapers.seeding import Words, published_uniforms

READINGS = ("radial", "projection", "clip", "global", "truncated")
RADIAL, PROJECTION, CLIP, GLOBAL, TRUNCATED = range(5)
COEFFICIENTS = ("fixed", "fresh")
# what is recorded of an algorithm at a round, in this order
OUTCOME = ("regret", "error", "wrong_sign", "resamples", "exhausted")
ROOT_HALF = np.sqrt(0.5)


class World(NamedTuple):
    """One replicate.

    contexts: shape (T, N, d). lengths |X_i|, rewards and gaps (to the round's best arm, without noise): shape (T, N). coefficients: (d,).
    """

    contexts: NDArray[np.float64]
    lengths: NDArray[np.float64]
    rewards: NDArray[np.float64]
    gaps: NDArray[np.float64]
    coefficients: NDArray[np.float64]


class History(NamedTuple):
    """What an algorithm did. actions, resamples and exhausted: shape (T,); estimates: (marks, d), after the round of each mark.

    exhausted: 1 in a round whose arm is played although it is less likely than the algorithm's gamma, because the draws were used up
    (DRTS) or with its propensity raised to that floor (BLTS).
    """

    actions: NDArray[np.int64]
    estimates: NDArray[np.float64]
    resamples: NDArray[np.int64]
    exhausted: NDArray[np.int64]


@dataclass(frozen=True)
class LinearContexts:
    """An instance: `arms` is N, even; `dimension` is d; `contexts` is a reading of the truncation; `coefficients` says where beta is from.

    fixed: the one beta of the authors' program, uniform on [-1/sqrt(d), 1/sqrt(d)]^d. fresh: such a beta for each replicate.
    """

    arms: int
    dimension: int
    contexts: str = "radial"
    coefficients: str = "fixed"

    def __post_init__(self) -> None:
        if not self.arms >= 2 or self.arms % 2 != 0:
            raise ValueError(f"linear_contexts: arms is {self.arms}; write an even integer of at least 2")
        if not self.dimension >= 1 or self.dimension != int(self.dimension):
            raise ValueError(f"linear_contexts: dimension is {self.dimension}; write an integer of at least 1")
        if self.contexts not in READINGS:
            raise ValueError(f"linear_contexts: contexts is {self.contexts!r}; write one of {', '.join(READINGS)}")
        if self.coefficients not in COEFFICIENTS:
            raise ValueError(f"linear_contexts: coefficients is {self.coefficients!r}; write one of {', '.join(COEFFICIENTS)}")

    def world(self, words: Words, horizon: int) -> World:
        """The first `horizon` rounds of a replicate; more rounds change nothing in these."""
        shape = horizon, self.arms
        beta = _published(self.dimension) if self.coefficients == "fixed" else _fresh(self.dimension, words.seed, words.lane)
        world = World(np.empty((*shape, self.dimension)), np.empty(shape), np.empty(shape), np.empty(shape), beta.copy())
        _fill(*world, READINGS.index(self.contexts), centres(self.arms), words.seed, words.lane)
        return world

    def information(self, words: Words, rounds: int) -> float:
        """phi^2 = lambda_min(E[sum_i X_i X_i^T / N]), estimated from the first rounds of a replicate.

        Coordinates are exchangeable, so that the matrix is a I + b 1 1^T and its eigenvalues are means: no eigenvalue of a sample's matrix,
        of which the smallest is too small (by a fifth in 1000 rounds of the radial reading, N = 10, d = 20).
        """
        contexts = self.world(words, rounds).contexts
        along = float(np.mean(contexts.sum(axis=2) ** 2) / self.dimension)
        across = float(np.mean((contexts**2).sum(axis=2))) - along
        return min(along, across / (self.dimension - 1)) if self.dimension > 1 else along


def account(world: World, history: History, marks: Sequence[int] | NDArray[np.int64]) -> NDArray[np.float64]:
    """Outcomes after the rounds `marks` (counted from 1, increasing), shape (marks, 5), see OUTCOME. All but the error are cumulative.

    An arm has the wrong sign if its centre has: the sign of sum_j beta_j decides which half of the arms is good on average.
    Raises FloatingPointError for estimates that are not finite.
    """
    if not np.isfinite(history.estimates).all():
        raise FloatingPointError("an estimate is not finite: the contexts are too long, or ridge is too small, for this precision")
    arms, rounds = world.gaps.shape[1], np.arange(len(history.actions))
    at = np.asarray(marks) - 1
    good = np.cumsum(world.coefficients)[-1] > 0.0
    wrong = (centres(arms)[history.actions] > 0.0) != good
    # cumsum adds in order, so that the last bits do not depend on how a sum is grouped
    error = np.sqrt(np.cumsum((history.estimates - world.coefficients) ** 2, axis=1)[:, -1])
    columns = [np.cumsum(column)[at] for column in (world.gaps[rounds, history.actions], wrong, history.resamples, history.exhausted)]
    return np.column_stack([columns[0], error, *columns[1:]]).astype(np.float64)


def centres(arms: int) -> NDArray[np.float64]:
    """mu, the means of the coordinates of each arm's contexts, shape (N,): the even numbers from -N to N without 0."""
    return np.array([float(mu) for mu in range(-arms, arms + 1, 2) if mu != 0])


@lru_cache
def _published(dimension: int) -> NDArray[np.float64]:
    """The beta of the authors' program: the first numbers of a generator of seed 0."""
    edge = 1.0 / np.sqrt(dimension)
    return np.asarray(-edge + 2.0 * edge * published_uniforms(0, dimension))


def _fresh(dimension: int, seed: int, lane: int) -> NDArray[np.float64]:
    draws = np.empty(dimension)
    fill_draws(draws, seed, BETA, 0, lane)
    return np.asarray((2.0 * draws - 1.0) / np.sqrt(dimension))


@njit(cache=True, error_model="numpy")
def _fill(contexts, lengths, rewards, gaps, beta, reading, mu, seed, lane):  # type: ignore[no-untyped-def]
    """Draw round after round into `contexts`, `lengths`, `rewards` and `gaps`."""
    horizon, arms, dimension = contexts.shape
    normals, radius, value = np.empty((arms + 1) * dimension), np.empty(arms), np.empty(arms)
    edge, constant = 1.0 / np.sqrt(dimension), 1.0 / (np.sqrt(dimension) * (mu[arms - 1] + 3.0))
    for t in range(horizon):
        x = contexts[t]
        if reading == TRUNCATED:
            fill_ball(x, mu, SWEEPS, seed, lane, t)
        else:
            fill_normals(normals, seed, CONTEXT, t, lane, 0)
        if reading == RADIAL:
            fill_draws(radius, seed, RADIUS, t, lane)
        for i in range(arms):
            if reading != TRUNCATED:
                for j in range(dimension):
                    x[i, j] = mu[i] + ROOT_HALF * normals[arms * dimension + j] + ROOT_HALF * normals[i * dimension + j]
            square = 0.0
            for j in range(dimension):
                square += x[i, j] * x[i, j]
            factor = 1.0
            if reading == RADIAL:
                factor = radius[i] / np.sqrt(square)
            elif reading == PROJECTION:
                factor = 1.0 / max(1.0, np.sqrt(square))
            elif reading == GLOBAL:
                factor = constant
            value[i], square = 0.0, 0.0
            for j in range(dimension):
                x[i, j] = min(max(x[i, j], -edge), edge) if reading == CLIP else factor * x[i, j]
                value[i] += x[i, j] * beta[j]
                square += x[i, j] * x[i, j]
            lengths[t, i] = np.sqrt(square)
        high, low, _, _ = philox(t, lane, 0, 0, seed, NOISE)
        noise = quantile(uniform(high, low))
        best = value.max()
        for i in range(arms):
            rewards[t, i] = value[i] + noise
            gaps[t, i] = best - value[i]
