"""Beyond the paper: double robustness or regularisation? The paper gives DRTS another lambda_t than its competitors; here each gets
each."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "LinTS (a ridge regression on the arms played) and DRTS (doubly robust, exact propensities) under the same regularisation λ_t. "
    "Left: mean R(T) with the best v of each (smallest mean R(T) over these replicates), bars: 95% interval of the mean (Student's "
    "t). Right: paired differences in R(T) by replicate, first minus second, with the t-interval: right of 0 the second has less "
    "regret. The first row is the comparison that the paper makes; the others change one thing: doubly robust or not at equal λ, then "
    "λ = 1 or sqrt(t) within one algorithm. (Shipped grid: n = 20, T = 20,000, radial contexts, one β.) The text counts, over all v "
    "of DRTS and all its three λ, the rounds in which it drew again, and those in which all M_t draws were used up."
)
FILLS = {0: "full", 1: "none", 2: "left", 3: "right"}


def draw(table: pd.DataFrame) -> Figure:
    """A row of two panels per setting."""
    worlds = list(table[["arms", "dimension"]].drop_duplicates().itertuples(index=False))
    members = list(table[table["method"] != ""][["method", "ridge"]].drop_duplicates().itertuples(index=False))
    compared = [text for text in dict.fromkeys(table["compared"]) if text]
    figure, panels = plotting.new_figure(len(worlds), 2, (3.3, 1.25))
    for i, (arms, dimension) in enumerate(worlds):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension)]
        levels, differences = panels[2 * i], panels[2 * i + 1]
        _levels(levels, world[world["quantity"] == "R(T)"], [(str(method), str(ridge)) for method, ridge in members])
        _differences(differences, world[world["quantity"] == "difference in R(T)"].set_index("compared"), compared)
        counted = world[world["quantity"].str.startswith("all ")].set_index("quantity")["measured"]
        levels.set_title(f"N = {arms}, d = {dimension}", loc="left")
        text = f"DRTS: {counted['all resamples']:,.0f} resamples, {counted['all exhausted']:,.0f} exhausted"
        differences.set_title(text, loc="right", fontsize=7)
    panels[-2].set_xlabel("R(T) (reward units)")
    panels[-1].set_xlabel("R(T) of the first minus the second")
    return figure


def _text(ridge: str) -> str:
    return "λ = √t" if ridge == "sqrt t" else f"λ = {ridge}"


def _levels(axes: Axes, rows: pd.DataFrame, members: list[tuple[str, str]]) -> None:
    found = rows.set_index(["method", "ridge"])
    ridges = list(dict.fromkeys(ridge for _, ridge in members))
    for place, (method, ridge) in enumerate(members):
        entry: Any = found.loc[(method, ridge)]
        look = plotting.look(method)
        axes.plot([entry["low"], entry["high"]], [-place, -place], color=look.colour)
        fill = FILLS[ridges.index(ridge) % len(FILLS)]
        axes.plot(entry["measured"], -place, look.marker, color=look.colour, fillstyle=fill, markerfacecoloralt="white", ms=5)
    axes.set_yticks(
        [-place for place in range(len(members))], [f"{plotting.look(method).name}, {_text(ridge)}" for method, ridge in members]
    )
    _tidy(axes, len(members))
    axes.set_xlim(left=0)


def _differences(axes: Axes, rows: pd.DataFrame, compared: list[str]) -> None:
    axes.axvline(0, color="black", lw=0.8)
    for place, text in enumerate(compared):
        entry = rows.loc[text]
        axes.plot([entry["low"], entry["high"]], [-place, -place], color="black")
        axes.plot(entry["measured"], -place, "D", color="black", mfc="black" if place == 0 else "white", ms=4)
    labels = [text.replace("sqrt t", "√t").replace(" - ", " − ") for text in compared]
    axes.set_yticks([-place for place in range(len(compared))], labels)
    _tidy(axes, len(compared))


def _tidy(axes: Axes, places: int) -> None:
    axes.set_ylim(0.5 - places, 0.5)
    axes.tick_params(axis="y", labelsize=6.5)
