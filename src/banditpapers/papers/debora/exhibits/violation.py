"""Violation of DEBORA-S against the horizon (section 4)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers.papers.debora.panels import decades, per_instance, per_round

CAPTION = (
    "DEBORA-S: violation V_T = max over constraints of the summed positive excess of the cost, per round (V_T / T), against the horizon, "
    "log-log: flat while violation is linear in T, slope −1/2 where it grows like √T. Lines: means over pairs of runs (shipped grid: 50 "
    "pairs at each T, ρ = 0.3, δ = ρ/10); bands: 95% normal intervals, mostly within the lines. Three ways to share ρ: M = (m+1) K² ⌈log₂ "
    "T⌉ calls (what the union bound needs); (m+1) K ⌈log₂ T⌉ calls when an arm is estimated anew only at the doublings of its count; the "
    "same with the sharp grid. Black: the optimistic linear program on plain means, which is not replicable. A3, B5, C10: instances with "
    "1, 2 and 3 constraints. Each horizon has runs of its own, because the widths depend on T."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per instance."""
    figure, panels = per_instance(table, "violation", per_round, "violation per round, $V_T$ / T (cost units)")
    for axes in panels:
        decades(axes, "y")
    return figure
