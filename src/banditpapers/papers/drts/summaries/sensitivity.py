"""The supplement's figure: regret after T rounds against v, for each gamma of BLTS, and how much it changes among the small v."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts import published
from banditpapers.papers.drts.tuned import READINGS, RELEASED, Tuned, counts, difference
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, student
from banditpapers.tidy import NAN, row

SMALL = 0.01  # the v up to which the supplement sees hardly any change
HARDLY = 1.25  # ... which is put in figures here: the larger mean is less than this times the smaller


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per method, gamma (0 where there is none) and v; one margin per method and gamma."""
    arms, dimension = parameters["sensitivity"]["setting"]
    keys = {"arms": arms, "dimension": dimension, "horizon": parameters["horizon"], "reading": RELEASED}
    was_published = (arms, dimension, parameters["horizon"]) == (20, 20, published.HORIZON)
    rows: list[dict[str, Any]] = []
    for method, what in READINGS[RELEASED].items():
        cell = runs.one(method, arms=arms, dimension=dimension, ridge=parameters["ridge"][method], **what)
        by_gamma: dict[float, list[tuple[float, Tuned]]] = {}
        for rule in cell.rules:
            values = dict(part.split("=") for part in rule.split())
            by_gamma.setdefault(float(values.get("gamma", 0)), []).append((float(values["v"]), Tuned(cell, rule)))
        for gamma, curve in by_gamma.items():
            for v, one in curve:
                sample = one.at("regret", one.rounds[-1])
                sd = float(np.std(sample, ddof=1)) if sample.size > 1 else NAN
                stated = published.SENSITIVITY.get((method, v, gamma), NAN) if was_published else NAN
                about = {"method": method, "gamma": gamma, "v": v, "quantity": "R(T) by v", "sd": sd, "published": stated}
                rows.append(row(student(sample), cell.counts, **keys, **about))
            rows += ({**entry, **keys, "method": method, "gamma": gamma} for entry in _insensitivity(curve))
    leading = ["arms", "dimension", "horizon", "method", "gamma", "v", "quantity", "reading", "measured", "sd", "published"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _insensitivity(curve: Sequence[tuple[float, Tuned]]) -> Iterator[dict[str, Any]]:
    """HARDLY minus the ratio of the largest to the smallest mean among the small v, as a mean of paired margins."""
    small = [(float(one.at("regret", one.rounds[-1]).mean()), one) for v, one in curve if v <= SMALL]
    if len(small) < 2:
        return
    (low, lowest), (_, highest) = min(small, key=lambda pair: pair[0]), max(small, key=lambda pair: pair[0])
    last = lowest.rounds[-1]
    margins = difference(lowest, HARDLY * lowest.at("regret", last), highest, highest.at("regret", last)) / low
    found: Estimate = student(margins)
    note = f"largest over smallest mean: {HARDLY - found.mean:.3g}"
    about = {"v": SMALL, "quantity": f"{HARDLY} minus the ratio of means for v <= {SMALL}", "sd": NAN, "published": NAN}
    yield row(found, counts(lowest, highest), **about, note=note)
