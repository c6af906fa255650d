"""Regret of DEBORA-H against the horizon (section 5)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.debora.panels import decades, per_instance, per_round

CAPTION = (
    "DEBORA-H: regret per round (R_T / T) against the horizon, log-log: flat while regret is linear in T, slope −1/2 where it grows like "
    "√T. Lines: means over pairs of runs (shipped grid: 50 pairs at each T, ρ = 0.3, δ = ρ/10, pessimistic costs cut at 1); bands: 95% "
    "normal intervals, mostly within the lines. Variants as for DEBORA-S. Black: optimism in rewards and pessimism in costs on plain means "
    "(OPB, reconstructed), which is not replicable. The CSV file beside the figure has the number of unsafe rounds as well. A3, B5, C10: "
    "instances with 1, 2 and 3 constraints."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per instance."""
    figure, panels = per_instance(table, "regret", per_round, "regret per round, $R_T$ / T (reward units)")
    for axes in panels:
        decades(axes, "y")
    return figure
