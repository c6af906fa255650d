"""Beyond the paper: the gradient that SoftUCB ascends, against the gradient of the expected reward."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Is the gradient estimator that of the expected reward E[Y_T]? Squares: (E[Y_T] at 1.1β − E[Y_T] at 0.9β) / (0.2β), with common "
    "random numbers; dots: the estimator (13) without its η term, summed over the rounds; crosses: the same with the true means (12). "
    "(Shipped grid: K = 50, d = 5, T = 256, δ = 0.99.) Bars: 95% interval of the mean (Student's t) over sets of arms (n = 60), each "
    "the mean of 20 trajectories. The estimator is negative for every β, also where more exploration would raise the reward: it "
    "leaves out how β changes γ, and what will be learnt. The y axis is linear between −1 and 1 and logarithmic beyond."
)
SHOWN = {
    "true gradient": ("gradient of E[Y], by differences", plotting.BLUE, "-", "s"),
    "estimator": ("estimator (13)", plotting.VERMILION, "--", "o"),
    "estimator, true means": ("the same with true means (12)", plotting.BLACK, ":", "x"),
}


def draw(table: pd.DataFrame) -> Figure:
    """A panel per variance of the noise."""
    variances = list(dict.fromkeys(table["variance"]))
    figure, panels = plotting.new_figure(1, len(variances), (3.6, 3.0))
    for axes, variance in zip(panels, variances, strict=True):
        axes.axhline(0, color="black", lw=0.8)
        for quantity, (label, colour, line, marker) in SHOWN.items():
            curve = table[(table["variance"] == variance) & (table["quantity"] == quantity)]
            bars = [curve["measured"] - curve["low"], curve["high"] - curve["measured"]]
            axes.errorbar(curve["beta"], curve["measured"], yerr=bars, color=colour, ls=line, marker=marker, ms=4, capsize=2, label=label)
        axes.set_yscale("symlog", linthresh=1)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "−"))
        axes.set(title=f"σ² = {variance:g}", xlabel="β")
        plotting.log_scale(axes, "x")
    panels[0].set_ylabel("gradient with respect to β (reward units)")
    panels[0].legend(loc="upper right")
    return figure
