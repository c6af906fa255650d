"""phi^2, the smallest eigenvalue of E[sum_i X_i X_i' / N], of the contexts of section 5 and of the examples of section 4.1.

Exact where it can be. The coordinates of a context are exchangeable, so that the matrix is a I + b 1 1': its smallest eigenvalue is the
mean square across the direction 1 of equal coordinates, per dimension, (E|X|^2 - E(1'X)^2 / d) / (d - 1). An arm alone is N(mu 1, I):
its direction has a squared cosine with 1 of mean E[(1 + 2J) / (d + 2J)], J Poisson with mean d mu^2 / 2 (a mixture of central laws).
All of it for d > 1.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import gammaln, logsumexp, ndtr

from banditpapers.environments.linear_contexts import LinearContexts, centres
from banditpapers.seeding import words
from banditpapers.statistics import Estimate, student

ROUNDS = 2000  # behind an estimate where there is no formula


def inverse_information(arms: int, dimension: int, contexts: str) -> Estimate | float:
    """phi^-2 of section 5 under a reading of the truncation: exact, or for "truncated" with the 95% interval of 2000 rounds."""
    mu = centres(arms)
    if contexts == "truncated":
        across = student(across_per_round(LinearContexts(arms, dimension, contexts), ROUNDS))
        ends = 1 / across.high, 1 / across.low
        return Estimate(1 / across.mean, across.se / across.mean**2, *ends, across.interval)
    if contexts == "global":
        return float(dimension * (mu[-1] + 3) ** 2)
    if contexts == "clip":
        return 1 / float(np.mean(clipped_variance(mu, 1 / math.sqrt(dimension))))
    square = 1 / 3 if contexts == "radial" else 1.0  # E u^2; a projected context is shorter than 1 with probability below 1e-25
    return 1 / (square * float(np.mean([_mixture(dimension, centre) for centre in mu])))


def across_per_round(world: LinearContexts, rounds: int) -> NDArray[np.float64]:
    """Mean square across the direction of equal coordinates, per dimension and arm, in the rounds of one named replicate.

    Shape (rounds,).
    """
    name = {"paper": "drts", "role": "statistics", "check": "information", "contexts": world.contexts, "arms": world.arms}
    contexts = world.world(words(**name, dimension=world.dimension), rounds).contexts
    d = world.dimension
    return np.asarray(((contexts**2).sum(axis=2) - contexts.sum(axis=2) ** 2 / d).mean(axis=1) / (d - 1))


def clipped_variance(mu: NDArray[np.float64], edge: float) -> NDArray[np.float64]:
    """Variance of a N(mu, 1) that is clipped to [-edge, edge]. mu: any shape, which is that of the result."""
    low, high = -edge - mu, edge - mu
    inside, density = ndtr(high) - ndtr(low), [np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) for z in (low, high)]
    first = edge * (ndtr(-high) - ndtr(low)) + mu * inside + density[0] - density[1]
    second = edge**2 * (ndtr(-high) + ndtr(low)) + (mu**2 + 1) * inside + (mu - edge) * density[0] - (mu + edge) * density[1]
    return np.asarray(second - first**2)


def _mixture(dimension: int, centre: float) -> float:
    """E[1 / (d + 2J)], J Poisson with mean d mu^2 / 2."""
    half = dimension * centre**2 / 2
    j = np.arange(int(half + 12 * math.sqrt(half) + 40))
    return float((np.exp(j * math.log(half) - half - gammaln(j + 1)) / (dimension + 2 * j)).sum())


def log10_acceptance(dimension: int, centre: float) -> float:
    """log10 P(|X| <= 1) of an arm N(mu 1, I): a noncentral chi-square below 1, as its Poisson mixture in logarithms."""
    half, j = dimension * centre**2 / 2, np.arange(400)
    shape = dimension / 2 + j
    k = np.arange(1, 40)[:, None]
    series = np.log1p(np.exp(k * math.log(0.5) - gammaln(shape + k + 1) + gammaln(shape + 1)).sum(axis=0))
    below = shape * math.log(0.5) - 0.5 - gammaln(shape + 1) + series  # log P(chi-square of 2 shape degrees <= 1)
    return float(logsumexp(j * math.log(half) - half - gammaln(j + 1) + below)) / math.log(10)


def uniform_ball(dimension: int) -> float:
    """phi^-2 of the uniform law on the unit ball, by quadrature of the radius."""
    return dimension / _mean_square(dimension, lambda r: 1.0)


def truncated_normal(dimension: int) -> float:
    """phi^-2 of N(0, I) conditioned on the unit ball, by quadrature of the radius."""
    return dimension / _mean_square(dimension, lambda r: math.exp(-(r**2) / 2))


def _mean_square(dimension: int, density: Callable[[float], float]) -> float:
    def moment(power: int) -> float:
        return float(quad(lambda r: r**power * density(r), 0, 1, epsabs=0, epsrel=1e-12)[0])

    return moment(dimension + 1) / moment(dimension - 1)


def tridiagonal(dimension: int, correlation: float) -> float:
    """phi^-2 of X = S^(1/2) s / sqrt(d (1 + 2 rho)), s random signs, S tri-diagonal with 1 and rho <= 1/2: norms are at most 1.

    The eigenvalues of S are 1 + 2 rho cos(k pi / (d + 1)).
    """
    gap = 2 * math.sin(math.pi / (2 * (dimension + 1))) ** 2  # 1 - cos
    return dimension * (1 + 2 * correlation) / (1 - 2 * correlation + 2 * correlation * gap)


def autoregressive(dimension: int, correlation: float) -> float:
    """An upper bound of phi^-2 for the same with S_jk = rho^|j - k|, whose eigenvalues lie within (1 -+ rho) / (1 +- rho)."""
    return dimension * ((1 + correlation) / (1 - correlation)) ** 2
