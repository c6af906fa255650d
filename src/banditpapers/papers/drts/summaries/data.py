"""Table 1: the data of a few rounds of DRTS, arm by arm, and which of them each analysis uses."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.runs import Runs


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per round and arm, of the first replicate. Reward and selection probability are NaN for an arm that was not played."""
    plan = parameters["table1"]
    cell = runs.one("doubly_robust_data", arms=plan["arms"], dimension=plan["dimension"])
    rows: list[dict[str, Any]] = []
    for t in cell.checkpoints:
        for arm, rule in enumerate(cell.rules, start=1):
            found = {quantity: float(cell.of(t, rule, quantity)[0]) for quantity in cell.quantities}
            played = bool(found.pop("played"))
            rows.append({"round": int(t), "arm": arm, "played": played, **found, **cell.counts})
    return pd.DataFrame(rows)
