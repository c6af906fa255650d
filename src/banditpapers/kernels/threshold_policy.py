"""Threshold policies of stage 1: their forward recursion, and the cheapest one that keeps the best possible survivors.

A policy pulls an arm with s successes in r pulls iff s > s*(r), and with probability theta(r) if s = s*(r). With the posterior mean
q(r, s) = (a + s)/(a + b + r) and x(r, s) the mass pulled at the node (r, s),

    P(r, s) = q(r-1, s-1) x(r-1, s-1) + (1 - q(r-1, s)) x(r-1, s),        P(0, 0) = 1.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Thresholds = NDArray[np.int64]


@njit(cache=True)
def forward(thresholds, ties, watch, a, b):  # type: ignore[no-untyped-def]
    """Roll the masses of a policy forward, in O(R) memory.

    Returns sum_s x(r, s) for r = 0..R-1, the last masses x(R-1, s), and P(r, watch[r]) before the elimination of round r.

    thresholds, ties, watch: shape (R,), as are the three results.
    """
    rounds = thresholds.size
    success = a + np.arange(rounds)
    failure = b + (rounds - 1.0 - np.arange(rounds + 1))
    mass = np.zeros(rounds + 1)
    mass[0] = 1.0
    dropped, pulled, watched = np.zeros(rounds), np.empty(rounds), np.zeros(rounds)
    low = 0  # nothing is alive below
    for r in range(rounds):
        if 0 <= watch[r] <= r:
            watched[r] = mass[watch[r]]
        start = min(thresholds[r], r + 1)
        for s in range(low, start):
            dropped[r] += mass[s]
            mass[s] = 0.0
        if start <= r:
            dropped[r] += (1.0 - ties[r]) * mass[start]
            mass[start] *= ties[r]
        low = max(low, start)
        if r < rounds - 1 and low <= r:
            scale = 1.0 / (a + b + r)
            failing = failure[rounds - 1 - r :]  # b + r - s at index s, written so that the loop vectorises
            for s in range(r + 1, low, -1):
                mass[s] = (success[s - 1] * mass[s - 1] + failing[s] * mass[s]) * scale
            mass[low] = failing[low] * mass[low] * scale
    # who is pulled in a round survives to the end or is dropped later: sums of positive terms only
    total = mass[:rounds].sum()
    for r in range(rounds - 1, -1, -1):
        pulled[r] = total
        total += dropped[r]
    return pulled, mass[:rounds], watched


def best_survivors(a: float, b: float, share: float, state: int, full: bool, rounds: int) -> tuple[Thresholds, Vector, float]:
    """The cheapest policy whose survivors are the best possible: all mass above `state`, and of `state` what fills the share L/K.

    A node that can still end above `state` must be pulled. One that can at best end in it lies on the critical line s = state - (R-1-r):
    mass comes to the line from above by a failure, and leaves it for good by the next one. The later it came, the fewer pulls it costs per
    unit that ends in `state`; so the line is pulled from some round on, with a fraction in the first of these rounds. `full`: all of it is.

    Returns s*(r), theta(r) and a lower bound on the expected pulls of any such policy (the dual of this one-dimensional problem).
    """
    line = state - (rounds - 1 - np.arange(rounds))
    above = np.maximum(line + 1, 0)
    ones = np.ones(rounds)
    pulled, last, inflow = forward(above, ones, line, a, b)
    first = max(0, rounds - 1 - state)
    stay = np.ones(rounds)
    stay[first : rounds - 1] = (a + line[first:-1]) / (a + b + np.arange(first, rounds - 1))
    end, pulls = np.ones(rounds), np.ones(rounds)  # of a unit on the line at r: what reaches the last round, and what it costs
    for r in range(rounds - 2, first - 1, -1):
        end[r] = stay[r] * end[r + 1]
        pulls[r] = 1.0 + stay[r] * pulls[r + 1]
    gain = inflow * end
    if full:
        return np.maximum(line, 0), ones, float(pulled.sum() + np.sum((inflow * pulls)[first:]))
    wanted = share - last.sum()
    start, missing = rounds - 1, wanted
    while start > first and missing > gain[start]:
        missing -= gain[start]
        start -= 1
    ties = ones.copy()
    ties[start] = min(max(missing / gain[start], 0.0), 1.0)
    price = pulls[start] / end[start]
    saved = np.sum((inflow * np.maximum(price * end - pulls, 0.0))[first:])
    thresholds = np.where(np.arange(rounds) >= start, np.maximum(line, 0), above)
    return thresholds, ties, float(pulled.sum() + price * wanted - saved)
