"""Regret of a run against the horizon: levels, local slopes, and DEBORA's margins.

Quantities: "regret", the mean over pairs of both runs' mean; "slope", its log-log slope between a horizon and the next; "uniform play",
what uniform play has. Margins of DEBORA with horizon 0: "linear early", the slope between the first two horizons minus 0.9; "flattens",
0.3 minus the slope between the last two. With a horizon: "lead over" a rival, log10 of the rival's regret over DEBORA's, positive where
DEBORA has less; "ratio to Esfandiari 2", DEBORA's regret over that of Algorithm 2, minus 1.
"""

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import Sample, Setting, affine, combined, local_slope, log_linear, row_of, settings
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, mean
from banditpapers.tidy import row

Row = dict[str, Any]
METHODS = ("debora", "batched_elimination", "phased_elimination", "doubling_ucb", "ucb1")
RIVALS = {
    "Esfandiari 1": ("batched_elimination", "1"),
    "Esfandiari 2": ("batched_elimination", "2"),
    "RSE style": ("phased_elimination", "RSE"),
}
EARLY, LATE = 0.9, 0.3  # slopes that count as linear, and as flat
COMMON = 10**12  # the horizon at which algorithms are compared, besides the last
ONE = np.ones(1)


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting and quantity."""
    grid = parameters["grid"]
    curves: dict[tuple[Any, ...], list[Setting]] = {}
    for method in METHODS:
        for one in settings(runs, method):
            curves.setdefault((one.arms, one.gap, one.method, one.variant, one.rho), []).append(one)
    rows: list[Row] = []
    for curve in curves.values():
        rows += _levels(curve, grid)
        if curve[0].method == "debora":
            rows += _margins(curve, grid)
        if curve[0].method == "debora" and curve[0].rho == grid["rho"]:
            rows += _leads(curve, curves, grid)
            rows += _uniform(curve) if not curve[0].variant else []
    return pd.DataFrame(rows)


def _levels(curve: list[Setting], grid: dict[str, Any]) -> Iterator[Row]:
    for one in curve:
        yield row_of(one, mean(one.pairs("regret")), grid, quantity="regret")
    for one, later in pairwise(curve):
        yield row_of(one, slope(one, later), grid, quantity="slope")


def slope(one: Setting, later: Setting) -> Estimate:
    """The log-log slope of mean regret between two horizons of a cell."""
    return local_slope((one.horizon, later.horizon), np.column_stack([one.pairs("regret"), later.pairs("regret")]))


def _margins(curve: list[Setting], grid: dict[str, Any]) -> Iterator[Row]:
    if len(curve) < 2:
        return
    first, last = slope(*curve[:2]), slope(*curve[-2:])
    yield row_of(curve[0], affine(first, 1.0, -EARLY), grid, horizon=0, quantity="linear early")
    yield row_of(curve[0], affine(last, -1.0, LATE), grid, horizon=0, quantity="flattens")


def _leads(curve: list[Setting], curves: dict[tuple[Any, ...], list[Setting]], grid: dict[str, Any]) -> Iterator[Row]:
    horizons = {curve[-1].horizon, *(one.horizon for one in curve if one.horizon == COMMON)}
    for rival, (method, variant) in RIVALS.items():
        others = curves.get((curve[0].arms, curve[0].gap, method, variant, grid["rho"]), [])
        for one, other in ((one, other) for one in curve for other in others if one.horizon == other.horizon and one.horizon in horizons):
            counts = combined(one, other)
            logs = log_linear([(_column(other), ONE), (_column(one), -ONE)])
            yield {**row_of(one, affine(logs, 1 / math.log(10)), grid, quantity=f"lead over {rival}"), **counts}
            if rival == "Esfandiari 2":
                low, centre, high = (math.exp(-end) - 1 for end in (logs.high, logs.mean, logs.low))
                ratio = Estimate(centre, (centre + 1) * logs.se, low, high, logs.interval)
                yield {**row_of(one, ratio, grid, quantity="ratio to Esfandiari 2"), **counts}


def _column(one: Setting) -> Sample:
    return one.pairs("regret")[:, np.newaxis]


def _uniform(curve: list[Setting]) -> Iterator[Row]:
    for one in curve:
        keys = {**one.keys, "method": "uniform", "rho": 0.0}
        yield row(one.horizon * one.gap * (one.arms - 1) / one.arms, **keys, quantity="uniform play")
