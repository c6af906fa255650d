"""K Bernoulli arms whose means are drawn from a Beta prior: the Bayesian bandit of best-arm identification.

    mu_1, ..., mu_K ~ Beta(a, b) independently;  a pull of arm j pays 1 with probability mu_j, else 0.

Source: "Best Arm Identification in Batched Multi-armed Bandit Problems" (arXiv 2312.13875), section 4.

Simple regret is max_j mu_j - mu_recommended: a difference of means (a pseudo-regret), not of realised rewards.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

# what is recorded of one recommendation, in this order
OUTCOME = ("pulls", "batches", "survivors", "simple_regret", "best")
# of a smaller Beta parameter nearly all draws underflow, and the sampler, which tries again, does not come to an end
SMALLEST = 1e-4


@dataclass(frozen=True)
class BetaBernoulli:
    """An instance: `prior` is (a, b), both at least 1e-4; `arms` is K, at least 2."""

    prior: tuple[float, float]
    arms: int

    def __post_init__(self) -> None:
        if not self.arms >= 2 or self.arms != int(self.arms):
            raise ValueError(f"arms is {self.arms}; write an integer of at least 2")
        if len(self.prior) != 2 or not all(SMALLEST <= parameter < math.inf for parameter in self.prior):
            raise ValueError(f"prior is {tuple(self.prior)}; write two numbers of at least {SMALLEST:g}, the (a, b) of the Beta prior")


@njit(cache=True)
def draw_means(a, b, arms, environment):  # type: ignore[no-untyped-def]
    """The arms' means, shape (K,): the first K numbers of the replicate's environment stream, whatever the algorithm."""
    means = np.empty(arms)
    for arm in range(arms):
        means[arm] = environment.beta(a, b)
    return means


@njit(cache=True)
def account(row, pulls, batches, survivors, recommended, best):  # type: ignore[no-untyped-def]
    """Write one recommendation into `row` (shape (5,), see OUTCOME): `recommended` and `best` are means of arms."""
    row[0], row[1], row[2] = pulls, batches, survivors
    row[3] = best - recommended
    row[4] = 1.0 if recommended >= best else 0.0


Outcomes = NDArray[np.float64]
