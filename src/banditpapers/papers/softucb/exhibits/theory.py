"""What lemmas, the theorem and sentences of the paper say, against computation."""

from math import isfinite
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Checks of statements that the paper makes outside its figures and Table 1. The margin is positive where the statement holds "
    "(1e-09: an equality that holds; beta_tilde shows the value itself); it is exact unless n rounds, sets of arms or replicates are "
    "named, and then stands with its 95% interval (Student's t; Wilson's for the share of random rounds). U: arms that are not "
    "eliminated; w_i = |x_i| in the norm of V⁻¹. Random rounds: 2 to 12 arms on the good event, |μ̂_i − μ_i| ≤ β w_i. Played: SoftUCB "
    "with a fixed β (shipped grid: K = 50, d = 10, T = 2048, σ² = 0.01, δ = 0.99, n = 50)."
)
TITLES = {
    "lemma1": "Lemma 1: S_i < 0 implies that arm i is suboptimal",
    "lemma1_order": "Lemma 1: S and UCB have the same order",
    "lemma2_fresh": "Lemma 2: p(U) ≥ δ with the γ of the round",
    "lemma2_lagged": "Algorithm 2 keeps p(U) ≥ δ: it uses the γ of the round before",
    "abs_gap_order": "the published program's gap |m_i* − m_i| keeps the order of UCB",
    "gradient_fixed_gamma": "(12) is the gradient with γ, V and m held fixed",
    "gradient_total": "(12) is the gradient when γ follows (9)",
    "no_complementary_slackness": "the η term vanishes where the constraint of (10) holds",
    "eta0_to_zero": "without the η term β falls",
    "theorem1_drops_delta": "(46) to (47): 1 − δ can be dropped",
    "p_U_direction": "(56): p(U) is at most δ",
    "strict_18": "(18) with ≤ gives a positive gap",
    "argmax_lcb": "(52): i* has the largest estimate",
    "elliptical_potential": "(58): Lemma 3 for the largest width, Σ max w_i² ≤ 2d log(α + T/d)",
    "elliptical_potential_played": "Lemma 3 for the arm that is played",
    "eq15_free_index": "(15) is defined",
    "online_cost": "SoftUCB online as written costs O(K T) (margin: 1 − evaluations per round)",
    "two_deltas": "one δ (margin: minus the difference between that of (5) and that of (9))",
    "beta_tilde": "β̃ of (5), printed with two decimals, cut off",
    "printed_beta_hat": "the learnt sizes of Table 1 are the printed ones",
    "jester_users": "Appendix G: users in Jester",
    "movielens_users": "Appendix G: users in MovieLens",
    "movielens_films": "Appendix G: films in MovieLens",
    "rewards_outside": "rewards lie in [0, 1] (margin: minus the share outside)",
    "gaps_above_one": "gaps are at most 1",
    "beta0_not_uniform": "beginning with β = 0, |L| = 0 (margin: minus the least |L|)",
    "sum_to_T": "V_t has an inverse as printed, without αI (margin: rank after round 1 minus d)",
}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """One panel per check."""
    columns = ("β", "d", "T", "reading", "margin", "n", "finding")
    return [
        Panel(f"{check}: {TITLES.get(str(check), '')}", columns, tuple(_line(dict(row)) for row in rows.to_dict("records")))
        for check, rows in table.groupby("check", sort=False)
    ]


def _line(row: dict[Any, Any]) -> tuple[str, ...]:
    margin = f"{row['measured']:.4g}" if isfinite(row["measured"]) else "–"
    if row["finished"]:
        margin += f" [{row['low']:.4g}, {row['high']:.4g}]"
    known = (f"{row['beta']:g}" if row["beta"] else "", str(row["dimension"] or ""), str(row["horizon"] or ""), str(row["reading"]))
    return (*known, margin.replace("-", "−").replace("e−", "e-"), counted(row), str(row["note"]))
