"""Beta laws on a grid of log-odds: the logarithm of the cdf F and the reverse hazard f/F, for all nodes in one sweep.

In z = ln(x / (1 - x)) the density of Beta(alpha, beta) is

    f(z) = exp(alpha ln x + beta ln(1 - x)) / B(alpha, beta),

smooth on the whole line with exponential tails. So the trapezoidal rule on a smoothly spaced grid of z converges exponentially fast for
integrals of densities times cdfs, and F follows from panels of Gauss-Lobatto quadrature between the nodes. The sweep runs from the
right: 1 - F keeps its relative accuracy there, where the maximum of many arms lives and F is raised to large powers.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

# Gauss-Lobatto with four points on [0, 1]: the ends, which are nodes of the grid, and two points between them
INNER = ((1 - math.sqrt(0.2)) / 2, (1 + math.sqrt(0.2)) / 2)
END_SHARE, INNER_SHARE = 1 / 12, 5 / 12


class Grid(NamedTuple):
    """Q nodes. z: their log-odds. log_x, log_1x: ln x and ln(1 - x), shape (Q, 3), at the node and two points of the panel to its right.

    panel: the length of that panel, 0 for the last node. weight: the node's weight in the trapezoidal rule.
    """

    z: NDArray[np.float64]
    log_x: NDArray[np.float64]
    log_1x: NDArray[np.float64]
    panel: NDArray[np.float64]
    weight: NDArray[np.float64]


@njit(cache=True)
def logit_grid(low, high, spacing, clustering, centre, width):  # type: ignore[no-untyped-def]
    """A grid of log-odds from `low` to `high`, at most `spacing` apart, and closer around `centre`.

    The nodes are equidistant in t(z) = z / spacing + arcsinh((z - centre) / width) / clustering: at a distance d from the centre they are
    at most clustering * sqrt(d^2 + width^2) apart. An infinite `clustering` leaves them equidistant in z.
    """
    start = math.asinh((low - centre) / width)
    length = (high - low) / spacing + (math.asinh((high - centre) / width) - start) / clustering
    nodes = int(length) + 2
    step = length / (nodes - 1)
    z, weight = np.empty(nodes), np.empty(nodes)
    here = low
    for k in range(nodes):
        slope, move = 0.0, 1.0
        while abs(move) > 1e-6 * width:  # Newton's method; where a node is matters little, its weight follows it
            offset = (here - centre) / width
            slope = 1 / spacing + 1 / (clustering * width * math.sqrt(1 + offset * offset))
            move = (k * step - (here - low) / spacing - (math.asinh(offset) - start) / clustering) / slope
            here += move
        z[k], weight[k] = here, step / slope
        here += step / slope
    panel = np.zeros(nodes)
    for k in range(nodes - 1):
        panel[k] = z[k + 1] - z[k]
    log_x, log_1x = np.empty((nodes, 3)), np.empty((nodes, 3))
    for k in range(nodes):
        for j in range(3):
            point = z[k] if j == 0 else z[k] + panel[k] * INNER[j - 1]
            log_x[k, j] = -math.log1p(math.exp(-point)) if point > 0 else point - math.log1p(math.exp(point))
            log_1x[k, j] = log_x[k, j] - point
    return Grid(z, log_x, log_1x, panel, weight)


@njit(cache=True)
def beta_cdf(alpha, beta, grid, log_cdf, hazard):  # type: ignore[no-untyped-def]
    """Fill `log_cdf` with ln F and `hazard` with f/F of Beta(alpha, beta) at the nodes, f being the density in log-odds.

    Right of the grid, 1 - F is the first two terms of its series in 1 - x. An F below 1e-14 is not resolved: whatever stands for it
    cancels in f/F times a product of cdfs, which is then zero for all purposes. log_cdf, hazard: shape (Q,), the nodes of the grid.
    """
    norm = math.lgamma(alpha) + math.lgamma(beta) - math.lgamma(alpha + beta)
    log_x, log_1x, panel = grid.log_x, grid.log_1x, grid.panel
    last = log_cdf.size - 1
    tail, right = 0.0, 0.0
    for k in range(last, -1, -1):
        density = math.exp(max(alpha * log_x[k, 0] + beta * log_1x[k, 0] - norm, -700.0))
        if k == last:
            tail = density / beta * (1.0 + (alpha + beta) / (beta + 1.0) * math.exp(log_1x[last, 0]))
        elif density > 1e-16 or right > 1e-16:
            inner = math.exp(alpha * log_x[k, 1] + beta * log_1x[k, 1] - norm) + math.exp(alpha * log_x[k, 2] + beta * log_1x[k, 2] - norm)
            tail += panel[k] * (END_SHARE * (density + right) + INNER_SHARE * inner)
        cdf = max(1.0 - tail, 1e-14)
        if tail < 0.5:
            log_cdf[k] = math.log1p(-tail) if tail > 1e-8 else -tail
        else:
            log_cdf[k] = math.log(cdf)
        hazard[k] = density / cdf
        right = density
