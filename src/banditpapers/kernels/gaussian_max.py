"""Which of N independent Gaussians Y_i ~ N(m_i, s_i^2) is the largest: the propensities of Thompson sampling.

    P(Y_i is the largest) = int phi((y - m_i) / s_i) / s_i  prod_{j != i} Phi((y - m_j) / s_j) dy

Three steps:

1. The arms that may be the largest are picked out (see contenders.py). A single one has probability 1, two have the closed form
   Phi((m_1 - m_2) / hypot(s_1, s_2)).
2. Panels of Gauss-Legendre quadrature, from the highest upper end m_j + C s_j down to the bar, the origin of y. An arm far below the panel
   restricts its width to a share of the distance, one nearby to a multiple of s_j; the cdfs add up their curvatures 1 / s_j^2.
3. What remains below a panel is at most prod_j Phi at its lowest node: once that is below 1e-14, the rest is dropped.

The nodes of a panel are independent lanes that are summed at the very end, so that a processor may take several at once without
changing a bit. Products over j != i come from one sweep through the arms upwards and one downwards.
"""

import math

import numpy as np
from numba import njit

from banditpapers.kernels.contenders import SMALLEST, C, bar_to_reach, contenders, count_contenders, is_contender
from banditpapers.kernels.normal_cdf import cdf, cdf_and_density

NEGLIGIBLE = 1e-14
WIDTH, SHARE = 4.5, 0.55  # a panel is at most max(WIDTH s_j, SHARE (y - m_j)) wide
FLAT, FADE = 6.0, 5.0  # the curvature of log Phi counts for nothing above m_j + 6 s_j, and fully 5 s_j below that
LANES = 16
NODES, WEIGHTS = np.polynomial.legendre.leggauss(LANES)


@njit(cache=True, error_model="numpy")
def argmax_probabilities(means, sds):  # type: ignore[no-untyped-def]
    """P(Y_i is the largest) for independent Y_i ~ N(means[i], sds[i]^2), i = 0..N-1; exact to 1e-11 (largest error met: 5e-13).

    means, sds: float64, shape (N,), N >= 1, finite, sds >= 0. Returns float64, shape (N,). Callable from Python and from compiled code.

    An arm with sd 0 is a constant: it wins if it exceeds all others, and constants of equal value share their win equally. So if all sds
    are 0, the result is uniform over the arms of the largest mean. An sd below 1e-150 counts as 0.
    """
    bar = bar_to_reach(means, sds)
    count, first, last = count_contenders(means, sds, bar)
    out = np.zeros(means.size)
    if count == 1:
        out[first] = 1.0
        return out
    if count == 2 and sds[first] + sds[last] > SMALLEST:
        z = (means[first] - means[last]) / math.sqrt(sds[first] * sds[first] + sds[last] * sds[last])
        out[first], out[last] = cdf(z), cdf(-z)
        return out
    arm, m, inverse, tied, top = contenders(means, sds, bar, count)
    R = m.size
    work = np.zeros((3 * R + 2, LANES))
    below, above = work[3 * R], work[3 * R + 1]
    while top > 0.0:
        bottom = _panel(top, m, inverse)
        middle, half = 0.5 * (top + bottom), 0.5 * (top - bottom)
        for k in range(LANES):
            below[k] = 1.0
            above[k] = half * WEIGHTS[k]
        for r in range(R):
            if (bottom - m[r]) * inverse[r] < C:
                a, b = (middle - m[r]) * inverse[r], half * inverse[r]
                left, factor = work[R + r], work[2 * R + r]
                for k in range(LANES):
                    value, density = cdf_and_density(a + b * NODES[k])
                    left[k] = below[k] * density
                    factor[k] = value
                    below[k] *= value
        for r in range(R - 1, -1, -1):
            if (bottom - m[r]) * inverse[r] < C:
                total, left, factor = work[r], work[R + r], work[2 * R + r]
                for k in range(LANES):
                    total[k] += left[k] * above[k]
                    above[k] *= factor[k]
        top = bottom if below[0] > NEGLIGIBLE else 0.0
    for r in range(R):
        chance = 0.0
        for k in range(LANES):
            chance += work[r, k]
        out[arm[r]] = chance * inverse[r]
    if tied > 0:
        share = _all_below_low(m, inverse) / tied
        for i in range(means.size):
            if sds[i] <= SMALLEST and means[i] == bar.low:
                out[i] = share
    return out


@njit(cache=True, error_model="numpy")
def argmax_probability(means, sds, arm):  # type: ignore[no-untyped-def]
    """Element `arm` (0..N-1) of argmax_probabilities(means, sds), up to 3e-14, in about 60% of the time. means, sds: shape (N,)."""
    bar = bar_to_reach(means, sds)
    if not is_contender(means[arm], sds[arm], bar):
        return 0.0
    count, first, last = count_contenders(means, sds, bar)
    if count == 1:
        return 1.0
    if count == 2 and sds[first] + sds[last] > SMALLEST:
        other = first + last - arm
        return cdf((means[arm] - means[other]) / math.sqrt(sds[first] * sds[first] + sds[last] * sds[last]))
    place, m, inverse, tied, top = contenders(means, sds, bar, count)
    if sds[arm] <= SMALLEST:
        return _all_below_low(m, inverse) / tied
    own = 0
    while place[own] != arm:
        own += 1
    work = np.zeros((2, LANES))
    total, product = work[0], work[1]
    while top > 0.0:
        bottom = _panel(top, m, inverse)
        if (bottom - m[own]) * inverse[own] < C:
            middle, half = 0.5 * (top + bottom), 0.5 * (top - bottom)
            for k in range(LANES):
                product[k] = 1.0
            for r in range(m.size):
                if r != own and (bottom - m[r]) * inverse[r] < C:
                    a, b = (middle - m[r]) * inverse[r], half * inverse[r]
                    for k in range(LANES):
                        product[k] *= cdf_and_density(a + b * NODES[k])[0]
            a, b = (middle - m[own]) * inverse[own], half * inverse[own]
            for k in range(LANES):
                total[k] += product[k] * (half * WEIGHTS[k]) * cdf_and_density(a + b * NODES[k])[1]
            bottom = bottom if product[0] > NEGLIGIBLE else 0.0
        top = bottom
    chance = 0.0
    for k in range(LANES):
        chance += total[k]
    return chance * inverse[own]


@njit(cache=True, error_model="numpy")
def _panel(top, m, inverse):  # type: ignore[no-untyped-def]
    """The lower end of the panel whose upper end is `top`."""
    sharpest, bends = 0.0, 0.0
    for r in range(m.size):
        z = (top - m[r]) * inverse[r]
        sharpest = max(sharpest, inverse[r] / max(WIDTH, SHARE * z))
        bend = inverse[r] * min(1.0, max(0.0, (FLAT - z) * (1.0 / FADE)))
        bends += bend * bend
    width = 1.0 / math.sqrt(sharpest * sharpest + bends * (1.0 / (WIDTH * WIDTH)))
    return top - width if top > 1.3 * width else 0.0


@njit(cache=True, error_model="numpy")
def _all_below_low(m, inverse):  # type: ignore[no-untyped-def]
    """P(every contender that is not constant stays below the bar)."""
    product = 1.0
    for r in range(m.size):
        product *= cdf(-m[r] * inverse[r])
    return product
