"""Violation of DEBORA-S and regret of DEBORA-H in units of C sqrt(K T), C the half-width with one sample: all variants come together.

Quantities: "collapsed", the mean over pairs of both runs' mean, by horizon; with violations, at the last horizon, "below 4.83": the
constant 2 (sqrt(2) + 1) of doubling epochs minus the largest of all runs. `unit` is C sqrt(K T).
"""

from math import sqrt
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.constrained import Row, curves, table, unit
from banditpapers.runs import Runs
from banditpapers.statistics import mean
from banditpapers.tidy import row

CONSTANT = 2 * (sqrt(2) + 1)  # sum over epochs of 2 zeta n, where each epoch doubles a count
SHOWN = {"debora_soft": "violation", "optimistic_lp": "violation", "debora_hard": "regret", "pessimistic_lp": "regret"}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, method, variant and horizon; `of` says what is divided by the unit."""
    rows = list[Row]()
    for curve in curves(runs, parameters["grid"], *SHOWN):
        of = SHOWN[curve.keys["method"]]
        for one in curve.settings:
            rows.append(row(mean(one.pairs(of) / unit(one)), curve.counts, **curve.at(one), of=of, unit=unit(one), quantity="collapsed"))
        last = curve.settings[-1]
        if of == "violation":
            largest = last.largest(of) / unit(last)
            note = f"the largest of {2 * curve.counts['finished']} runs: {largest:.4g}"
            rows.append(row(CONSTANT - largest, curve.counts, **curve.at(last), of=of, unit=unit(last), quantity="below 4.83", note=note))
    return table(rows, "of")
