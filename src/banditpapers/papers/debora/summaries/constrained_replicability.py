"""DEBORA-S and DEBORA-H: how often the runs of a pair differ, and how many RepMean calls split, by the number of calls that share rho.

Quantities: "non-replication", the share of pairs whose strategies or epochs differ, with the exact interval of Clopper and Pearson;
"splits", the mean number of calls, until the runs part, whose outputs differ: the union bound bounds it, and so the share, by rho.
Margins: "below rho" and "splits below rho", rho minus each.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.constrained import Row, keyed, table
from banditpapers.runs import Runs
from banditpapers.statistics import exact_proportion, mean
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, method, variant, horizon and quantity."""
    rows = list[Row]()
    for method in ("debora_soft", "debora_hard"):
        for one in shown.settings(runs, method):
            keys, counts = keyed(one, parameters["grid"]), one.runs.counts
            differ, splits = exact_proportion(1.0 - one.of("replicated")), mean(one.of("splits"))
            rows.append(row(differ, counts, **keys, quantity="non-replication"))
            rows.append(row(splits, counts, **keys, quantity="splits"))
            for quantity, estimate in (("below rho", differ), ("splits below rho", splits)):
                rows.append(row(shown.affine(estimate, -1.0, one.rho), counts, **keys, quantity=quantity))
    return table(rows)
