"""Beyond the paper: what becomes of the lead of DRTS when the runs go on."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Beyond the paper's horizon (shipped grid: N = 10, d = 20, T = 100,000, n = 10). Left: mean cumulative regret of LinTS and of "
    "DRTS (exact propensities), each with its best v (smallest mean regret at the end over these replicates), and DRTS with its "
    "second-best v as a thin line; bands: 95% interval of the mean (Student's t). The legend gives the slope over the last fifth of "
    "the horizon in reward units per 1000 rounds, with its t-interval. Right: LinTS minus DRTS, best v of each, paired by replicate, "
    "with the t-interval of the mean at each round: positive where DRTS has less regret; falling where LinTS catches up. The grey "
    "line marks the paper's T = 20,000."
)
PAPER = 20_000


def draw(table: pd.DataFrame) -> Figure:
    """Regret on the left, the paired difference on the right."""
    figure, (left, right) = plotting.new_figure(1, 2, (3.4, 2.8))
    slopes = table[table["quantity"] == "slope"].set_index(["method", "rule"])
    regret = table[(table["quantity"] == "regret") & (table["place"] <= 2)]
    for (method, rule, place), curve in regret.groupby(["method", "rule", "place"], sort=False):
        if place == 1 or method == "doubly_robust_thompson":
            slope: Any = slopes.loc[(str(method), str(rule))]
            text = f"{plotting.look(str(method)).name}, {rule}: {slope['measured']:.2f} [{slope['low']:.2f}, {slope['high']:.2f}]"
            _band(left, curve, str(method), text, place == 1)
    lead = table[table["quantity"] == "lead of DRTS"]
    right.axhline(0, color="black", lw=0.8)
    right.plot(lead["round"], lead["measured"], color="black")
    right.fill_between(lead["round"], lead["low"], lead["high"], color="black", alpha=0.15, lw=0)
    left.set(ylabel="cumulative regret R(t) (reward units)", title="regret; slope at the end per 1000 rounds", ylim=(0, None))
    right.set(ylabel="R(t) of LinTS minus R(t) of DRTS", title="paired difference (above 0: DRTS better)")
    left.legend(loc="lower right", fontsize=7)
    for axes in (left, right):
        last = table["round"].max()
        axes.set(xlabel="round t", xlim=(0, last))
        axes.xaxis.set_major_formatter(lambda value, _: plotting.plain(value) if value else "0")
        if last > PAPER:
            axes.axvline(PAPER, color="#888888", lw=0.8)
    return figure


def _band(axes: Axes, curve: pd.DataFrame, method: str, text: str, leading: bool) -> None:
    look = plotting.look(method)
    axes.plot(
        curve["round"], curve["measured"], color=look.colour, ls=look.line if leading else ":", lw=1.5 if leading else 0.9, label=text
    )
    if leading:
        axes.fill_between(curve["round"], curve["low"], curve["high"], color=look.colour, alpha=0.2, lw=0)
