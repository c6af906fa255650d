"""Arms grouped by their record: those of equal (successes, failures) have the same Beta posterior and differ in nothing else.

So a law is computed once per group, and to pick a random arm of a group is to draw one of its seats: whoever sits there has been picked
before, and on a free seat any arm that has none may sit down.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.beta_cdf import beta_cdf

SMALL = 128  # arms with fewer successes and fewer failures are looked up by their record; others have a group of their own


class Groups(NamedTuple):
    """Arrays over G groups (the first `filled[0]` are in use, some of them may be empty), K arms and Q nodes of a grid.

    alpha, beta: a group's Beta law. log_cdf (G, Q), hazard (Q, G): see beta_cdf; the second is transposed because that is faster.
    known: the group of a record (successes, failures), or -1. group: an arm's group. members: a group's number of arms.

    Arms picked since the posterior was frozen have a seat. A group has as many consecutive seats as members, from its `door` on; `taken`
    is the arm on a seat, or -1; `seat` is the seat of an arm. waiting: the first of a group's arms without a seat; following: the next.
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


@njit(cache=True)
def group_arms(a, b, successes, pulls, grid):  # type: ignore[no-untyped-def]
    """Group all arms by their record under the prior Beta(a, b), with room for as many groups again. successes, pulls: shape (K,)."""
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
    """Move arms into the groups of their new records: the arms `moved`, those that have a seat. False if there is no room for a group.

    Shapes: moved (moved arms,); successes, pulls (K,).
    """
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
