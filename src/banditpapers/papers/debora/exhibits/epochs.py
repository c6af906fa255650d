"""Epochs against their bound (sections 3 and 4)."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades

CAPTION = (
    "Number of epochs H over its bound K ⌈log₂ T⌉, by horizon. Lines: means over runs, one line per set of arms (DEBORA: K and gap, "
    "shipped grid 100 runs) or instance and reading of the calls (DEBORA-S, DEBORA-H: 50 runs); ρ = 0.3. Markers without a line: the "
    "largest of all runs of any set or instance, at any ρ of the grid. Dotted: the bound."
)
NAMES = {"debora": "DEBORA", "debora_soft": "DEBORA-S", "debora_hard": "DEBORA-H"}
STYLES = (("#D55E00", "-"), ("#0072B2", "--"), ("#009E73", "-."), ("#000000", ":"), ("#CC79A7", "-"), ("#56B4E9", "--"))


def draw(table: pd.DataFrame) -> Figure:
    """A panel per algorithm."""
    methods = [method for method in NAMES if method in set(table["method"])]
    figure, panels = plotting.new_figure(1, len(methods), (2.9, 2.9), sharey=True)
    for axes, method in zip(panels, methods, strict=True):
        own = table[(table["method"] == method) & (table["horizon"] > 0)]
        _panel(axes, own)
        axes.set(
            title=NAMES[method], xlabel="horizon T (rounds)", xlim=(own["horizon"].min() / 2, 2 * own["horizon"].max()), ylim=(0, 1.08)
        )
        decades(axes, "x", 5)
        axes.legend(loc="lower left", fontsize=7.5)
    panels[0].set_ylabel("epochs H / (K ⌈log₂ T⌉)")
    return figure


def _panel(axes: Axes, own: pd.DataFrame) -> None:
    means = own[(own["quantity"] == "epochs") & own["default"]]
    groups = [*dict.fromkeys((arms, name) for arms, name in zip(means["arms"], means["instance"], strict=True))]
    for i, (arms, name) in enumerate(groups):
        colour, line = STYLES[i % len(STYLES)]
        label = f"{name} (K = {arms})" if name else f"K = {arms}"
        part = means[(means["arms"] == arms) & (means["instance"] == name)]
        for _, curve in part.groupby(["gap", "variant"], sort=False, dropna=False):
            axes.plot(curve["horizon"], curve["measured"], color=colour, ls=line, lw=1.0, label=label)
            label = ""
    largest = own[own["quantity"] == "largest"].groupby("horizon")["measured"].max()
    axes.plot(largest.index, largest, color="black", ls="none", marker="x", label="largest of all")
    axes.axhline(1, color="black", ls=":", lw=1.2)
