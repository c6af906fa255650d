"""What replicability costs: regret of DEBORA against 1/rho, at one gap and at the worst.

At one gap and horizon: "regret", and per K its log-log "slope in 1/rho". At the worst of many gaps, K = 2: "worst regret", the largest
mean regret, by horizon and rho, with the gap where it is; "worst constant", the same over C sqrt(T); "worst slope in 1/rho" by horizon;
"worst slope in T" by rho; and the margins by which slopes stay below 2.2, 1.2 and 0.6 (delta' adds about a tenth to 2, 1 and 1/2). A
maximum of noisy means is too large on average: `upward_bias` is the part of it by which the maximum over resampled means exceeds the
maximum over means. Intervals of slopes and worst cases come from resampled pairs.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import (
    Sample,
    Setting,
    affine,
    bootstrap,
    bootstrap_slope,
    resampled_means,
    row_of,
    settings,
    slope_weights,
)
from banditpapers.runs import Runs
from banditpapers.statistics import mean

Row = dict[str, Any]
NAN = float("nan")
WHOLE: Row = {"reading": "", "default": True}  # a row on all rho or all gaps


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Rows of the one gap, then of the worst one."""
    grid = parameters["grid"]
    plan = grid["price"]
    found = list(settings(runs, "debora"))
    late = [one for one in found if one.runs.checkpoints == (str(plan["horizon"]),) and one.gap == plan["gap"] and one.arms in plan["arms"]]
    several = tuple(map(str, plan["worst"]["horizons"]))
    early = [one for one in found if one.runs.checkpoints == several and one.arms == 2]
    rows = [row_of(one, mean(one.pairs("regret")), grid, quantity="regret") for one in late]
    for arms in dict.fromkeys(one.arms for one in late):
        curve = [one for one in late if one.arms == arms]
        sample = np.column_stack([one.pairs("regret") for one in curve])
        slope = bootstrap_slope([1 / one.rho for one in curve], sample, exhibit="price", arms=arms)
        keys = {**WHOLE, "rho": 0.0}
        rows.append(row_of(curve[0], slope, grid, **keys, quantity="slope in 1/rho"))
        rows.append(row_of(curve[0], affine(slope, -1.0, 2.2), grid, **keys, quantity="slope in 1/rho at most 2.2"))
    rows += _worst(early, grid)
    table = pd.DataFrame(rows)
    return table.assign(upward_bias=table.get("upward_bias", NAN))


def _worst(found: Sequence[Setting], grid: Row) -> Iterator[Row]:
    gaps, rhos = list(dict.fromkeys(one.gap for one in found)), list(dict.fromkeys(one.rho for one in found))
    horizons = list(dict.fromkeys(one.horizon for one in found))
    at = {(one.gap, one.rho, one.horizon): one for one in found}

    def sample(gap: float) -> Sample:
        """Shape (n, rhos, horizons)."""
        return np.stack([np.stack([at[gap, rho, horizon].pairs("regret") for horizon in horizons], -1) for rho in rhos], 1)

    samples = {gap: sample(gap) for gap in gaps}
    means = np.stack([samples[gap].mean(axis=0) for gap in gaps])
    again = np.stack([resampled_means(samples[gap], exhibit="price", gap=gap) for gap in gaps]).max(axis=0)
    worst, where = means.max(axis=0), means.argmax(axis=0)
    for i, rho in enumerate(rhos):
        for j, horizon in enumerate(horizons):
            one, estimate = at[gaps[where[i, j]], rho, horizon], bootstrap(float(worst[i, j]), again[:, i, j])
            bias = {"upward_bias": float(again[:, i, j].mean() / worst[i, j] - 1)}
            yield row_of(one, estimate, grid, quantity="worst regret", **bias)
            unit = one.precision.width * math.sqrt(horizon)
            yield row_of(one, affine(estimate, 1 / unit), grid, quantity="worst constant", **bias)
    weights = slope_weights([1 / rho for rho in rhos])
    for j, horizon in enumerate(horizons):
        estimate = bootstrap(float(weights @ np.log(worst[:, j])), np.log(again[:, :, j]) @ weights)
        keys = {**WHOLE, "gap": 0.0, "rho": 0.0, "horizon": horizon}
        yield row_of(found[0], estimate, grid, **keys, quantity="worst slope in 1/rho")
        yield row_of(found[0], affine(estimate, -1.0, 1.2), grid, **keys, quantity="worst slope in 1/rho at most 1.2")
    weights = slope_weights(horizons)
    for i, rho in enumerate(rhos):
        estimate = bootstrap(float(weights @ np.log(worst[i])), np.log(again[:, i]) @ weights)
        first = at[gaps[0], rho, horizons[0]]
        yield row_of(first, estimate, grid, gap=0.0, horizon=0, quantity="worst slope in T")
        yield row_of(first, affine(estimate, -1.0, 0.6), grid, gap=0.0, horizon=0, quantity="worst slope in T at most 0.6")
