"""The algorithms of Figure 1, each with its best parameters, and how two of them are compared.

Best is as in the paper: the rule (v, and gamma of BLTS) with the smallest mean regret at the end, over the very replicates that are
shown. What that is worth is an exhibit of its own, `selection`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.papers.drts import published
from banditpapers.runs import CellRuns, Runs
from banditpapers.seeding import Words
from banditpapers.statistics import Estimate, student

RELEASED, REPAIRED = "as released", "repaired"
READINGS = {  # what tells an algorithm's runs of one reading from those of another
    RELEASED: {
        "linear_thompson": {"draw": "independent"},
        "balanced_thompson": {"variance": "RSS", "propensity": "constant"},
        "doubly_robust_thompson": {"propensity": "released"},
    },
    REPAIRED: {
        "linear_thompson": {"draw": "independent"},
        "balanced_thompson": {"variance": "plain", "propensity": "exact"},
        "doubly_robust_thompson": {"propensity": "exact"},
    },
}
LINTS, BLTS, DRTS = METHODS = tuple(READINGS[RELEASED])


@dataclass(frozen=True)
class Tuned:
    """The runs of one algorithm under its best rule."""

    runs: CellRuns
    rule: str

    @property
    def rounds(self) -> NDArray[np.int64]:
        """The recorded rounds, ascending: shape (rounds,)."""
        return np.array(self.runs.checkpoints, dtype=np.int64)

    def path(self, quantity: str) -> NDArray[np.float64]:
        """Shape (replicates, rounds)."""
        return self.runs.path(self.rule, quantity)

    def at(self, quantity: str, t: int) -> NDArray[np.float64]:
        """One number per replicate, after round t: shape (replicates,)."""
        return self.runs.of(str(t), self.rule, quantity)

    def peak(self, since: int = 1) -> int:
        """The round from `since` on, or the last, where the mean estimation error is largest."""
        late = self.rounds >= min(since, self.rounds[-1])
        return int(self.rounds[late][np.argmax(self.path("error").mean(axis=0)[late])])


def best(runs: CellRuns) -> Tuned:
    """The rule with the smallest mean regret at the end; the first of equal ones."""
    means = [runs.of(runs.checkpoints[-1], rule, "regret").mean() for rule in runs.rules]
    return Tuned(runs, runs.rules[int(np.argmin(means))])


def settings(runs: Runs) -> list[tuple[int, int]]:
    """(N, d), ascending."""
    return sorted({(cell.cell.environment["arms"], cell.cell.environment["dimension"]) for cell in runs.cells})


def all_tuned(runs: Runs, reading: str, ridge: Mapping[str, Any], arms: int, dimension: int) -> dict[str, Tuned]:
    """By method: the algorithm of a reading in a setting. ridge: lambda of each method."""
    world = {"arms": arms, "dimension": dimension}
    return {method: best(runs.one(method, **world, ridge=ridge[method], **READINGS[reading][method])) for method in METHODS}


def size_of_coefficients(runs: CellRuns) -> float:
    """|beta|: the estimation error of the estimate 0. NaN where each replicate has a beta of its own."""
    world = LinearContexts(**{key: value for key, value in runs.cell.environment.items() if key != "name"})
    if world.coefficients != "fixed":
        return float("nan")
    beta = world.world(Words(0, 0), 1).coefficients
    return float(np.sqrt(np.cumsum(beta**2)[-1]))


def paired(first: Tuned, first_sample: NDArray[np.float64], second: Tuned, second_sample: NDArray[np.float64]) -> Estimate:
    """The mean of first minus second, replicate by replicate; NaN when a replicate failed, since then the pairs are not known.

    Samples: shape (replicates,).
    """
    return student(difference(first, first_sample, second, second_sample))


def difference(first: Tuned, first_sample: NDArray[np.float64], second: Tuned, second_sample: NDArray[np.float64]) -> NDArray[np.float64]:
    """First minus second, replicate by replicate: both met the same contexts and noise. Empty when a replicate failed.

    Shapes (replicates,).
    """
    if first.runs.failed or second.runs.failed:
        return np.empty(0)
    return first_sample - second_sample


def counts(*compared: Tuned) -> dict[str, int]:
    """n of a comparison: the fewest that finished."""
    return {
        "planned": max(one.runs.planned for one in compared),
        "finished": min(one.runs.finished for one in compared),
        "failed": max(one.runs.failed for one in compared),
    }


def spelled(rule: str) -> str:
    """v = 0.001, gamma = 0.01"""
    return rule.replace("=", " = ").replace(" gamma", ", gamma")


def distance(measured: Estimate, finished: int, stated: float) -> float:
    """z: ours minus the published mean, in standard errors of the difference; the published mean of 10 has noise like ours."""
    return (measured.mean - stated) / (measured.se * np.sqrt(1 + finished / published.REPLICATES)) if measured.se > 0 else float("nan")
