"""Steps of the text that do not hold, each with the smallest example or count that shows it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from banditpapers.environments.fixed_arms import Arms, FixedArms
from banditpapers.kernels.fixed_design import begin, fill_widths, observe
from banditpapers.kernels.normal_cdf import cdf
from banditpapers.kernels.soft_policy import fill_index
from banditpapers.papers.softucb.lemmas import Round
from banditpapers.seeding import words

# three arms, x = (1, 0), (0, 1), (0.6, 0.8), with V = ((3, 0.5), (0.5, 2)) and the estimate (0.9, 0.1); and a beta, a delta for them
FEATURES, GRAM, ESTIMATE = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]), ((3.0, 0.5), (0.5, 2.0)), (0.9, 0.1)
BETA, DELTA = 0.2, 0.9


def example() -> Round:
    """The three arms, the estimates being true."""
    (a, b), (_, c) = GRAM
    x, y = FEATURES.T
    widths = np.sqrt((c * x * x - 2 * b * x * y + a * y * y) / (a * c - b * b))
    estimates = ESTIMATE[0] * x + ESTIMATE[1] * y
    return Round(estimates, estimates, widths, BETA)


# i* has the largest m - beta w, which need not be the largest m: here the first arm has that, the second is i*
TWO_ARMS = Round(np.array([0.5, 0.45]), np.array([0.5, 0.45]), np.array([1.0, 0.1]), 0.5)
# equality in (18), on the good event, and no gap: m_1 + beta w_1 = m_2 - beta w_2, and both arms are equally good
EQUAL_ARMS = Round(np.array([0.0, 0.0]), np.array([-0.5, 0.5]), np.array([1.0, 1.0]), 0.5)


def shortfall(one: Round) -> float:
    """m_i* minus the largest m, i* as section 4 defines it: (52) needs 0."""
    return float(one.estimates[leader(one)] - one.estimates.max())


def leader(one: Round) -> int:
    """i*: the arm with the largest lower confidence bound."""
    return int((one.estimates - one.beta * one.widths).argmax())


def eliminated_at_zero(arms: Arms, rewards: Sequence[float], ridge: float = 1.0) -> list[int]:
    """|L| of each round when beta = 0: the first two arms are played once, then the arm with the largest estimate."""
    columns, count = arms.columns, len(arms.means)
    design, widths, index, eliminated = begin(columns, ridge), np.empty(count), np.empty(count), np.zeros(count, dtype=np.bool_)
    found = []
    for t, noise in enumerate(rewards):
        fill_widths(design, widths)
        found.append(int(fill_index(design.means, widths, 0.0, False, False, index, eliminated)[1]))
        arm = t if t < min(2, count) else int(design.means.argmax())
        observe(design, columns, arm, float(arms.means[arm] + noise))
    return found


def instances(world: FixedArms, count: int) -> list[Arms]:
    """Sets of arms of a world, with names of their own."""
    return [world.instance(words(paper="softucb", role="statistics", check="instances", replicate=i)) for i in range(count)]


def share_outside(means: NDArray[np.float64], variance: float) -> float:
    """P(reward outside [0, 1]), the mean over arms with these means. variance: of the normal noise, above 0. means: shape (arms,)."""
    sd = float(np.sqrt(variance))
    chances = [cdf(-mean / sd) + cdf((mean - 1) / sd) for mean in means.tolist()]
    return float(np.cumsum(chances)[-1] / len(chances))


def rank(columns: NDArray[np.float64], rounds: int) -> int:
    """The rank of sum_s x_s x_s' over so many rounds, each with another arm: V_t as it is printed. columns: shape (d, K)."""
    return int(np.linalg.matrix_rank(columns[:, :rounds] @ columns[:, :rounds].T))
