"""Beyond the paper: batched Thompson sampling under both recommendation rules.

The paper recommends the arm with the maximum average reward, where an arm with one success in one pull ties with the best. On the same runs
the maximum posterior mean does far better: the comparison with LP2S depends on this rule.
"""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Simple regret of batched Thompson sampling against its budget, on the same runs under both recommendation rules: the maximum "
    "empirical mean that the paper uses, and the maximum posterior mean. Bands: normal 95% interval of the mean. Diamonds: batched "
    "Thompson sampling as the paper prints it; circles: the paper's LP2S at the budgets of Tables 2 to 4."
)
RULES = {"empirical mean": ("-", 0.25), "posterior mean": ("--", 0.25)}


def draw(table: pd.DataFrame) -> Figure:
    """One panel per prior (columns) and K (rows)."""
    sizes, priors = sorted(table["arms"].unique()), sorted(table["prior"].unique(), key=lambda text: (text[-2], text[1]))
    figure, panels = plotting.new_figure(len(sizes), len(priors), (2.7, 1.9), sharey=True)
    thompson, lp2s = plotting.look("batched_thompson"), plotting.look("lp2s")
    for axes, (arms, prior) in zip(panels, [(arms, prior) for arms in sizes for prior in priors], strict=True):
        world = table[(table["arms"] == arms) & (table["prior"] == prior)]
        for rule, (line, alpha) in RULES.items():
            curve = world[world["rule"] == rule]
            axes.plot(curve["budget"], curve["measured"], color=thompson.colour, ls=line, label=rule)
            axes.fill_between(curve["budget"], curve["low"].clip(lower=1e-6), curve["high"], color=thompson.colour, alpha=alpha, lw=0)
        printed = world[(world["rule"] == "empirical mean") & world["paper_lp2s"].notna()]
        axes.plot(
            printed["budget"],
            printed["paper_batched_thompson"],
            thompson.marker,
            color="black",
            mfc=thompson.colour,
            label="paper, Thompson",
        )
        axes.plot(printed["budget"], printed["paper_lp2s"], lp2s.marker, color="black", mfc=lp2s.colour, label="paper, LP2S")
        axes.set(title=f"Beta{prior}, K = {arms}", ylim=(2e-6, 1), xlim=(world["budget"].min() / 1.1, 1.1 * world["budget"].max()))
        plotting.log_scale(axes, "x")
        plotting.log_scale(axes, "y")
    for axes in panels[-len(priors) :]:
        axes.set_xlabel("budget T (pulls)")
    for axes in panels[:: len(priors)]:
        axes.set_ylabel("simple regret")
    panels[0].legend(loc="lower left", fontsize=7)
    return figure
