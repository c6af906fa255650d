"""Epochs of a fixed randomised strategy, drawn at once: exact in distribution, at a cost that does not depend on their length.

An epoch plays arms from x until some arm a has been played need_a times, or the horizon is reached. In continuous time each arm is a
Poisson process of rate x_a: its need_a-th play comes at a Gamma(need_a) / x_a time, the first of these ends the epoch, and given that time
tau the other arms' plays are binomial, Binomial(need_b - 1, tau / their own end). An epoch that the horizon cuts has multinomial counts.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def draw_epoch(generator, x, need, remaining, counts):  # type: ignore[no-untyped-def]
    """Fill `counts`, shape (K,), with the plays of one epoch of at most `remaining` rounds and return their sum.

    generator: the algorithm's own. x: the strategy, shape (K,); need: plays that end the epoch, at least 1, shape (K,).
    """
    arms, some, several, only = x.size, 0, 0.0, -1
    for a in range(arms):
        if x[a] > 0.0:
            some += 1
            only = a
            several += need[a] - 1.0
    counts[:] = 0
    if some == 1:
        counts[only] = min(need[only], remaining)
        return counts[only]
    # whether the horizon comes first: without it an epoch may be as long as `several` + 1
    if several >= remaining and _multinomial(generator, x, need, remaining, counts):
        return remaining
    ends = np.empty(arms)
    while True:
        first = -1
        for a in range(arms):
            if x[a] > 0.0:
                ends[a] = generator.standard_gamma(float(need[a])) / x[a]
                if first < 0 or ends[a] < ends[first]:
                    first = a
        rounds = need[first]
        for a in range(arms):
            if a == first:
                counts[a] = need[a]
            elif x[a] > 0.0 and need[a] > 1:
                counts[a] = generator.binomial(need[a] - 1, ends[first] / ends[a])
                rounds += counts[a]
            else:
                counts[a] = 0
        if rounds <= remaining:
            return rounds


@njit(cache=True)
def _multinomial(generator, x, need, rounds, counts):  # type: ignore[no-untyped-def]
    """Fill `counts` with the plays of so many rounds; whether no arm reached its need."""
    left, mass, within = rounds, 0.0, True
    for a in range(x.size):
        mass += x[a]
    for a in range(x.size):
        counts[a] = 0
        if x[a] > 0.0 and left > 0:
            share = x[a] / mass
            counts[a] = left if share >= 1.0 else generator.binomial(left, share)
            left -= counts[a]
        mass -= x[a]
        within &= counts[a] < need[a]
    if left > 0:  # what rounding left of the mass
        last = 0
        for a in range(x.size):
            last = a if x[a] > 0.0 else last
        counts[last] += left
        within &= counts[last] < need[last]
    return within
