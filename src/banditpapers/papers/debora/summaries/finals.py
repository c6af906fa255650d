"""Regret, violation and replicability at the last horizon of each algorithm.

Quantities: "regret" and, under constraints, "violation" (the mean over pairs of both runs' mean); "non-replication", the share of pairs
that differ, with the exact interval of Clopper and Pearson; "ratio to UCB": mean regret over that of UCB with doubling epochs; under
constraints "ratio to plain means": violation of DEBORA-S over that of the optimistic program, regret of DEBORA-H over that of OPB. Ratios
have the delta method's interval, on the scale of logarithms.
"""

from collections.abc import Iterator
from math import exp
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.constrained import Row, curves, keyed, table
from banditpapers.papers.debora.shown import Setting
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, exact_proportion, mean
from banditpapers.tidy import row

METHODS = ("debora", "batched_elimination", "phased_elimination", "doubling_ucb", "ucb1")
PLAIN = {"debora_soft": ("optimistic_lp", "violation"), "debora_hard": ("pessimistic_lp", "regret")}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per world, method, variant, rho and quantity; gap is 0, instance "" where they do not matter."""
    grid = parameters["grid"]
    rows = list(_unconstrained(runs, grid))
    rows += ({"gap": 0.0, **entry} for entry in _constrained(runs, grid))
    return table(rows, "gap")


def ratio(one: Setting, other: Setting, quantity: str) -> Estimate:
    """Of the means of two settings; NaN where one is not positive."""
    samples = [setting.pairs(quantity)[:, None] for setting in (one, other)]
    if not all(sample.mean() > 0 for sample in samples):
        nan = float("nan")
        return Estimate(nan, nan, nan, nan, "delta 95%")
    found = shown.log_linear([(sample, np.array([sign])) for sample, sign in zip(samples, (1.0, -1.0), strict=True)])
    return Estimate(exp(found.mean), exp(found.mean) * found.se, exp(found.low), exp(found.high), found.interval)


def _last(runs: Runs, method: str) -> Iterator[Setting]:
    yield from (one for one in shown.settings(runs, method) if one.horizon == int(one.runs.checkpoints[-1]))


def _unconstrained(runs: Runs, grid: Row) -> Iterator[Row]:
    plain = {(one.arms, one.gap): one for one in _last(runs, "doubling_ucb")}
    for method in METHODS:
        for one in _last(runs, method):
            keys = {**keyed(one, grid), "gap": one.gap, "reading": f"rho = {one.rho:g}" if one.rho else ""}
            keys["default"] = one.rho in (0.0, grid["rho"])
            yield row(mean(one.pairs("regret")), one.runs.counts, **keys, quantity="regret")
            other = plain[one.arms, one.gap]
            if method != "doubling_ucb" and other.horizon == one.horizon:
                yield row(ratio(one, other, "regret"), shown.combined(one, other), **keys, quantity="ratio to UCB")
            if one.rho:
                yield row(exact_proportion(1.0 - one.of("replicated")), one.runs.counts, **keys, quantity="non-replication")


def _constrained(runs: Runs, grid: Row) -> Iterator[Row]:
    found = {
        (curve.keys["instance"], curve.keys["method"], curve.keys["variant"]): curve
        for curve in curves(runs, grid, "debora_soft", "optimistic_lp", "debora_hard", "pessimistic_lp")
    }
    for (name, method, _), curve in found.items():
        last = curve.settings[-1]
        for quantity in ("violation", "regret"):
            yield row(mean(last.pairs(quantity)), curve.counts, **curve.at(last), quantity=quantity)
        if method in PLAIN:
            rival, quantity = PLAIN[method]
            other = found[name, rival, ""].settings[-1]
            yield row(ratio(last, other, quantity), shown.combined(last, other), **curve.at(last), quantity="ratio to plain means")
            yield row(exact_proportion(1.0 - last.of("replicated")), curve.counts, **curve.at(last), quantity="non-replication")
