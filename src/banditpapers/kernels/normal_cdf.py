"""The standard normal cdf and density from a table: faster than erfc, and several points at once in a loop.

Phi(x + d) and phi(x + d) are their Taylor polynomials around the nearest node x = k/64 of a table of Phi and phi on [-9, 9]:

    phi(x + d) = phi(x) [1 + h_1 d + h_2 d^2 + h_3 d^3 + h_4 d^4],    h_n = (-1)^n He_n(x) / n!,    |d| <= 1/128,

and Phi its integral. The errors stay below 1e-15 (Phi) and 6e-13 (phi). Only + - * and the table, hence the same bits on every processor.
"""

import math

import numpy as np
from numba import njit

EDGE = 9.0  # beyond, Phi is 0 or 1 up to 1.2e-19
PER_UNIT = 64.0  # nodes; a power of two, so that the nodes are exact
_NODES = [k / PER_UNIT - EDGE for k in range(int(2.0 * EDGE * PER_UNIT) + 1)]
CDF = np.array([0.5 * math.erfc(-x * math.sqrt(0.5)) for x in _NODES])
DENSITY = np.array([math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi) for x in _NODES])


@njit(cache=True, error_model="numpy")
def cdf(x):  # type: ignore[no-untyped-def]
    """Phi(x), within 1e-15; 0 below -9, 1 above 9."""
    value = cdf_and_density(x)[0]
    return value if x > -EDGE else 0.0


@njit(cache=True, error_model="numpy")
def cdf_and_density(x):  # type: ignore[no-untyped-def]
    """(Phi(x), phi(x)) within (1e-15, 6e-13), for x in [-9, 9]; beyond, their values at the nearer end: below 1.2e-19 from the truth."""
    x = x if x > -EDGE else -EDGE
    x = x if x < EDGE else EDGE
    place = (x + EDGE) * PER_UNIT
    k = int(place + 0.5)
    d = (place - k) * (1.0 / PER_UNIT)
    node = k * (1.0 / PER_UNIT) - EDGE
    q = node * node
    h1, h2, h3, h4 = -node, 0.5 * (q - 1.0), node * (3.0 - q) * (1.0 / 6.0), (q * (q - 6.0) + 3.0) * (1.0 / 24.0)
    height = DENSITY[k]
    rise = d * (1.0 + d * (0.5 * h1 + d * ((1.0 / 3.0) * h2 + d * (0.25 * h3 + d * (0.2 * h4)))))
    return CDF[k] + height * rise, height * (1.0 + d * (h1 + d * (h2 + d * (h3 + d * h4))))
