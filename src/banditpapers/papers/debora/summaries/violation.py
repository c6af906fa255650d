"""DEBORA-S and the optimistic program on plain means: violation against the horizon.

Quantities: "violation", the mean over pairs of both runs' mean, by horizon; at horizon 0 "last slope" (log-log, between the last two
horizons, the bootstrap's interval over pairs) and the margins "slope near 1/2" (0.06 minus its distance from 1/2) and "sublinear at the
end" (0.9 minus the slope).
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.constrained import Row, curves, means, slope_rows, table
from banditpapers.runs import Runs


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, method, variant, horizon and quantity."""
    rows = list[Row]()
    for curve in curves(runs, parameters["grid"], "debora_soft", "optimistic_lp"):
        rows += [*means(curve, "violation"), *slope_rows(curve, "violation", "violation")]
    return table(rows)
