"""How often the runs of a pair of DEBORA-S or DEBORA-H differ (Lemmas of sections 4 and 5)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.panels import power

CAPTION = (
    "DEBORA-S and DEBORA-H: share of pairs of runs that differ in a strategy or an epoch (filled) and mean number of RepMean calls that "
    "split before the runs part (hollow), for three ways to share ρ and two grids. Dotted line: ρ, which bounds both where the union "
    "bound counts all calls; the text's count (section 4) is K times too small, and with the sharp grid its splits pass ρ. Shipped grid: "
    "1000 pairs per point, ρ = 0.3, two horizons; bars: 95% intervals, Clopper-Pearson for the share, normal for the mean. The y axis is "
    "linear below 0.01."
)
MARKS = {"non-replication": ("s", "full", "share of pairs that differ"), "splits": ("o", "none", "mean number of splits")}
BRIEF = {
    "union": "all calls", "text": "section 4", "lazy": "doublings", "sharp": "all calls,\nsharp", "sharp text": "section 4,\nsharp",
    "sharp lazy": "doublings,\nsharp",
}  # fmt: skip


def draw(table: pd.DataFrame) -> Figure:
    """A row per algorithm and instance, a column per horizon."""
    shown = table[table["quantity"].isin(list(MARKS))]
    rows = list(dict.fromkeys(shown[["method", "instance"]].itertuples(index=False, name=None)))
    horizons = sorted(set(shown["horizon"]))
    figure, panels = plotting.new_figure(len(rows), len(horizons), (4.1, 1.55), sharey=True)
    for place, axes in enumerate(panels):
        method, instance = rows[place // len(horizons)]
        horizon = horizons[place % len(horizons)]
        here = shown[(shown["method"] == method) & (shown["instance"] == instance) & (shown["horizon"] == horizon)]
        for offset, (quantity, (marker, fill, label)) in zip((-0.12, 0.12), MARKS.items(), strict=True):
            points = here[here["quantity"] == quantity].set_index("variant").reindex(list(BRIEF))
            x = [number + offset for number in range(len(BRIEF))]
            bars = [points["measured"] - points["low"].clip(lower=0), points["high"] - points["measured"]]
            axes.errorbar(
                x, points["measured"], yerr=bars, color=plotting.look(method).colour, ls="none", marker=marker, ms=5, fillstyle=fill,
                capsize=2, label=label,
            )  # fmt: skip
        axes.axhline(float(here["rho"].iloc[0]), color="black", ls=":", lw=1.0, label="ρ")
        axes.set_title(f"{plotting.look(method).name}, {instance}, T = {power(horizon)}")
        axes.set_yscale("symlog", linthresh=0.01)
        axes.set(ylim=(0, 1.5), yticks=[0, 0.01, 0.1, 1], yticklabels=["0", "0.01", "0.1", "1"], xticks=range(len(BRIEF)))
        axes.set_xticklabels(list(BRIEF.values()) if place >= len(panels) - len(horizons) else [""] * len(BRIEF), fontsize=7)
    panels[0].legend(*panels[0].get_legend_handles_labels(), loc="upper left", ncols=3, fontsize=7)
    figure.supylabel("share, or number per pair", fontsize=9)
    return figure
