"""What an arm that survives stage 1 lacks: the deficit d(s) = 1 - w of its state, and the laws it is weighed with.

An arm's mean has prior Beta(a, b); after n pulls with s successes its posterior is Beta(a + s, b + n - s). Stage 1 has R rounds, but no arm
is eliminated after the R-th pull and w is a posterior expectation, hence a martingale: so the deficit is taken after n = R - 1 pulls.

    PAC  d(s) = P(mu < mu0 | n, s)                     the lower tail itself: 1 - w would lose everything below 1e-16
    SRM  d(s) = E mu* - E(mu | n, s)                   the mean regret of the arm; E mu* is the expected best mean of K arms
    FC   d(s) = E[1 - F(mu)^(K-1) | n, s]              the probability that one of the other K - 1 arms is better
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, log_expit

SETTINGS = ("PAC", "SRM", "FC")

Vector = NDArray[np.float64]


def deficit(setting: str, prior: tuple[float, float], arms: int, rounds: int, mu0: float | None) -> Vector:
    """d(s) for s = 0..R-1 successes in R - 1 pulls; shape (R,), non-increasing in s."""
    a, b = prior
    successes = np.arange(rounds, dtype=np.float64)
    failures = successes[::-1]
    if setting == "PAC" and mu0 is not None:
        return np.asarray(betainc(a + successes, b + failures, mu0), dtype=np.float64)
    if setting == "SRM":
        return expected_best_mean(prior, arms) - (a + successes) / (a + b + rounds - 1)
    return _not_the_best(a, b, arms, rounds)


@lru_cache(maxsize=256)
def expected_best_mean(prior: tuple[float, float], arms: int) -> float:
    """E max_j mu_j of K arms: 1 - int F(x)^K dx, with x = 1 - exp(-t) so that an upper end close to 1 is resolved."""
    a, b = prior
    t, weights = gauss_legendre(np.linspace(0.0, 60.0, 301), 40)
    upper_tail = betainc(b, a, np.exp(-t))
    # x = 0 has F = 0: its logarithm is -inf and its power 0
    with np.errstate(divide="ignore"):
        return float(1.0 - np.sum(weights * np.exp(arms * np.log1p(-upper_tail) - t)))


def beta_binomial(prior: tuple[float, float], pulls: int) -> Vector:
    """B(n, s) = P(s successes in n pulls) for s = 0..n; by ratios from the mode, so that every entry is accurate to rounding."""
    a, b = prior
    s = np.arange(pulls, dtype=np.float64)
    ratio = (pulls - s) / (s + 1) * ((a + s) / (b + pulls - s - 1))
    mode = int(np.argmax(np.concatenate(([0.0], np.cumsum(np.log(ratio))))))
    below = np.cumprod(1.0 / ratio[:mode][::-1])[::-1]
    weights = np.concatenate((below, [1.0], np.cumprod(ratio[mode:])))
    return np.asarray(weights / weights.sum())


def gauss_legendre(edges: Vector, order: int) -> tuple[Vector, Vector]:
    """Nodes and weights of the composite rule with `order` nodes between consecutive edges. edges: shape (n,)."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    half = np.diff(edges)[:, None] / 2.0
    return ((edges[:-1, None] + half) + half * nodes).ravel(), (half * weights).ravel()


def _not_the_best(a: float, b: float, arms: int, rounds: int) -> Vector:
    """The FC deficit, by the trapezoidal rule in y = logit(mu), which converges geometrically for these analytic integrands.

    The step resolves the narrowest posterior, whose standard deviation in y is 2/sqrt(a + b + R), and the steepest F^(K-1).
    """
    step = min(0.5 / np.sqrt(a + b + rounds), 0.1 / max(1.0, a, b))
    y = np.arange(-40.0 / min(1.0, a), 40.0 / min(1.0, b), step)
    log_mean, log_rest = log_expit(y), log_expit(-y)
    with np.errstate(divide="ignore"):
        beaten = -np.expm1((arms - 1) * np.log1p(-betainc(b, a, expit(-y))))
    deficits = np.empty(rounds)
    for s in range(rounds):
        log_density = (a + s) * log_mean + (b + rounds - 1 - s) * log_rest
        # what is e^-60 below the peak changes no digit, and exponentials are what this loop costs
        peak = log_density.max()
        there = log_density > peak - 60.0
        density = np.exp(log_density[there] - peak)
        deficits[s] = np.sum(density * beaten[there]) / np.sum(density)
    return deficits
