"""Balanced linear Thompson sampling (BLTS): observations are weighted by the inverse of the probability of having been made.

Source: Dimakopoulou, Zhou, Athey and Imbens, Balanced linear contextual bandits (AAAI 2019), as compared in Kim, Kim and Paik, Doubly
robust Thompson sampling with linear payoffs (NeurIPS 2021), section 5 and that paper's released program.

    B_0 = lambda I, f_0 = 0, b_0 = 0
    for t = 1, ..., T:
        observe the contexts x_1, ..., x_N
        sample Y_i ~ N(x_i' b, V_i) for every arm;  play a = argmax_i Y_i, observe r   (t = 1: an arm at random)
        p_a = P(Y_a is the largest),  w = 1 / max(p_a, gamma)
        B += w x_a x_a',  f += w r x_a,  b = B^-1 f,  RSS += w (r - x_a' b)^2

    variance "plain":     V_i = v^2 x_i' B^-1 x_i
             "RSS":       V_i = v^2 RSS x_i' B^-1 x_i          (word for word, and as released: neither it nor exploration shrinks)
             "mean RSS":  V_i = v^2 RSS / (sum of w) x_i' B^-1 x_i
    The smallest index wins ties. So if no reward ever differs from 0, RSS is 0, and the first arm is played for ever but with "plain".
    propensity "exact":     p_a as above
               "constant":  p_a = 1/N in every round: the released program stores each round's probability under one name and reads
                            another, which keeps its value of round 1. So gammas up to 1/N are one algorithm.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._linear import refuse
from banditpapers.environments.linear_contexts import History, LinearContexts, World, account
from banditpapers.kernels.factor import squares
from banditpapers.kernels.gaussian_max import argmax_probability
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms, padded
from banditpapers.kernels.reach import LARGEST, largest, within_reach
from banditpapers.kernels.ridge import absorb, absorb_afresh, drifts, identities, inner, record, scores, widths_by_inverse
from banditpapers.seeding import Streams, Words

VARIANCES = ("plain", "RSS", "mean RSS")


@dataclass(frozen=True)
class BalancedThompson:
    """Parameters of BLTS.

    rounds: what is recorded, increasing; the last is the horizon T. v, gamma: exploration parameters and floors of the propensity in
    (0, 1), one rule per pair. ridge: lambda > 0, a number. variance, propensity: see above.
    """

    # the coin flips are common to all values of these
    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "v", "gamma", "ridge", "variance", "propensity")

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
        played = [account(world, history, self.rounds) for history in self.histories(world, streams.algorithm_words)]
        members = self.members(environment.arms)
        return np.stack([played[members.index(self._member(v, gamma, environment.arms))] for v in self.v for gamma in self.gamma], axis=1)

    def members(self, arms: int) -> list[tuple[float, float]]:
        """The pairs (v, floor of the propensity) that are different algorithms on N arms."""
        return list(dict.fromkeys(self._member(v, gamma, arms) for v in self.v for gamma in self.gamma))

    def _member(self, v: float, gamma: float, arms: int) -> tuple[float, float]:
        return v, max(gamma, 1 / arms) if self.propensity == "constant" else gamma

    def histories(self, world: World, words: Words) -> list[History]:
        """What happens, one history per member."""
        v, gamma = np.array(self.members(world.rewards.shape[1]), dtype=np.float64).T.copy()
        exact, variance, marks = self.propensity == "exact", VARIANCES.index(self.variance), np.array(self.rounds, dtype=np.int64)
        told = world.contexts, world.lengths, world.rewards
        afresh = np.array([drifts(1 / floor, self.ridge) for floor in gamma])
        none = np.zeros(len(world.rewards), dtype=np.int64)
        played = _play(*told, v, gamma, float(self.ridge), variance, exact, afresh, marks, *words)
        return [History(actions, estimates, none, floored) for actions, estimates, floored in zip(*played, strict=True)]


@njit(cache=True)
def _play(contexts, lengths, rewards, v, gamma, ridge, variance, exact, afresh, marks, seed, lane):  # type: ignore[no-untyped-def]
    horizon, arms, d = contexts.shape
    members, inverse, b, image = v.size, identities(v.size, d, 1.0 / ridge), np.zeros((v.size, d)), np.empty(d)
    gram, f = squares(members if afresh.any() else 0, d), np.zeros((members, d))
    squared, weights, scale = np.zeros(members), np.zeros(members), v.copy()  # RSS, sum of w, and v times what the variance makes of them
    means, widths, reach, found = np.empty(arms), np.empty(arms), np.empty(arms), np.empty(arms, np.int64)
    z, work = np.empty(padded(arms)), np.empty((2, d, arms))
    actions, estimates, mark = np.empty((members, horizon), np.int64), np.empty((members, marks.size, d)), 0
    floored = np.zeros((members, horizon), np.int64)
    for t in range(horizon):
        if t == 0:
            fill_uniforms(z, seed, FIRST, 0, lane, 0)
        else:
            fill_normals(z, seed, DRAW, t, lane, 0)
        for m in range(members):
            # sample and play
            arm, chance = int(z[0] * arms), 1.0 / arms
            if t > 0:
                scores(contexts[t], b[m], means)
                bound = scale[m] / math.sqrt(ridge)
                for i in range(arms):
                    reach[i] = bound * (LARGEST if exact else abs(z[i]))
                count = within_reach(means, lengths[t], reach, found)
                arm, chance = found[0], 1.0
                if count > 1:
                    widths_by_inverse(inverse[m], contexts[t], found[:count], work, widths)
                    arm = largest(means, scale[m], widths, z, found[:count])
                    if exact:
                        place = np.searchsorted(found[:count], arm)
                        chance = argmax_probability(means[found[:count]], scale[m] * widths[:count], place)
            actions[m, t] = arm
            # learn, with the inverse of the propensity as weight
            x, reward = contexts[t, arm], rewards[t, arm]
            chance = chance if exact else 1.0 / arms
            floored[m, t] = chance < gamma[m]
            weight = 1.0 / max(chance, gamma[m])
            if afresh[m]:
                absorb_afresh(gram[m], f[m], inverse[m], b[m], x, reward, weight, ridge)
            else:
                absorb(inverse[m], b[m], x, reward, weight, image)
            squared[m] += weight * (reward - inner(x, b[m])) ** 2
            weights[m] += weight
            if variance == 1:
                scale[m] = v[m] * math.sqrt(squared[m])
            elif variance == 2:
                scale[m] = v[m] * math.sqrt(squared[m] / weights[m])
        if t + 1 == marks[mark]:
            record(b, estimates, mark)
            mark += 1
    return actions, estimates, floored
