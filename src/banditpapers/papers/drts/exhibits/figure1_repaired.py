"""Figure 1 repaired: the same algorithms with the propensities that the text asks for."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.drts import figure_one

CAPTION = (
    "Figure 1 of the paper, repaired: BLTS and DRTS with exact propensities of the round that is played, BLTS with sampling variance "
    f"v² B⁻¹. LinTS is the same as in the released program. {figure_one.CAPTION}"
)


def draw(table: pd.DataFrame) -> Figure:
    """The eight panels."""
    return figure_one.draw(table)
