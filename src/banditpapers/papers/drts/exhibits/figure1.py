"""Figure 1 as released: LinTS, BLTS and DRTS as the authors' program has them."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.drts import figure_one

CAPTION = (
    "Figure 1 of the paper, as released: BLTS weights by the constant 1/max(1/N, gamma) and samples with variance v² RSS B⁻¹; DRTS takes "
    f"its propensities from 200 quasi-random nodes and the previous round's contexts. {figure_one.CAPTION}"
)


def draw(table: pd.DataFrame) -> Figure:
    """The eight panels."""
    return figure_one.draw(table)
