"""SoftUCB offline: beta is trained on whole trajectories with the same arms, then played.

Source: Yang and Toni, Differentiable linear bandit algorithm (2020), Algorithm 3 and equations 10 to 13.

    beta_0 = 0
    for n = 1, ..., N:
        play SoftUCB with beta_{n-1} for T rounds on the same arms; the noise is new
        beta_n = beta_{n-1} + lambda g,   g = sum_t (sum_i m_i dp_i/dbeta + eta sum_i w_i)      (equation 13)
    play SoftUCB with beta_N

The gradient is a sum over T rounds: with lambda = 1/T a step has the size of a round's gradient. Where a step would take beta below 0 it is
0; beyond 50 it has diverged, and stays there. "last round" takes the last round's gradient alone, as the published program does.
"""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from banditpapers.algorithms._soft import CAP, SoftReading, coins, refuse_numbers, refuse_rounds
from banditpapers.algorithms.soft_ucb import trajectory_of
from banditpapers.environments.fixed_arms import Arms, FixedArms, account
from banditpapers.seeding import Streams

GRADIENTS = ("sum", "last round")


@dataclass(frozen=True, kw_only=True)
class SoftUcbOffline(SoftReading):
    """Parameters of SoftUCB offline.

    rounds: what is recorded of the final trajectory, increasing; the last is the horizon T. iterations: N. start, eta: beta_0 and the
    multipliers, one rule per pair. step: lambda, a number or "1/T". gradient: "sum" or "last round". average: the final beta is the mean of
    so many last iterates (Algorithm 3: 1).
    """

    COMMON: ClassVar[tuple[str, ...]] = (
        "rounds", "iterations", "start", "eta", "step", "gradient", "average", "delta", "ridge", "gap", "eliminated", "empty", "coldness",
    )  # fmt: skip

    rounds: tuple[int, ...]
    iterations: int
    eta: tuple[float, ...]
    start: tuple[float, ...] = (0.0,)
    step: float | str = "1/T"
    gradient: str = "sum"
    average: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_rounds(self.called, self.rounds)
        refuse_numbers(self.called, "eta", self.eta)
        refuse_numbers(self.called, "start", self.start)
        refuse_numbers(self.called, "step", (self.step,), words=("1/T",))
        if self.gradient not in GRADIENTS:
            raise ValueError(f"{self.called}: gradient is {self.gradient!r}; write one of {', '.join(GRADIENTS)}")
        if not 1 <= self.average <= self.iterations:
            found = f"average is {self.average} of {self.iterations} iterations"
            raise ValueError(f"{self.called}: {found}; write integers of at least 1, average no larger than iterations")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the training trajectories, n=1 to n=N, then rounds of the final one, t=1 to t=T."""
        return (*(f"n={n + 1}" for n in range(self.iterations)), *(f"t={t}" for t in self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per beta_0 and multiplier."""
        return tuple(f"start={float(start)!r} eta={float(eta)!r}" for start, eta in product(self.start, self.eta))

    @property
    def quantities(self) -> tuple[str, ...]:
        """At n: beta_n, trajectory n's regret, that of all so far, whether beta has diverged. At t: the beta played, its regret so far."""
        return ("beta", "regret", "training_regret", "diverged")

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (iterations + rounds, rules, 4), the last axis as in `quantities`."""
        arms = environment.instance(streams.environment_words)
        return np.stack([self._train(arms, environment, streams, *rule) for rule in product(self.start, self.eta)], axis=1)

    def _train(self, arms: Arms, environment: FixedArms, streams: Streams, start: float, eta: float) -> NDArray[np.float64]:
        horizon, beta, spent, rows, iterates = self.rounds[-1], float(start), 0.0, [], []
        step = 1.0 / horizon if self.step == "1/T" else float(self.step)
        since = horizon - 1 if self.gradient == "last round" else 0
        for n in range(self.iterations):
            noise = environment.noise(streams.environment_words, n, horizon)
            played = trajectory_of(arms, noise, coins(streams.algorithm_words, n, horizon), beta, self.reading)
            rise = np.cumsum(played.gradients[since:])[-1] + eta * np.cumsum(played.widths[since:])[-1]
            beta = min(max(0.0, beta + step * rise), CAP)
            regret = account(arms, played.actions, [horizon])[0]
            spent += regret
            iterates.append(beta)
            rows.append((beta, regret, spent, beta == CAP))
        beta = float(np.cumsum(iterates[-self.average :])[-1] / self.average)
        noise = environment.noise(streams.environment_words, self.iterations, horizon)
        final = trajectory_of(arms, noise, coins(streams.algorithm_words, self.iterations, horizon), beta, self.reading)
        rows += [(beta, regret, spent, beta == CAP) for regret in account(arms, final.actions, self.rounds)]
        return np.array(rows, dtype=np.float64)
