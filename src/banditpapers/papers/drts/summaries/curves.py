"""Figure 1: cumulative regret and estimation error along the rounds, each algorithm with its best rule, beside the published curves."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts import published
from banditpapers.papers.drts.tuned import DRTS, RELEASED, REPAIRED, Tuned, all_tuned, settings, size_of_coefficients, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

QUANTITIES = ("regret", "error")
COLUMNS = [
    "arms", "dimension", "quantity", "method", "reading", "rule", "round", "measured", "sd", "se", "low", "high", "interval", "planned",
    "finished", "failed", "published", "beta_norm",
]  # fmt: skip


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting, quantity, algorithm and recorded round: mean, sd, interval of the mean, published value."""
    reading = RELEASED if any(True for _ in runs.matching(DRTS, propensity="released")) else REPAIRED
    rows: list[dict[str, Any]] = []
    for arms, dimension in settings(runs):
        tuned = all_tuned(runs, reading, parameters["ridge"], arms, dimension)
        for quantity in QUANTITIES:
            for method, one in tuned.items():
                keys = {"arms": arms, "dimension": dimension, "method": method, "quantity": quantity, "rule": spelled(one.rule)}
                keys |= {"reading": reading, "beta_norm": size_of_coefficients(one.runs)}
                rows += ({**entry, **keys} for entry in _curve(one, arms, dimension, method, quantity))
    return pd.DataFrame(rows)[COLUMNS]


def _curve(one: Tuned, arms: int, dimension: int, method: str, quantity: str) -> Iterator[dict[str, Any]]:
    paths = one.path(quantity)
    for t, sample in zip(one.rounds.tolist(), paths.T, strict=True):
        sd = float(np.std(sample, ddof=1)) if len(sample) > 1 else float("nan")
        stated = published.at(quantity, arms, dimension, method, t)
        yield row(student(sample), one.runs.counts, round=t, sd=sd, published=stated)
