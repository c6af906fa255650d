"""What "truncate the contexts" may mean, and beta drawn afresh: LinTS against DRTS (exact propensities) under every reading.

Quantities: "R(T)" of each algorithm; "lead of DRTS in R(T)": LinTS minus DRTS, replicate by replicate, positive where DRTS is better.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts.tuned import DRTS, LINTS, best, counts, paired, settings, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

NAMES = {LINTS: "LinTS", DRTS: "DRTS"}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Three rows per setting and reading. The default reading is that of the other exhibits."""
    usual = parameters["contexts"], parameters["coefficients"]
    rows = []
    for arms, dimension in settings(runs):
        # a list's order, and no doubles: the contexts of the other exhibits may have a fresh beta there, too
        worlds = dict.fromkeys([*((contexts, "fixed") for contexts in parameters["readings"]["contexts"]), (usual[0], "fresh")])
        for contexts, coefficients in worlds:
            world = {"arms": arms, "dimension": dimension, "contexts": contexts, "coefficients": coefficients}
            keys = {**world, "reading": f"{contexts}, {coefficients} beta", "default": (contexts, coefficients) == usual}
            lints, drts = (best(runs.one(method, **world)) for method in NAMES)
            last = int(lints.rounds[-1])
            for method, one in ((LINTS, lints), (DRTS, drts)):
                found = student(one.at("regret", last))
                rows.append(row(found, one.runs.counts, **keys, quantity="R(T)", method=method, rule=spelled(one.rule)))
            lead = paired(lints, lints.at("regret", last), drts, drts.at("regret", last))
            rule = f"LinTS {spelled(lints.rule)}; DRTS {spelled(drts.rule)}"
            rows.append(row(lead, counts(lints, drts), **keys, quantity="lead of DRTS in R(T)", method="", rule=rule))
    leading = ["arms", "dimension", "contexts", "coefficients", "quantity", "method", "rule", "measured", "low", "high"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]
