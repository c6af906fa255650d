"""Which of N independent Gaussians is the largest, by quasi-Monte Carlo with 200 fixed points, as in the released code of DRTS.

    pi_i = mean_k prod_{j != i} Phi((m_i + s_i z_k - m_j) / s_j),    z_k = Phi^-1(v(k XOR k >> 1)), k = 1..200,

v being van der Corput's sequence of base 2 (the binary digits of a number mirrored at the point): the first 200 points of a
one-dimensional Sobol sequence in Gray-code order, without its zero. The largest error is about 3e-3; the values do not sum to one.

The points are visited in descending order. Then the products descend too, and once one is below 1e-14 the others are left out; so are
factors above 1 - 3e-14. This moves the mean by less than 1e-12.
"""

import math

import numpy as np
from numba import njit
from scipy.special import ndtri

from banditpapers.kernels.normal_cdf import cdf

POINTS, LANES = 200, 40
C = 7.5  # Phi(-7.5) = 3e-14
NEGLIGIBLE = 1e-14


def gray_code_points(count: int) -> list[float]:
    """The first `count` values v(k XOR k >> 1), k = 1, 2, ..: exact binary fractions in (0, 1)."""
    return [int(f"{k ^ k >> 1:b}"[::-1], 2) / 2 ** k.bit_length() for k in range(1, count + 1)]


NODES = np.sort(ndtri(np.array(gray_code_points(POINTS))))


@njit(cache=True, error_model="numpy")
def quasi_argmax_probabilities(means, sds):  # type: ignore[no-untyped-def]
    """The 200-point approximation of P(Y_i is the largest) for independent Y_i ~ N(means[i], sds[i]^2), i = 0..N-1.

    means, sds: float64, shape (N,), finite, sds >= 0. Returns float64, shape (N,), that of the formula to 1e-12; its sum is not one.
    A constant, sds[j] = 0, counts as the factor 0, 1/2 or 1 as it lies above, at or below a point.
    """
    N = means.size
    out = np.empty(N)
    low = -math.inf
    for j in range(N):
        low = max(low, means[j] - C * sds[j])
    work = np.empty((2, LANES))
    total, product = work[0], work[1]
    for i in range(N):
        for k in range(LANES):
            total[k] = 0.0
        start = POINTS
        while start > 0:
            start -= LANES
            if means[i] + sds[i] * NODES[start + LANES - 1] < low:
                break
            for k in range(LANES):
                product[k] = 1.0
            lowest = means[i] + sds[i] * NODES[start]
            for j in range(N):
                if j == i or lowest > means[j] + C * sds[j]:
                    continue
                if product[LANES - 1] < NEGLIGIBLE:
                    break
                if sds[j] > 0.0:
                    inverse = 1.0 / sds[j]
                    a, b = (means[i] - means[j]) * inverse, sds[i] * inverse
                    for k in range(LANES):
                        product[k] *= cdf(a + b * NODES[start + k])
                else:
                    for k in range(LANES):
                        over = means[i] + sds[i] * NODES[start + k] - means[j]
                        product[k] *= 1.0 if over > 0.0 else (0.5 if over == 0.0 else 0.0)
            for k in range(LANES):
                total[k] += product[k]
            if product[LANES - 1] < NEGLIGIBLE:
                break
        chance = 0.0
        for k in range(LANES):
            chance += total[k]
        out[i] = chance / POINTS
    return out
