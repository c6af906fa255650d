"""Doubly robust Thompson sampling (DRTS): all contexts of a round are learnt from, with the missing rewards imputed.

Source: Kim, Kim and Paik, Doubly robust Thompson sampling with linear payoffs (NeurIPS 2021), Algorithm 1; supplement, (15), (16), A.3, H.1.

    F_0 = 0, W_0 = 0, b_0 = 0;  A = I, g = 0, c = 0  (the imputation: a ridge regression on the arms played)
    for t = 1, ..., T:
        observe the contexts x_1, ..., x_N
        sample Y_i ~ N(x_i' b, v^2 x_i' V^-1 x_i) for every arm; candidate m = argmax_i Y_i         (t = 1: an arm at random)
        p_i = P(m = i); while p_m <= gamma, sample again, at most M_t samples in all;  play a = m, observe r
        pi_a = P(a is played), by (15) and (16), kernels/resampling.py
        Y^DR_i = x_i' c for every arm;  Y^DR_a += (r - x_a' c) / pi_a                               (c of the rounds before t)
        F += sum_i x_i Y^DR_i,  W += sum_i x_i x_i',  V = W + lambda_t I,  b = V^-1 F
        A += x_a x_a',  g += r x_a,  c = A^-1 g

The text writes p and pi with one letter. propensity "exact": p by quadrature. "released": as in the published program, 200 quasi-random nodes
with the widths of the PREVIOUS round's contexts beside the means of this one.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._linear import play_sweep, refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World
from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms
from banditpapers.kernels.quasi_max import quasi_argmax_probabilities
from banditpapers.kernels.resampling import draws_allowed, selection_probability
from banditpapers.kernels.ridge import (
    add_outer,
    factorise,
    inner,
    multiply,
    schedule,
    scores_by_factor,
    solve_lower,
    solve_upper,
    transpose,
    update_inverse,
)
from banditpapers.seeding import Streams, Words


@dataclass(frozen=True)
class DoublyRobustThompson:
    """Parameters of DRTS.

    rounds: what is recorded, increasing; the last is the horizon T. v: exploration parameters, one rule each. gamma: the threshold in
    [1/(N + 1), 1/N); None is 1/(N + 1). ridge: lambda_t > 0, a number or "sqrt t". draws: M_t >= 1, a number or "A.3". propensity: see above.
    """

    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "v", "gamma", "ridge", "draws", "propensity")  # the coin flips are common to all values

    rounds: tuple[int, ...]
    v: tuple[float, ...]
    gamma: float | None = None
    ridge: float | str = "sqrt t"
    draws: int | str = 200
    propensity: str = "exact"

    def __post_init__(self) -> None:
        refuse("doubly_robust_thompson", self.rounds, self.v, self.ridge)
        if self.gamma is not None and not 0 < self.gamma < 1:
            raise ValueError(f"doubly_robust_thompson: gamma is {self.gamma}; write a number in [1/(N + 1), 1/N) for N arms")
        if self.draws != "A.3" and not (isinstance(self.draws, int | float) and self.draws >= 1):
            raise ValueError(f"doubly_robust_thompson: draws (M_t) is {self.draws!r}; write an integer of at least 1, or A.3")
        if self.propensity not in ("exact", "released"):
            raise ValueError(f"doubly_robust_thompson: propensity is {self.propensity!r}; write exact or released")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per exploration parameter."""
        return tuple(f"v={v:g}" for v in self.v)

    def threshold(self, arms: int) -> float:
        """gamma on N arms. Raises ValueError when it lies outside [1/(N + 1), 1/N)."""
        if self.gamma is None:
            return 1 / (arms + 1)
        if not 1 / (arms + 1) - 1e-12 <= self.gamma < 1 / arms:
            allowed = f"[1/(N + 1), 1/N) = [{1 / (arms + 1):.6g}, {1 / arms:.6g})"
            raise ValueError(f"doubly_robust_thompson: gamma is {self.gamma:g} with {arms} arms; write a number in {allowed}")
        return self.gamma

    def play(self, environment: LinearContexts, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 5), the last axis as in linear_contexts.OUTCOME."""
        self.threshold(environment.arms)
        world = environment.world(streams.environment_words, self.rounds[-1])
        marks = np.array(self.rounds, dtype=np.int64)
        return play_sweep(world, marks, ((v, lambda v=v: self.history(world, v, streams.algorithm_words)) for v in self.v))

    def history(self, world: World, v: float, words: Words) -> History:
        """What happens with one exploration parameter."""
        horizon, arms = world.rewards.shape
        lambdas, most = schedule(self.ridge, horizon), draws_allowed(self.draws, arms, horizon)
        marks, released = np.array(self.rounds, dtype=np.int64), self.propensity == "released"
        return History(*_play(world.contexts, world.rewards, float(v), self.threshold(arms), lambdas, most, released, marks, *words))


@njit(cache=True)
def _play(contexts, rewards, v, gamma, lambdas, most, released, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    gram, factor, moment, w, b = np.zeros((d, d)), np.eye(d), np.zeros(d), np.zeros(d), np.zeros(d)
    inverse, response, imputation = np.eye(d), np.zeros(d), np.zeros(d)
    means, widths, stale, pseudo = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms)
    columns, before, work, image, z = np.empty((d, arms)), np.empty((d, arms)), np.empty((d, arms)), np.empty(d), np.empty(arms)
    actions, estimates, mark = np.empty(horizon, np.int64), np.empty((marks.size, d)), 0
    resamples, exhausted = np.zeros(horizon, np.int64), np.zeros(horizon, np.int64)
    for t in range(horizon):
        transpose(contexts[t], columns)
        if t == 0:
            fill_uniforms(z, seed, FIRST, 0, lane, 0)
            arm, chance = int(z[0] * arms), 1.0 / arms
        else:
            # P(candidate = i)
            if released:
                scores_by_factor(factor, w, before, work, means, stale)
            scores_by_factor(factor, w, columns, work, means, widths)
            for i in range(arms):
                widths[i] *= v
                stale[i] *= v
            candidate = quasi_argmax_probabilities(means, stale) if released else argmax_probabilities(means, widths)
            # sample until the candidate is likely enough
            draw, arm = 0, 0
            while True:
                fill_normals(z, seed, DRAW, t, lane, draw)
                for i in range(arms):
                    z[i] = means[i] + widths[i] * z[i]
                arm = z.argmax()
                draw += 1
                if candidate[arm] > gamma or draw >= most[t]:
                    break
            resamples[t], exhausted[t] = draw - 1, candidate[arm] <= gamma
            chance = selection_probability(candidate, gamma, most[t], arm)
        actions[t] = arm
        learn(contexts[t], rewards[t, arm], arm, chance, pseudo, gram, moment, inverse, response, imputation, image)
        factorise(gram, lambdas[t + 1], factor)
        solve_lower(factor, moment, w)
        columns, before = before, columns
        if t + 1 == marks[mark]:
            solve_upper(factor, w, b)
            estimates[mark] = b
            mark += 1
    return actions, estimates, resamples, exhausted


@njit(cache=True)
def learn(contexts, reward, arm, chance, pseudo, gram, moment, inverse, response, imputation, image):  # type: ignore[no-untyped-def]
    """One round's data: pseudo-rewards of all arms into W (`gram`, upper triangle) and F (`moment`), then the arm played into A, g and c.

    contexts: shape (N, d). pseudo: Y^DR, shape (N,), is written. inverse, response, imputation: A^-1, g, c. image: work space, shape (d,).
    """
    arms, d = contexts.shape
    for i in range(arms):
        pseudo[i] = inner(contexts[i], imputation)
    pseudo[arm] += (reward - pseudo[arm]) / chance
    for i in range(arms):
        add_outer(gram, contexts[i], 1.0)
        for k in range(d):
            moment[k] += contexts[i, k] * pseudo[i]
    x = contexts[arm]
    update_inverse(inverse, x, 1.0, image)
    for k in range(d):
        response[k] += reward * x[k]
    multiply(inverse, response, imputation)
