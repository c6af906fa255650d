"""Epsilon-greedy on a fixed set of linear arms.

Source: Sutton and Barto, Reinforcement learning: an introduction (2018), section 2.2, as compared in Yang and Toni, Differentiable linear
bandit algorithm (2020), section 5.

    for t = 1, ..., T:
        with probability epsilon play an arm at random, else a = argmax_i x_i' theta_{t-1} (the smallest index wins ties); observe y
        V_t = V_{t-1} + x_a x_a',  theta_t = V_t^-1 sum_s x_s y_s
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._soft import coins, refuse_numbers, refuse_rounds
from banditpapers.environments.fixed_arms import FixedArms, account
from banditpapers.kernels.fixed_design import AFRESH, begin, observe, refresh
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class EpsilonGreedy:
    """Parameters: `rounds` is what is recorded, increasing, the last is the horizon T; epsilon: one rule each; ridge: alpha > 0."""

    COMMON: ClassVar[tuple[str, ...]] = ("rounds", "epsilon", "ridge")

    rounds: tuple[int, ...]
    epsilon: tuple[float, ...]
    ridge: float = 1.0

    def __post_init__(self) -> None:
        refuse_rounds("epsilon_greedy", self.rounds)
        refuse_numbers("epsilon_greedy", "epsilon", self.epsilon)
        if max(self.epsilon) > 1 or not 0 < self.ridge < math.inf:
            raise ValueError(f"epsilon_greedy: epsilon is {self.epsilon}, ridge {self.ridge}; write numbers in [0, 1], and a ridge above 0")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per epsilon."""
        return tuple(f"epsilon={float(epsilon)!r}" for epsilon in self.epsilon)

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 1), the last axis as in fixed_arms.OUTCOME."""
        arms, horizon = environment.instance(streams.environment_words), self.rounds[-1]
        noise = environment.noise(streams.environment_words, 0, horizon)
        explores, chosen = (coins(streams.algorithm_words, which, horizon) for which in (0, 1))
        found = []
        for epsilon in self.epsilon:
            actions = _play(arms.columns, arms.means, noise, explores < epsilon, chosen, self.ridge)
            found.append(account(arms, actions, self.rounds))
        return np.stack(found, axis=1)[:, :, np.newaxis]


@njit(cache=True)
def _play(columns, mu, noise, explores, chosen, ridge):  # type: ignore[no-untyped-def]
    horizon, arms = noise.size, mu.size
    design, actions = begin(columns, ridge), np.empty(horizon, np.int64)
    for t in range(horizon):
        arm = int(chosen[t] * arms) if explores[t] else design.means.argmax()
        actions[t] = arm
        observe(design, columns, arm, mu[arm] + noise[t])
        if (t + 1) % AFRESH == 0:
            refresh(design, columns, ridge)
    return actions
