"""Linear Thompson sampling (LinTS) on a fixed set of arms.

Source: Agrawal and Goyal, Thompson sampling for contextual bandits with linear payoffs (2013), as compared in Yang and Toni, Differentiable
linear bandit algorithm (2020), section 5.

    for t = 1, ..., T:
        sample theta~ ~ N(theta_{t-1}, s^2 V_{t-1}^-1)
        play a = argmax_i x_i' theta~ (the smallest index wins ties), observe y
        V_t = V_{t-1} + x_a x_a',  theta_t = V_t^-1 sum_s x_s y_s

    "theory": s_t = R sqrt(9 d log(t / delta)), the v of Agrawal and Goyal without its dependence on a tuned epsilon
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._soft import refuse_numbers, refuse_rounds
from banditpapers.environments.fixed_arms import FixedArms, account
from banditpapers.kernels.factor import add_outer, factorise, solve_rest, squares
from banditpapers.kernels.normal import logarithm
from banditpapers.kernels.philox import DRAW, fill_normals, padded
from banditpapers.seeding import Streams

THEORY = "theory"


@dataclass(frozen=True)
class FixedArmsThompson:
    """Parameters of LinTS.

    rounds: what is recorded, increasing; the last is the horizon T. scale: s, numbers or "theory", one rule each. noise: R; confidence:
    delta; both for "theory". ridge: alpha > 0.
    """

    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "scale", "noise", "confidence", "ridge")

    rounds: tuple[int, ...]
    scale: tuple[float | str, ...]
    noise: float = 1.0
    confidence: float = 0.1
    ridge: float = 1.0

    def __post_init__(self) -> None:
        refuse_rounds("fixed_arms_thompson", self.rounds)
        refuse_numbers("fixed_arms_thompson", "scale", self.scale, words=(THEORY,))
        if not 0 < self.noise < math.inf or not 0 < self.ridge < math.inf or not 0 < self.confidence < 1:
            found = f"noise is {self.noise}, confidence {self.confidence}, ridge {self.ridge}"
            raise ValueError(f"fixed_arms_thompson: {found}; write numbers above 0, and confidence below 1")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per scale."""
        return tuple(f"scale={scale if scale == THEORY else repr(float(scale))}" for scale in self.scale)

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 1), the last axis as in fixed_arms.OUTCOME."""
        arms, horizon = environment.instance(streams.environment_words), self.rounds[-1]
        noise = environment.noise(streams.environment_words, 0, horizon)
        found = []
        for scale in self.scale:
            scales = np.full(horizon, np.nan if scale == THEORY else scale)
            if scale == THEORY:
                fill_scales(scales, len(arms.columns), self.noise, self.confidence)
            actions = _play(arms.columns, arms.means, noise, scales, self.ridge, *streams.algorithm_words)
            found.append(account(arms, actions, self.rounds))
        return np.stack(found, axis=1)[:, :, np.newaxis]


@njit(cache=True)
def fill_scales(scales, d, noise, confidence):  # type: ignore[no-untyped-def]
    """s_1, ..., s_T of "theory", shape (T,)."""
    for t in range(scales.size):
        scales[t] = noise * math.sqrt(9.0 * d * logarithm((t + 1) / confidence))


@njit(cache=True)
def _play(columns, mu, noise, scales, ridge, seed, lane):  # type: ignore[no-untyped-def]
    d, arms = columns.shape
    horizon = noise.size
    gram, factor, f, w = squares(1, d)[0], squares(1, d)[0], np.zeros((1, d)), np.empty((1, d))
    z, sampled, values, x = np.empty(padded(d)), np.empty(d), np.empty(arms), np.empty(d)
    actions = np.empty(horizon, np.int64)
    for t in range(horizon):
        # sample: with V = L'L and w = L'^-1 f, theta~ = L^-1 (w + s z)
        factorise(gram, ridge, f, factor, w)
        fill_normals(z, seed, DRAW, t, lane, 0)
        for k in range(d):
            w[0, k] += scales[t] * z[k]
        solve_rest(factor, w[0], sampled)
        values[:] = 0.0
        for k in range(d):
            scale, column = sampled[k], columns[k]
            for i in range(arms):
                values[i] += column[i] * scale
        # play and learn
        arm = values.argmax()
        actions[t] = arm
        reward = mu[arm] + noise[t]
        for k in range(d):
            x[k] = columns[k, arm]
            f[0, k] += reward * x[k]
        add_outer(gram, x)
    return actions
