"""Beyond the paper: the efficient frontier of LP2S, cost against regret as delta_0 moves from the smallest feasible value to an idle one.

No choice of delta_0 puts LP2S below its frontier or left of 2 L R, the cost of dropping arms at random: the paper's points can be held
against both.
"""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Expected cost T against expected simple regret of LP2S as delta_0 moves, both exact (no sampling), final choice by the combined "
    "count. Solid: LP-PAC, dashed: LP-SRM, in the text's reading of the stage length (R = int(30 ln K)). Vertical line: 2 L R, the "
    "least that any policy with these parameters can cost; the grey zone left of it cannot be reached. Black circle: the paper's LP- "
    "PAC point (Table 2), black square: its LP-SRM point (Table 3). Of the paper's eighteen points seven lie in the grey zone."
)
LINES = {"PAC": ("-", "o"), "SRM": ("--", "s")}


def draw(table: pd.DataFrame) -> Figure:
    """One panel per prior (columns) and K (rows)."""
    sizes, priors = list(table["arms"].unique()), list(table["prior"].unique())
    figure, panels = plotting.new_figure(len(sizes), len(priors), (2.7, 2.0))
    look = plotting.look("lp2s")
    for axes, (arms, prior) in zip(panels, [(arms, prior) for arms in sizes for prior in priors], strict=True):
        world = table[(table["arms"] == arms) & (table["prior"] == prior)]
        for setting, (line, marker) in LINES.items():
            curve = world[world["setting"] == setting].sort_values("pulls")
            axes.plot(curve["pulls"], curve["simple_regret"], color=look.colour, ls=line, label=f"LP-{setting}, exact")
            axes.plot(
                curve["paper_pulls"].iloc[:1],
                curve["paper_regret"].iloc[:1],
                marker,
                color="black",
                mfc="none",
                label=f"paper, LP-{setting}",
            )
        floor = float(world["floor"].iloc[0])
        left = 0.8 * min(floor, float(world["paper_pulls"].min()))
        axes.axvspan(left, floor, color="#cccccc", lw=0)
        axes.axvline(floor, color="#555555", lw=1)
        axes.set(title=f"Beta{prior}, K = {arms}", xlim=(left, 1.2 * world["pulls"].max()))
        plotting.log_scale(axes, "x")
        plotting.log_scale(axes, "y")
    for axes in panels[-len(priors) :]:
        axes.set_xlabel("expected cost T (pulls)")
    for axes in panels[:: len(priors)]:
        axes.set_ylabel("expected simple regret")
    panels[0].legend(loc="upper right", fontsize=6)
    return figure
