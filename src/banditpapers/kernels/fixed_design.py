"""Ridge regression on arms that stay the same: the estimates and widths of all K arms after each observation, in O(d^2 + d K).

    V = alpha I + sum_s x_s x_s',   m_i = x_i' V^-1 sum_s x_s y_s,   q_i = x_i' V^-1 x_i,   w_i = sqrt(q_i)

With u = V^-1 x and z_i = x_i'u, playing x and seeing y changes (Sherman and Morrison)

    m_i += z_i (y - m_a) / (1 + z_a),   q_i -= z_i^2 / (1 + z_a),   V^-1 -= u u' / (1 + z_a).

Updates drift: every 4096 rounds all is computed afresh from how often each arm was played and what it gave. No BLAS takes part.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.factor import factorise, solve_rest, squares

AFRESH = 4096


class Design(NamedTuple):
    """What is known. inverse: V^-1, shape (d, d); means, squares: m and q, shape (K,); plays, sums: per arm, shape (K,)."""

    inverse: NDArray[np.float64]
    means: NDArray[np.float64]
    squares: NDArray[np.float64]
    plays: NDArray[np.float64]
    sums: NDArray[np.float64]
    image: NDArray[np.float64]
    shift: NDArray[np.float64]


@njit(cache=True)
def begin(columns, ridge):  # type: ignore[no-untyped-def]
    """Before the first round. columns: the arms' features, shape (d, K); ridge: alpha > 0."""
    d, arms = columns.shape
    inverse, lengths = np.zeros((d, d)), np.zeros(arms)
    for k in range(d):
        inverse[k, k] = 1.0 / ridge
        for i in range(arms):
            lengths[i] += columns[k, i] * columns[k, i]
    for i in range(arms):
        lengths[i] /= ridge
    return Design(inverse, np.zeros(arms), lengths, np.zeros(arms), np.zeros(arms), np.empty(d), np.empty(arms))


@njit(cache=True, error_model="numpy")
def observe(design, columns, arm, reward):  # type: ignore[no-untyped-def]
    """Learn from a play of `arm`. columns: the arms' features, shape (d, K)."""
    d, arms = columns.shape
    inverse, means, squared, u, z = design.inverse, design.means, design.squares, design.image, design.shift
    u[:] = 0.0
    z[:] = 0.0
    for pair in range(d // 2):  # two rows at a time are as many steps that need not wait for each other
        j = 2 * pair
        first, second, row, next_row = columns[j, arm], columns[j + 1, arm], inverse[j], inverse[j + 1]
        for k in range(d):
            u[k] += row[k] * first + next_row[k] * second
    if d % 2 == 1:
        for k in range(d):
            u[k] += inverse[d - 1, k] * columns[d - 1, arm]
    for pair in range(d // 2):
        first, second, column, next_column = u[2 * pair], u[2 * pair + 1], columns[2 * pair], columns[2 * pair + 1]
        for i in range(arms):
            z[i] += column[i] * first + next_column[i] * second
    if d % 2 == 1:
        for i in range(arms):
            z[i] += columns[d - 1, i] * u[d - 1]
    gain = 1.0 / (1.0 + z[arm])
    surprise = (reward - means[arm]) * gain
    for i in range(arms):
        means[i] += z[i] * surprise
        squared[i] -= z[i] * z[i] * gain
    for j in range(d):
        scale, row = u[j] * gain, inverse[j]
        for k in range(d):
            row[k] -= scale * u[k]
    design.plays[arm] += 1.0
    design.sums[arm] += reward


@njit(cache=True)
def refresh(design, columns, ridge):  # type: ignore[no-untyped-def]
    """Compute everything again from the plays and sums of the arms. columns: the arms' features, shape (d, K)."""
    d, arms = columns.shape
    gram, right = squares(1, d)[0], np.zeros((d + 1, d))  # sum_s x_s y_s, and the columns of I
    for j in range(d):
        for i in range(arms):
            right[0, j] += design.sums[i] * columns[j, i]
            scale = design.plays[i] * columns[j, i]
            for k in range(j + 1):
                gram[j, k] += scale * columns[k, i]
        right[1 + j, j] = 1.0
    factor, w, estimate = squares(1, d)[0], np.empty((d + 1, d)), np.empty(d)
    factorise(gram, ridge, right, factor, w)
    solve_rest(factor, w[0], estimate)
    for j in range(d):
        solve_rest(factor, w[1 + j], design.inverse[j])
    design.means[:] = 0.0
    design.squares[:] = 0.0
    for j in range(d):
        for i in range(arms):
            design.means[i] += columns[j, i] * estimate[j]
    for i in range(arms):
        for j in range(d):
            inner = 0.0
            for k in range(d):
                inner += design.inverse[j, k] * columns[k, i]
            design.squares[i] += columns[j, i] * inner


@njit(cache=True)
def fill_widths(design, widths):  # type: ignore[no-untyped-def]
    """w_i = sqrt(q_i); rounding may leave a q_i below 0. widths: shape (K,)."""
    for i in range(widths.size):
        widths[i] = math.sqrt(max(design.squares[i], 0.0))


@njit(cache=True)
def total(numbers):  # type: ignore[no-untyped-def]
    """The sum, in order. numbers: shape (n,)."""
    found = 0.0
    for i in range(numbers.size):
        found += numbers[i]
    return found
