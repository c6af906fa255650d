"""Simple regret of batched Thompson sampling along its budgets, under both recommendation rules on the same runs."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.runs import Runs
from banditpapers.statistics import mean


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per prior, K, rule and budget, with the paper's LP2S and batched Thompson values at the budgets that it prints."""
    rows = []
    for cell in runs.cells:
        (a, b), arms = cell.cell.environment["prior"], cell.cell.environment["arms"]
        keys: dict[str, Any] = {"prior": prior_text((a, b)), "arms": arms}
        for checkpoint in cell.checkpoints:
            printed = [_printed(claims, table, keys, float(checkpoint)) for table in ("table2", "table3", "table4")]
            lp2s, thompson = next((pair for pair in printed if pair is not None), (float("nan"), float("nan")))
            for rule in cell.rules:
                regret = mean(cell.of(checkpoint, rule, "simple_regret"))
                rows.append(
                    {
                        **keys, "rule": rule.replace("_", " "), "budget": int(checkpoint), "measured": regret.mean, "se": regret.se,
                        "low": regret.low, "high": regret.high, "interval": regret.interval, **cell.counts,
                        "paper_lp2s": lp2s, "paper_batched_thompson": thompson,
                    }
                )  # fmt: skip
    return pd.DataFrame(rows).sort_values(["arms", "prior", "rule", "budget"], ignore_index=True)


def _printed(claims: Claims, table: str, keys: dict[str, Any], budget: float) -> tuple[float, float] | None:
    """The paper's simple regrets at a budget, when this table prints that budget."""
    at: dict[str, Any] = {**keys, "matched_on": "T", "budget": "paper"}
    if claims.value(table, **at, method="lp2s", quantity="T") != budget:
        return None
    values = [claims.value(table, **at, method=method, quantity="SR") for method in ("lp2s", "batched_thompson")]
    return float(values[0] or float("nan")), float(values[1] or float("nan"))
