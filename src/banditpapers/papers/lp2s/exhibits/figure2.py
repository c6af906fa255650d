"""Figure 2: arm elimination, LP thresholds against BatchRacing (section 3.1).

K = 100; priors Beta(1, 1), Beta(5, 1), Beta(1, 3); 300 rounds. The paper shows one panel and states neither prior, delta nor R: BatchRacing
cannot eliminate before round 108 (delta = 0.05) or 122 (delta = 0.01), so that "keeps all arms in the first 120 rounds" fits delta = 0.01.
"""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Figure 2 of the paper, for three priors (shipped grid: K = 100 arms): arms pulled in each round. Lines are means; bands, with "
    "edges in the line's style, reach from the 5% to the 95% quantile, over replicates for BatchRacing and exact (binomial, arms are "
    "independent) for the thresholds of LP-PAC, LP-SRM (delta_0 the smallest feasible multiple of 0.05, L = 3 ln K) and LP-FC "
    "(delta_0 = 0.93, L = 5). The dotted vertical line marks round 120, until which the paper's BatchRacing keeps all arms."
)
LINES = {"LP-PAC": "-", "LP-SRM": "--", "LP-FC": ":", "delta = 0.05": "-", "delta = 0.01": "--"}


def draw(table: pd.DataFrame) -> Figure:
    """One panel per prior; both axes logarithmic, since most arms go in the first rounds."""
    priors = list(table["prior"].unique())
    figure, panels = plotting.new_figure(1, len(priors), (2.9, 2.6), sharey=True)
    for axes, prior in zip(panels, priors, strict=True):
        for (method, variant), curve in table[table["prior"] == prior].groupby(["method", "variant"], sort=False):
            look = plotting.look(str(method))
            name = str(variant) if method == "lp2s" else f"{look.name}, {variant}"
            axes.plot(curve["round"], curve["mean"], color=look.colour, ls=LINES.get(str(variant), "-."), label=name)
            axes.fill_between(curve["round"], curve["low"].clip(lower=0.5), curve["high"], color=look.colour, alpha=0.08, lw=0)
            for edge in ("low", "high"):  # bands overlap: their edges have the line style of their mean
                axes.plot(curve["round"], curve[edge].clip(lower=0.5), color=look.colour, ls=LINES.get(str(variant), "-."), lw=0.5)
        axes.axvline(120, color="black", lw=0.8, ls=":")
        axes.set(title=f"Beta{prior}", xlabel="round", ylim=(1, 130), xlim=(1, table["round"].max()))
        plotting.log_scale(axes, "x")
        plotting.log_scale(axes, "y")
    panels[0].set_ylabel("arms pulled in the round")
    panels[0].legend(loc="lower left")
    return figure
