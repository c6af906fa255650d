"""What lemmas, theorems and sentences of the paper say, against computation."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Checks of statements that the paper makes outside its figure. The margin is positive where the statement holds (1e-09: an "
    "equality that holds); it is exact unless n rounds or replicates are named, and then stands with its 95% interval (Student's t). "
    "φ² is the smallest eigenvalue of the mean of X X' over arms; order_improves compares 1/φ² with d^(3/2), the orders of the two "
    "regret bounds, without constants and logarithms; lemma2 and admitted_arms take the least favourable of random and boundary "
    "rounds; unbiased counts all sequences of draws of an example with seven arms; the last three are DRTS with exact propensities "
    "and its best v (shipped grid: T = 20,000, n = 10)."
)
TITLES = {
    "phi_at_least_d": "1/φ² ≥ d (margin: 1/(φ² d) − 1)",
    "order_improves": "order of the bound: 1/φ² against d^(3/2)",
    "phi_order_d": "1/φ² = O(d) for the contexts of section 5",
    "truncation_by_rejection": "contexts of norm at most 1 by rejection",
    "uniform_ball": "uniform law on the ball: 1/φ² = d + 2",
    "truncated_normal": "truncated normal: 1/φ² ≤ (d + 2) exp(1 / (2 λ_min))",
    "imputation_settles": "imputation error: log t / t ≤ d^−2 within the horizon",
    "bounded_row_sums": "row sums independent of d: 1/φ² = O(d)",
    "lemma2": "Lemma 2: P(candidate is super-unsaturated) ≥ 1 − γ",
    "admitted_arms": "section 4.2: an arm above γ is super-unsaturated",
    "v_within_lemma": "v of section 5 at most the lemma's",
    "unbiased": "E[Y^DR] = Xβ with the weights (15) and (16)",
    "unbiased_by_candidates": "the same with the candidates' probabilities",
    "clipping_biases": "max(π, γ) is biased",
    "positive_probabilities": "Theorem 3 needs π_i > 0 for all i",
    "share_admitted": "a candidate is above γ = 1/(N + 1) with probability at least max(1/N, 2/(N + 1))",
    "draws_suffice": "A.3: P(no arm found in round t) ≤ δ/t² (margin relative)",
    "lambda_of_theorem3": "λ_t of section 5 over that of Theorem 3, − 1",
    "first_round_uniform": "P(candidate = i) = 1/N in round 1",
    "error_below_zero_vector": "error at T below that of the estimate 0",
    "regret_rate": "regret grows at most like the square root of t",
    "error_rate": "error falls at least like t^(−1/2)",
}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """One panel per check."""
    columns = ("N", "d", "reading", "margin", "n", "finding")
    return [
        Panel(f"{check}: {TITLES.get(str(check), '')}", columns, tuple(_line(dict(row)) for row in rows.to_dict("records")))
        for check, rows in table.groupby("check", sort=False)
    ]


def _line(row: dict[Any, Any]) -> tuple[str, ...]:
    margin = f"{row['measured']:.4g}"
    if row["finished"]:
        margin += f" [{row['low']:.4g}, {row['high']:.4g}]"
    return (
        str(row["arms"] or ""),
        str(row["dimension"] or ""),
        str(row["reading"]),
        margin,
        counted(row),
        str(row["note"]),
    )
