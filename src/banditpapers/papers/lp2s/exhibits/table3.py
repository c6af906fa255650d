"""Table 3: LP2S by LP-SRM against two-stage exploration, batched Thompson sampling and BatchRacing (section 4)."""

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel
from banditpapers.papers.lp2s import layout

CAPTION = f"Table 3 of the paper: LP2S by LP-SRM and its competitors. {layout.CAPTION}"


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """Blocks of equal cost and equal regret, at the paper's numbers and at ours, then all readings of LP2S."""
    return layout.comparison(table, claims, "table3")
