"""The gradient estimator against the gradient of the expected reward, which is measured by central differences.

Quantities, per variance and beta:
"true gradient"            (E[Y] at (1 + s) beta minus E[Y] at (1 - s) beta) / (2 s beta), with common random numbers
"estimator"                the gradient of equation 13 without its eta term
"estimator, true means"    the same with the true means (equation 12)
"sign agrees"              1 where the intervals of true gradient and estimator lie on one side of 0, -1 on opposite sides, else NaN
A replicate is a set of arms, on which each beta plays several trajectories: the intervals are over sets of arms.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.balance import rule_of
from banditpapers.papers.softucb.pairs import last
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Estimate, student
from banditpapers.tidy import NAN, row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table; `default` marks the variance of the other exhibits."""
    grid = parameters["grid"]
    plan = grid["gradient"]
    arms, dimension, horizon = plan["setting"]
    rows = []
    for variance in plan["variances"]:
        keys = {"arms": arms, "dimension": dimension, "horizon": horizon, "variance": float(variance)}
        keys |= {"reading": f"sigma^2 = {variance:g}", "default": variance == grid["variance"]}
        cell = runs.one("soft_ucb", arms=arms, dimension=dimension, variance=variance)
        for beta in plan["beta"]:
            rows += [{**entry, **keys, "beta": float(beta)} for entry in _at(cell, beta, float(plan["spread"]))]
    leading = ["arms", "dimension", "horizon", "variance", "quantity", "beta", "measured", "low", "high"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _at(cell: CellRuns, beta: float, spread: float) -> Iterator[dict[str, Any]]:
    # the products are written as the grid's cells write them, because their last bits are part of the label
    below, above = (last(cell, rule_of(beta * factor), "expected_regret") for factor in (1 - spread, 1 + spread))
    found = {
        "true gradient": student(-(above - below) / (2 * spread * beta)),
        "estimator": student(last(cell, rule_of(beta * 1), "gradient")),
        "estimator, true means": student(last(cell, rule_of(beta * 1), "true_gradient")),
    }
    for quantity, estimate in found.items():
        yield row(estimate, cell.counts, quantity=quantity)
    sides = side(found["true gradient"]), side(found["estimator"])
    agrees = float(sides[0] * sides[1]) if all(sides) else NAN
    note = "" if all(sides) else "an interval reaches across 0"
    yield row(Estimate(agrees, 0.0, agrees, agrees, "none"), cell.counts, quantity="sign agrees", note=note)


def side(estimate: Estimate) -> int:
    """1 or -1 where the whole interval is above or below 0, else 0."""
    return int(np.sign(estimate.mean)) if estimate.low > 0 or estimate.high < 0 else 0
