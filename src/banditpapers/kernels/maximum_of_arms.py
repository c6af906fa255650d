"""Which of K arms is the maximum, when their means are independent Beta variables and many of them share a law.

Arms of equal (successes, failures) form a group. With F_g and f_g the cdf and density of group g's law and n_g its members,

    P(the maximum is in group g) = n_g int f_g(z)/F_g(z) L(z) dz,    L(z) = prod_h F_h(z)^{n_h},

by the trapezoidal rule on a grid of log-odds z. Over all groups these sum to one: the computed sum says whether the grid is fine enough.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.special import betaincinv

from banditpapers.kernels.beta_cdf import beta_cdf

SMALL = 128  # arms with fewer successes and fewer failures are looked up by their record; others have a group of their own


class Groups(NamedTuple):
    """The arms by group: arrays over G groups (the first `filled[0]` are in use, some of them may be empty), K arms and Q nodes.

    alpha, beta: the group's Beta law. log_cdf, hazard: see beta_cdf; the second is transposed, which is faster. known: the group of
    (successes, failures), or -1. group: the arm's group. members: the group's number of arms. Groups have that many consecutive seats,
    from `door`; `taken` is the arm on a seat, or -1, `seat` the seat of an arm that has one. waiting: the first of the group's arms without
    a seat; following: the one after it.
    """

    filled: NDArray[np.int64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    log_cdf: NDArray[np.float64]
    hazard: NDArray[np.float64]
    known: NDArray[np.int64]
    group: NDArray[np.int64]
    members: NDArray[np.int64]
    door: NDArray[np.int64]
    taken: NDArray[np.int64]
    seat: NDArray[np.int64]
    waiting: NDArray[np.int64]
    following: NDArray[np.int64]


@lru_cache(maxsize=64)
def window(prior: tuple[float, float], arms: int) -> tuple[float, float]:
    """Log-odds between which the largest of `arms` means drawn from the prior lies, up to a probability of 1e-10.

    A posterior of true prior has no more mass outside, on average over what is observed.
    """
    a, b = prior
    low = betaincinv(a, b, math.exp(math.log(1e-12) / arms))
    short = betaincinv(b, a, 1e-10 / arms)  # 1 - x at the upper end
    return math.log(max(low, 1e-300) / (1 - low)), math.log((1 - short) / max(short, 1e-300))


@njit(cache=True)
def group_arms(a, b, successes, pulls, grid):  # type: ignore[no-untyped-def]
    """Group all arms by their record under the prior Beta(a, b), with room for as many groups again."""
    arms = successes.size
    known = np.full((SMALL, SMALL), -1)
    room = 0
    for arm in range(arms):
        won, lost = successes[arm], pulls[arm] - successes[arm]
        if won >= SMALL or lost >= SMALL:
            room += 1
        elif known[won, lost] < 0:
            known[won, lost] = 0
            room += 1
    known[:] = -1
    room = 2 * room + 64
    nodes = grid.weight.size
    groups = Groups(
        np.zeros(1, np.int64),
        np.empty(room),
        np.empty(room),
        np.empty((room, nodes)),
        np.empty((nodes, room)),
        known,
        np.full(arms, -1),
        np.zeros(room, np.int64),
        np.empty(room, np.int64),
        np.full(arms, -1),
        np.empty(arms, np.int64),
        np.empty(room, np.int64),
        np.empty(arms, np.int64),
    )
    regroup(a, b, np.arange(arms), successes, pulls, groups, grid)
    return groups


@njit(cache=True)
def regroup(a, b, moved, successes, pulls, groups, grid):  # type: ignore[no-untyped-def]
    """Move arms into the groups of their new records: the arms `moved`, those that have a seat. False if there is no room for a group."""
    known, group, members = groups.known, groups.group, groups.members
    taken, seat, waiting, following = groups.taken, groups.seat, groups.waiting, groups.following
    for arm in moved:
        if group[arm] >= 0:
            members[group[arm]] -= 1
            taken[seat[arm]] = -1
    for arm in moved:
        won, lost = successes[arm], pulls[arm] - successes[arm]
        small = won < SMALL and lost < SMALL
        g = known[won, lost] if small else -1
        if g < 0:
            g = group[arm]
            if g < 0 or members[g] > 0 or (groups.alpha[g] - a < SMALL - 0.5 and groups.beta[g] - b < SMALL - 0.5):
                g = groups.filled[0]
                if g == members.size:
                    return False
                groups.filled[0] += 1
            if small:
                known[won, lost] = g
            groups.alpha[g], groups.beta[g], waiting[g] = a + won, b + lost, -1
            beta_cdf(groups.alpha[g], groups.beta[g], grid, groups.log_cdf[g], groups.hazard[:, g])
        members[g] += 1
        group[arm], following[arm], waiting[g] = g, waiting[g], arm
    return True


@njit(cache=True)
def chances(groups, weight, log_max, chance):  # type: ignore[no-untyped-def]
    """Fill `chance` with each group's probability of holding the maximum, and return their sum; hand out the seats.

    log_max: room for ln L at the nodes.
    """
    filled = groups.filled[0]
    log_max[:] = 0.0
    chance[:filled] = 0.0
    for g in range(filled):
        members = float(groups.members[g])
        if members > 0:
            for k in range(log_max.size):
                log_max[k] += members * groups.log_cdf[g, k]
    for k in range(log_max.size):
        if log_max[k] > -80.0:  # else there is nothing to add
            mass = weight[k] * math.exp(log_max[k])
            for g in range(filled):
                chance[g] += mass * groups.hazard[k, g]
    total, seats = 0.0, 0
    for g in range(filled):
        chance[g] *= groups.members[g]
        total += chance[g]
        groups.door[g] = seats
        seats += groups.members[g]
    return total
