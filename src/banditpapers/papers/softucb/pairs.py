"""Comparisons replicate by replicate: what is compared met the same arms and noise."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from banditpapers.runs import CellRuns
from banditpapers.statistics import Estimate, student

Sample = NDArray[np.float64]


def last(runs: CellRuns, rule: str, quantity: str) -> Sample:
    """One number per replicate: a quantity at the last checkpoint. Shape (replicates,)."""
    return runs.of(runs.checkpoints[-1], rule, quantity)


def difference(first: CellRuns, one: Sample, second: CellRuns, other: Sample) -> Sample:
    """First minus second; empty when a replicate of either failed, since then the pairs are not known. Shapes (replicates,)."""
    return np.empty(0) if first.failed or second.failed else one - other


def paired(first: CellRuns, one: Sample, second: CellRuns, other: Sample) -> Estimate:
    """The mean of first minus second with Student's interval; NaN where there are no pairs. Samples: shape (replicates,)."""
    return student(difference(first, one, second, other))


def counts(*compared: CellRuns) -> dict[str, int]:
    """n of a comparison: the fewest that finished."""
    return {
        "planned": max(runs.planned for runs in compared),
        "finished": min(runs.finished for runs in compared),
        "failed": max(runs.failed for runs in compared),
    }


def jackknife(samples: Sample, statistic: Callable[[Sample], float]) -> Estimate:
    """A function of means over replicates, with its jackknife interval (Student's quantile).

    samples: shape (replicates, ...). statistic: takes their mean, shape (...). NaN ends for fewer than two replicates, or where the
    statistic does not exist once a replicate is left out.
    """
    n, whole = len(samples), statistic(samples.mean(axis=0)) if len(samples) else float("nan")
    if n < 2:
        nan = float("nan")
        return Estimate(whole, nan, nan, nan, "jackknife 95%")
    total = samples.sum(axis=0)
    left_out = np.array([statistic((total - sample) / (n - 1)) for sample in samples])
    se = float(np.sqrt((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2)))
    half = float(stdtrit(n - 1, 0.975)) * se
    return Estimate(whole, se, whole - half, whole + half, "jackknife 95%")
