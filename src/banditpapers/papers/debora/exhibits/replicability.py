"""How often two runs differ, against rho (theorem 1)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades, power, styled

CAPTION = (
    "Share of pairs of runs that differ in an epoch's arm or length, where both runs share the shifts of RepMean's grids and meet other "
    "rewards, against ρ (DEBORA, δ = ρ/10, gap 0.2; shipped grid: 5000 pairs). Bars: Clopper-Pearson 95% interval. Filled markers: the "
    "smallest horizon; hollow ones: the largest. Thin lines: predicted number of split calls, H · 2σ/(√(πn) α) with σ = 1/2 and the "
    "measured number H of calls, solid and dashed as the horizons; a pair that differs has a split call, so that the share is at most "
    "that number, about. Dotted: ρ, the promise."
)
GRIDS = {"": "paper's grid", "sharp": "sharp grid"}


def draw(table: pd.DataFrame) -> Figure:
    """A panel per K."""
    shown = table[(table["arms"] > 0) & table["quantity"].isin(["non-replication", "predicted"])]
    arms = list(dict.fromkeys(shown["arms"]))
    figure, panels = plotting.new_figure(1, len(arms), (2.9, 3.2), sharey=True)
    rhos = sorted(set(shown["rho"]))
    for axes, k in zip(panels, arms, strict=True):
        _panel(axes, shown[shown["arms"] == k])
        axes.plot(rhos, rhos, color="black", ls=":", lw=1.2, label="ρ")
        floor = shown["measured"][shown["measured"] > 0].min()
        axes.set(title=f"K = {k}", xlabel="ρ", xlim=(rhos[0] / 1.2, 1.2 * rhos[-1]), ylim=(floor / 2, 1.3))
        plotting.log_scale(axes, "x")
        decades(axes, "y")
    panels[0].set_ylabel("share of pairs that differ")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def _panel(axes: Axes, shown: pd.DataFrame) -> None:
    horizons = sorted(set(shown["horizon"]))
    measured, predicted = (shown[shown["quantity"] == quantity] for quantity in ("non-replication", "predicted"))
    for variant, (i, horizon) in ((variant, pair) for variant in GRIDS for pair in enumerate(horizons)):
        look = styled("debora", variant)
        points = measured[(measured["variant"] == variant) & (measured["horizon"] == horizon)]
        bars = [points["measured"] - points["low"], points["high"] - points["measured"]]
        style: dict[str, Any] = {"color": look.colour, "ls": "none", "mfc": look.colour if i == 0 else "white", "elinewidth": 0.8}
        name = f"{GRIDS[variant]}, T = {power(horizon)}"
        axes.errorbar(points["rho"] * (1.03 if i else 0.97), points["measured"], yerr=bars, fmt=look.marker, label=name, **style)
        line = predicted[(predicted["variant"] == variant) & (predicted["horizon"] == horizon)]
        axes.plot(line["rho"], line["measured"], color=look.colour, ls="--" if i else "-", lw=0.8)
