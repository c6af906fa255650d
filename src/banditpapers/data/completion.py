"""Matrix completion by alternating least squares with a weighted ridge.

Source: Zhou, Wilkinson, Schreiber & Pan, Large-scale parallel collaborative filtering for the Netflix prize, AAIM 2008 (ALS-WR).

    minimise  sum over rated (u, i) of (r_ui - mean - p_u' q_i)^2 + weight (sum_u n_u |p_u|^2 + sum_i n_i |q_i|^2)

n_u and n_i count ratings. A sweep solves for all p with q fixed, then for all q with p fixed, so that the objective never grows. No library
of linear algebra is used: sums are added in the order of the ratings, and each system is solved by the same operations on every machine, so
that the bits of the result do not depend on the machine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.seeding import stream

Numbers = NDArray[np.float64]
Indices = NDArray[np.intp]


class Factors(NamedTuple):
    """mean + users @ items.T predicts all ratings. users: shape (n, rank).

    objectives, errors: after each sweep, the objective and the root mean square error of the given ratings.
    """

    mean: float
    users: Numbers
    items: Numbers
    objectives: tuple[float, ...]
    errors: tuple[float, ...]

    def predicted(self, columns: Indices) -> Numbers:
        """The ratings of some items by all users, shape (n, columns)."""
        return self.mean + products(self.users, self.items[columns])


def factorise(users: Indices, items: Indices, ratings: Numbers, rank: int = 10, weight: float = 0.1, sweeps: int = 20) -> Factors:
    """The factors of ratings[k] by users[k] of items[k]; both are counted from 0, and each has a rating.

    users, items, ratings: shape (ratings,).
    """
    mean = float(np.cumsum(ratings)[-1] / ratings.size)
    rest = ratings - mean
    n, m = int(users.max()) + 1, int(items.max()) + 1
    # the objective depends on where the search begins, but little: a start near 0 and small against the ratings
    q = stream(data="completion", items=m, rank=rank).random((m, rank)) - 0.5
    objectives, errors = [], []
    for _ in range(sweeps):
        p = _solved(users, n, q[items], rest, weight)
        q = _solved(items, m, p[users], rest, weight)
        squares = float(((rest - (p[users] * q[items]).sum(axis=1)) ** 2).sum())
        ridge = ((p**2).sum(axis=1)[users].sum() + (q**2).sum(axis=1)[items].sum()) * weight
        objectives.append(squares + float(ridge))
        errors.append(float(np.sqrt(squares / ratings.size)))
    return Factors(mean, p, q, tuple(objectives), tuple(errors))


def _solved(owners: Indices, n: int, other: Numbers, rest: Numbers, weight: float) -> Numbers:
    """For each owner the x that minimises sum (rest - other' x)^2 + weight count |x|^2 over its ratings; shape (n, rank)."""
    features, rank = np.ascontiguousarray(other.T), other.shape[1]
    count = np.bincount(owners, minlength=n).astype(np.float64)
    # one system per owner: matrix[a][b] and side[a] hold an entry of all of them
    matrix = [[_sums(owners, features[a] * features[b], n) for b in range(a + 1)] for a in range(rank)]
    side = [_sums(owners, feature * rest, n) for feature in features]
    for a in range(rank):
        matrix[a][a] += weight * count
    return np.stack(solve(matrix, side), axis=1)


def _sums(owners: Indices, values: Numbers, n: int) -> Numbers:
    """The sum of each owner's values."""
    return np.bincount(owners, values, n).astype(np.float64, copy=False)


def solve(matrix: list[list[Numbers]], side: list[Numbers]) -> list[Numbers]:
    """Solve many positive definite systems at once by Cholesky's method. matrix: lower triangles; both are overwritten.

    Each entry: shape (systems,).
    """
    rank = len(side)
    for j in range(rank):
        for k in range(j):
            matrix[j][j] -= matrix[j][k] * matrix[j][k]
        matrix[j][j] = np.sqrt(matrix[j][j])
        for i in range(j + 1, rank):
            for k in range(j):
                matrix[i][j] -= matrix[i][k] * matrix[j][k]
            matrix[i][j] /= matrix[j][j]
    for a in range(rank):
        for k in range(a):
            side[a] -= matrix[a][k] * side[k]
        side[a] /= matrix[a][a]
    for a in reversed(range(rank)):
        for k in range(a + 1, rank):
            side[a] -= matrix[k][a] * side[k]
        side[a] /= matrix[a][a]
    return side


def products(left: Numbers, right: Numbers) -> Numbers:
    """left @ right.T, with sums added in order. Shapes: left (m, rank), right (n, rank); returns (m, n)."""
    found = np.zeros((len(left), len(right)))
    for a, b in zip(left.T, right.T, strict=True):
        found += a[:, None] * b
    return found
