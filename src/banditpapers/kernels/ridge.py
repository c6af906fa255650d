"""Ridge regression of rewards on contexts, step by step: what linear Thompson sampling knows of beta.

    B = sum_s w_s x_s x_s' + lambda I,   f = sum_s w_s r_s x_s,   b = B^-1 f;   an arm x has the mean x'b and the width |x|_{B^-1}.

Two ways, the same numbers up to rounding. For a constant lambda, B^-1 and b are kept and updated by Sherman and Morrison's formula. For a
lambda that grows with the round, B is factorised afresh (factor.py).

Updates drift. B^-1 begins at I / lambda and errors of that size stay, while what is learnt shrinks it by up to 1 + G,
G = sum_s w_s |x_s|^2 / lambda: its relative error in any direction comes to a few 1e-16 G at worst. 20,000 contexts of length 1 with
lambda = 1 have G = 2e4 and drift by 3e-13. Where one observation may weigh more than 100 lambda, B is factorised afresh there, too: so
100,000 rounds of contexts of length 1 keep 8 digits. The rule looks at the parameters alone: a longer horizon changes no bit.

Plain loops: no BLAS, whose rounding differs between machines, takes part in a decision. Inner loops run along memory from 0 and sum nothing
into one number, so that the compiler runs several steps at once and the bits stay the same whatever it does.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.factor import factorise, pack, solve_rest, squares

SQRT = "sqrt t"  # how a grid writes a lambda that grows as the square root of the round
STEADY = 100.0  # the largest w / lambda with which updates of the inverse are trusted


def schedule(ridge: float | str, horizon: int) -> NDArray[np.float64]:
    """lambda after 0, 1, ..., T rounds, shape (T + 1,): a constant, or "sqrt t", which is 1 before the first round."""
    if ridge == SQRT:
        return np.sqrt(np.maximum(np.arange(horizon + 1), 1))
    return np.full(horizon + 1, float(ridge))


def drifts(weight: float, ridge: float) -> bool:
    """Whether the inverse must not be updated: weight is the largest w |x|^2 of an observation."""
    return weight > STEADY * ridge * (1 + 1e-9)


@njit(cache=True)
def inner(x, b):  # type: ignore[no-untyped-def]
    """x'b, summed in order. x, b: shape (d,)."""
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
def absorb_afresh(gram, f, inverse, b, x, reward, weight, ridge):  # type: ignore[no-untyped-def]
    """The same from the sums: `gram` = sum w x x' (as `squares` makes it) and f are kept besides, and B is factorised.

    Shapes: f, b, x (d,); inverse (d, d).
    """
    d = x.size
    right = np.zeros((d + 1, d))  # f, and the columns of I
    for j in range(d):
        scale, row = weight * x[j], gram[j]
        f[j] += reward * scale
        for k in range(j + 1):
            row[k] += scale * x[k]
        right[0, j], right[1 + j, j] = f[j], 1.0
    factor, w = squares(1, d)[0], np.empty((d + 1, d))
    factorise(gram, ridge, right, factor, w)
    solve_rest(factor, w[0], b)
    for j in range(d):
        solve_rest(factor, w[1 + j], inverse[j])


@njit(cache=True)
def widths_by_inverse(inverse, contexts, chosen, work, widths):  # type: ignore[no-untyped-def]
    """|x_i|_{B^-1} of the chosen arms, from the lower triangle of B^-1, two of its rows at a time.

    contexts: shape (N, d). chosen: indices of arms. work: work space, shape (2, d, N). widths: one per chosen arm, in their order.
    """
    d, count = contexts.shape[1], chosen.size
    columns, image = work[0], work[1]
    pack(contexts, chosen, columns)
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
def identities(members, d, scale):  # type: ignore[no-untyped-def]
    """scale I, one per member: shape (members, d, d)."""
    matrices = np.zeros((members, d, d))
    for k in range(d):
        matrices[:, k, k] = scale
    return matrices


@njit(cache=True)
def record(b, estimates, mark):  # type: ignore[no-untyped-def]
    """Keep the estimates b, shape (members, d), as those of a mark in `estimates`, shape (members, marks, d).

    Number by number: to assign an array to a slice, numba compiles the sentence for one of another shape, two seconds for each algorithm.
    """
    for m in range(b.shape[0]):
        for k in range(b.shape[1]):
            estimates[m, mark, k] = b[m, k]
