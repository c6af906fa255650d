"""What lemmas, theorems and sentences of the paper say, against computation."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Checks of statements that the paper makes in lemmas, theorems and sentences. The margin is positive where the statement holds, 0 "
    "where a bound is met exactly; it is exact unless n runs or pairs are named, and then stands with its 95% interval (shares: "
    "Clopper-Pearson; a largest of all runs has none). ρ', δ': of one call of RepMean; M: calls that share ρ; C: half-width of one "
    "estimate at one sample. Runs: those of the growth curves of DEBORA, DEBORA-S and DEBORA-H at the grid's ρ, the first of each pair "
    "(shipped grid: ρ = 0.3, δ = 0.03, T up to 10¹⁶). Exact laws: binomial sums of n samples, integrated over the shift of the grid."
)
TITLES = {
    "repmean_precision": "Lemma 2.5: P(|r̂ − r| > ζ) ≤ δ' (margin: δ' minus it)",
    "repmean_replicability": "Lemma 2.5: two calls differ with probability at most ρ' (margin: ρ' minus it)",
    "hoeffding_slack": "Lemma 2.5 has a factor of 2 to spare (margin: ρ' / P(split) − 2)",
    "midpoint_from_mean": "the middle of a cell may be computed from the mean (margin: minus the share of pairs that then differ)",
    "epochs_bound": "H ≤ K ⌈log₂ T⌉ (margin: 1 − H over the bound)",
    "epochs_bound_k1": "H ≤ K ⌈log₂ T⌉ for K = 1 (margin: bound minus H)",
    "epochs_bound_t1": "H ≤ K ⌈log₂ T⌉ for T = 1 (margin: bound minus H)",
    "union_bound_text": "section 4: ρ' = ρ / ((m+1) K log T) is enough for all calls (margin: 1 − calls × ρ' / ρ)",
    "rho_delta_squared": "the regret of DEBORA has (ρ − δ)² (margin: 1 − ratio of what the width gives to it)",
    "log_delta": "bounds of DEBORA-S and -H have log(1/δ) (margin: it minus its root)",
    "stray_gamma": "the regret bound of DEBORA-H, + γ",
    "matches_up_to_constants": "regret matches, up to constants, the replicable state of the art (margin: 1 − growth of the bounds' ratio)",
    "gamma_largest": "Algorithm 4: γ is the largest feasible weight",
    "esfandiari2_commit": "Algorithm 2 of Esfandiari et al. is ρ-replicable near ties (margin: ρ minus P(differ))",
    "ucb_replacement": "UCB1 with RepMean in every round would need K² T² samples (margin: log₁₀ of its samples over T)",
    "confidence": "all estimates are within their widths with probability 1 − δ (margin: δ minus the share of runs with a miss)",
    "safe_set": "X* lies in X_h in every epoch with probability 1 − δ (margin: δ minus the share of runs)",
    "safety": "DEBORA-H is safe in every round with probability 1 − δ (margin: δ minus the share of unsafe runs)",
}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """One panel per check."""
    columns = ("K", "ρ or ρ'", "T", "reading", "margin", "n", "finding")
    return [
        Panel(f"{check}: {TITLES.get(str(check), '')}", columns, tuple(_line(dict(row)) for row in rows.to_dict("records")))
        for check, rows in table.groupby("check", sort=False)
    ]


def _line(row: dict[Any, Any]) -> tuple[str, ...]:
    margin = f"{row['measured']:.4g}" if row["exists"] else "—"
    if row["finished"] and row["low"] < row["high"]:
        margin += f" [{row['low']:.4g}, {row['high']:.4g}]"
    horizon = f"{row['horizon']:g}".replace("e+", "e") if row["horizon"] else ""
    known = (str(row["arms"] or ""), f"{row['rho']:g}" if row["rho"] else "", horizon, str(row["reading"]))
    return (*known, margin.replace("-", "−").replace("e−", "e-"), counted(row), str(row["note"]))
