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

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from banditpapers.kernels.threshold_policy import Thresholds, Vector, forward


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the master problem: its entries (1, S / share, Q / (share scale)), its cost F, and its policy (None: the surplus)."""

    entries: tuple[float, float, float]
    cost: float
    thresholds: Thresholds | None


@dataclass(frozen=True, eq=False)
class Mixture:
    """A solution of the master problem: the columns in the basis that are policies, their weights, and the dual bound on f*."""

    policies: list[Thresholds]
    weights: list[float]
    bound: float


def generate(
    deficits: Vector, delta0: float, scale: float, share: float, state: int, full: bool, prior: tuple[float, float], limit: int = 1000
) -> Mixture:
    """Column generation from the two policies "can still end above `state`" and "can still end in it": a mixture of them is feasible from
    the smallest delta0 on. If the survivors are `full`, all of state included, the first one is "never pull" instead.

    Stops when no policy improves by more than rounding, or when the best one is in the basis already; `limit` bounds the pivots.

    deficits: shape (R,).
    """
    rounds = deficits.size
    quality = (delta0 - deficits) / (share * scale)
    ones = np.ones(rounds)
    fresh = np.empty(rounds, dtype=np.int64)

    def weigh(thresholds: Thresholds) -> Column:
        pulled, last, _ = forward(thresholds, ones, thresholds, *prior)
        return Column((1.0, float(last.sum()) / share, float((last * quality).sum())), float(pulled.sum()), thresholds)

    surplus = Column((0.0, 0.0, -1.0), 0.0, None)
    reach = np.maximum(state - np.arange(rounds)[::-1], 0)
    above = np.full(rounds, rounds) if full else np.maximum(state + 1 - np.arange(rounds)[::-1], 0)
    basis = [weigh(above), weigh(reach), surplus]
    right = (1.0, 1.0, 0.0)
    weights = solve3([list(row) for row in zip(*(column.entries for column in basis), strict=True)], right)
    bound = -np.inf
    for _ in range(limit):
        duals = solve3([list(column.entries) for column in basis], [column.cost for column in basis])
        entering = surplus
        if duals[2] >= 0.0:
            worth = price(duals[2] * quality, duals[1] / share, fresh, *prior)
            bound = max(bound, duals[1] - worth)
            cost = sum(weight * column.cost for weight, column in zip(weights, basis, strict=True))
            known = any(column.thresholds is not None and np.array_equal(column.thresholds, fresh) for column in basis)
            if known or duals[0] + worth <= 1e-14 * (1.0 + cost):
                break
            entering = weigh(fresh.copy())
        matrix = [list(row) for row in zip(*(column.entries for column in basis), strict=True)]
        direction = solve3(matrix, entering.entries)
        negligible = 1e-13 * max(map(abs, direction))
        ratios = [max(weights[k], 0.0) / direction[k] if direction[k] > negligible else np.inf for k in range(3)]
        leaving = int(np.argmin(ratios))
        if ratios[leaving] == np.inf:
            break
        basis[leaving] = entering
        weights = solve3([list(row) for row in zip(*(column.entries for column in basis), strict=True)], right)
    policies = [(column.thresholds, weight) for column, weight in zip(basis, weights, strict=True) if column.thresholds is not None]
    return Mixture([thresholds for thresholds, _ in policies], [weight for _, weight in policies], float(bound))


def solve3(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """Solve a 3 x 3 system by elimination with row-scaled pivoting, written out so that every machine takes the same steps."""
    rows = [[entry / max(map(abs, row)) for entry in (*row, value)] for row, value in zip(matrix, right, strict=True)]
    for i in range(3):
        pivot = max(range(i, 3), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, 3):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [low - high * factor for low, high in zip(rows[k], rows[i], strict=True)]
    z = rows[2][3] / rows[2][2]
    y = (rows[1][3] - rows[1][2] * z) / rows[1][1]
    x = (rows[0][3] - rows[0][1] * y - rows[0][2] * z) / rows[0][0]
    return [x, y, z]


@njit(cache=True)
def price(quality, survival, thresholds, a, b):  # type: ignore[no-untyped-def]
    """Optimal stopping with 1 paid per pull: fill `thresholds` with the best policy and return its value V(0, 0) >= 0.

    An arm that gets the last pull in state s earns survival + quality[s], non-decreasing in s. Values are kept relative to an arm that is
    never dropped and earns survival alone, U(r, s) = V(r, s) - (survival - (R - r)): so they stay small where survival is of the size of R.
    Dropping is then worth R - r - survival. Where both successors are dropped, so is the arm: only nodes from one below the next round's
    threshold need a look. quality, thresholds: shape (R,).
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
