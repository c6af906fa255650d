"""Epochs of a run in units of their bound, K ceil(log2 T).

Quantities: "epochs", the mean over runs, and "largest", the largest, by setting; "within the bound", 1 minus the largest, by setting, and
"within the bound, all settings" of an algorithm. Only the first run of a pair is counted.
"""

from typing import Any

import pandas as pd

from banditpapers.algorithms._pairs import doublings
from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import Sample, Setting, extreme, instance, row_of, settings
from banditpapers.runs import Runs
from banditpapers.statistics import mean

METHODS = ("debora", "debora_soft", "debora_hard")


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Rows by setting, then one per algorithm."""
    grid = parameters["grid"]
    rows: list[dict[str, Any]] = []
    for method in METHODS:
        found = list(settings(runs, method))
        largest = {one: float(share(one).max()) for one in found}
        for one in found:
            keys = {"instance": instance(one.runs, grid)}
            rows.append(row_of(one, mean(share(one)), grid, **keys, quantity="epochs"))
            rows.append(row_of(one, extreme(largest[one]), grid, **keys, quantity="largest"))
            rows.append(row_of(one, extreme(1.0 - largest[one]), grid, **keys, quantity="within the bound"))
        if found:
            most = max(found, key=lambda one: largest[one])
            whole: dict[str, Any] = {
                "arms": 0,
                "gap": 0.0,
                "rho": 0.0,
                "horizon": 0,
                "variant": "",
                "instance": "",
                "reading": "",
                "default": True,
            }
            note = f"K = {most.arms}, T = {most.horizon:.0e}"
            margin = extreme(1.0 - largest[most])
            rows.append(row_of(most, margin, grid, **whole, quantity="within the bound, all settings", note=note))
    return pd.DataFrame(rows)


def share(one: Setting) -> Sample:
    """Epochs over their bound, one number per pair. Shape (pairs,)."""
    return one.of("epochs") / (one.arms * doublings(one.horizon))
