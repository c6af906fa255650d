"""Figure 4: learning curves of SoftUCB offline for d = 10 and 15."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.softucb import learning_curves

CAPTION = f"Figure 4 of the paper: learning curves of SoftUCB offline (shipped grid: d = 10 and 15, T = 2¹⁰). {learning_curves.CAPTION}"


def draw(table: pd.DataFrame) -> Figure:
    """A column per d."""
    return learning_curves.draw(table)
