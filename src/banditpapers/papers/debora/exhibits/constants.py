"""The constants of the widths."""

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel

CAPTION = (
    "Computed constants, δ = ρ/10: L = ⌈log₂ T⌉; M, the number of RepMean calls that share ρ and δ; ρ' = ρ/M, δ' = δ/M; C, of the width "
    "ζ = C/√n; the cell's coefficient, α = cell/√n; of the paper's grid, α = 2ζ/(1 + ρ' − 2δ'), and of the sharp one, α = 1/(ρ' √(2n)). "
    "A cell is wider than 1 for n below its coefficient squared; RepMean then gives 1/2 with probability 1 − 1/α, whatever the samples. "
    "DEBORA: M = K L. DEBORA-S and DEBORA-H: M = (m + 1) K · K L for every estimator in every epoch (union), (m + 1) K L as section 4 "
    "has it (text), and where an arm is estimated anew only when its count has doubled (lazy), for which that is enough."
)
COMMON = ("L", "M", "rho'", "delta'")
BOTH = ("C", "cell")


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """DEBORA by K, T and rho; then a panel per instance."""
    panels = []
    for name, rows in table.groupby("instance", sort=False):
        calls = rows["variant"].str.removeprefix("sharp").str.strip().replace("", "union" if name else "")
        grids = rows["variant"].str.startswith("sharp").map({True: "sharp", False: "paper"})
        named = rows.assign(calls=calls, grid=grids)
        lines = []
        for (arms, horizon, rho, shared), part in named.groupby(["arms", "horizon", "rho", "calls"], sort=False):
            values = part.set_index(["grid", "quantity"])["measured"]
            numbers = [_spelled(values["paper", quantity]) for quantity in COMMON]
            numbers += [_spelled(values[grid, quantity]) for grid in ("paper", "sharp") for quantity in BOTH]
            lines.append((*([str(shared)] if name else [str(arms)]), f"{horizon:.0e}".replace("e+", "e"), f"{rho:g}", *numbers))
        heading = f"DEBORA-S and DEBORA-H, instance {name!s} (K = {rows['arms'].iloc[0]})" if name else "DEBORA"
        first = "calls" if name else "K"
        columns = (first, "T", "ρ", "L", "M", "ρ'", "δ'", "C, paper", "cell, paper", "C, sharp", "cell, sharp")
        panels.append(Panel(heading, columns, tuple(lines)))
    return panels


def _spelled(value: float) -> str:
    return f"{value:.4g}"
