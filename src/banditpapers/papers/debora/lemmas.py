"""RepMean, the epoch bound and the mixing weight without sampling: exact laws, worst cases and plain searches."""

from bisect import bisect_left
from itertools import accumulate
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from banditpapers.algorithms._pairs import doublings
from banditpapers.algorithms.debora_hard import mixing_weight
from banditpapers.kernels.replicable_mean import precision
from banditpapers.seeding import stream

Array = NDArray[np.float64]
STEPS = 60  # of a bisection: 2^-60 is below the last digit


def binomial_law(n: int, p: float) -> Array:
    """P(S = 0), ..., P(S = n) for p above 0 and below 1. Shape (n + 1,)."""
    s = np.arange(n + 1)
    return np.asarray(np.exp(gammaln(n + 1) - gammaln(s + 1) - gammaln(n - s + 1) + s * log(p) + (n - s) * log(1 - p)))


def share_above(v: Array, alpha: float, level: float) -> Array:
    """The share of shifts u in [0, 1) at which RepMean of each mean v exceeds a level.

    w = (v - u alpha) mod alpha is uniform on [0, alpha), and the output (max(v - w, 0) + min(v - w + alpha, 1)) / 2 falls in w, along
    straight lines that meet where the cell's ends pass 0 and 1. v: any shape.
    """
    ends = np.zeros_like(v), v, v + alpha - 1.0, np.full_like(v, alpha)
    knots = np.sort(np.clip(np.stack(ends), 0.0, alpha), axis=0)
    heights = (np.maximum(v - knots, 0.0) + np.minimum(v - knots + alpha, 1.0)) / 2.0 - level
    fall = heights[:-1] - heights[1:]
    sloping = fall > 0.0
    above = np.where(sloping, np.clip(heights[:-1] / np.where(sloping, fall, 1.0), 0.0, 1.0), heights[:-1] > 0.0)
    return np.asarray((above * np.diff(knots, axis=0)).sum(axis=0) / alpha)


def error_probability(n: int, p: float, cell: float, width: float) -> float:
    """P(|r^ - p| > zeta) of RepMean on n Bernoulli(p) numbers, over numbers and shift. cell, width: see kernels/replicable_mean.py."""
    v, alpha, zeta = np.arange(n + 1) / n, cell / n**0.5, width / n**0.5
    outside = share_above(v, alpha, p + zeta) + share_above(1.0 - v, alpha, 1.0 - p + zeta)  # the grid looks alike from 1 downwards
    return float(binomial_law(n, p) @ outside)


def split_probability(n: int, p: float, cell: float) -> float:
    """P(two calls with the same shift differ), on two samples of n Bernoulli(p) numbers.

    A boundary of the grid lies between means that are |v - v'| apart with probability min(1, |v - v'| / alpha).
    """
    law = binomial_law(n, p)
    apart = np.abs(np.arange(-n, n + 1)) / n
    return float(np.convolve(law, law[::-1]) @ np.minimum(1.0, apart * n**0.5 / cell))


def split_from_mean(pairs: int, samples: tuple[int, ...], rho: float, delta: float) -> Array:
    """Pairs whose means differ and fall into one cell: 1 where v - (v - offset) mod alpha + alpha/2 gives two numbers for it.

    Shape (pairs,).
    """
    rng, found = stream(paper="debora", role="statistics", check="midpoint_from_mean"), []
    for n in samples:
        alpha = precision(rho, delta, "sharp").cell / n**0.5
        p, offset = rng.uniform(0.1, 0.9, pairs), rng.random(pairs) * alpha
        first, second = (rng.binomial(n, p) / n for _ in range(2))
        same = (np.floor((first - offset) / alpha) == np.floor((second - offset) / alpha)) & (first != second)
        middles = [v - (v - offset) % alpha + alpha / 2.0 for v in (first, second)]
        found.append((middles[0] != middles[1])[same])
    return np.concatenate(found).astype(np.float64)


def most_epochs(arms: int, horizon: int) -> int:
    """The most epochs that any rule can have in `horizon` rounds if each doubles a count: it takes the shortest epochs first."""
    lengths = [1] * (2 * arms)
    while sum(lengths) < horizon:
        lengths += [2 * lengths[-1]] * arms
    return bisect_left(list(accumulate(lengths)), horizon) + 1


def spare_epochs(arms: tuple[int, ...], horizons: tuple[int, ...]) -> list[float]:
    """1 - H / (K ceil(log2 T)) at the most epochs."""
    return [1 - most_epochs(k, t) / (k * doublings(t)) for k in arms for t in horizons]


class Mix(NamedTuple):
    """What DEBORA-H mixes. estimates: r^ and g^, shape (1 + m, K); bounds: zeta, x: the strategy, shape (K,); limits, lambdas: (m,)."""

    x: Array
    estimates: Array
    bounds: Array
    limits: Array
    lambdas: Array
    clip: bool


def random_mixes(count: int) -> list[Mix]:
    """Cases that anybody can make again."""
    rng, found = stream(paper="debora", role="statistics", check="gamma_largest"), []
    for _ in range(count):
        arms, m = int(rng.integers(2, 7)), int(rng.integers(1, 4))
        limits = rng.uniform(0.2, 0.8, m)
        drawn = (
            rng.random((1 + m, arms)),
            rng.random() * rng.random(arms),
            limits,
            limits - rng.uniform(0.01, 0.2, m),
            bool(rng.integers(2)),
        )
        found.append(Mix(rng.dirichlet(np.ones(arms)), *drawn))
    return found


def weight(mix: Mix) -> float:
    """gamma as Algorithm 4 has it."""
    return float(mixing_weight(*mix)[0])


def largest_weight(mix: Mix) -> float:
    """The largest gamma in [0, 1] that keeps the pessimistic costs of the mixture within all limits, by bisection."""
    high = mix.estimates[1:] + mix.bounds
    costs = (np.minimum(high, 1.0) if mix.clip else high) @ mix.x

    def safe(gamma: float) -> bool:
        return bool((gamma * costs + (1 - gamma) * mix.lambdas <= mix.limits).all())

    if safe(1.0):
        return 1.0
    low, top = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + top) / 2
        low, top = (middle, top) if safe(middle) else (low, middle)
    return low


def calls_factor(arms: int, horizon: int, natural: bool) -> float:
    """rho' of section 4, rho / ((m + 1) K log T), times the (m + 1) K calls of each of K ceil(log2 T) epochs, over rho."""
    return arms * doublings(horizon) / (log(horizon) if natural else doublings(horizon))


def every_round(arms: int, horizon: int, rho: float, ratio: float) -> float:
    """The samples per arm at which RepMean's half-width is 1, if every arm is estimated in every round: C^2 with M = K T."""
    most = arms * horizon
    return precision(rho / most, ratio * rho / most).width ** 2
