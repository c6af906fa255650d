"""Principal components: arms and rewards from a matrix of ratings.

Source: Yang and Toni, Differentiable linear bandit algorithm (2020), appendix G: a user is an arm. Of 40 ratings the first 39 are centred
and reduced to principal components, which are the arm's features; the last one is its reward.

The eigenvectors come from Jacobi's rotations and all sums are added in order, so that the bits do not depend on the machine.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KEPT = 20  # components that are kept
# a component with less of the variance than this, or of the sum of squares, is rounding error: its loadings and scores are 0
NOTHING, NO_SPREAD = 1e-12, 1e-26
DIGITS = 9  # significant digits of what is kept

Numbers = NDArray[np.float64]


class Principal(NamedTuple):
    """scores: shape (n, kept); loadings: shape (columns, kept); explained: each component's share of the variance, decreasing.

    Components that there are not are 0 in all of these.
    """

    scores: Numbers
    loadings: Numbers
    explained: Numbers


def principal(matrix: Numbers, kept: int = KEPT) -> Principal:
    """The first components of the columns, centred. A component's largest loading, in size, is positive; of equals the first counts.

    matrix: shape (users, items).
    """
    centred = matrix - np.cumsum(matrix, axis=0)[-1] / len(matrix)
    values, vectors = eigen(np.stack([np.cumsum(centred * column[:, None], axis=0)[-1] for column in centred.T]))
    order = np.argsort(-values, kind="stable")[:kept]
    total, squares = math.fsum(values), math.fsum(matrix.ravel() ** 2)
    order = order[values[order] > max(NOTHING * total, NO_SPREAD * squares)]
    loadings, scores, explained = np.zeros((matrix.shape[1], kept)), np.zeros((len(matrix), kept)), np.zeros(kept)
    there = slice(order.size)
    explained[there] = values[order] / total
    loadings[:, there] = vectors[:, order] * np.sign(vectors[np.abs(vectors[:, order]).argmax(axis=0), order])
    for column, row in zip(centred.T, loadings, strict=True):
        scores += column[:, None] * row
    return Principal(scores, loadings, explained)


def eigen(matrix: Numbers) -> tuple[Numbers, Numbers]:
    """Eigenvalues and eigenvectors (columns) of a symmetric matrix by cyclic Jacobi rotations (Golub & Van Loan, section 8.5).

    matrix: shape (n, n).
    """
    a, vectors = matrix.copy(), np.eye(len(matrix))
    small = np.finfo(float).eps * math.sqrt(math.fsum(a.ravel() ** 2)) / len(a)
    turned = True
    while turned:
        turned = False
        for p in range(len(a) - 1):
            for q in range(p + 1, len(a)):
                if abs(a[p, q]) > small:
                    turned = True
                    _rotate(a, vectors, p, q)
    return np.diagonal(a).copy(), vectors


def _rotate(a: Numbers, vectors: Numbers, p: int, q: int) -> None:
    """Make a[p, q] zero."""
    tau = float(a[q, q] - a[p, p]) / (2.0 * float(a[p, q]))
    t = math.copysign(1.0, tau) / (abs(tau) + math.sqrt(1.0 + tau * tau))
    c = 1.0 / math.sqrt(1.0 + t * t)
    s = t * c
    for rows in (a, a.T, vectors.T):
        rows[p], rows[q] = c * rows[p] - s * rows[q], s * rows[p] + c * rows[q]
    a[p, q] = a[q, p] = 0.0


def rounded(values: Numbers) -> Numbers:
    """The values to 9 significant digits. values: any shape."""
    return np.array([float(f"{value:.{DIGITS}g}") + 0.0 for value in values.ravel()]).reshape(values.shape)  # + 0.0: no negative zero
