"""Violation of DEBORA-S and regret of DEBORA-H in units of C sqrt(K T) (sections 4 and 5)."""

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.panels import decades, plot, title
from banditpapers.papers.debora.summaries.constrained_collapse import CONSTANT

CAPTION = (
    "Violation of DEBORA-S and of the optimistic linear program (upper row), regret of DEBORA-H and of OPB (lower row), divided by C √(K "
    "T), against the horizon, log-log. C is the half-width of one estimate at one sample: it holds all of ρ, δ, m and the grid, so that "
    "the variants end on one plateau each instance, far apart as their onsets are. Dotted line: 2 (√2 + 1) = 4.83, the constant that "
    "doubling epochs give the violation. Lines: means over pairs of runs (shipped grid: 50 pairs at each T, ρ = 0.3, δ = ρ/10); bands: "
    "95% normal intervals, mostly within the lines. Lines begin where they pass 0.001."
)
LEAST = 1e-3
ROWS = {("debora_soft", "optimistic_lp"): "violation / (C √(K T))", ("debora_hard", "pessimistic_lp"): "regret / (C √(K T))"}


def draw(table: pd.DataFrame) -> Figure:
    """A row per setting, soft or hard, and a column per instance."""
    shown = table[(table["quantity"] == "collapsed") & (table["measured"] > 0)]
    names = list(dict.fromkeys(shown["instance"]))
    figure, panels = plotting.new_figure(len(ROWS), len(names), (2.8, 2.4), sharey=True)
    for place, axes in enumerate(panels):
        methods, ylabel = list(ROWS.items())[place // len(names)]
        curves = shown[shown["instance"] == names[place % len(names)]]
        plot(axes, curves, lambda curve, column: curve[column], methods)
        if place < len(names):
            axes.axhline(CONSTANT, color="black", ls=":", lw=1.0)
            axes.set_title(title(curves))
        else:
            axes.set_xlabel("horizon T (rounds)")
        axes.set_ylabel(ylabel if place % len(names) == 0 else "")
        decades(axes, "x")
    panels[0].set_ylim(LEAST, 10)
    for axes in panels:
        decades(axes, "y")
    handles, labels = _entries(panels)
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _entries(panels: list[Axes]) -> tuple[list[Artist], list[str]]:
    """DEBORA-S and DEBORA-H share lines: one entry per variant, and the programs on plain means."""
    found: dict[str, Artist] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label.removeprefix("DEBORA-S, ").removeprefix("DEBORA-H, "), handle)
    return list(found.values()), list(found)
