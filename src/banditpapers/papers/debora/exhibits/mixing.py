"""One run of DEBORA-H: weight of the optimistic strategy and its pessimistic cost, epoch by epoch (section 5)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.panels import decades

CAPTION = (
    "One run of DEBORA-H, at the rounds where epochs begin (shipped grid: A3, T = 10¹⁵, ρ = 0.3), with pessimistic costs cut at 1, as no "
    "cost exceeds it, and as in the text. Above: γ, the weight of the optimistic strategy in the mixture with the strategy that is known "
    "to be safe. Below: the largest pessimistic cost of the optimistic strategy above its limit; where it is positive γ is below 1. With "
    "the cut γ never falls below (α − λ) / (1 − λ); without, it begins near 0, and the run learns little but about the safe strategy. Both "
    "runs have the same random numbers. The mixture itself breaks no limit in any epoch."
)
LOOKS = {1: (plotting.VERMILION, "-", "o", "cut at 1"), 0: (plotting.BLUE, "--", "s", "as in the text")}
YLABELS = {"gamma": "weight γ", "excess": "pessimistic cost\nabove the limit"}


def draw(table: pd.DataFrame) -> Figure:
    """A panel per quantity."""
    figure, panels = plotting.new_figure(2, 1, (5.6, 2.1))
    for axes, (quantity, ylabel) in zip(panels, YLABELS.items(), strict=True):
        for clip, (colour, line, marker, label) in LOOKS.items():
            run = table[(table["quantity"] == quantity) & (table["clip"] == clip)]
            axes.plot(run["begins"], run["measured"], color=colour, ls=line, marker=marker, ms=3, lw=1.0, label=label)
        axes.set_ylabel(ylabel)
        decades(axes, "x", 8)
        decades(axes, "y")
    if (table.loc[table["quantity"] == "excess", "measured"] <= 0).any():
        panels[1].set_yscale("symlog", linthresh=1e-3)
    panels[0].legend(loc="lower right")
    panels[1].set_xlabel("round at which the epoch begins")
    return figure
