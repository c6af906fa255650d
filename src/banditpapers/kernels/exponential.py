"""The exponential function, with the same bits on every machine.

x = k ln 2 + r with |r| <= ln 2 / 2, and exp(r) from the rational approximation of FreeBSD's msun (e_exp.c); the error is below one unit in
the last place. Nothing but the exact operations of IEEE 754 is used and there are no branches, so that the compiler works on several
elements at once: call it from functions with error_model="numpy", in which a division does not look for 0. Adding 1.5 2^52 rounds to an
integer, which then stands in the last bits of the sum: processors convert no number faster.
"""

import numpy as np
from numba import njit

from banditpapers.kernels.normal import LN2_HIGH, LN2_LOW

PER_LN2 = 1.44269504088896338700
LOWEST, HIGHEST = -708.0, 709.0  # below, exp is 0 here: the last numbers before it are no longer normal
ROUNDS = 6755399441055744.0  # 1.5 2^52
BIAS, FRACTION = np.int64(1023), np.int64(52)


@njit(cache=True, error_model="numpy", inline="always")
def exponential(x):  # type: ignore[no-untyped-def]
    """exp(x) for x up to 709; 0 below -708."""
    within = x if x > LOWEST else LOWEST
    within = within if within < HIGHEST else HIGHEST
    rounded = np.float64(within * PER_LN2 + ROUNDS)
    k = rounded - ROUNDS
    high, low = within - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    s = r * r
    even = 4.13813679705723846039e-08 * s - 1.65339022054652515390e-06
    even = even * s + 6.61375632143793436117e-05
    even = even * s - 2.77777777770155933842e-03
    even = even * s + 1.66666666666666019037e-01
    c = r - s * even
    value = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    power = np.int64((rounded.view(np.int64) + BIAS) << FRACTION).view(np.float64)
    return value * power if x >= LOWEST else 0.0
