"""Double robustness or the growing ridge? LinTS and DRTS (exact propensities), each under every lambda_t, compared replicate by replicate.

Quantities: "R(T)", "error(T)", "peak error" (the largest recorded error of a replicate from round 10 on), "resamples" and "exhausted"
(sums over a replicate's rounds and all v), each per algorithm and lambda; "all resamples" and "all exhausted", counts over everything
that DRTS played in the setting; "difference in R(T)" and "difference in peak error" of `compared`, first minus second: positive where
the second is better.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.papers.drts.tuned import DRTS, LINTS, Tuned, best, counts, paired, settings, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

NAMES = {LINTS: "LinTS", DRTS: "DRTS"}
SETTLED = 10  # before, the error is that of a handful of heavily weighted observations
COUNTED = "resamples", "exhausted"
Row = dict[str, Any]
Members = Mapping[tuple[str, str], Tuned]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting, quantity and member (an algorithm with a lambda), and one per comparison."""
    ridges, own = parameters["ablation"]["ridges"], parameters["ridge"]
    rows: list[Row] = []
    for arms, dimension in settings(runs):
        world = {"arms": arms, "dimension": dimension}
        members = {(method, _text(ridge)): best(runs.one(method, **world, ridge=ridge)) for method in NAMES for ridge in ridges}
        paper = ((LINTS, _text(own[LINTS])), (DRTS, _text(own[DRTS])))
        for (method, ridge), one in members.items():
            rows += [{**world, "method": method, "ridge": ridge, "compared": "", **entry} for entry in _levels(one)]
        rows += [{**world, "method": "", "ridge": "", "compared": "", **entry} for entry in _totals(members)]
        for first, second in _pairs(list(map(_text, ridges)), paper):
            if first in members and second in members:
                rows += [{**world, "method": "", "ridge": "", **entry} for entry in _differences(members, first, second)]
    leading = ["arms", "dimension", "quantity", "method", "ridge", "rule", "compared", "measured", "low", "high"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _text(ridge: float | str) -> str:
    return ridge if isinstance(ridge, str) else f"{ridge:g}"


def peak(one: Tuned) -> NDArray[np.float64]:
    """Each replicate's largest recorded error from round 10 on: shape (replicates,)."""
    late = one.rounds >= min(SETTLED, one.rounds[-1])
    return np.asarray(one.path("error")[:, late].max(axis=1))


def _levels(one: Tuned) -> Iterator[Row]:
    last = one.runs.checkpoints[-1]
    samples = {"R(T)": one.at("regret", int(last)), "error(T)": one.at("error", int(last)), "peak error": peak(one)}
    for quantity, sample in samples.items():
        yield row(student(sample), one.runs.counts, quantity=quantity, rule=spelled(one.rule))
    if one.runs.cell.algorithm["name"] == DRTS:
        for quantity in COUNTED:
            yield row(student(_counted(one, quantity)), one.runs.counts, quantity=quantity, rule="all")


def _counted(one: Tuned, quantity: str) -> NDArray[np.float64]:
    """Each replicate's sum over all v."""
    return np.asarray(np.sum([one.runs.of(one.runs.checkpoints[-1], rule, quantity) for rule in one.runs.rules], axis=0))


def _totals(members: Members) -> Iterator[Row]:
    played = [one for (method, _), one in members.items() if method == DRTS]
    rounds = sum(one.runs.finished * len(one.runs.rules) * int(one.rounds[-1]) for one in played)
    for quantity in COUNTED:
        total = sum(float(_counted(one, quantity).sum()) for one in played)
        yield row(total, counts(*played), quantity=f"all {quantity}", rule="all", note=f"of {rounds} rounds")


def _pairs(ridges: list[str], paper: tuple[tuple[str, str], tuple[str, str]]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """The paper's own comparison, both algorithms under each lambda, and each algorithm under the paper's two lambdas."""
    same = [((LINTS, ridge), (DRTS, ridge)) for ridge in ridges]
    (_, small), (_, growing) = paper
    return list(dict.fromkeys([paper, *same, *(((method, small), (method, growing)) for method in NAMES)]))


def _differences(members: Members, first: tuple[str, str], second: tuple[str, str]) -> Iterator[Row]:
    one, other = members[first], members[second]
    last = int(one.rounds[-1])
    labels = [f"{NAMES[method]}({ridge})" for method, ridge in (first, second)]
    keys = {
        "compared": " - ".join(labels),
        "rule": "; ".join(f"{text} {spelled(x.rule)}" for text, x in zip(labels, (one, other), strict=True)),
    }
    found = {
        "difference in R(T)": paired(one, one.at("regret", last), other, other.at("regret", last)),
        "difference in peak error": paired(one, peak(one), other, peak(other)),
    }
    for quantity, estimate in found.items():
        yield row(estimate, counts(one, other), quantity=quantity, **keys)
