"""How often the two runs of a pair differ where arms are nearly equal, for all algorithms that share their randomness.

Quantities: "non-replication" with the Clopper-Pearson interval, "below rho", rho minus it, by setting, and for the setting of an
algorithm where it is smallest in parts of rho.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import affine, row_of, settings
from banditpapers.papers.debora.summaries.replicability import differing, nearest
from banditpapers.runs import Runs

METHODS = ("debora", "batched_elimination", "phased_elimination")


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Two rows per setting, then one per algorithm and variant."""
    grid, found = parameters["grid"], [one for method in METHODS for one in settings(runs, method)]
    rows: list[dict[str, Any]] = []
    for one in found:
        rows.append(row_of(one, differing(one), grid, quantity="non-replication"))
        rows.append(row_of(one, affine(differing(one), -1.0, one.rho), grid, quantity="below rho"))
    for method, variant in dict.fromkeys((one.method, one.variant) for one in found):
        rows.append(nearest([one for one in found if (one.method, one.variant) == (method, variant)], grid))
    return pd.DataFrame(rows)
