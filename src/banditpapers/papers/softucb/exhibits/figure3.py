"""Figure 3: learning curves of SoftUCB offline for d = 5."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.softucb import learning_curves

CAPTION = f"Figure 3 of the paper: learning curves of SoftUCB offline (shipped grid: d = 5; T = 2⁸, 2⁹ and 2¹⁰). {learning_curves.CAPTION}"


def draw(table: pd.DataFrame) -> Figure:
    """A column per T."""
    return learning_curves.draw(table)
