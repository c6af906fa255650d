"""SoftUCB online: beta is learnt while it is played.

Source: Yang and Toni, Differentiable linear bandit algorithm (2020), Algorithm 4 and equations 14 and 15.

    for t = 1, ..., T:
        a round of SoftUCB with beta_{t-1};  g_t = sum_i m_i dp_i/dbeta,  W_t = sum_i w_i
        beta_t = beta_{t-1} + lambda / T (g_1 + ... + g_t + (T - t) g_t + eta W_t)                (equation 15)

Each g_s is kept as it was under the beta of its round: to evaluate past rounds again would cost O(K T^2). Equation 15 has eta |x_i| with a
free index i, once: here, as in the published program, it is a sum over the arms, of the current round ("current") or of all rounds so far
("cumulated"). The text begins with beta = 0, which is greedy: see docs/deviations.md.
"""

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._soft import CAP, SoftReading, coins, refuse_numbers, refuse_rounds
from banditpapers.environments.fixed_arms import FixedArms, account
from banditpapers.kernels.fixed_design import AFRESH, begin, fill_widths, observe, refresh, total
from banditpapers.kernels.soft_policy import coldness, coldnesses, covariance, fill_index, fill_policy, pick
from banditpapers.seeding import Streams

TERMS = ("current", "cumulated")


@dataclass(frozen=True, kw_only=True)
class SoftUcbOnline(SoftReading):
    """Parameters of SoftUCB online.

    rounds: what is recorded, increasing; the last is the horizon T. start, step, eta: beta_0, lambda and multipliers, one rule for each
    combination. term: which rounds the eta term is summed over, "current" or "cumulated".
    """

    COMMON: ClassVar[tuple[str, ...]] = (
        "rounds", "start", "step", "eta", "term", "delta", "ridge", "gap", "eliminated", "empty", "coldness",
    )  # fmt: skip

    rounds: tuple[int, ...]
    eta: tuple[float, ...]
    start: tuple[float, ...] = (1.0,)
    step: tuple[float, ...] = (0.5,)
    term: str = "current"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_rounds(self.called, self.rounds)
        for key in ("eta", "start", "step"):
            refuse_numbers(self.called, key, getattr(self, key))
        if self.term not in TERMS:
            raise ValueError(f"{self.called}: term is {self.term!r}; write one of {', '.join(TERMS)}")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the rounds."""
        return tuple(map(str, self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per beta_0, lambda and multiplier."""
        chosen = product(self.start, self.step, self.eta)
        return tuple(f"start={float(start)!r} step={float(step)!r} eta={float(eta)!r}" for start, step, eta in chosen)

    @property
    def quantities(self) -> tuple[str, ...]:
        """The regret so far, beta_t, whether beta has diverged, and in how many rounds the best arm was eliminated."""
        return ("regret", "beta", "diverged", "best_eliminated")

    def play(self, environment: FixedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, rules, 4), the last axis as in `quantities`."""
        arms, horizon = environment.instance(streams.environment_words), self.rounds[-1]
        noise, uniforms = environment.noise(streams.environment_words, 0, horizon), coins(streams.algorithm_words, 0, horizon)
        found, at = [], np.array(self.rounds) - 1
        for start, step, eta in product(self.start, self.step, self.eta):
            learning = float(start), float(step), float(eta), self.term == "cumulated"
            actions, betas, lost = play_online(arms.columns, arms.means, noise, uniforms, *learning, *self.reading)
            columns = account(arms, actions, self.rounds), betas[at], betas[at] == CAP, np.cumsum(lost)[at]
            found.append(np.column_stack(columns).astype(np.float64))
        return np.stack(found, axis=1)


@njit(cache=True)
def play_online(  # type: ignore[no-untyped-def]
    columns, mu, noise, uniforms, beta, step, eta, cumulated, delta, ridge, absolute, cumulative, fresh, empty
):
    """One trajectory. Returns the arms, beta_1..beta_T and whether the best arm was eliminated, each of shape (T,)."""
    horizon, arms = noise.size, mu.size
    design, colds, gamma, past, wide = begin(columns, ridge), coldnesses(delta, arms), 0.0, 0.0, 0.0
    widths, index, policy, eliminated = np.empty(arms), np.empty(arms), np.empty(arms), np.zeros(arms, np.bool_)
    actions, betas, lost, best = np.empty(horizon, np.int64), np.empty(horizon), np.zeros(horizon, np.bool_), mu.argmax()
    for t in range(horizon):
        # index and policy
        fill_widths(design, widths)
        largest, count = fill_index(design.means, widths, beta, absolute, cumulative, index, eliminated)
        coming = coldness(count, largest, colds, empty, gamma)
        used = coming if fresh else gamma
        fill_policy(index, largest, used, policy)
        gradient = covariance(policy, design.means, widths, used)
        # play and learn
        arm = pick(policy, uniforms[t])
        actions[t], lost[t] = arm, eliminated[best]
        observe(design, columns, arm, mu[arm] + noise[t])
        if (t + 1) % AFRESH == 0:
            refresh(design, columns, ridge)
        gamma = coming
        # learn beta
        past += gradient
        wide = total(widths) + (wide if cumulated else 0.0)
        beta = min(max(0.0, beta + step * (past + (horizon - t - 1) * gradient + eta * wide) / horizon), CAP)
        betas[t] = beta
    return actions, betas, lost
