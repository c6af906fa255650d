"""Violation of DEBORA-S and regret of DEBORA-H against 1/rho and 1/lambda_min (Theorems of sections 4 and 5)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.panels import decades

CAPTION = (
    "Left: violation of DEBORA-S and regret of DEBORA-H on the first instance (A3) against 1/ρ. Right: regret of DEBORA-H and of OPB "
    "(reconstructed) against 1/λ_min, on three arms of which the last is safe by λ_min (rewards 0.95, 0.8, 0.1; costs 0.9, 0.5, 0.5 − "
    "λ_min; limit 0.5). Log-log; the legend has the slope over all points with the bootstrap's 95% interval over pairs of runs. Points: "
    "means over pairs (shipped grid: T = 10¹⁶, 500 pairs each; right: ρ = 0.3); bars: 95% normal intervals, mostly within the markers. "
    "Thin dotted lines have slope 1."
)
NAMES = {"debora_soft": "violation of DEBORA-S", "debora_hard": "regret of DEBORA-H", "pessimistic_lp": "regret of OPB"}


def draw(table: pd.DataFrame) -> Figure:
    """A panel for 1/rho and one for 1/lambda_min."""
    figure, panels = plotting.new_figure(1, 2, (3.3, 3.1))
    points = table[table["quantity"].isin(["violation", "regret"])]
    sides = (
        (panels[0], points[points["margin"] == 0], "rho", "slope in 1/rho", "1 / ρ"),
        (panels[1], points[points["margin"] > 0], "margin", "slope in 1/lambda", "1 / $λ_{min}$"),
    )
    for axes, chosen, of, slope, xlabel in sides:
        for method, line in chosen.groupby("method", sort=False):
            (found,) = table[(table["method"] == method) & (table["quantity"] == slope)].to_dict("records")
            _points(axes, 1 / line[of], line, str(method), found)
        axes.set_xlabel(xlabel)
        plotting.log_scale(axes, "x")
        low, high = axes.get_ylim()
        axes.set_ylim(low, high * (high / low) ** 0.35)  # room for the legend
        decades(axes, "y")
        axes.legend(loc="upper left")
    panels[0].set_ylabel("violation or regret (cost or reward units)")
    return figure


def _points(axes: Axes, x: pd.Series, line: pd.DataFrame, method: str, slope: Any) -> None:
    look = plotting.look(method)
    label = f"{NAMES[method]}\nslope {slope['measured']:.3f} [{slope['low']:.3f}, {slope['high']:.3f}]"
    bars = [line["measured"] - line["low"], line["high"] - line["measured"]]
    axes.errorbar(x, line["measured"], yerr=bars, color=look.colour, ls=look.line, marker=look.marker, capsize=2, label=label)
    first = line["measured"].iloc[x.argmin()]
    axes.plot([x.min(), x.max()], [first, first * x.max() / x.min()], color="black", ls=":", lw=0.8)
    axes.set_yscale("log")
