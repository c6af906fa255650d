"""Table 2: LP2S by LP-PAC against two-stage exploration, batched Thompson sampling and BatchRacing (section 4)."""

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel
from banditpapers.papers.lp2s import layout

CAPTION = f"Table 2 of the paper: LP2S by LP-PAC and its competitors. {layout.CAPTION}"


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """Blocks of equal cost and equal regret, at the paper's numbers and at ours, then all readings of LP2S."""
    return layout.comparison(table, claims, "table2")
