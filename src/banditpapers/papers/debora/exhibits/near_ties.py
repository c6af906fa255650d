"""How often two runs differ where arms are nearly equal."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import power, styled

CAPTION = (
    "Share of pairs of runs that differ in an epoch's arm or length, by the gap of the best arm; the other K − 1 arms are equal (ρ = "
    "0.3; shipped grid: 2000 pairs). Bars: Clopper-Pearson 95% interval. Dotted: ρ, the promise. Algorithm 2 of Esfandiari et al. as "
    "printed commits to the arm with the largest plain mean: of nearly equal arms that is a coin's choice in each run; with the "
    "smallest label instead it keeps the promise. DEBORA that estimates all arms anew in each epoch with the same ρ' is a control: the "
    "union bound is over one call per epoch. The algorithm in the style of RSE is a reconstruction."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per K and horizon."""
    shown = table[table["quantity"] == "non-replication"]
    worlds = [(k, horizon) for k in dict.fromkeys(shown["arms"]) for horizon in dict.fromkeys(shown["horizon"])]
    columns = shown["horizon"].nunique()
    figure, panels = plotting.new_figure(len(worlds) // columns, columns, (3.9, 2.5), sharey=True)
    for i, (axes, (k, horizon)) in enumerate(zip(panels, worlds, strict=True)):
        _panel(axes, shown[(shown["arms"] == k) & (shown["horizon"] == horizon)])
        axes.set(title=f"K = {k}, T = {power(horizon)}", ylim=(-0.02, 1.0))
        axes.set(xlabel="gap of the best arm" if i >= len(worlds) - columns else "")
        axes.set(ylabel="share of pairs that differ" if i % columns == 0 else "")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _panel(axes: Axes, shown: pd.DataFrame) -> None:
    gaps = sorted(set(shown["gap"]))
    kinds = list(dict.fromkeys(zip(shown["method"], shown["variant"], strict=True)))
    for i, (method, variant) in enumerate(kinds):
        look = styled(method, variant)
        points = shown[(shown["method"] == method) & (shown["variant"] == variant)]
        at = [gaps.index(gap) + 0.8 * ((i + 0.5) / len(kinds) - 0.5) for gap in points["gap"]]
        bars = [points["measured"] - points["low"], points["high"] - points["measured"]]
        style: dict[str, Any] = {"color": look.colour, "ls": "none", "ms": 5, "elinewidth": 1.0}
        axes.errorbar(at, points["measured"], yerr=bars, fmt=look.marker, label=look.name, **style)
    axes.axhline(float(shown["rho"].iloc[0]), color="black", ls=":", lw=1.2, label="ρ")
    axes.set_xticks(range(len(gaps)), [f"{gap:g}" for gap in gaps])
    axes.set_xlim(-0.5, len(gaps) - 0.5)
    axes.grid(visible=False, axis="x")
    for between in range(1, len(gaps)):
        axes.axvline(between - 0.5, color="#dddddd", lw=0.6)
