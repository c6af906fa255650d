"""Which of N independent Gaussians Y_i ~ N(m_i, s_i^2) may be the largest: the others are left out of all computations.

An arm j with m_b - m_j > C hypot(s_b, s_j) for some arm b beats b with probability below Phi(-C) = 3e-14, C = 7.5: its own probability of
being the largest is called 0. Two arms b are tried: that of the largest mean, and that of the largest lower end m_b - C s_b, the bar. Every
contender has |m_j - bar| <= C s_j then: with the bar as origin, a narrow arm sits where the floating-point numbers are dense.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

C = 7.5
SMALLEST, LARGEST = 1e-150, 1e150  # sds below are 0, numbers above are refused: the squares of all others are ordinary numbers


class Bar(NamedTuple):
    """What an arm has to reach: the largest lower end and the arm it belongs to, and the arm of the largest mean."""

    low: float
    mean: float
    sd: float
    best_mean: float
    best_sd: float


@njit(cache=True, error_model="numpy")
def bar_to_reach(means, sds):  # type: ignore[no-untyped-def]
    """The least sure score that the largest draw has, its arm, and the arm of the largest mean. means, sds: shape (N,).

    Raises ValueError for empty, unequal or infinite input.
    """
    if means.size == 0 or means.size != sds.size:
        raise ValueError("argmax_probabilities: means and sds differ in length or are empty; write one sd for each of at least one mean")
    low, b, best = -math.inf, 0, 0
    for j in range(means.size):
        if not (abs(means[j]) <= LARGEST and 0.0 <= sds[j] <= LARGEST):
            raise ValueError(
                "argmax_probabilities: a mean or an sd is not a number of at most 1e150, or an sd is negative; write such numbers"
            )
        end = means[j] - C * sds[j] if sds[j] > SMALLEST else means[j]
        if end > low:
            low, b = end, j
        if means[j] > means[best]:
            best = j
    return Bar(low, means[b], sds[b], means[best], sds[best])


@njit(cache=True, error_model="numpy")
def is_contender(mean, sd, bar):  # type: ignore[no-untyped-def]
    """Whether an arm is a contender. A constant is one if nothing has a larger lower end."""
    if sd <= SMALLEST:
        return mean == bar.low
    gap, best_gap = bar.mean - mean, bar.best_mean - mean
    return (gap <= 0.0 or gap * gap <= C * C * (bar.sd * bar.sd + sd * sd)) and (
        best_gap <= 0.0 or best_gap * best_gap <= C * C * (bar.best_sd * bar.best_sd + sd * sd)
    )


@njit(cache=True, error_model="numpy")
def count_contenders(means, sds, bar):  # type: ignore[no-untyped-def]
    """The number of contenders, the first and the last of them. means, sds: shape (N,)."""
    count, first, last = 0, 0, 0
    for j in range(means.size):
        if is_contender(means[j], sds[j], bar):
            first = j if count == 0 else first
            last = j
            count += 1
    return count, first, last


@njit(cache=True, error_model="numpy")
def contenders(means, sds, bar, count):  # type: ignore[no-untyped-def]
    """Index, mean above the bar and 1 / sd of those that are not constant; then the number of constants, and the highest upper end.

    means, sds: shape (N,). The first three of shape (count - constants,).
    """
    R, tied, top = 0, 0, 0.0
    arm, m, inverse = np.empty(count, np.int64), np.empty(count), np.empty(count)
    for j in range(means.size):
        if is_contender(means[j], sds[j], bar):
            if sds[j] <= SMALLEST:
                tied += 1
            else:
                arm[R], m[R], inverse[R] = j, means[j] - bar.low, 1.0 / sds[j]
                top = max(top, m[R] + C * sds[j])
                R += 1
    return arm[:R], m[:R], inverse[:R], tied, top
