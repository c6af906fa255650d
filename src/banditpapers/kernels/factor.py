"""Symmetric matrices by their Cholesky factor, the last coordinate first: B = L'L with L lower triangular.

In 20 to 30 dimensions a factorisation takes a microsecond. Plain loops, see ridge.py.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def pack(contexts, chosen, columns):  # type: ignore[no-untyped-def]
    """The chosen arms' contexts as columns: a loop over these arms then runs along memory.

    Shapes: contexts (N, d), chosen (n,), columns (d, n or more).
    """
    for c in range(chosen.size):
        x = contexts[chosen[c]]
        for k in range(x.size):
            columns[k, c] = x[k]


@njit(cache=True)
def squares(members, d):  # type: ignore[no-untyped-def]
    """Zeros for lower triangles of dimension d, one per member: rows are padded to a multiple of 4 columns, see `factorise`."""
    return np.zeros((members, d, d + 3 - (d + 3) % 4))


@njit(cache=True)
def add_outer(gram, x):  # type: ignore[no-untyped-def]
    """gram += x x', lower triangle. gram: as `squares` makes it. x: shape (d,)."""
    for j in range(x.size):
        scale, row = x[j], gram[j]
        for k in range(j + 1):
            row[k] += scale * x[k]


@njit(cache=True)
def add_arms(gram, contexts):  # type: ignore[no-untyped-def]
    """gram += sum_i x_i x_i', lower triangle, four arms at a time. contexts: shape (N, d), N even."""
    arms = contexts.shape[0]
    for four in range(arms // 4):
        x, y, u, v = contexts[4 * four], contexts[4 * four + 1], contexts[4 * four + 2], contexts[4 * four + 3]
        for j in range(x.size):
            row, a, b, c, e = gram[j], x[j], y[j], u[j], v[j]
            for k in range(j + 1):
                row[k] += (a * x[k] + b * y[k]) + (c * u[k] + e * v[k])
    if arms % 4 == 2:
        add_outer(gram, contexts[arms - 2])
        add_outer(gram, contexts[arms - 1])


@njit(cache=True)
def factorise(gram, ridge, f, factor, w):  # type: ignore[no-untyped-def]
    """factor = L, lower triangular, with L'L = gram + ridge I, and w = L'^-1 f for each row of f; reads the lower triangle of `gram`.

    gram, factor: as `squares` makes them; f, w: shape (members, d). L begins with its last row, and w comes with it at little cost. Two
    rows of L are taken at a time, and loops run on to a multiple of 4: what lands right of the diagonal is never read.
    """
    members, d = f.shape
    for j in range(d):
        row, given = factor[j], gram[j]
        for k in range(4 * (j // 4) + 4):
            row[k] = given[k]
        row[j] += ridge
    for member in range(members):
        for j in range(d):
            w[member, j] = f[member, j]
    for pair in range(d // 2):
        last = d - 1 - 2 * pair
        x, y = factor[last], factor[last - 1]
        scale = 1.0 / math.sqrt(x[last])
        for k in range(4 * (last // 4) + 4):
            x[k] *= scale
        across = x[last - 1]
        next_scale = 1.0 / math.sqrt(y[last - 1] - across * across)
        for k in range(4 * ((last - 1) // 4) + 4):
            y[k] = (y[k] - across * x[k]) * next_scale
        for member in range(members):
            row = w[member]
            row[last] *= scale
            row[last - 1] = (row[last - 1] - across * row[last]) * next_scale
            first, second = row[last], row[last - 1]
            for k in range(last - 1):
                row[k] -= first * x[k] + second * y[k]
        for j in range(last - 1):
            first, second, row = x[j], y[j], factor[j]
            for k in range(4 * (j // 4) + 4):
                row[k] -= first * x[k] + second * y[k]
    if d % 2 == 1:
        factor[0, 0] = math.sqrt(factor[0, 0])
        for member in range(members):
            w[member, 0] /= factor[0, 0]


@njit(cache=True)
def solve_rest(factor, w, b):  # type: ignore[no-untyped-def]
    """b = L^-1 w, so that with the w of `factorise` b = B^-1 f. w is used up; two columns of L at a time. w, b: shape (d,)."""
    d = w.size
    for pair in range(d // 2):
        k = 2 * pair
        b[k] = w[k] / factor[k, k]
        b[k + 1] = (w[k + 1] - factor[k + 1, k] * b[k]) / factor[k + 1, k + 1]
        first, second = b[k], b[k + 1]
        for j in range(k + 2, d):
            w[j] -= factor[j, k] * first + factor[j, k + 1] * second
    if d % 2 == 1:
        b[d - 1] = w[d - 1] / factor[d - 1, d - 1]


@njit(cache=True)
def widths_by_factor(factor, contexts, chosen, work, widths):  # type: ignore[no-untyped-def]
    """|x_i|_{B^-1} = |L'^-1 x_i| of the chosen arms, two rows of L at a time; as widths_by_inverse otherwise.

    Shapes: contexts (N, d); chosen, widths (n,).
    """
    d, count = contexts.shape[1], chosen.size
    columns = work[0]
    pack(contexts, chosen, columns)
    for c in range(count):
        widths[c] = 0.0
    for pair in range(d // 2):
        last = d - 1 - 2 * pair
        x, y, row, next_row = columns[last], columns[last - 1], factor[last], factor[last - 1]
        first, second, across = 1.0 / row[last], 1.0 / next_row[last - 1], row[last - 1]
        for c in range(count):
            x[c] *= first
            y[c] = (y[c] - across * x[c]) * second
            widths[c] += x[c] * x[c] + y[c] * y[c]
        for k in range(last - 1):
            first, second, out = row[k], next_row[k], columns[k]
            for c in range(count):
                out[c] -= first * x[c] + second * y[c]
    if d % 2 == 1:
        x, first = columns[0], 1.0 / factor[0, 0]
        for c in range(count):
            widths[c] += (first * x[c]) * (first * x[c])
    for c in range(count):
        widths[c] = math.sqrt(widths[c])
