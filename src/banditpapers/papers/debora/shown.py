"""What the exhibits of the paper share: the settings of runs, and statistics over pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.canonical import normal
from banditpapers.kernels.replicable_mean import Precision
from banditpapers.papers.debora.calls import most_calls, shared_precision, variant
from banditpapers.runs import CellRuns, Runs
from banditpapers.seeding import stream
from banditpapers.statistics import Z95, Estimate
from banditpapers.tidy import row

PAPER = "debora"
RESAMPLES = 1000
Sample = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """One horizon and one rho of a cell: a pair of runs per replicate."""

    runs: CellRuns
    checkpoint: str
    rule: str

    @property
    def method(self) -> str:
        """The algorithm's file name."""
        return str(self.runs.cell.algorithm["name"])

    @cached_property
    def variant(self) -> str:
        """Which of an algorithm's variants it is."""
        return variant(self.runs)

    @property
    def arms(self) -> int:
        """K, the number of arms."""
        return int(self.runs.cell.environment["arms"])

    @property
    def costs(self) -> int:
        """m, the number of constraints."""
        return len(self.runs.cell.environment.get("costs", ()))

    @property
    def gap(self) -> float:
        """Of the best arm; NaN of an instance with constraints."""
        return float(self.runs.cell.environment.get("gap", float("nan")))

    @property
    def horizon(self) -> int:
        """T, in rounds."""
        return int(self.checkpoint)

    @property
    def rho(self) -> float:
        """0 of an algorithm that has none."""
        return float(self.rule.removeprefix("rho=")) if self.rule.startswith("rho=") else 0.0

    @property
    def keys(self) -> dict[str, Any]:
        """What claims select by."""
        world = {"arms": self.arms, "gap": self.gap, "rho": self.rho, "horizon": self.horizon}
        return {**world, "method": self.method, "variant": self.variant}

    def of(self, quantity: str) -> Sample:
        """One number per pair. Shape (pairs,)."""
        return self.runs.of(self.checkpoint, self.rule, quantity)

    def pairs(self, quantity: str) -> Sample:
        """regret or violation: the mean of a pair's two runs. Of UCB1, whose runs share nothing, one run. Shape (pairs,)."""
        second = f"second_{quantity}"
        return (self.of(quantity) + self.of(second)) / 2.0 if second in self.runs.quantities else self.of(quantity)

    def largest(self, quantity: str) -> float:
        """regret or violation: the largest of all runs, both of each pair."""
        second = f"second_{quantity}"
        return float(max(self.of(name).max() for name in (quantity, second) if name in self.runs.quantities))

    @property
    def most(self) -> int:
        """M, the number of RepMean calls that share rho."""
        return most_calls(self.arms, self.costs, self.horizon, str(self.runs.cell.algorithm.get("calls", "union")))

    @property
    def precision(self) -> Precision:
        """Coefficients of cell and width; the width's is C."""
        algorithm = self.runs.cell.algorithm
        return shared_precision(self.most, self.rho, float(algorithm["ratio"]), str(algorithm["grid"]))


def instance(runs: CellRuns, grid: dict[str, Any]) -> str:
    """The name in the grid of a cell's instance with constraints; "" of what is not among them."""
    world = runs.cell.environment
    for name, described in grid["instances"].items():
        if all(world.get(part) == normal(described[part]) for part in ("rewards", "costs", "limits")):
            return str(name)
    return ""


def row_of(one: Setting, estimate: Estimate | float, grid: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """A row of a tidy table on a setting. The reading is its rho; the exhibits lead with the grid's."""
    reading = {"reading": f"rho = {one.rho:g}" if one.rho else "", "default": one.rho in (0.0, grid["rho"])}
    found = row(estimate, **{**one.keys, **reading, **keys})
    return {**found, **one.runs.counts}


def combined(*compared: Setting) -> dict[str, int]:
    """n of a number from several settings: the fewest that finished."""
    return {
        "planned": max(one.runs.planned for one in compared),
        "finished": min(one.runs.finished for one in compared),
        "failed": max(one.runs.failed for one in compared),
    }


def extreme(value: float) -> Estimate:
    """The largest or smallest of all runs, which has no interval of its own."""
    return Estimate(value, 0.0, value, value, "extreme of all runs")


def settings(runs: Runs, method: str, **wanted: Any) -> Iterator[Setting]:
    """The settings of an algorithm in order: by cell, rho, horizon. wanted: parameters of the environment or the algorithm."""
    found = [
        Setting(cell, checkpoint, rule)
        for cell in runs.matching(method, **wanted)
        for rule in cell.rules
        for checkpoint in cell.checkpoints
    ]
    # a world with constraints has no gap, and NaN has no order
    yield from sorted(
        found, key=lambda one: (one.arms, 0.0 if one.costs else -one.gap, one.variant, one.runs.cell.id, one.rho, one.horizon)
    )


def log_linear(parts: Sequence[tuple[Sample, NDArray[np.float64]]], scale: float = 1.0) -> Estimate:
    """scale * sum_k c_k log(mean_k), with the delta method's 95% interval.

    parts: independent samples, each of shape (n, k) with coefficients c, shape (k,). NaN ends for fewer than two replicates.
    """
    centre, square = 0.0, 0.0
    for sample, coefficients in parts:
        means, n = sample.mean(axis=0), len(sample)
        centre += float(coefficients @ np.log(means))
        square += float(np.var((sample / means) @ coefficients, ddof=1) / n) if n > 1 else float("nan")
    se = abs(scale) * float(np.sqrt(square))
    return Estimate(scale * centre, se, scale * centre - Z95 * se, scale * centre + Z95 * se, "delta 95%")


def slope_weights(x: Sequence[float]) -> NDArray[np.float64]:
    """Coefficients of log y in the least-squares slope of log y against log x: shape (len(x),)."""
    logs = np.log(np.asarray(x, dtype=np.float64))
    centred = logs - logs.mean()
    return np.asarray(centred / (centred @ centred))


def local_slope(x: Sequence[float], sample: Sample) -> Estimate:
    """The log-log slope of the means of sample, shape (n, len(x)), against x, with the delta method's interval."""
    return log_linear([(sample, slope_weights(x))])


def resampled_means(sample: Sample, **name: Any) -> Sample:
    """Means of bootstrap resamples of the replicates of sample, shape (n, ...): shape (RESAMPLES, ...). name: of the random stream."""
    generator = stream(paper=PAPER, role="statistics", **name)
    n = len(sample)
    weights = generator.multinomial(n, np.full(n, 1.0 / n), size=RESAMPLES)
    return np.asarray((weights @ sample.reshape(n, -1) / n).reshape(RESAMPLES, *sample.shape[1:]))


def bootstrap(value: float, resampled: Sample) -> Estimate:
    """A number and the 95% percentile interval of what the resamples make of it, widened to the number where that lies outside.

    It may: the maximum of resampled means, say, is above the maximum of the means. resampled: shape (resamples,).
    """
    low, high = np.quantile(resampled, [0.025, 0.975])
    return Estimate(value, float(np.std(resampled, ddof=1)), min(float(low), value), max(float(high), value), "bootstrap 95%")


def bootstrap_slope(x: Sequence[float], sample: Sample, **name: Any) -> Estimate:
    """The log-log slope of the means of sample, shape (n, len(x)), against x, with its bootstrap interval over replicates."""
    weights = slope_weights(x)
    return bootstrap(float(np.log(sample.mean(axis=0)) @ weights), np.log(resampled_means(sample, **name)) @ weights)


def affine(estimate: Estimate, factor: float, offset: float = 0.0) -> Estimate:
    """factor * estimate + offset, such as the margin rho - p of a share p."""
    low, high = sorted((factor * estimate.low + offset, factor * estimate.high + offset))
    return Estimate(factor * estimate.mean + offset, abs(factor) * estimate.se, low, high, estimate.interval)
