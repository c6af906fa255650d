"""Ridge regression of rewards on contexts, step by step: what linear Thompson sampling knows of beta.

    B = sum_s w_s x_s x_s' + lambda I,   f = sum_s w_s r_s x_s,   b = B^-1 f;   an arm x has the mean x'b and the width |x|_{B^-1}.

Two ways, the same numbers up to rounding. For a constant lambda, B^-1 and b are kept and updated by Sherman and Morrison's formula (20,000
updates drift by 3e-13: no refactorisation is needed). For a lambda that grows with the round, B = L'L is factorised afresh, L lower
triangular, the last coordinate first: in 20 to 30 dimensions this takes a microsecond.

Plain loops: no BLAS, whose rounding differs between machines, takes part in a decision. Inner loops run along memory from 0 and sum nothing
into one number, so that the compiler runs several steps at once and the bits stay the same whatever it does.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

SQRT = "sqrt t"  # how a grid writes a lambda that grows as the square root of the round


def schedule(ridge: float | str, horizon: int) -> NDArray[np.float64]:
    """lambda after 0, 1, ..., T rounds, shape (T + 1,): a constant, or "sqrt t", which is 1 before the first round."""
    if ridge == SQRT:
        return np.sqrt(np.maximum(np.arange(horizon + 1), 1))
    return np.full(horizon + 1, float(ridge))


@njit(cache=True)
def inner(x, b):  # type: ignore[no-untyped-def]
    """x'b, summed in order."""
    total = 0.0
    for k in range(x.size):
        total += x[k] * b[k]
    return total


@njit(cache=True)
def scores(contexts, b, means):  # type: ignore[no-untyped-def]
    """means_i = x_i'b, each summed in order, four arms at a time. contexts: shape (N, d)."""
    arms, d = contexts.shape
    for four in range(arms // 4):
        x, y, u, v = contexts[4 * four], contexts[4 * four + 1], contexts[4 * four + 2], contexts[4 * four + 3]
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        for k in range(d):
            scale = b[k]
            first += x[k] * scale
            second += y[k] * scale
            third += u[k] * scale
            fourth += v[k] * scale
        means[4 * four], means[4 * four + 1], means[4 * four + 2], means[4 * four + 3] = first, second, third, fourth
    for i in range(arms - arms % 4, arms):
        means[i] = inner(contexts[i], b)


@njit(cache=True)
def absorb(inverse, b, x, reward, weight, image):  # type: ignore[no-untyped-def]
    """B^-1 and b after an observation: B += weight x x', f += weight reward x. image: work space, shape (d,)."""
    d = x.size
    image[:] = 0.0
    for pair in range(d // 2):
        first, second, row, next_row = x[2 * pair], x[2 * pair + 1], inverse[2 * pair], inverse[2 * pair + 1]
        for k in range(d):
            image[k] += row[k] * first + next_row[k] * second
    if d % 2 == 1:
        for k in range(d):
            image[k] += inverse[d - 1, k] * x[d - 1]
    gain = weight / (1.0 + weight * inner(x, image))
    surprise = gain * (reward - inner(x, b))
    for k in range(d):
        b[k] += surprise * image[k]
    for j in range(d):
        scale, row = gain * image[j], inverse[j]
        for k in range(d):
            row[k] -= scale * image[k]


@njit(cache=True)
def _pack(contexts, chosen, columns):  # type: ignore[no-untyped-def]
    """The chosen arms' contexts as columns: a loop over these arms then runs along memory."""
    for c in range(chosen.size):
        x = contexts[chosen[c]]
        for k in range(x.size):
            columns[k, c] = x[k]


@njit(cache=True)
def widths_by_inverse(inverse, contexts, chosen, work, widths):  # type: ignore[no-untyped-def]
    """|x_i|_{B^-1} of the chosen arms, from the lower triangle of B^-1, two of its rows at a time.

    contexts: shape (N, d). chosen: indices of arms. work: work space, shape (2, d, N). widths: one per chosen arm, in their order.
    """
    d, count = contexts.shape[1], chosen.size
    columns, image = work[0], work[1]
    _pack(contexts, chosen, columns)
    for c in range(count):
        widths[c] = 0.0
    for k in range(d):
        scale, x, out = 0.5 * inverse[k, k], columns[k], image[k]
        for c in range(count):
            out[c] = scale * x[c]
    for pair in range((d - 1) // 2):
        x, y, row, next_row = columns[2 * pair + 1], columns[2 * pair + 2], inverse[2 * pair + 1], inverse[2 * pair + 2]
        for k in range(2 * pair + 1):
            first, second, out = row[k], next_row[k], image[k]
            for c in range(count):
                out[c] += first * x[c] + second * y[c]
        second, out = next_row[2 * pair + 1], image[2 * pair + 1]
        for c in range(count):
            out[c] += second * y[c]
    if d % 2 == 0:
        x, row = columns[d - 1], inverse[d - 1]
        for k in range(d - 1):
            first, out = row[k], image[k]
            for c in range(count):
                out[c] += first * x[c]
    for k in range(d):
        x, out = columns[k], image[k]
        for c in range(count):
            widths[c] += x[c] * out[c]
    for c in range(count):
        widths[c] = math.sqrt(max(2.0 * widths[c], 0.0))


@njit(cache=True)
def widths_by_factor(factor, contexts, chosen, work, widths):  # type: ignore[no-untyped-def]
    """|x_i|_{B^-1} = |L'^-1 x_i| of the chosen arms, two rows of L at a time; as widths_by_inverse otherwise."""
    d, count = contexts.shape[1], chosen.size
    columns = work[0]
    _pack(contexts, chosen, columns)
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


@njit(cache=True)
def add_outer(gram, x):  # type: ignore[no-untyped-def]
    """gram += x x', lower triangle."""
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
def squares(members, d):  # type: ignore[no-untyped-def]
    """Zeros for lower triangles of dimension d, one per member: rows are padded to a multiple of 4 columns, see `factorise`."""
    return np.zeros((members, d, d + 3 - (d + 3) % 4))


@njit(cache=True)
def identities(members, d, scale):  # type: ignore[no-untyped-def]
    """scale I, one per member: shape (members, d, d)."""
    matrices = np.zeros((members, d, d))
    for k in range(d):
        matrices[:, k, k] = scale
    return matrices


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
    """b = L^-1 w, so that with the w of `factorise` b = B^-1 f. w is used up; two columns of L at a time."""
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
