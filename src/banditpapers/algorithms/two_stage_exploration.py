"""Two-stage exploration (TSE) for the best of K Bernoulli arms within a budget of T pulls.

Source: Komiyama, Ariu, Kato and Qin, Rate-optimal Bayesian simple regret in best arm identification (Mathematics of Operations Research,
2023), in the form of Example 3 of arXiv 2312.13875.

    stage 1: pull every arm n_1 = floor(q T / K) times
    keep arm j if  mean_j + rho >= max_i mean_i - rho,    rho = sqrt(K ln T / (q T))
    stage 2: spread the T - K n_1 pulls that are left evenly on the kept arms, the remainder on random ones of them
    recommend the kept arm of the largest mean over both stages, ties uniformly

A budget below K/q has no first stage: all arms are kept. Below K pulls some arms are never pulled, and are not recommended. The arms'
means are drawn once per replicate; each budget is a run of its own on them, with rewards of its own. Pulls are summed to binomials.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.environments.beta_bernoulli import BetaBernoulli, account, draw_means
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class TwoStageExploration:
    """Parameters of TSE: `budgets` are the numbers of pulls T, increasing; `share` is q in (0, 1), the part spent in stage 1."""

    rules: ClassVar[tuple[str, ...]] = ("overall_mean",)
    COMMON: ClassVar[tuple[str, ...]] = ("budgets",)  # says what is recorded: the coin flips are common to all values

    budgets: tuple[int, ...]
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.share < 1:
            raise ValueError(f"two_stage_exploration: share is {self.share}; write a number between 0 and 1, both excluded")
        if not self.budgets or any(later <= earlier for earlier, later in zip((0, *self.budgets), self.budgets, strict=False)):
            raise ValueError(
                f"two_stage_exploration: budgets is {self.budgets}; write integers of at least 1, each larger than the one before"
            )

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the budgets."""
        return tuple(map(str, self.budgets))

    def play(self, environment: BetaBernoulli, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (budgets, 1 rule, 5), the last axis as in beta_bernoulli.OUTCOME."""
        a, b = environment.prior
        budgets = np.array(self.budgets, dtype=np.int64)
        return _play(float(a), float(b), environment.arms, self.share, budgets, streams.environment, streams.algorithm)  # type: ignore[no-any-return]


@njit(cache=True)
def _play(a, b, arms, share, budgets, environment, algorithm):  # type: ignore[no-untyped-def]
    means = draw_means(a, b, arms, environment)
    best = means.max()
    outcomes = np.empty((budgets.size, 1, 5))
    successes = np.zeros(arms, np.int64)  # of stage 1
    for k in range(budgets.size):
        T = budgets[k]
        first = int(share * T / arms)
        width = 2.0 * math.sqrt(arms * math.log(T) / (share * T))
        kept, floor = arms, 0.0
        if width >= 1.0:  # no arm can be dropped: both stages are one
            first = 0
        if first > 0:
            for arm in range(arms):
                successes[arm] = environment.binomial(first, means[arm])
            floor = successes.max() / first - width
            kept = 0
            for arm in range(arms):
                kept += successes[arm] / first >= floor
        second, extra = (T - arms * first) // kept, (T - arms * first) % kept
        rounds = first + second + (extra > 0)

        top, recommended, ties, left = -2.0, 0.0, 0, kept
        for arm in range(arms):
            won, tried = 0, first + second
            if first > 0:
                won = successes[arm]
                if won / first < floor:
                    continue
            more = second
            # selection sampling: each subset of `extra` kept arms is equally likely to get one pull more
            if extra > 0 and algorithm.random() * left < extra:
                extra -= 1
                more += 1
                tried += 1
            left -= 1
            won += environment.binomial(more, means[arm])
            mean = won / tried if tried > 0 else -1.0  # an arm never pulled has no mean
            if mean > top:
                top, recommended, ties = mean, means[arm], 1
            elif mean == top:
                ties += 1
                if algorithm.random() * ties < 1.0:
                    recommended = means[arm]
        account(outcomes[k, 0], T, rounds, kept, recommended, best)
    return outcomes
