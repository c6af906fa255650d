"""Beyond the paper: what sets the learnt bound."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "What sets the learnt bound. Above: h(β) = −G/W, where G is the sum of the gradient (13) without its η term over T rounds of "
    "SoftUCB with a fixed β, and W that of Σ w_i (means over sets of arms; shipped grid: n = 50, σ² = 0.1; bands: 95% jackknife "
    "interval over the sets). A step of Algorithm 3 moves β by λW(η − h(β)): upwards where h is below η, downwards where it is above. "
    "So for η below the maximum of h (open star) β̂ settles on the rising branch, where h passes η (dots); right of the falling "
    "branch, and for η above the maximum, it diverges. h is positive at every β shown: without the η term β̂ falls to 0. Dashed "
    "lines: the η of Table 1 (solid: that of the other exhibits). Below: the regret R(T) of a fixed β (band: 95% interval of the "
    "mean, Student's t), and the β to which each η leads: nothing in η knows where the regret is least."
)


def draw(table: pd.DataFrame) -> Figure:
    """A column of two panels per setting."""
    settings = list(table[["arms", "dimension", "horizon"]].drop_duplicates().itertuples(index=False))
    figure, panels = plotting.new_figure(2, len(settings), (2.25, 2.2))
    for axes, below, (arms, dimension, horizon) in zip(panels[: len(settings)], panels[len(settings) :], settings, strict=True):
        world = table[(table["arms"] == arms) & (table["dimension"] == dimension) & (table["horizon"] == horizon)]
        settled = world[world["quantity"] == "learnt beta predicted"]
        _balance(axes, world, settled)
        _regret(below, world, settled)
        axes.set_title(f"K = {arms}, d = {dimension}, T = {horizon}")
        below.set_xlabel("β")
    panels[0].set_ylabel("h(β) = −G/W  (10⁻³)")
    panels[len(settings)].set_ylabel("R(T) (reward units)")
    return figure


def _balance(axes: Axes, world: pd.DataFrame, settled: pd.DataFrame) -> None:
    curve, top = world[world["quantity"] == "h"], world[world["quantity"] == "maximum"].iloc[0]
    colour = plotting.VERMILION
    axes.fill_between(curve["beta"], 1e3 * curve["low"], 1e3 * curve["high"], color=colour, alpha=0.2, lw=0)
    axes.plot(curve["beta"], 1e3 * curve["measured"], color=colour)
    axes.plot(top["at"], 1e3 * top["measured"], "*", color=colour, mfc="white", ms=10, zorder=4)
    first = curve["beta"].min()
    for entry in settled.to_dict("records"):
        height = 1e3 * entry["eta"]
        axes.axhline(height, color="black", lw=1.0 if entry["default"] else 0.7, ls="-" if entry["default"] else "--")
        axes.plot(entry["measured"], height, "o", color="black", mfc="black" if entry["default"] else "white", ms=4.5, zorder=5)
        axes.annotate(f"η = {entry['eta']:g}", (first, height), xytext=(1, 1), textcoords="offset points", fontsize=6.5, va="bottom")
    thin_log_scale(axes)
    axes.set_ylim(bottom=min(0.0, 1e3 * curve["low"].min()))


def _regret(axes: Axes, world: pd.DataFrame, settled: pd.DataFrame) -> None:
    curve = world[world["quantity"] == "regret"]
    look = plotting.look("soft_ucb")
    axes.fill_between(curve["beta"], curve["low"], curve["high"], color=look.colour, alpha=0.3, lw=0)
    axes.plot(curve["beta"], curve["measured"], color=plotting.BLUE)
    for entry in settled.dropna(subset="measured").to_dict("records"):
        axes.axvline(entry["measured"], color="black", lw=1.0 if entry["default"] else 0.7, ls="-" if entry["default"] else "--")
    thin_log_scale(axes)
    plotting.log_scale(axes, "y")


def thin_log_scale(axes: Axes) -> None:
    """A logarithmic axis of beta with every other label, for a narrow panel."""
    plotting.log_scale(axes, "x")
    axes.set_xticks(axes.get_xticks()[::2])
