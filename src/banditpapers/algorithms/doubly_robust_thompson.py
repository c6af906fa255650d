"""Doubly robust Thompson sampling (DRTS): all contexts of a round are learnt from, with the missing rewards imputed.

Source: Kim, Kim and Paik, Doubly robust Thompson sampling with linear payoffs (NeurIPS 2021), Algorithm 1; supplement, (15), (16), A.3.

    F_0 = 0, W_0 = 0, b_0 = 0;  A = I, g = 0, c = 0  (the imputation: a ridge regression on the arms played)
    for t = 1, ..., T:
        observe the contexts x_1, ..., x_N
        sample Y_i ~ N(x_i' b, v^2 x_i' V^-1 x_i) for every arm; candidate m = argmax_i Y_i         (t = 1: an arm at random)
        p_i = P(m = i); while p_m <= gamma, sample again, at most M_t samples in all;  play a = m, observe r
        pi_a = P(a is played), by (15) and (16), kernels/resampling.py
        Y^DR_i = x_i' c for every arm;  Y^DR_a += (r - x_a' c) / pi_a                               (c of the rounds before t)
        F += sum_i x_i Y^DR_i,  W += sum_i x_i x_i',  V = W + lambda_t I,  b = V^-1 F
        A += x_a x_a',  g += r x_a,  c = A^-1 g

The text writes p and pi with one letter. propensity "exact": p by quadrature. "released": as in the published program, 200 quasi-random
nodes with the widths of the PREVIOUS round's contexts beside the means of this one.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._linear import refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World, account
from banditpapers.kernels.factor import add_arms, factorise, solve_rest, squares, widths_by_factor
from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms, padded
from banditpapers.kernels.quasi_max import quasi_argmax_probabilities
from banditpapers.kernels.reach import LARGEST, largest, within_reach
from banditpapers.kernels.resampling import draws_allowed, selection_probability
from banditpapers.kernels.ridge import absorb, identities, record, schedule, scores
from banditpapers.seeding import Streams, Words


@dataclass(frozen=True)
class DoublyRobustThompson:
    """Parameters of DRTS.

    rounds: what is recorded, increasing; the last is the horizon T. v: exploration parameters, one rule each. gamma: the threshold in
    [1/(N + 1), 1/N); None is 1/(N + 1). ridge: lambda_t > 0, a number or "sqrt t". draws: M_t >= 1, a number or "A.3". propensity: see
    above.
    """

    # the coin flips are common to all values of these
    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "v", "gamma", "ridge", "draws", "propensity")

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
        if self.draws != "A.3" and not (isinstance(self.draws, int) and self.draws >= 1):
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
        return np.stack([account(world, history, self.rounds) for history in self.histories(world, streams.algorithm_words)], axis=1)

    def histories(self, world: World, words: Words) -> list[History]:
        """What happens, one history per exploration parameter."""
        horizon, arms = world.rewards.shape
        lambdas, most = schedule(self.ridge, horizon), draws_allowed(self.draws, arms, horizon)
        told = world.contexts, world.lengths, world.rewards
        v, marks = np.array(self.v, dtype=np.float64), np.array(self.rounds, dtype=np.int64)
        played = _play(*told, v, self.threshold(arms), lambdas, most, self.propensity == "released", marks, *words)
        return [History(*found) for found in zip(*played, strict=True)]


@njit(cache=True)
def _play(contexts, lengths, rewards, v, gamma, lambdas, most, released, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    members, gram, factor = v.size, squares(1, d)[0], squares(1, d)[0]  # V does not depend on the arms played: all members share it
    moment, b, w = np.zeros((members, d)), np.zeros((members, d)), np.empty((members, d))
    inverse, imputation, pseudo, image = identities(members, d, 1.0), np.zeros((members, d)), np.empty(arms), np.empty(d)
    means, widths, candidate, reach = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms)
    z, found, work = np.empty(padded(arms)), np.empty(arms, np.int64), np.empty((2, d, arms))
    actions, estimates, mark = np.empty((members, horizon), np.int64), np.empty((members, marks.size, d)), 0
    resamples, exhausted = np.zeros((members, horizon), np.int64), np.zeros((members, horizon), np.int64)
    for t in range(horizon):
        x = contexts[t]
        for m in range(members):
            if t == 0:
                fill_uniforms(z, seed, FIRST, 0, lane, 0)
                arm, chance = int(z[0] * arms), 1.0 / arms
            else:
                # P(candidate = i), from the widths of this round's contexts or, as released, of the last round's
                scores(x, b[m], means)
                reach[:] = v[m] * LARGEST / math.sqrt(lambdas[t])
                if released:
                    count = within_reach(means, lengths[t - 1], reach, found)
                    _weigh(contexts[t - 1], means, v[m], factor, found[:count], True, widths, candidate, work)
                count = within_reach(means, lengths[t], reach, found)
                if not released:
                    _weigh(x, means, v[m], factor, found[:count], False, widths, candidate, work)
                elif count > 1:
                    widths_by_factor(factor, x, found[:count], work, widths)
                # sample until the candidate is likely enough
                arm, draw = found[0], 0
                while draw == 0 or (candidate[arm] <= gamma and draw < most[t]):
                    if count > 1:
                        fill_normals(z, seed, DRAW, t, lane, draw)
                        arm = largest(means, v[m], widths, z, found[:count])
                    draw += 1
                resamples[m, t], exhausted[m, t] = draw - 1, candidate[arm] <= gamma
                chance = selection_probability(candidate, gamma, most[t], arm)
            # play and impute
            actions[m, t] = arm
            impute(x, rewards[t, arm], arm, chance, pseudo, moment[m], imputation[m])
            absorb(inverse[m], imputation[m], x[arm], rewards[t, arm], 1.0, image)
        # learn from all contexts
        add_arms(gram, x)
        factorise(gram, lambdas[t + 1], moment, factor, w)
        for m in range(members):
            solve_rest(factor, w[m], b[m])
        if t + 1 == marks[mark]:
            record(b, estimates, mark)
            mark += 1
    return actions, estimates, resamples, exhausted


@njit(cache=True)
def _weigh(contexts, means, v, factor, found, quasi, widths, candidate, work):  # type: ignore[no-untyped-def]
    """Write the widths of the arms `found` (in their order) and all arms' probabilities of being the candidate: 0 for the others."""
    candidate[:] = 0.0
    if found.size == 1:
        candidate[found[0]] = 1.0
        return
    widths_by_factor(factor, contexts, found, work, widths)
    centres, sds = means[found], v * widths[: found.size]
    chances = quasi_argmax_probabilities(centres, sds) if quasi else argmax_probabilities(centres, sds)
    for k in range(found.size):
        candidate[found[k]] = chances[k]


@njit(cache=True)
def impute(contexts, reward, arm, chance, pseudo, moment, imputation):  # type: ignore[no-untyped-def]
    """Pseudo-rewards Y^DR of all arms (`pseudo`, shape (N,), is written) into F (`moment`). contexts: shape (N, d). imputation: c.

    Raises ZeroDivisionError where the arm played has probability 0, which happens only as released.
    """
    arms, d = contexts.shape
    if chance == 0.0:  # only as released: the probabilities are those of another round, and all draws were used up
        raise ZeroDivisionError("the arm played has probability 0 by the last round's contexts: write more draws, or propensity: exact")
    scores(contexts, imputation, pseudo)
    pseudo[arm] += (reward - pseudo[arm]) / chance
    for i in range(arms):
        for k in range(d):
            moment[k] += contexts[i, k] * pseudo[i]
