"""Means with their intervals, and curves read at a height.

Intervals are named where they are made: "normal 95%" is mean +- 1.96 standard errors, for many replicates; "t 95%" is Student's, for few;
"welch 95%" is that of a difference of two independent means; "wilson 95%" is the score interval of a proportion, "clopper-pearson
95%" the exact one.
"""

from dataclasses import dataclass, field
from math import nan

import numpy as np
import scipy  # its parts are loaded when they are asked for: most jobs ask for none, and they take as long as the rest of a job's start
from numpy.typing import NDArray

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error, interval and the interval's name; of a sample, also the share of its numbers above zero."""

    mean: float
    se: float
    low: float
    high: float
    interval: str
    positive: float = field(default=nan, compare=False)


def mean(sample: NDArray[np.float64]) -> Estimate:
    """The mean of independent numbers, with the normal 95% interval; of fewer than two numbers, the interval is NaN. sample: shape (n,)."""
    if sample.size < 2:
        return Estimate(float(sample[0]) if sample.size else nan, nan, nan, nan, "normal 95%")
    centre, se = float(np.mean(sample)), float(np.std(sample, ddof=1) / np.sqrt(sample.size))
    return Estimate(centre, se, centre - Z95 * se, centre + Z95 * se, "normal 95%", float(np.mean(sample > 0)))


def student(sample: NDArray[np.float64]) -> Estimate:
    """The mean of a few independent numbers, with Student's 95% interval; of fewer than two numbers, the interval is NaN.

    sample: shape (n,).
    """
    if sample.size < 2:
        return Estimate(float(sample[0]) if sample.size else nan, nan, nan, nan, "t 95%")
    centre, se = float(np.mean(sample)), float(np.std(sample, ddof=1) / np.sqrt(sample.size))
    half = float(scipy.special.stdtrit(sample.size - 1, 0.975)) * se
    return Estimate(centre, se, centre - half, centre + half, "t 95%", float(np.mean(sample > 0)))


def welch(first: NDArray[np.float64], second: NDArray[np.float64]) -> Estimate:
    """The mean of `first`, shape (n,), minus that of `second`, shape (m,): independent, of any variances; NaN for fewer than two."""
    one, other = student(first), student(second)
    centre, square = one.mean - other.mean, one.se**2 + other.se**2
    if not square > 0:
        return Estimate(centre, square, centre - square, centre + square, "welch 95%")  # 0, or NaN
    freedom = square**2 / (one.se**4 / (first.size - 1) + other.se**4 / (second.size - 1))
    half = float(scipy.special.stdtrit(freedom, 0.975) * np.sqrt(square))
    return Estimate(centre, float(np.sqrt(square)), centre - half, centre + half, "welch 95%")


def proportion(hits: NDArray[np.float64]) -> Estimate:
    """The share of ones among zeros and ones, with the Wilson 95% interval (never of width zero, never outside [0, 1]).

    hits: shape (n,).
    """
    n = hits.size
    if n == 0:
        return Estimate(nan, nan, nan, nan, "wilson 95%")
    share = float(np.mean(hits))
    centre = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * np.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    return Estimate(
        share, float(np.sqrt(share * (1 - share) / n)), max(0.0, float(centre - half)), min(1.0, float(centre + half)), "wilson 95%"
    )


def exact_proportion(hits: NDArray[np.float64]) -> Estimate:
    """The share of ones among zeros and ones, with the Clopper-Pearson 95% interval, which covers for every share and n.

    hits: shape (n,).
    """
    n = hits.size
    if n == 0:
        return Estimate(nan, nan, nan, nan, "clopper-pearson 95%")
    ones, share = float(np.sum(hits)), float(np.mean(hits))
    if not 0 <= ones <= n:  # a NaN among the hits
        return Estimate(share, share, share, share, "clopper-pearson 95%")
    low = float(scipy.special.betaincinv(ones, n - ones + 1, 0.025)) if ones > 0 else 0.0
    high = float(scipy.special.betaincinv(ones + 1, n - ones, 0.975)) if ones < n else 1.0
    return Estimate(share, float(np.sqrt(share * (1 - share) / n)), low, high, "clopper-pearson 95%")


def read_curve(costs: NDArray[np.float64], paths: NDArray[np.float64], cost: float) -> NDArray[np.float64]:
    """Each replicate's value at a cost, linear in log cost between the two checkpoints around it.

    costs: shape (checkpoints,), ascending, above 0; paths: shape (replicates, checkpoints). NaN outside the curve.
    """
    if not costs[0] <= cost <= costs[-1]:
        return np.full(len(paths), np.nan)
    if cost == costs[-1]:
        return np.asarray(paths[:, -1])
    right = int(np.searchsorted(costs, cost, side="right"))
    weight = np.log(cost / costs[right - 1]) / np.log(costs[right] / costs[right - 1])
    return np.asarray((1 - weight) * paths[:, right - 1] + weight * paths[:, right])


def crossing(costs: NDArray[np.float64], heights: NDArray[np.float64], level: float) -> float:
    """The cost, in the unit of `costs`, at which a falling curve reaches a level. costs (ascending), heights: shape (checkpoints,).

    The curve is first made non-increasing (isotonic regression: noise makes it wiggle), then read log-log between checkpoints; where it has
    come down to zero or below, which has no logarithm, the height is read linearly. NaN when the curve ends above the level or holds NaN;
    the first cost when it starts below.
    """
    if not np.all(np.isfinite(heights)):
        return float("nan")
    falling = np.asarray(scipy.optimize.isotonic_regression(heights, increasing=False).x)
    below = np.flatnonzero(falling <= level)
    if below.size == 0:
        return float("nan")
    right = int(below[0])
    if right == 0:
        return float(costs[0])
    above, under = falling[right - 1], falling[right]
    share = np.log(above / level) / np.log(above / under) if under > 0 else (above - level) / (above - under)
    return float(np.exp(np.log(costs[right - 1]) + share * np.log(costs[right] / costs[right - 1])))


def crossing_estimate(costs: NDArray[np.float64], paths: NDArray[np.float64], level: float) -> Estimate:
    """The cost at which the mean path reaches a level; the ends of the interval are where the curve's own 95% band reaches it.

    costs: shape (checkpoints,). paths: shape (replicates, checkpoints). A low or high end of NaN says that the band does not reach the
    level within the curve.
    """
    centre = paths.mean(axis=0)
    half = Z95 * paths.std(axis=0, ddof=1) / np.sqrt(len(paths)) if len(paths) > 1 else np.full(len(costs), np.nan)
    if not np.all(np.isfinite(half)):
        return Estimate(crossing(costs, centre, level), float("nan"), float("nan"), float("nan"), "band 95%")
    low, at, high = (crossing(costs, curve, level) for curve in (centre - half, centre, centre + half))
    return Estimate(at, (high - low) / (2 * Z95), low, high, "band 95%")
