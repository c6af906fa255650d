"""The horizon at which regret ceases to be linear.

Quantities, by K, gap, rho and grid of DEBORA: "onset", the horizon at which mean regret has fallen to half of that of uniform play, read
log-log between horizons of a curve made non-increasing; "scale", K C^2 / gap^2 with C at the onset; "onset over scale". NaN where regret
stays above half, with what is shown of it in the note.
"""

import math
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.calls import most_calls, shared_precision
from banditpapers.papers.debora.shown import Setting, affine, row_of, settings
from banditpapers.runs import Runs
from banditpapers.statistics import crossing_estimate
from banditpapers.tidy import EXACTLY

HALF = 0.5


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Three rows per curve."""
    grid = parameters["grid"]
    curves: dict[tuple[Any, ...], list[Setting]] = {}
    for one in settings(runs, "debora"):
        if one.gap > 0:
            curves.setdefault((one.arms, one.gap, one.rho, one.variant), []).append(one)
    rows: list[dict[str, Any]] = []
    for (arms, gap, rho, _), curve in curves.items():
        horizons = np.array([one.horizon for one in curve], dtype=np.float64)
        uniform = horizons * gap * (arms - 1) / arms
        found = crossing_estimate(horizons, np.column_stack([one.pairs("regret") for one in curve]) / uniform, HALF)
        known = math.isfinite(found.mean)
        note = "" if known else f"above half up to T = {curve[-1].horizon:.0e}"
        at, algorithm = round(found.mean) if known else curve[-1].horizon, curve[0].runs.cell.algorithm
        calls = most_calls(arms, 0, at, "union")
        scale = arms * (shared_precision(calls, rho, float(algorithm["ratio"]), str(algorithm["grid"])).width / gap) ** 2
        keys = {"horizon": 0, "note": note}
        rows.append(row_of(curve[0], found, grid, **keys, quantity="onset"))
        rows.append({**row_of(curve[0], scale, grid, **keys, quantity="scale"), **EXACTLY})
        rows.append(row_of(curve[0], affine(found, 1 / scale), grid, **keys, quantity="onset over scale"))
    return pd.DataFrame(rows)
