"""LinUCB on a fixed set of arms: optimism with the confidence bound of theory, or with a constant one.

Source: Abbasi-Yadkori, Pal and Szepesvari, Improved algorithms for linear stochastic bandits (2011), as compared in Yang and Toni,
Differentiable linear bandit algorithm (2020), equations 4 and 5.

    for t = 1, ..., T:
        m_i = x_i' theta_{t-1},  w_i = |x_i|_{V_{t-1}^-1}
        play a = argmax_i m_i + beta_t w_i (the smallest index wins ties), observe y
        V_t = V_{t-1} + x_a x_a',  theta_t = V_t^-1 sum_s x_s y_s

    "theory": beta_t = R sqrt(2 log(1/delta) + d log(1 + t/d)) + sqrt(alpha) C,  with C = 1, the length of theta
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._soft import refuse_numbers, refuse_rounds
from banditpapers.environments.fixed_arms import FixedArms, account
from banditpapers.kernels.fixed_design import AFRESH, begin, fill_widths, observe, refresh
from banditpapers.kernels.normal import logarithm
from banditpapers.seeding import Streams

THEORY = "theory"


@dataclass(frozen=True)
class LinearUcb:
    """Parameters of LinUCB.

    rounds: what is recorded, increasing; the last is the horizon T. beta: numbers or "theory", one rule each. scale: R of the noise;
    confidence: delta; both for "theory". ridge: alpha > 0.
    """

    DETERMINISTIC: ClassVar[bool] = True  # no coin flips

    rounds: tuple[int, ...]
    beta: tuple[float | str, ...]
    scale: float = 1.0
    confidence: float = 0.1
    ridge: float = 1.0

    def __post_init__(self) -> None:
        refuse_rounds("linear_ucb", self.rounds)
        refuse_numbers("linear_ucb", "beta", self.beta, words=(THEORY,))
        if not 0 < self.scale < math.inf or not 0 < self.ridge < math.inf or not 0 < self.confidence < 1:
            found = f"scale is {self.scale}, confidence {self.confidence}, ridge {self.ridge}"
            raise ValueError(f"linear_ucb: {found}; write numbers above 0, and confidence below 1")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per beta."""
        return tuple(f"beta={beta if beta == THEORY else repr(float(beta))}" for beta in self.beta)

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 1), the last axis as in fixed_arms.OUTCOME."""
        arms, horizon = environment.instance(streams.environment_words), self.rounds[-1]
        noise = environment.noise(streams.environment_words, 0, horizon)
        found = []
        for beta in self.beta:
            bounds = np.full(horizon, np.nan if beta == THEORY else beta)
            if beta == THEORY:
                fill_bounds(bounds, len(arms.columns), self.scale, self.confidence, self.ridge)
            actions = _play(arms.columns, arms.means, noise, bounds, self.ridge)
            found.append(account(arms, actions, self.rounds))
        return np.stack(found, axis=1)[:, :, np.newaxis]


@njit(cache=True)
def fill_bounds(bounds, d, scale, confidence, ridge):  # type: ignore[no-untyped-def]
    """beta_1, ..., beta_T of equation 5, shape (T,)."""
    for t in range(bounds.size):
        inside = 2.0 * logarithm(1.0 / confidence) + d * logarithm(1.0 + (t + 1) / d)
        bounds[t] = scale * math.sqrt(inside) + math.sqrt(ridge)


@njit(cache=True)
def _play(columns, mu, noise, bounds, ridge):  # type: ignore[no-untyped-def]
    horizon, arms = noise.size, mu.size
    design, widths, actions = begin(columns, ridge), np.empty(arms), np.empty(horizon, np.int64)
    for t in range(horizon):
        fill_widths(design, widths)
        for i in range(arms):
            widths[i] = design.means[i] + bounds[t] * widths[i]
        arm = widths.argmax()
        actions[t] = arm
        observe(design, columns, arm, mu[arm] + noise[t])
        if (t + 1) % AFRESH == 0:
            refresh(design, columns, ridge)
    return actions
