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
from banditpapers.kernels.philox import DRAW, fill_normals
from banditpapers.kernels.ridge import (
    add_outer,
    factorise,
    multiply,
    scores_by_factor,
    scores_by_inverse,
    solve_lower,
    solve_upper,
    transpose,
    update_inverse,
)
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
        factored = self.ridge == regression.SQRT or self.draw == "shared"
        lambdas = regression.schedule(self.ridge, self.rounds[-1])
        marks = np.array(self.rounds, dtype=np.int64)
        return History(*_play(world.contexts, world.rewards, float(v), lambdas, factored, self.draw == "shared", marks, *words))


@njit(cache=True)
def _play(contexts, rewards, v, lambdas, factored, shared, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    gram, f, b, w = np.zeros((d, d)), np.zeros(d), np.zeros(d), np.zeros(d)
    factor, inverse = math.sqrt(lambdas[0]) * np.eye(d), np.eye(d) / lambdas[0]
    means, widths, columns, work, image = np.empty(arms), np.empty(arms), np.empty((d, arms)), np.empty((d, arms)), np.empty(d)
    z = np.empty(d if shared else arms)
    actions, none, estimates, mark = np.empty(horizon, np.int64), np.zeros(horizon, np.int64), np.empty((marks.size, d)), 0
    for t in range(horizon):
        # sample
        transpose(contexts[t], columns)
        fill_normals(z, seed, DRAW, t, lane, 0)
        if shared:
            for k in range(d):
                z[k] = w[k] + v * z[k]  # x' beta~ = (U^-T x)' (w + v z)
            scores_by_factor(factor, z, columns, work, means, widths)
        else:
            if factored:
                scores_by_factor(factor, w, columns, work, means, widths)
            else:
                scores_by_inverse(inverse, b, columns, work, means, widths)
            for i in range(arms):
                means[i] += v * widths[i] * z[i]
        # play
        arm = means.argmax()
        actions[t] = arm
        # learn
        x, reward = contexts[t, arm], rewards[t, arm]
        for k in range(d):
            f[k] += reward * x[k]
        if factored:
            add_outer(gram, x, 1.0)
            factorise(gram, lambdas[t + 1], factor)
            solve_lower(factor, f, w)
        else:
            update_inverse(inverse, x, 1.0, image)
            multiply(inverse, f, b)
        if t + 1 == marks[mark]:
            if factored:
                solve_upper(factor, w, b)
            estimates[mark] = b
            mark += 1
    return actions, estimates, none, none
