"""Bernoulli arms with rewards and costs: the constrained bandits of Bollini et al., Replicable constrained bandits (2026), section 2.1.

    a play of arm a pays 1 with probability r_a and costs 1 with probability g_ia for each constraint i, all independent

A strategy x is safe if g_i'x <= alpha_i for all i; the best safe one has the value r*. Accounted are, with the strategy x_t of each round,

    regret    sum_t r* - r'x_t             (negative where an unsafe strategy is better than the best safe one)
    violation max_i sum_t max(0, g_i'x_t - alpha_i)

A replicate is a pair of runs: the algorithm's internal randomness is the same in both, rewards and costs are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.simplex_lp import solve_simplex

# what is recorded of a pair, in this order: both runs' regret and violation; 1 where all strategies and epochs are the same; the RepMean
# calls that split before the runs part; and of the first run its epochs, its unsafe rounds and how many estimates missed their widths
OUTCOME = ("regret", "second_regret", "violation", "second_violation", "replicated", "epochs", "splits", "unsafe", "missed")


@dataclass(frozen=True)
class ConstrainedArms:
    """An instance: `arms` is K. Rewards are given, or 1/2 but for the last arm, which has 1/2 + gap.

    costs: g, one row of K numbers in [0, 1] per constraint; limits: alpha, one per constraint.
    """

    arms: int
    gap: float = 0.2
    rewards: tuple[float, ...] = ()
    costs: tuple[tuple[float, ...], ...] = ()
    limits: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.arms >= 1 or self.arms != int(self.arms):
            raise ValueError(f"constrained_arms: arms is {self.arms}; write an integer of at least 1")
        if not self.rewards and not 0 <= self.gap <= 0.5:
            raise ValueError(f"constrained_arms: gap is {self.gap}; write a number of at least 0 and at most 0.5")
        for name, row in (("rewards", self.rewards), *(("costs", row) for row in self.costs)):
            if (row or name == "costs") and (len(row) != self.arms or not all(0 <= mean <= 1 for mean in row)):
                raise ValueError(f"constrained_arms: {name} has {row}; write {self.arms} numbers of at least 0 and at most 1")
        if len(self.limits) != len(self.costs):
            raise ValueError(f"constrained_arms: {len(self.limits)} limits for {len(self.costs)} rows of costs; write one for each")
        if not np.isfinite(self.limits).all():
            raise ValueError(f"constrained_arms: limits has {self.limits}; write finite numbers")
        if not np.isfinite(self.optimum[1]):
            raise ValueError("constrained_arms: no strategy keeps to the limits; write larger limits")

    @cached_property
    def r(self) -> NDArray[np.float64]:
        """Mean rewards, shape (K,)."""
        return np.array(self.rewards or [0.5] * (self.arms - 1) + [0.5 + self.gap], dtype=np.float64)

    @cached_property
    def g(self) -> NDArray[np.float64]:
        """Mean costs, shape (m, K)."""
        return np.array(self.costs, dtype=np.float64).reshape(len(self.costs), self.arms)

    @cached_property
    def alpha(self) -> NDArray[np.float64]:
        """Limits, shape (m,)."""
        return np.array(self.limits, dtype=np.float64)

    @cached_property
    def optimum(self) -> tuple[NDArray[np.float64], float]:
        """The best safe strategy, shape (K,), and its value r*, reward per round; NaN where there is none."""
        x = np.zeros(self.arms)
        found = solve_simplex(self.r, self.g, self.alpha, x)
        return x, _inner(self.r, x) if found else float("nan")

    @cached_property
    def safest(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """x_diamond, the strategy with the largest least margin, shape (K,), and its costs lambda, shape (m,): known to a learner.

        One constraint has the least margin. For each in turn: the strategy with its largest margin among those for which it is the least,
        a linear program over the simplex.
        """
        m, arms = self.g.shape
        if m == 0:
            return np.eye(arms)[0], np.zeros(0)
        best, margin = np.eye(arms)[0], -np.inf
        for i in range(m):
            others = [k for k in range(m) if k != i]
            rows = np.array([(self.g[k] - self.alpha[k]) - (self.g[i] - self.alpha[i]) for k in others]).reshape(len(others), arms)
            x = np.zeros(arms)
            if solve_simplex(self.alpha[i] - self.g[i], rows, np.zeros(len(others)), x):
                least = min(float(self.alpha[k] - _inner(self.g[k], x)) for k in range(m))
                if least > margin + 1e-13:
                    best, margin = x, least
        return best, np.array([_inner(self.g[i], best) for i in range(m)])


def _inner(first: Sequence[float] | NDArray[np.float64], second: NDArray[np.float64]) -> float:
    total = 0.0
    for one, other in zip(first, second, strict=True):
        total += float(one) * float(other)
    return total


@njit(cache=True)
def pull(generator, means, arm, count):  # type: ignore[no-untyped-def]
    """The sum of `count` plays of an arm. means: shape (K,), of rewards or of one cost."""
    return generator.binomial(count, means[arm])


@njit(cache=True)
def account(r, g, alpha, value, x, rounds, losses):  # type: ignore[no-untyped-def]
    """Add an epoch of a strategy to `losses`, shape (2 + m,): regret, unsafe rounds, then one violation per constraint."""
    reward, unsafe = 0.0, False
    for a in range(x.size):
        reward += r[a] * x[a]
    losses[0] += rounds * (value - reward)
    for i in range(alpha.size):
        cost = 0.0
        for a in range(x.size):
            cost += g[i, a] * x[a]
        if cost > alpha[i] + 1e-12:
            losses[2 + i] += rounds * (cost - alpha[i])
            unsafe = True
    losses[1] += rounds if unsafe else 0
