"""The stage-1 linear program of LP2S, solved exactly by column generation over threshold policies.

With x(r, s) the mass pulled at the node (r, s), share = L/K and d the deficit of the last state:

    min  sum_r sum_s x(r, s)                                                       (expected pulls of one arm)
    x(0, 0) <= 1,   x(r, s) <= q(r-1, s-1) x(r-1, s-1) + (1 - q(r-1, s)) x(r-1, s)
    sum_s x(R-1, s) = share                                                        (survival)
    sum_s x(R-1, s) (delta0 - d(s)) >= 0                                           (quality)

Columns are deterministic threshold policies with pulls F, survival S and quality Q; the master problem mixes them:

    min sum_k alpha_k F_k   s.t.   sum alpha_k = 1,   sum alpha_k S_k / share = 1,   sum alpha_k Q_k / (share scale) - surplus = 0.

It has three rows, so a revised simplex with 3 x 3 systems solves it. Its pricing step is an optimal stopping problem with terminal reward
y1 / share + y2 (delta0 - d(s)) / (share scale), solved backwards in O(R^2) time and O(R) memory: V(r, s) = max(0, q V(r+1, s+1) +
(1 - q) V(r+1, s) - 1). The duals give the certificate f* >= y1 - V(0, 0).
The scale is of the size of delta0: without it a delta0 of 1e-15 would drown in rounding.
"""

import numpy as np
from numba import njit

from banditpapers.kernels.threshold_policy import forward


@njit(cache=True)
def solve3(matrix, right):  # type: ignore[no-untyped-def]
    """Solve a 3 x 3 system by elimination with row-scaled pivoting, written out so that every machine takes the same steps."""
    rows = np.empty((3, 4))
    rows[:, :3] = matrix
    rows[:, 3] = right
    for i in range(3):
        rows[i] /= np.abs(rows[i, :3]).max()
    for i in range(3):
        pivot = i + np.abs(rows[i:, i]).argmax()
        kept = rows[i].copy()
        rows[i] = rows[pivot]
        rows[pivot] = kept
        for j in range(i + 1, 3):
            rows[j] -= rows[i] * (rows[j, i] / rows[i, i])
    solution = np.zeros(3)
    for i in range(2, -1, -1):
        solution[i] = (rows[i, 3] - (rows[i, :3] * solution).sum()) / rows[i, i]
    return solution


@njit(cache=True)
def price(quality, survival, thresholds, a, b):  # type: ignore[no-untyped-def]
    """Optimal stopping with 1 paid per pull: fill `thresholds` with the best policy and return its value V(0, 0) >= 0.

    An arm that gets the last pull in state s earns survival + quality[s], non-decreasing in s. Values are kept relative to an arm that is
    never dropped and earns survival alone, U(r, s) = V(r, s) - (survival - (R - r)): so they stay small where survival is of the size of R.
    Dropping is then worth R - r - survival. Where both successors are dropped, so is the arm: only nodes from one below the next round's
    threshold need a look.
    """
    rounds = quality.size
    success = a + np.arange(rounds)
    value = np.append(quality, 0.0)
    start, drop = 0, 1.0 - survival
    while start < rounds and value[start] <= drop:
        start += 1
    thresholds[rounds - 1] = start
    for r in range(rounds - 2, -1, -1):
        low = max(start - 1, 0)
        if start > 0:
            value[low] = drop
        drop = rounds - r - survival
        scale = 1.0 / (a + b + r)
        for s in range(low, r + 1):
            value[s] = max(value[s] + success[s] * scale * (value[s + 1] - value[s]), drop)
        start = low
        while start <= r and value[start] <= drop:
            start += 1
        thresholds[r] = start
    return value[0] - drop if start == 0 else 0.0


@njit(cache=True)
def generate(deficit, delta0, scale, share, state, full, a, b, limit):  # type: ignore[no-untyped-def]
    """Column generation from the two policies "can still end above `state`" and "can still end in it": a mixture of them is
    feasible from the smallest delta0 on. If the survivors are `full`, all of state included, the first one is "never pull" instead.

    Returns the weights of the three basis columns, their thresholds (3, R), which of them are policies, the lower bound on f*, and how
    many policies were priced. Stops when no policy improves by more than rounding, or when the best one is in the basis already.
    """
    rounds = deficit.size
    quality = (delta0 - deficit) / (share * scale)
    ones = np.ones(rounds)
    fresh = np.empty(rounds, dtype=np.int64)
    policies = np.empty((3, rounds), dtype=np.int64)
    used = np.array([True, True, False])
    basis = np.zeros((3, 3))  # a column per basis entry: 1, S / share, Q / (share scale)
    costs = np.zeros(3)
    for k in range(2):
        policies[k] = np.maximum(state + 1 - k - (rounds - 1 - np.arange(rounds)), 0)
        if full and k == 0:
            policies[k] = rounds
        pulled, last, _ = forward(policies[k], ones, policies[k], a, b)
        basis[0, k], basis[1, k], basis[2, k], costs[k] = 1.0, last.sum() / share, (last * quality).sum(), pulled.sum()
    policies[2] = rounds + 1
    basis[2, 2] = -1.0
    right = np.array([1.0, 1.0, 0.0])
    column = np.empty(3)
    bound, priced = -np.inf, 0
    weights = solve3(basis, right)
    while priced < limit:
        duals = solve3(basis.T, costs)
        column[:] = 0.0
        entering_is_policy = duals[2] >= 0.0
        cost = 0.0
        if entering_is_policy:
            priced += 1
            worth = price(duals[2] * quality, duals[1] / share, fresh, a, b)
            bound = max(bound, duals[1] - worth)
            known = False
            for k in range(3):
                known = known or (used[k] and np.array_equal(policies[k], fresh))
            if known or duals[0] + worth <= 1e-14 * (1.0 + (weights * costs).sum()):
                break
            pulled, last, _ = forward(fresh, ones, fresh, a, b)
            column[0], column[1], column[2], cost = 1.0, last.sum() / share, (last * quality).sum(), pulled.sum()
        else:
            column[2] = -1.0
        direction = solve3(basis, column)
        leaving, ratio = -1, np.inf
        for k in range(3):
            if direction[k] > 1e-13 * np.abs(direction).max() and max(weights[k], 0.0) / direction[k] < ratio:
                leaving, ratio = k, max(weights[k], 0.0) / direction[k]
        if leaving < 0:
            break
        basis[:, leaving] = column
        costs[leaving] = cost
        used[leaving] = entering_is_policy
        policies[leaving] = fresh
        weights = solve3(basis, right)
    return weights, policies, used, bound, priced
