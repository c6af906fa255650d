"""DEBORA-H and OPB: regret against the horizon, and unsafe rounds.

Quantities, by horizon: "regret", the mean over pairs of both runs' mean; "unsafe rounds", their number in the first run, the mean over
pairs. At horizon 0: "last slope" (log-log, between the last two horizons, the bootstrap's interval over pairs) and the margins "slope near
1/2" (0.06 minus its distance from 1/2) and "sublinear at the end" (0.9 minus the slope).
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.constrained import Row, curves, means, slope_rows, table
from banditpapers.runs import Runs
from banditpapers.statistics import mean
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, method, variant, horizon and quantity."""
    rows = list[Row]()
    for curve in curves(runs, parameters["grid"], "debora_hard", "pessimistic_lp"):
        rows += means(curve, "regret")
        for one in curve.settings:
            rows.append(row(mean(one.of("unsafe")), curve.counts, **curve.at(one), quantity="unsafe rounds"))
        rows += slope_rows(curve, "regret", "hard_regret")
    return table(rows)
