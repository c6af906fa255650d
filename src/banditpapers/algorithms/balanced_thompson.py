"""Balanced linear Thompson sampling (BLTS): observations are weighted by the inverse of the probability of having been made.

Source: Dimakopoulou, Zhou, Athey and Imbens, Balanced linear contextual bandits (AAAI 2019), as compared in Kim, Kim and Paik, Doubly robust
Thompson sampling with linear payoffs (NeurIPS 2021), section 5 and that paper's released program.

    B_0 = lambda I, f_0 = 0, b_0 = 0
    for t = 1, ..., T:
        observe the contexts x_1, ..., x_N
        sample Y_i ~ N(x_i' b, V_i) for every arm;  play a = argmax_i Y_i, observe r   (t = 1: an arm at random)
        p_a = P(Y_a is the largest),  w = 1 / max(p_a, gamma)
        B += w x_a x_a',  f += w r x_a,  b = B^-1 f,  RSS += w (r - x_a' b)^2

    variance "plain":     V_i = v^2 x_i' B^-1 x_i
             "RSS":       V_i = v^2 RSS x_i' B^-1 x_i          (word for word, and as released: it does not shrink, so neither does exploration)
             "mean RSS":  V_i = v^2 RSS / (sum of w) x_i' B^-1 x_i
    propensity "exact":     p_a as above
               "constant":  p_a = 1/N in every round: the released program stores each round's probability under one name and reads
                            another, which keeps its value of round 1. So gammas up to 1/N are one algorithm.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._linear import play_sweep, refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World
from banditpapers.kernels.gaussian_max import argmax_probability
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms, padded
from banditpapers.kernels.reach import LARGEST, within_reach
from banditpapers.kernels.ridge import absorb, inner, widths_by_inverse
from banditpapers.seeding import Streams, Words

VARIANCES = ("plain", "RSS", "mean RSS")


@dataclass(frozen=True)
class BalancedThompson:
    """Parameters of BLTS.

    rounds: what is recorded, increasing; the last is the horizon T. v, gamma: exploration parameters and floors of the propensity in
    (0, 1), one rule per pair. ridge: lambda > 0, a number. variance, propensity: see above.
    """

    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "v", "gamma", "ridge", "variance", "propensity")  # the coin flips are common to all values

    rounds: tuple[int, ...]
    v: tuple[float, ...]
    gamma: tuple[float, ...]
    ridge: float = 1.0
    variance: str = "plain"
    propensity: str = "exact"

    def __post_init__(self) -> None:
        refuse("balanced_thompson", self.rounds, self.v, self.ridge)
        if isinstance(self.ridge, str):
            raise ValueError(f"balanced_thompson: ridge is {self.ridge!r}; write a number above 0")
        if not self.gamma or len(set(self.gamma)) < len(self.gamma) or not all(0 < gamma < 1 for gamma in self.gamma):
            raise ValueError(f"balanced_thompson: gamma is {self.gamma}; write numbers above 0 and below 1, none of them twice")
        if self.variance not in VARIANCES:
            raise ValueError(f"balanced_thompson: variance is {self.variance!r}; write one of {', '.join(VARIANCES)}")
        if self.propensity not in ("exact", "constant"):
            raise ValueError(f"balanced_thompson: propensity is {self.propensity!r}; write exact or constant")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per pair of exploration parameter and floor."""
        return tuple(f"v={v:g} gamma={gamma:g}" for v in self.v for gamma in self.gamma)

    def play(self, environment: LinearContexts, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 5), the last axis as in linear_contexts.OUTCOME."""
        world = environment.world(streams.environment_words, self.rounds[-1])
        sweep = []
        for v in self.v:
            for gamma in self.gamma:
                floor = max(gamma, 1 / environment.arms) if self.propensity == "constant" else gamma
                sweep.append(((v, floor), partial(self.history, world, v, floor, streams.algorithm_words)))
        return play_sweep(world, np.array(self.rounds, dtype=np.int64), sweep)

    def history(self, world: World, v: float, gamma: float, words: Words) -> History:
        """What happens with one pair of parameters."""
        exact, variance, marks = self.propensity == "exact", VARIANCES.index(self.variance), np.array(self.rounds, dtype=np.int64)
        told = world.contexts, world.lengths, world.rewards
        actions, estimates = _play(*told, float(v), float(gamma), float(self.ridge), variance, exact, marks, *words)
        none = np.zeros_like(actions)
        return History(actions, estimates, none, none)


@njit(cache=True)
def _play(contexts, lengths, rewards, v, gamma, ridge, variance, exact, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    inverse, b, image = np.eye(d) / ridge, np.zeros(d), np.empty(d)
    squares, weights, scale = 0.0, 0.0, v
    means, widths, centres, reach = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms)
    z, found, work = np.empty(padded(arms)), np.empty(arms, np.int64), np.empty((2, d, arms))
    actions, estimates, mark = np.empty(horizon, np.int64), np.empty((marks.size, d)), 0
    for t in range(horizon):
        # sample and play
        if t == 0:
            fill_uniforms(z, seed, FIRST, 0, lane, 0)
            arm, chance = int(z[0] * arms), 1.0 / arms
        else:
            fill_normals(z, seed, DRAW, t, lane, 0)
            for i in range(arms):
                means[i] = inner(contexts[t, i], b)
                reach[i] = scale * (LARGEST if exact else abs(z[i])) / math.sqrt(ridge)
            count = within_reach(means, lengths[t], reach, found)
            arm, chance, place, highest = found[0], 1.0, 0, -math.inf
            if count > 1:
                widths_by_inverse(inverse, contexts[t], found[:count], work, widths)
                for c in range(count):
                    i = found[c]
                    centres[c], widths[c] = means[i], scale * widths[c]
                    sampled = centres[c] + widths[c] * z[i]
                    if sampled > highest:
                        arm, place, highest = i, c, sampled
                if exact:
                    chance = argmax_probability(centres[:count], widths[:count], place)
        actions[t] = arm
        # learn, with the inverse of the propensity as weight
        x, reward = contexts[t, arm], rewards[t, arm]
        weight = 1.0 / max(chance if exact else 1.0 / arms, gamma)
        absorb(inverse, b, x, reward, weight, image)
        squares += weight * (reward - inner(x, b)) ** 2
        weights += weight
        if variance == 1:
            scale = v * math.sqrt(squares)
        elif variance == 2:
            scale = v * math.sqrt(squares / weights)
        if t + 1 == marks[mark]:
            estimates[mark] = b
            mark += 1
    return actions, estimates
