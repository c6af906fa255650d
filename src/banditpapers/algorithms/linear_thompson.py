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

from banditpapers.algorithms._linear import refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World, account
from banditpapers.kernels.factor import add_outer, factorise, solve_rest, squares, widths_by_factor
from banditpapers.kernels.philox import DRAW, fill_normals, padded
from banditpapers.kernels.reach import largest, within_reach
from banditpapers.kernels.ridge import SQRT, absorb, drifts, identities, record, schedule, scores, widths_by_inverse
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
        return np.stack([account(world, history, self.rounds) for history in self.histories(world, streams.algorithm_words)], axis=1)

    def histories(self, world: World, words: Words) -> list[History]:
        """What happens, one history per exploration parameter."""
        v, marks = np.array(self.v, dtype=np.float64), np.array(self.rounds, dtype=np.int64)
        lambdas = schedule(self.ridge, self.rounds[-1])
        if self.draw == "shared":
            # the factor begins with the last coordinate; with the coordinates reversed it is the usual Cholesky factor
            contexts = np.ascontiguousarray(world.contexts[:, :, ::-1])
            actions, estimates = _play_shared(contexts, world.rewards, v, lambdas, marks, *words)
            estimates = estimates[:, :, ::-1]
        else:
            factored = self.ridge == SQRT or drifts(1.0, float(self.ridge))
            actions, estimates = _play(world.contexts, world.lengths, world.rewards, v, lambdas, factored, marks, *words)
        none = np.zeros(len(world.rewards), dtype=np.int64)
        return [History(*found, none, none) for found in zip(actions, estimates, strict=True)]


@njit(cache=True)
def _play(contexts, lengths, rewards, v, lambdas, factored, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    members, b, w, f = v.size, np.zeros((v.size, d)), np.empty((1, d)), np.zeros((v.size, 1, d))
    inverse, gram, factor = identities(members, d, 1.0 / lambdas[0]), squares(members, d), squares(members, d)
    means, widths, reach, found = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms, np.int64)
    z, work = np.empty(padded(arms)), np.empty((2, d, arms))
    actions, estimates, mark = np.empty((members, horizon), np.int64), np.empty((members, marks.size, d)), 0
    for m in range(members):
        factorise(gram[m], lambdas[0], f[m], factor[m], w)
    for t in range(horizon):
        fill_normals(z, seed, DRAW, t, lane, 0)
        for m in range(members):
            # sample
            scores(contexts[t], b[m], means)
            bound = v[m] / math.sqrt(lambdas[t])
            for i in range(arms):
                reach[i] = bound * abs(z[i])
            count = within_reach(means, lengths[t], reach, found)
            arm = found[0]
            if count > 1:
                if factored:
                    widths_by_factor(factor[m], contexts[t], found[:count], work, widths)
                else:
                    widths_by_inverse(inverse[m], contexts[t], found[:count], work, widths)
                arm = largest(means, v[m], widths, z, found[:count])
            # play and learn
            actions[m, t] = arm
            x, reward = contexts[t, arm], rewards[t, arm]
            if factored:
                add_outer(gram[m], x)
                for k in range(d):
                    f[m, 0, k] += reward * x[k]
                factorise(gram[m], lambdas[t + 1], f[m], factor[m], w)
                solve_rest(factor[m], w[0], b[m])
            else:
                absorb(inverse[m], b[m], x, reward, 1.0, w[0])
        if t + 1 == marks[mark]:
            record(b, estimates, mark)
            mark += 1
    return actions, estimates


@njit(cache=True)
def _play_shared(contexts, rewards, v, lambdas, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    members, b, w, f = v.size, np.zeros((v.size, d)), np.empty((1, d)), np.zeros((v.size, 1, d))
    gram, factor = squares(members, d), squares(members, d)
    z, sampled, means = np.empty(padded(d)), np.empty(d), np.empty(arms)
    actions, estimates, mark = np.empty((members, horizon), np.int64), np.empty((members, marks.size, d)), 0
    for m in range(members):
        factorise(gram[m], lambdas[0], f[m], factor[m], w)
    for t in range(horizon):
        fill_normals(z, seed, DRAW, t, lane, 0)
        for m in range(members):
            # sample: beta~ = b + v L^-1 z
            for k in range(d):
                w[0, k] = z[d - 1 - k]
            solve_rest(factor[m], w[0], sampled)
            for k in range(d):
                sampled[k] = b[m, k] + v[m] * sampled[k]
            scores(contexts[t], sampled, means)
            # play and learn
            arm = means.argmax()
            actions[m, t] = arm
            x, reward = contexts[t, arm], rewards[t, arm]
            add_outer(gram[m], x)
            for k in range(d):
                f[m, 0, k] += reward * x[k]
            factorise(gram[m], lambdas[t + 1], f[m], factor[m], w)
            solve_rest(factor[m], w[0], b[m])
        if t + 1 == marks[mark]:
            record(b, estimates, mark)
            mark += 1
    return actions, estimates
