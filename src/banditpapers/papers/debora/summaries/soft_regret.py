"""DEBORA-S and the optimistic program on plain means: regret with its sign against the horizon.

Quantities: "regret", the mean over pairs of both runs' mean, by horizon; "negative at the end": minus the regret at the last horizon,
positive where unsafe strategies earned more than the best safe one.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.constrained import Row, curves, means, table
from banditpapers.papers.debora.shown import affine
from banditpapers.runs import Runs
from banditpapers.statistics import mean
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, method, variant, horizon and quantity."""
    rows = list[Row]()
    for curve in curves(runs, parameters["grid"], "debora_soft", "optimistic_lp"):
        rows += means(curve, "regret")
        last = curve.settings[-1]
        margin = affine(mean(last.pairs("regret")), -1.0)
        rows.append(row(margin, curve.counts, **curve.at(last), quantity="negative at the end"))
    return table(rows)
