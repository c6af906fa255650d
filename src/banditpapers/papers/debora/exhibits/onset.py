"""Horizons at which regret ceases to be linear."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Horizon T at which DEBORA's mean regret has fallen to half of that of uniform play, T gap (K − 1)/K, read log-log between the "
    "decades of the shipped grid (100 pairs of runs; δ = ρ/10), which can be off by a factor of 2, in square brackets where the ends of "
    "its 95% band reach that half; after it the scale K C²/gap² with C at that T, and the ratio of both. Below the onset regret is "
    "linear: nothing is learnt. A dash: regret stays above half."
)
GRIDS = {"": "the paper's grid of RepMean", "sharp": "the sharp grid"}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """A panel per grid; a row per K, gap and rho."""
    panels = []
    for variant, rows in table.groupby("variant", sort=False):
        lines = []
        for (arms, gap, rho), part in rows.groupby(["arms", "gap", "rho"], sort=False):
            at: dict[Any, Any] = part.set_index("quantity").to_dict("index")
            onset, ratio = at["onset"], at["onset over scale"]
            found = f"{_spelled(onset['measured'])} [{_spelled(onset['low'])}, {_spelled(onset['high'])}]"
            lines.append((str(arms), f"{gap:g}", f"{rho:g}", found, _spelled(at["scale"]["measured"]), _ratio(ratio), counted(onset)))
        panels.append(Panel(f"DEBORA, {GRIDS[str(variant)]}", ("K", "gap", "ρ", "onset T", "K C²/gap²", "ratio", "n"), tuple(lines)))
    return panels


def _spelled(value: float) -> str:
    return "—" if pd.isna(value) else f"{value:.1e}".replace("e+0", "e").replace("e+", "e")


def _ratio(entry: Any) -> str:
    return "—" if pd.isna(entry["measured"]) else f"{entry['measured']:.2f}"
