"""Correlated normal vectors that all lie in the unit ball: a Gibbs sampler, one round at a time.

N vectors of dimension d, arm i centred at mu_i in each coordinate; two arms' values of a coordinate have correlation 1/2, coordinates are
independent. Given the other arms, the vector x of arm i is N(m, s^2 I) on the ball, a density proportional to exp((m x - |x|^2 / 2) / s^2):

    m_j = mu_i + rho / (1 + (N - 2) rho) sum_{k != i} (x_kj - mu_k),      s^2 = (1 - rho) (1 + (N - 1) rho) / (1 + (N - 2) rho).

A step draws the whole vector anew, whatever it was, and accepts or refuses it (Metropolis and Hastings with an independent proposal):
x is what remains, without its last two coordinates, of a point on the sphere in D = d + 2 dimensions. A uniform point there remains a
uniform point of the ball (Archimedes), one with a density proportional to exp(kappa w), w its component along m and kappa = |m| / s^2,
remains one with that density on the ball. Such points are proposed as Wood does (Communications in Statistics - Simulation 23, 1994):

    w = (x0 + t) / (1 + x0 t) for a uniform point with the component t,     x0 = 2 kappa / (D - 1 + sqrt((D - 1)^2 + 4 kappa^2)),

with a density proportional to exp(kappa w - g(w)), g(w) = kappa w + (D - 1) log(1 - x0 w). So log weight = g(w) - |x|^2 / (2 s^2), which is
nearly constant, and five proposals of six are accepted. A step uses the same number of random numbers whatever they are.

Coordinate by coordinate, as normals on intervals, is the simpler chain, but the direction of a long vector then moves in small steps:
it is not forgotten before some 100 sweeps. Rejection of whole vectors is out of the question: of N(mu, V) in 20 dimensions fewer than
one vector in 10^26 lies in the ball.
"""

import math

import numpy as np
from numba import njit

from banditpapers.kernels.normal import logarithm
from banditpapers.kernels.philox import GIBBS, fill_normals, fill_uniforms

RHO = 0.5
SWEEPS = 5  # arms depend on each other so weakly that two are enough to the eye; the tests compare with 50


@njit(cache=True, error_model="numpy")
def fill_ball(x, centres, sweeps, seed, lane, round):  # type: ignore[no-untyped-def]
    """Fill `x`, shape (N, d), with one round: a chain of so many sweeps, started afresh. Sweep k uses the draws 2 k and 2 k + 1."""
    arms, dimension = x.shape
    share = 1.0 + (arms - 2) * RHO
    pull = RHO / share
    precision = share / ((1.0 - RHO) * (1.0 + (arms - 1) * RHO))
    freedom = dimension + 1.0  # D - 1
    normals, uniforms = np.empty(arms * (dimension + 2)), np.empty(arms)
    mean, total = np.empty(dimension), np.zeros(dimension)  # total: sum_k (x_kj - mu_k)
    for i in range(arms):  # start near the mode: on the sphere, on the side of the centre
        for j in range(dimension):
            x[i, j] = math.copysign(0.95 / math.sqrt(dimension), centres[i])
            total[j] += x[i, j] - centres[i]
    for sweep in range(sweeps):
        fill_normals(normals, seed, GIBBS, round, lane, 2 * sweep)
        fill_uniforms(uniforms, seed, GIBBS, round, lane, 2 * sweep + 1)
        for i in range(arms):
            point = normals[i * (dimension + 2) : (i + 1) * (dimension + 2)]
            length, along, across, now_along, now_square = 0.0, 0.0, 0.0, 0.0, 0.0
            for j in range(dimension):
                mean[j] = centres[i] + pull * (total[j] - (x[i, j] - centres[i]))
                length += mean[j] * mean[j]
                along += mean[j] * point[j]
                across += point[j] * point[j]
                now_along += mean[j] * x[i, j]
                now_square += x[i, j] * x[i, j]
            length = math.sqrt(length)
            along /= length
            # the last two coordinates of the point on the sphere are those that are left out of x
            sphere = across + point[dimension] * point[dimension] + point[dimension + 1] * point[dimension + 1]
            kappa = precision * length
            x0 = 2.0 * kappa / (freedom + math.sqrt(freedom * freedom + 4.0 * kappa * kappa))
            t = along / math.sqrt(sphere)
            w = (x0 + t) / (1.0 + x0 * t)
            stretch = math.sqrt((1.0 - w * w) / (sphere - along * along))
            square = w * w + stretch * stretch * (across - along * along)
            w_now = now_along / length
            gain = kappa * (w - w_now) - 0.5 * precision * (square - now_square)
            gain += freedom * (logarithm(1.0 - x0 * w) - logarithm(1.0 - x0 * w_now))
            if sweep == 0 or logarithm(uniforms[i]) < gain:  # the start is no draw, and is left at once
                for j in range(dimension):
                    new = w * mean[j] / length + stretch * (point[j] - along * mean[j] / length)
                    total[j] += new - x[i, j]
                    x[i, j] = new
