"""Which of K arms is the maximum, when their means are independent Beta variables and many of them share a law.

With F_g and f_g the cdf and density of group g's law and n_g its members,

    P(the maximum is in group g) = n_g int f_g(z)/F_g(z) L(z) dz,    L(z) = prod_h F_h(z)^{n_h},

by the trapezoidal rule on a grid of log-odds z. Over all groups these sum to one, so the computed sum says whether the grid is fine
enough: once it is off by more than TOLERANCE, the grid is drawn anew around the arm that has become too sharp for it.
"""

import math
from functools import lru_cache

import numpy as np
from numba import njit
from scipy.special import betaincinv

from banditpapers.kernels.arm_groups import group_arms
from banditpapers.kernels.beta_cdf import logit_grid

SMALLEST = 0.1  # of a smaller Beta parameter, log-odds reach further than numbers do
TOLERANCE = 1e-4
SPACING = 0.45  # of the nodes in log-odds; the tail of a maximum of Beta(a, b) variables decays at rate b, its spread is about 1/sqrt(b)
CLUSTERING = 0.4  # of the nodes around a sharp arm, in its standard deviations


@lru_cache(maxsize=64)
def window(prior: tuple[float, float], arms: int) -> tuple[float, float]:
    """Log-odds between which the largest of `arms` means drawn from the prior lies, up to a probability of 1e-10.

    A posterior of true prior has no more mass outside, on average over what is observed. Raises ValueError for a parameter below 0.1.
    """
    a, b = prior
    if min(prior) < SMALLEST:
        raise ValueError(
            f"the probability of being the best arm is not resolved for Beta({a:g}, {b:g}); write parameters of at least {SMALLEST}"
        )
    low = betaincinv(a, b, math.exp(math.log(1e-12) / arms))
    short = betaincinv(b, a, 1e-10 / arms)  # 1 - x at the upper end
    return math.log(max(low, 1e-300) / (1 - low)), math.log((1 - short) / max(short, 1e-300))


@njit(cache=True)
def first_groups(a, b, arms, low, high):  # type: ignore[no-untyped-def]
    """The grid and the groups before any pull, when all arms are one group."""
    none = np.zeros(arms, np.int64)
    grid = logit_grid(low, high, SPACING / math.sqrt(max(b, 1.0)), math.inf, 0.0, 1.0)
    return grid, group_arms(a, b, none, none, grid)


@njit(cache=True)
def maximum_of_arms(a, b, low, high, successes, pulls, grid, groups):  # type: ignore[no-untyped-def]
    """Each group's probability of holding the maximum. Returns (grid, groups, probabilities); the first two are new if they had to be."""
    chance, log_max = _chances(groups, grid.weight)
    spacing, clustering = SPACING / math.sqrt(max(b, 1.0)), CLUSTERING
    tries = 0
    while abs(chance.sum() - 1.0) > TOLERANCE and tries < 9:
        # resolve the sharpest of the arms that may exceed all others: at its mean, the other cdfs have not vanished
        centre, width = low, math.inf
        for g in range(chance.size):
            mean, deviation = math.log(groups.alpha[g] / groups.beta[g]), math.sqrt(1.0 / groups.alpha[g] + 1.0 / groups.beta[g])
            k = min(np.searchsorted(grid.z, mean), log_max.size - 1)
            if groups.members[g] > 0 and deviation < width and log_max[k] - groups.log_cdf[g, k] > math.log(TOLERANCE):
                centre, width = mean, deviation
        grid = logit_grid(low, high, spacing, clustering if width < math.inf else math.inf, centre, min(width, 1.0))
        groups = group_arms(a, b, successes, pulls, grid)
        chance, log_max = _chances(groups, grid.weight)
        spacing, clustering = 0.7 * spacing, 0.7 * clustering  # should that not do
        tries += 1
    return grid, groups, chance / chance.sum()


@njit(cache=True)
def _chances(groups, weight):  # type: ignore[no-untyped-def]
    """The probabilities as computed, and ln L at the nodes. Hands out the groups' seats on the way."""
    chance, log_max = np.zeros(groups.filled[0]), np.zeros(weight.size)
    for g in range(chance.size):
        members = float(groups.members[g])
        if members > 0:
            for k in range(log_max.size):
                log_max[k] += members * groups.log_cdf[g, k]
    for k in range(log_max.size):
        if log_max[k] > -80.0:  # else there is nothing to add
            mass = weight[k] * math.exp(log_max[k])
            for g in range(chance.size):
                chance[g] += mass * groups.hazard[k, g]
    seats = 0
    for g in range(chance.size):
        chance[g] *= groups.members[g]
        groups.door[g] = seats
        seats += groups.members[g]
    return chance, log_max
