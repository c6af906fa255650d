"""What SoftUCB makes of estimates and widths in one round: index, policy, coldness and gradient.

Source: Yang and Toni, Differentiable linear bandit algorithm (2020), equations 6 to 9 and 12.

    i* = argmax_i m_i - beta w_i                            (the smallest index wins ties)
    S_i = beta (w_i + w_i*) - (m_i* - m_i)                  equation 7: UCB_i minus the largest lower confidence bound
    L = {i: S_i < 0},  gamma' = log(delta |L| / (1 - delta)) / max_i S_i      equation 9
    p_i = exp(gamma S_i) / sum_j exp(gamma S_j)             equation 8
    gradient = sum_i m_i dp_i/dbeta = gamma sum_i p_i (m_i - m~)(w_i - w~),   m~ = sum_j p_j m_j,  w~ = sum_j p_j w_j

The centred form of the gradient equals equation 12 and keeps its digits when gamma is large. Where equation 9 means nothing:

    |L| = 0                  the logarithm of 0: gamma' = 0, a uniform policy ("uniform", as the text says), as if |L| were 1 ("one", the
                             published program) or the gamma before ("keep")
    delta |L| / (1 - delta) < 1   gamma' < 0 would prefer the worst arms: gamma' = 0
    max S = 0 (beta = 0)     gamma' = 1e12, which is greedy
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.exponential import exponential
from banditpapers.kernels.normal import logarithm

COLDEST = 1e12  # what gamma is where max S is 0, or nearly
EMPTY = ("uniform", "one", "keep")
UNIFORM, ONE, KEEP = range(3)


class Softened(NamedTuple):
    """What `soften` returns. indices, policy: shape (K,); gamma: what equation 9 gives for the next round; gradient: of sum_i p_i m_i."""

    indices: NDArray[np.float64]
    policy: NDArray[np.float64]
    gamma: float
    gradient: float


def soften(
    widths: NDArray[np.float64], estimates: NDArray[np.float64], beta: float, gamma: float | None, delta: float, empty: str = "uniform"
) -> Softened:
    """The pure function of a round. gamma: the coldness in use, or None for that of this round's equation 9 (Lemma 2 is about it).

    widths, estimates: w and m, shape (K,). Raises ValueError for other shapes, a delta outside (0, 1), a beta or gamma that is negative or
    not finite, widths or estimates that are not finite, or an unknown rule for |L| = 0.
    """
    if not 0 < delta < 1 or not 0 <= beta < np.inf or not (gamma is None or 0 <= gamma < np.inf) or empty not in EMPTY:
        found = f"delta is {delta}, beta {beta}, gamma {gamma}, empty {empty!r}"
        raise ValueError(f"soften: {found}; write 0 < delta < 1, numbers of at least 0, and one of {', '.join(EMPTY)}")
    w, m = np.array(widths, dtype=np.float64), np.array(estimates, dtype=np.float64)
    if w.ndim != 1 or w.shape != m.shape or not w.size:
        raise ValueError(f"soften: widths have the shape {w.shape}, estimates {m.shape}; write one of each per arm")
    if not np.isfinite(w + m).all():
        raise ValueError("soften: a width or an estimate is infinite or NaN; write finite numbers")
    index, policy, eliminated = np.empty(len(w)), np.empty(len(w)), np.zeros(len(w), dtype=np.bool_)
    largest, count = fill_index(m, w, float(beta), False, False, index, eliminated)
    coming = coldness(count, largest, coldnesses(delta, len(w)), EMPTY.index(empty), 0.0 if gamma is None else float(gamma))
    used = coming if gamma is None else float(gamma)
    fill_policy(index, largest, used, policy)
    return Softened(index, policy, float(coming), float(covariance(policy, m, w, used)))


@njit(cache=True)
def coldnesses(delta, arms):  # type: ignore[no-untyped-def]
    """log(delta |L| / (1 - delta)) for |L| = 0..K, or 0 where it would be negative or does not exist."""
    found = np.zeros(arms + 1)
    for count in range(1, arms + 1):
        found[count] = max(logarithm(delta * count / (1.0 - delta)), 0.0)
    return found


@njit(cache=True)
def fill_index(means, widths, beta, absolute, cumulative, index, eliminated):  # type: ignore[no-untyped-def]
    """Fill `index` with S and mark the arms of L. Returns (max S, |L|).

    absolute: the published program's gap |m_i* - m_i|, which gives the same L. cumulative: arms that were in L before stay there.

    means, widths, index, eliminated: shape (K,).
    """
    arms, star = means.size, 0
    best = means[0] - beta * widths[0]
    for i in range(1, arms):
        low = means[i] - beta * widths[i]
        if low > best:
            star, best = i, low
    top, reach = means[star], beta * widths[star]
    for i in range(arms):
        gap = top - means[i]
        index[i] = (beta * widths[i] + reach) - (abs(gap) if absolute else gap)
    largest, count = index[0], 0
    for i in range(arms):
        largest = max(largest, index[i])
        eliminated[i] = index[i] < 0.0 or (cumulative and eliminated[i])
        count += eliminated[i]
    return largest, count


@njit(cache=True)
def coldness(count, largest, colds, empty, before):  # type: ignore[no-untyped-def]
    """gamma of equation 9 for |L| = count and max S = largest. colds: as `coldnesses` makes them; before: the gamma before.

    colds: shape (K + 1,).
    """
    if count == 0 and empty == KEEP:
        return before
    cold = colds[1 if count == 0 and empty == ONE else count]
    if cold == 0.0:
        return 0.0
    return COLDEST if largest <= 0.0 else min(cold / largest, COLDEST)


@njit(cache=True, error_model="numpy")
def fill_policy(index, largest, gamma, policy):  # type: ignore[no-untyped-def]
    """Fill `policy` with exp(gamma S_i) / sum_j exp(gamma S_j), the largest exponent taken out of all. index, policy: shape (K,)."""
    for i in range(index.size):
        policy[i] = exponential(gamma * (index[i] - largest))
    total = 0.0
    for i in range(index.size):
        total += policy[i]
    for i in range(index.size):
        policy[i] /= total


@njit(cache=True)
def covariance(policy, means, widths, gamma):  # type: ignore[no-untyped-def]
    """gamma Cov_p(m, w): the gradient of sum_i p_i m_i by beta, with gamma, m and w held fixed. policy, means, widths: shape (K,)."""
    mean, width = 0.0, 0.0
    for i in range(policy.size):
        mean += policy[i] * means[i]
        width += policy[i] * widths[i]
    total = 0.0
    for i in range(policy.size):
        total += policy[i] * ((means[i] - mean) * (widths[i] - width))
    return gamma * total


@njit(cache=True)
def pick(policy, u):  # type: ignore[no-untyped-def]
    """The first arm at which the cumulated policy exceeds u in (0, 1); the last arm if rounding leaves none. policy: shape (K,)."""
    reached = 0.0
    for i in range(policy.size - 1):
        reached += policy[i]
        if u < reached:
            return i
    return policy.size - 1
