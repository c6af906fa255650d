"""Regret in units of the bound (section 3): one curve per gap, whatever K, rho and T."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades

CAPTION = (
    "Mean regret of DEBORA times gap / ((K − 1) C²) against T gap² / (K C²), where C(K, T, ρ) is the coefficient of the width ζ = C/√n: "
    "all K, ρ and T of the shipped grid (K = 2, 5, 10; gaps 0.4, 0.2, 0.05; ρ = 0.1, 0.3, 0.9 with the paper's grid, 0.3 with the sharp "
    "one; T from 10³ to 10¹⁵; 100 pairs of runs). Bars: normal 95% interval of the mean. Colour and marker shape: the gap; marker size: "
    "K, larger for more arms. Dotted: 8, which Σ_a 8 C²/gap_a + gap_a allows a run while all widths hold; no run of any pair exceeds it "
    "(the CSV file has the largest). To the right of 1 the regret of uniform play is left; the plateau depends on the gap alone."
)
STYLES = (("#D55E00", "o"), ("#0072B2", "s"), ("#009E73", "^"), ("#000000", "D"), ("#CC79A7", "v"), ("#56B4E9", "P"))
GRIDS = {"": "the paper's grid", "sharp": "sharp grid"}
BOUND = 8.0


def draw(table: pd.DataFrame) -> Figure:
    """A panel per grid of RepMean."""
    shown = table[table["quantity"] == "collapsed"]
    variants = [variant for variant in GRIDS if variant in set(shown["variant"])]
    figure, panels = plotting.new_figure(1, len(variants), (4.2, 3.5), sharey=True)
    for axes, variant in zip(panels, variants, strict=True):
        _panel(axes, shown[shown["variant"] == variant], list(dict.fromkeys(shown["gap"])))
        axes.set(title=f"DEBORA, {GRIDS[variant]}", xlabel="T gap² / (K C²)")
        axes.set(xlim=(shown["scaled_horizon"].min() / 2, 2 * shown["scaled_horizon"].max()), ylim=(shown["measured"].min() / 2, 20))
        decades(axes, "x", 8)
        decades(axes, "y", 8)
    panels[0].set_ylabel("mean regret × gap / ((K − 1) C²)")
    panels[0].legend(loc="lower right")
    return figure


def _panel(axes: Axes, shown: pd.DataFrame, gaps: list[float]) -> None:
    sizes = {arms: 2.0 + 1.5 * i for i, arms in enumerate(sorted(set(shown["arms"])))}
    for (gap, arms), points in shown.groupby(["gap", "arms"], sort=False):
        colour, marker = STYLES[gaps.index(float(str(gap))) % len(STYLES)]
        bars = [(points["measured"] - points["low"]).clip(upper=0.999 * points["measured"]), points["high"] - points["measured"]]
        style: dict[str, Any] = {"color": colour, "mfc": "none", "ls": "none", "elinewidth": 0.6}
        label = f"gap {gap:g}" if arms == min(sizes) else None
        axes.errorbar(points["scaled_horizon"], points["measured"], yerr=bars, fmt=marker, ms=sizes[int(str(arms))], label=label, **style)
    axes.axhline(BOUND, color="black", ls=":", lw=1.2)
    axes.text(0.02, BOUND * 1.08, "8, the bound", transform=axes.get_yaxis_transform(), va="bottom", fontsize=8)
