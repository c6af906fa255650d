"""How Figure 1 is drawn, as released and repaired: regret above, estimation error below, a column per setting."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

LABELS = {"regret": "cumulative regret R(t) (reward units)", "error": "estimation error |b − β| (log scale)"}
CAPTION = (
    "Each line is the mean over the replicates (shipped grid: n = 10, T = 20,000) of the algorithm with its best parameters, named in "
    "the legend: those with the smallest mean R(T) on these same replicates, as the paper chooses. Bands: mean ± one sample standard "
    "deviation over replicates (divisor n − 1), which is the spread of runs and no confidence interval. Thin lines with open markers: "
    "the published curves, read off the figure (means of 10 repetitions; errors were published for N = 10 only). Upper row: "
    "cumulative regret without noise. Lower row: Euclidean distance of the estimate from β after each round, both axes logarithmic, "
    "so that the early peak shows; the dotted line is |β|, the error of the estimate 0."
)


def draw(table: pd.DataFrame) -> Figure:
    """Two rows of panels over the settings."""
    worlds = list(table[["arms", "dimension"]].drop_duplicates().itertuples(index=False))
    figure, panels = plotting.new_figure(2, len(worlds), (2.75, 2.5))
    for i, (arms, dimension) in enumerate(worlds):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension)]
        for axes, quantity in zip((panels[i], panels[len(worlds) + i]), LABELS, strict=True):
            _panel(axes, world[world["quantity"] == quantity], quantity)
            axes.set_title(f"N = {arms}, d = {dimension}")
    errors = table[table["quantity"] == "error"]
    highest = np.nanmax([errors["measured"] + errors["sd"].fillna(0), errors["published"]])
    for axes in panels[len(worlds) :]:
        axes.set_ylim(0.6 * errors["measured"].min(), 1.1 * highest)
        plotting.log_scale(axes, "y")
    marked: dict[str, Any] = {"lw": 0.7, "marker": "o", "mfc": "white", "ms": 3.2, "mew": 0.7}
    panels[len(worlds)].plot([], [], color="#555555", label="published", **marked)
    panels[len(worlds)].plot([], [], color="black", ls=":", lw=0.8, label="|β|")
    keys, labels = panels[len(worlds)].get_legend_handles_labels()
    panels[len(worlds)].legend(keys[-2:], labels[-2:], loc="upper right", fontsize=6.5)
    for axes, label in zip((panels[0], panels[len(worlds)]), LABELS.values(), strict=True):
        axes.set_ylabel(label)
    return figure


def _panel(axes: Axes, curves: pd.DataFrame, quantity: str) -> None:
    for method, curve in curves.groupby("method", sort=False):
        look = plotting.look(str(method))
        axes.plot(curve["round"], curve["measured"], color=look.colour, ls=look.line, label=f"{look.name}, {curve['rule'].iloc[0]}")
        low = (curve["measured"] - curve["sd"]).clip(lower=1e-9)
        axes.fill_between(curve["round"], low, curve["measured"] + curve["sd"], color=look.colour, alpha=0.15, lw=0)
        known = curve[curve["published"].notna()]
        axes.plot(
            known["round"],
            known["published"],
            color=look.colour,
            lw=0.7,
            alpha=0.6,
            marker=look.marker,
            mfc="white",
            ms=3.2,
            mew=0.7,
            zorder=1,
        )
    axes.set(xlabel="round t", xlim=(0, curves["round"].max()))
    if quantity == "regret":
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper left", fontsize=6.5)
        axes.xaxis.set_major_formatter(lambda value, _: plotting.plain(value) if value else "0")
        return
    axes.axhline(curves["beta_norm"].iloc[0], color="black", ls=":", lw=0.8)
    axes.set_xlim(1, curves["round"].max())
    plotting.log_scale(axes, "x")
