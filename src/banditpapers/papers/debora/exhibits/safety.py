"""How often a run of DEBORA-H is unsafe when its widths are too narrow (Theorem of section 5)."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.panels import title

CAPTION = (
    "Share of runs with an unsafe round (g_i'x_t above α_i for some i): DEBORA-H on plain means with its widths times a factor, and "
    "DEBORA-H itself (square at factor 1). The theorem wants at most δ (dotted line). With the widths of the union bound, factor 1, no run "
    "is unsafe; with narrow ones many are, so that the count can see an unsafe round. Shipped grid: T = 10⁸, ρ = 0.3, δ = 0.03, 500 runs "
    "per point; bars: Clopper-Pearson 95% intervals."
)


def draw(table: pd.DataFrame) -> Figure:
    """A panel per instance."""
    shown = table[table["quantity"] == "unsafe runs"]
    names = list(dict.fromkeys(shown["instance"]))
    figure, panels = plotting.new_figure(1, len(names), (3.0, 2.8), sharey=True)
    for axes, name in zip(panels, names, strict=True):
        points = shown[shown["instance"] == name]
        for itself, part in points.groupby(points["variant"] == "union"):
            look = plotting.look("debora_hard" if itself else "pessimistic_lp")
            label = look.name if itself else "plain means, widths times a factor"
            line = part.sort_values("factor")
            bars = [line["measured"] - line["low"], line["high"] - line["measured"]]
            axes.errorbar(
                line["factor"], line["measured"], yerr=bars, capsize=2, color=look.colour, label=label, marker="s" if itself else "o",
                ls="none" if itself else "-", ms=7 if itself else 4, fillstyle="none" if itself else "full",
            )  # fmt: skip
        axes.axhline(float(points["delta"].iloc[0]), color="black", ls=":", lw=1.0, label="δ")
        axes.set(title=title(points), xlabel="factor of the widths", xlim=(0, None), ylim=(-0.03, 1.05))
    panels[0].set_ylabel("share of runs with an unsafe round")
    panels[-1].legend(loc="upper right")
    return figure
