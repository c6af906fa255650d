"""Small linear programs over the simplex, by enumerating vertices: the same answer, to the bit, for the same numbers.

    maximise c'x   subject to   x >= 0,  sum x = 1,  G x <= limits        (K unknowns, m constraints)

A vertex has a support of s <= m + 1 arms on which s - 1 constraints are tight. Supports are tried from small to large, each size in
lexicographic order, and a vertex replaces the best so far only if it is better by more than 1e-13: so ties go to the smallest support, then
to the smallest labels. General solvers promise no such order, and two runs of a replicable algorithm must not differ in a tie.
"""

import numpy as np
from numba import njit

BETTER = 1e-13
FEASIBLE = 1e-12


@njit(cache=True)
def solve_simplex(c, costs, limits, x):  # type: ignore[no-untyped-def]
    """Fill `x`, shape (K,), with the solution and return whether there is one. costs: G, shape (m, K); limits: shape (m,)."""
    m, arms = costs.shape
    most = min(m + 1, arms)
    best, found = -np.inf, False
    support, tight = np.empty(most, np.int64), np.empty(most, np.int64)
    system, values = np.empty((most, most + 1)), np.empty(most)
    for size in range(1, most + 1):
        first_combination(support, size)
        while True:
            top = c[support[0]]
            for s in range(1, size):
                top = max(top, c[support[s]])
            if not found or _better(top, best):
                first_combination(tight, size - 1)
                while True:
                    if _vertex(costs, limits, support, tight, size, system, values):
                        value = 0.0
                        for s in range(size):
                            value += c[support[s]] * values[s]
                        if not found or _better(value, best):
                            best, found = value, True
                            x[:] = 0.0
                            for s in range(size):
                                x[support[s]] = values[s]
                    if not next_combination(tight, size - 1, m):
                        break
            if not next_combination(support, size, arms):
                break
    return found


@njit(cache=True)
def _better(value, best):  # type: ignore[no-untyped-def]
    return value > best + BETTER * max(1.0, abs(best))


@njit(cache=True)
def first_combination(chosen, size):  # type: ignore[no-untyped-def]
    """Fill `chosen`, shape (size,) or longer, with 0, 1, ..., size - 1."""
    for s in range(size):
        chosen[s] = s


@njit(cache=True)
def next_combination(chosen, size, n):  # type: ignore[no-untyped-def]
    """The next `size` numbers below n in lexicographic order; whether there is one. chosen: shape (size,) or longer."""
    s = size - 1
    while s >= 0 and chosen[s] == n - size + s:
        s -= 1
    if s < 0:
        return False
    chosen[s] += 1
    for r in range(s + 1, size):
        chosen[r] = chosen[r - 1] + 1
    return True


@njit(cache=True)
def _vertex(costs, limits, support, tight, size, system, values):  # type: ignore[no-untyped-def]
    """The weights of the support with sum 1 on which the tight constraints hold with equality; whether they are feasible."""
    for s in range(size):
        system[0, s] = 1.0
        for r in range(1, size):
            system[r, s] = costs[tight[r - 1], support[s]]
    system[0, size] = 1.0
    for r in range(1, size):
        system[r, size] = limits[tight[r - 1]]
    # Gaussian elimination with the largest pivot of each column; equal pivots: the upper row
    for s in range(size):
        pivot = s
        for r in range(s + 1, size):
            if abs(system[r, s]) > abs(system[pivot, s]):
                pivot = r
        if abs(system[pivot, s]) < FEASIBLE:
            return False
        for k in range(s, size + 1):
            system[s, k], system[pivot, k] = system[pivot, k], system[s, k]
        for r in range(s + 1, size):
            scale = system[r, s] / system[s, s]
            for k in range(s, size + 1):
                system[r, k] -= scale * system[s, k]
    for s in range(size - 1, -1, -1):
        value = system[s, size]
        for k in range(s + 1, size):
            value -= system[s, k] * values[k]
        values[s] = value / system[s, s]
        if values[s] < -FEASIBLE:
            return False
        values[s] = max(values[s], 0.0)
    for i in range(limits.size):
        cost, scale = 0.0, abs(limits[i])
        for s in range(size):
            cost += costs[i, support[s]] * values[s]
            scale = max(scale, abs(costs[i, support[s]]))
        if cost > limits[i] + FEASIBLE * max(1.0, scale):
            return False
    return True
