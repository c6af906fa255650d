"""RepMean by itself (lemma 1): splits and errors of three grids."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades

CAPTION = (
    "RepMean of two samples of n Bernoulli(1/2) numbers with the same shift, for two pairs (ρ', δ') of parameters (shipped grid: "
    "200,000 pairs of samples for each n, the same for all grids). Above: share of pairs whose outputs differ; thin lines: 2σ/(√(πn) "
    "α); dotted: ρ', the promise. Below: share of outputs that miss the mean by more than ζ; dotted: δ', the promise; a caret stands "
    "at the upper Clopper-Pearson 95% limit where no output missed. Bars: Clopper-Pearson 95% interval. Cells α = 2ζ/(1 + ρ' − 2δ') "
    "(paper), α = ζ (whole), α = 1/(ρ' √(2n)) (sharp)."
)
STYLES = {"paper": ("#D55E00", "-", "o"), "whole": ("#0072B2", "--", "s"), "sharp": ("#CC79A7", "-.", "^")}
NAMES = {"paper": "paper, α = 2ζ/(1 + ρ' − 2δ')", "whole": "α = ζ", "sharp": "sharp, α = 1/(ρ' √(2n))"}


def draw(table: pd.DataFrame) -> Figure:
    """A column per (rho', delta'); splits above errors."""
    settings = list(dict.fromkeys(zip(table["rho"], table["delta"], strict=True)))
    figure, panels = plotting.new_figure(2, len(settings), (4.0, 2.5))
    for i, (rho, delta) in enumerate(settings):
        own = table[(table["rho"] == rho) & (table["delta"] == delta)]
        _panel(panels[i], own, "split", rho)
        _panel(panels[len(settings) + i], own, "error", delta)
        panels[i].set_title(f"ρ' = {rho:g}, δ' = {delta:g}")
        panels[len(settings) + i].set_xlabel("samples n")
    panels[0].set_ylabel("share of pairs that split")
    panels[len(settings)].set_ylabel("share of outputs off by > ζ")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def _panel(axes: Axes, own: pd.DataFrame, quantity: str, promise: float) -> None:
    shown, samples = own[own["quantity"] == quantity], sorted(set(own["samples"]))
    for i, (variant, points) in enumerate(shown.groupby("variant", sort=False)):
        colour, line, marker = STYLES[str(variant)]
        style: dict[str, Any] = {"color": colour, "ls": "none", "elinewidth": 0.8}
        apart = points.assign(samples=points["samples"] * 1.15 ** (i - 1))
        seen, none = apart[apart["measured"] > 0], apart[apart["measured"] == 0]
        bars = [seen["measured"] - seen["low"], seen["high"] - seen["measured"]]
        axes.errorbar(seen["samples"], seen["measured"], yerr=bars, fmt=marker, label=NAMES[str(variant)], **style)
        axes.plot(none["samples"], none["high"], color=colour, ls="none", marker=7, mfc="none")
        if quantity == "split":
            line_of = own[(own["quantity"] == "predicted split") & (own["variant"] == variant)]
            axes.plot(line_of["samples"], line_of["measured"], color=colour, ls=line, lw=0.8)
    axes.axhline(promise, color="black", ls=":", lw=1.2, label="ρ' (above), δ' (below)")
    least = min([*shown["measured"][shown["measured"] > 0], *shown["high"]])
    axes.set(xlim=(samples[0] / 2, 2 * samples[-1]), ylim=(least / 2, 2.5 * promise))
    decades(axes, "x", 7)
    if quantity == "split":
        plotting.log_scale(axes, "y")
    else:
        decades(axes, "y", 5)
