"""Regret against the horizon, with all algorithms (section 3)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades, styled

CAPTION = (
    "Mean regret of a run against the horizon T, each T a run of its own; K arms of mean 1/2 but for one that is better by the gap. "
    "Lines: means over pairs of runs (shipped grid: 100 pairs; bands: normal 95% interval of the mean, often as thin as the line). "
    "Thick: the algorithms at ρ = 0.3, DEBORA with δ = ρ/10, with the paper's grid of RepMean and with the sharp one; thin, without "
    "markers: DEBORA at the other ρ, below the thick line the larger (0.9), above it the smaller (0.1). Dotted grey: uniform play, T "
    "gap (K − 1)/K. UCB1 is played round by round, up to T = 10⁶, and is not replicable, as UCB with doubling epochs. The curve in the "
    "style of RSE is a reconstruction with constants of our own. Algorithm 1 of Esfandiari et al. has RepMean's width for its radius."
)


def draw(table: pd.DataFrame) -> Figure:
    """A row of panels per K, a column per gap."""
    shown = table[table["quantity"].isin(["regret", "uniform play"])]
    arms, gaps = list(dict.fromkeys(shown["arms"])), list(dict.fromkeys(shown["gap"]))
    figure, panels = plotting.new_figure(len(arms), len(gaps), (2.75, 2.15))
    low, high = shown["horizon"].min(), shown["horizon"].max()
    for i, (axes, world) in enumerate(zip(panels, ((k, gap) for k in arms for gap in gaps), strict=True)):
        curves = shown[(shown["arms"] == world[0]) & (shown["gap"] == world[1])]
        _panel(axes, curves)
        below = i >= len(panels) - len(gaps)
        axes.set(xlim=(low / 1.5, 1.5 * high), title=f"K = {world[0]}, gap {world[1]:g}", xlabel="horizon T (rounds)" if below else "")
        axes.set(ylabel="mean regret (reward units)" if i % len(gaps) == 0 else "", ylim=(shown["measured"].min() / 2, 2 * high))
        decades(axes, "x")
        decades(axes, "y")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=min(4, len(gaps)))
    return figure


def _panel(axes: Axes, curves: pd.DataFrame) -> None:
    uniform = curves[curves["method"] == "uniform"].sort_values("horizon")
    axes.plot(uniform["horizon"], uniform["measured"], color="#888888", ls=":", lw=1.2, label="uniform play")
    played = curves[curves["method"] != "uniform"]
    for (method, variant, leads, _), curve in played.groupby(["method", "variant", "default", "rho"], sort=False):
        look = styled(str(method), str(variant))
        if not leads:
            axes.plot(curve["horizon"], curve["measured"], color=look.colour, ls=look.line, lw=0.7)
            continue
        style: dict[str, Any] = {"color": look.colour, "ls": look.line, "marker": look.marker, "label": look.name}
        axes.plot(curve["horizon"], curve["measured"], markevery=2, **style)
        axes.fill_between(curve["horizon"], curve["low"].clip(lower=1e-9), curve["high"], color=look.colour, alpha=0.18, lw=0)
