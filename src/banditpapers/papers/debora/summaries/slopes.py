"""Violation of DEBORA-S and regret of DEBORA-H against 1/rho, regret of DEBORA-H and OPB against 1/lambda_min, at one late horizon.

Quantities: "violation" or "regret" (the mean over pairs of both runs' mean) by rho, on the first instance, with margin = 0, and by margin =
lambda_min on a family of three arms that has no name. With rho = 0: "slope in 1/rho"; with margin = 0: "slope in 1/lambda"; both log-log,
least squares over all points, with the bootstrap's interval (1/rho: over the pairs of all rho together; 1/lambda: of each world apart); and
the margin by which each stays below 1.15.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.constrained import Row, keyed, table
from banditpapers.papers.debora.shown import Setting
from banditpapers.plugins import build
from banditpapers.runs import Runs
from banditpapers.statistics import mean
from banditpapers.tidy import row

STEEPEST = 1.15  # slope up to which a rate of 1/rho or 1/lambda is taken to hold at one horizon: logarithms of rho stand beside it
OF = {"debora_soft": "violation", "debora_hard": "regret", "pessimistic_lp": "regret"}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per point and one per slope."""
    grid = parameters["grid"]
    first = next(iter(grid["instances"]))
    rows = [entry for method in ("debora_soft", "debora_hard") for entry in _in_rho(list(_of(runs, grid, method, first)), grid)]
    rows += [entry for method in ("debora_hard", "pessimistic_lp") for entry in _in_margin(list(_of(runs, grid, method, "")), grid)]
    return table(rows, "margin")


def _of(runs: Runs, grid: Row, method: str, name: str) -> Iterator[Setting]:
    yield from (one for one in shown.settings(runs, method) if shown.instance(one.runs, grid) == name)


def _in_rho(points: list[Setting], grid: Row) -> Iterator[Row]:
    of, counts = OF[points[0].method], points[0].runs.counts
    for one in points:
        yield row(mean(one.pairs(of)), counts, **keyed(one, grid), margin=0.0, quantity=of)
    sample = np.column_stack([one.pairs(of) for one in points])
    slope = shown.bootstrap_slope([1 / one.rho for one in points], sample, exhibit="slopes", method=points[0].method)
    keys = {**keyed(points[0], grid), "rho": 0.0, "margin": 0.0, "of": of}
    note = f"rho = {', '.join(f'{one.rho:g}' for one in points)}"
    yield row(slope, counts, **keys, quantity="slope in 1/rho", note=note)
    yield row(shown.affine(slope, -1.0, STEEPEST), counts, **keys, quantity=f"slope in 1/rho at most {STEEPEST}", note=note)


def margin(one: Setting) -> float:
    """lambda_min of the instance that a cell plays."""
    world = build("environments", one.runs.cell.environment)
    return round(float((world.alpha - world.safest[1]).min()), 12)


def _in_margin(points: list[Setting], grid: Row) -> Iterator[Row]:
    points = sorted(points, key=margin, reverse=True)
    of, margins = OF[points[0].method], [margin(one) for one in points]
    counts = {word: sum(one.runs.counts[word] for one in points) for word in points[0].runs.counts}
    for one, value in zip(points, margins, strict=True):
        yield row(mean(one.pairs(of)), one.runs.counts, **keyed(one, grid), margin=value, quantity=of)
    weights = shown.slope_weights([1 / value for value in margins])
    centre, resampled = 0.0, np.zeros(shown.RESAMPLES)
    for one, value, weight in zip(points, margins, weights, strict=True):
        drawn = shown.resampled_means(one.pairs(of), exhibit="slopes", method=one.method, margin=value)
        centre, resampled = centre + weight * float(np.log(one.pairs(of).mean())), resampled + weight * np.log(drawn)
    keys = {**keyed(points[0], grid), "margin": 0.0, "of": of}
    note = f"lambda_min = {', '.join(f'{value:g}' for value in margins)}; n is that of all points"
    slope = shown.bootstrap(centre, resampled)
    yield row(slope, counts, **keys, quantity="slope in 1/lambda", note=note)
    yield row(shown.affine(slope, -1.0, STEEPEST), counts, **keys, quantity=f"slope in 1/lambda at most {STEEPEST}", note=note)
