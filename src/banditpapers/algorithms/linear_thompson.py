"""Linear Thompson sampling (LinTS).

Source: Agrawal and Goyal, Thompson sampling for contextual bandits with linear payoffs (ICML 2013), as compared in Kim, Kim and Paik,
Doubly robust Thompson sampling with linear payoffs (NeurIPS 2021), section 5.

    B_0 = lambda_0 I, f_0 = 0, b_0 = 0
    for t = 1, ..., T:
        observe the contexts x_1, ..., x_N
        "independent": sample Y_i ~ N(x_i' b_{t-1}, v^2 x_i' B_{t-1}^-1 x_i) for every arm
        "shared":      sample beta~ ~ N(b_{t-1}, v^2 B_{t-1}^-1) and set Y_i = x_i' beta~
        play a = argmax_i Y_i (the smallest index wins ties), observe the reward r
        B_t = sum_{s <= t} x_a(s) x_a(s)' + lambda_t I,  f_t = f_{t-1} + r x_a,  b_t = B_t^-1 f_t

Independent draws of beta~ per arm matter through x_i' beta~_i alone: N scalars do. lambda_t is 1 in the paper; "sqrt t" is what the paper
gives to its own algorithm. One world serves all values of v, and so do the normals: a comparison of two values is paired.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._linear import play_sweep, refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World
from banditpapers.kernels import ridge as regression
from banditpapers.kernels.philox import DRAW, fill_normals, padded
from banditpapers.kernels.reach import within_reach
from banditpapers.kernels.ridge import absorb, add_outer, factorise, inner, solve_rest, widths_by_factor, widths_by_inverse
from banditpapers.seeding import Streams, Words


@dataclass(frozen=True)
class LinearThompson:
    """Parameters of LinTS.

    rounds: what is recorded, increasing; the last is the horizon T. v: exploration parameters, one rule each. ridge: lambda_t > 0, a number
    or "sqrt t". draw: "independent" or "shared".
    """

    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "v", "ridge", "draw")  # the coin flips are common to all values of these

    rounds: tuple[int, ...]
    v: tuple[float, ...]
    ridge: float | str = 1.0
    draw: str = "independent"

    def __post_init__(self) -> None:
        refuse("linear_thompson", self.rounds, self.v, self.ridge)
        if self.draw not in ("independent", "shared"):
            raise ValueError(f"linear_thompson: draw is {self.draw!r}; write independent or shared")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per exploration parameter."""
        return tuple(f"v={v:g}" for v in self.v)

    def play(self, environment: LinearContexts, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 5), the last axis as in linear_contexts.OUTCOME."""
        world = environment.world(streams.environment_words, self.rounds[-1])
        marks = np.array(self.rounds, dtype=np.int64)
        return play_sweep(world, marks, ((v, lambda v=v: self.history(world, v, streams.algorithm_words)) for v in self.v))

    def history(self, world: World, v: float, words: Words) -> History:
        """What happens with one exploration parameter."""
        lambdas, marks = regression.schedule(self.ridge, self.rounds[-1]), np.array(self.rounds, dtype=np.int64)
        if self.draw == "shared":
            # the factor begins with the last coordinate; with the coordinates reversed it is the usual Cholesky factor
            contexts = np.ascontiguousarray(world.contexts[:, :, ::-1])
            actions, estimates = _play_shared(contexts, world.rewards, float(v), lambdas, marks, *words)
            estimates = estimates[:, ::-1]
        else:
            factored = self.ridge == regression.SQRT
            actions, estimates = _play(world.contexts, world.lengths, world.rewards, float(v), lambdas, factored, marks, *words)
        none = np.zeros_like(actions)
        return History(actions, estimates, none, none)


@njit(cache=True)
def _play(contexts, lengths, rewards, v, lambdas, factored, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    gram, f, b, w = np.zeros((d, d)), np.zeros(d), np.zeros(d), np.empty(d)
    factor, inverse = math.sqrt(lambdas[0]) * np.eye(d), np.eye(d) / lambdas[0]
    means, widths, reach, found = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms, np.int64)
    z, work = np.empty(padded(arms)), np.empty((2, d, arms))
    actions, estimates, mark = np.empty(horizon, np.int64), np.empty((marks.size, d)), 0
    for t in range(horizon):
        # sample
        fill_normals(z, seed, DRAW, t, lane, 0)
        for i in range(arms):
            means[i] = inner(contexts[t, i], b)
            reach[i] = v * abs(z[i]) / math.sqrt(lambdas[t])
        count = within_reach(means, lengths[t], reach, found)
        arm, highest = found[0], -math.inf
        if count > 1:
            if factored:
                widths_by_factor(factor, contexts[t], found[:count], work, widths)
            else:
                widths_by_inverse(inverse, contexts[t], found[:count], work, widths)
            for c in range(count):
                sampled = means[found[c]] + v * widths[c] * z[found[c]]
                if sampled > highest:
                    arm, highest = found[c], sampled
        # play and learn
        actions[t] = arm
        x, reward = contexts[t, arm], rewards[t, arm]
        if factored:
            add_outer(gram, x)
            for k in range(d):
                f[k] += reward * x[k]
            factorise(gram, lambdas[t + 1], f, factor, w)
            solve_rest(factor, w, b)
        else:
            absorb(inverse, b, x, reward, 1.0, w)
        if t + 1 == marks[mark]:
            estimates[mark] = b
            mark += 1
    return actions, estimates


@njit(cache=True)
def _play_shared(contexts, rewards, v, lambdas, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    gram, factor = np.zeros((d, d)), math.sqrt(lambdas[0]) * np.eye(d)
    f, b, w, z, sampled = np.zeros(d), np.zeros(d), np.empty(d), np.empty(d), np.empty(d)
    actions, estimates, mark = np.empty(horizon, np.int64), np.empty((marks.size, d)), 0
    for t in range(horizon):
        # sample: beta~ = b + v L^-1 z
        fill_normals(z, seed, DRAW, t, lane, 0)
        w[:] = z[::-1]
        solve_rest(factor, w, sampled)
        for k in range(d):
            sampled[k] = b[k] + v * sampled[k]
        arm, highest = 0, -math.inf
        for i in range(arms):
            score = inner(contexts[t, i], sampled)
            if score > highest:
                arm, highest = i, score
        # play and learn
        actions[t] = arm
        x, reward = contexts[t, arm], rewards[t, arm]
        add_outer(gram, x)
        for k in range(d):
            f[k] += reward * x[k]
        factorise(gram, lambdas[t + 1], f, factor, w)
        solve_rest(factor, w, b)
        if t + 1 == marks[mark]:
            estimates[mark] = b
            mark += 1
    return actions, estimates
