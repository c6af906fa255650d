"""How learning curves of SoftUCB are drawn: beta-hat above, regret below, a line for each eta."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Lines: means over the replicates (shipped grid: n = 50 sets of K = 50 arms, σ² = 0.1, N = 100 training trajectories, step 1/T, "
    "β₀ = 0, δ = 0.99); bands: 95% interval of the mean (Student's t). Thick solid line: the η of all other exhibits (0.001); thin "
    "lines: other η, in the legend from the smallest to the largest. Upper panels: β after training trajectory n, on a logarithmic "
    "scale; dotted: β̃, the bound of theory (equation 5 with R² = σ² = 0.1, δ = 0.1, at t = T). Lower panels: regret of trajectory n, "
    "which is played with β of trajectory n − 1 and new noise. The paper prints no η: it is open, and it sets β̂."
)
NAMES = {"offline": "soft_ucb_offline", "online": "soft_ucb_online"}
OTHERS = ("--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
ROOM = 1.6  # how far the logarithmic axis of beta reaches beyond what is shown


def draw(table: pd.DataFrame) -> Figure:
    """A column per setting (d, T)."""
    settings = list(table[["dimension", "horizon"]].drop_duplicates().itertuples(index=False))
    figure, panels = plotting.new_figure(2, len(settings), (2.9 if len(settings) > 2 else 3.4, 2.7))
    for i, (dimension, horizon) in enumerate(settings):
        curves = table[(table["dimension"] == dimension) & (table["horizon"] == horizon)]
        above, below = panels[i], panels[len(settings) + i]
        beta_panel(above, curves)
        regret_panel(below, curves, legend=i == 0)
        above.set(title=f"d = {dimension}, T = {horizon}", ylabel="β (log scale)" if i == 0 else "")
        below.set(xlabel="training trajectory n", ylabel="regret of trajectory n (reward units)" if i == 0 else "")
    ends = [end for axes in panels[: len(settings)] for end in axes.get_ylim()]
    for axes in panels[: len(settings)]:
        axes.set_ylim(min(ends), max(ends))
    return figure


def beta_panel(axes: Axes, curves: pd.DataFrame) -> None:
    """beta against x, and beta-tilde."""
    shown = curves[curves["quantity"] == "beta"]
    _lines(axes, shown)
    tilde, positive = float(shown["beta_tilde"].iloc[0]), shown["measured"][shown["measured"] > 0]
    axes.axhline(tilde, color="black", ls=":", lw=1.2)
    axes.text(0.98, tilde, f"β̃ = {tilde:.2f}", transform=axes.get_yaxis_transform(), ha="right", va="bottom", fontsize=8)
    axes.set_ylim(min([tilde, *positive]) / ROOM, ROOM * max([tilde, *positive]))
    plotting.log_scale(axes, "y")


def regret_panel(axes: Axes, curves: pd.DataFrame, legend: bool) -> None:
    """Regret against x, from 0 up."""
    _lines(axes, curves[curves["quantity"] == "regret"])
    axes.set_ylim(bottom=0)
    if legend:
        axes.legend(loc="best", fontsize=7.5)


def _lines(axes: Axes, shown: pd.DataFrame) -> None:
    look = plotting.look(NAMES[shown["panel"].iloc[0]])
    others = iter(OTHERS * len(shown))
    for (eta, default), curve in shown.groupby(["eta", "default"]):
        style = {"ls": "-", "lw": 2.2, "zorder": 3} if default else {"ls": next(others), "lw": 1.1}
        axes.plot(curve["x"], curve["measured"], color=look.colour, label=f"η = {eta:g}", **style)
        axes.fill_between(curve["x"], curve["low"], curve["high"], color=look.colour, alpha=0.18 if default else 0.1, lw=0)
    axes.set_xlim(shown["x"].min() - 1, shown["x"].max())
