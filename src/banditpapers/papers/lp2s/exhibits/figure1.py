"""Figure 1: recursion of probabilities in OPT-ind, drawn from a solved LP-PAC (section 2.3).

The paper draws the tree without numbers. Here each node (r, s) carries the optimum: its colour is the probability that an arm in that state
is pulled next, so that the threshold s*(r) of Theorem 1 is seen, and P(r, s), the probability of being there, is printed in it.
"""

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Figure 1 of the paper: the binomial tree of OPT-ind, here with the optimum of an LP-PAC in it (shipped grid: K = 10, R = 4, L = "
    "1, Beta(1, 1), mu_0 = 0.7, delta_0 = 0.26). A node is a state: r pulls, s successes. Colour: probability that an arm in the "
    "state is pulled next (white: eliminated, dark: pulled; the number is printed beside P); dashed nodes are never reached. The "
    "threshold of Theorem 1 is where a column turns from white to dark. Squares are the last column: states after the R-th pull."
)


def draw(table: pd.DataFrame) -> Figure:
    """Nodes at (r, s); arrows to (r + 1, s + 1) for a success and (r + 1, s) for a failure."""
    figure, (axes,) = plotting.new_figure(1, 1, (6.4, 4.4))
    colours = mpl.colormaps["Blues"]
    last = int(table["round"].max())
    for node in table.to_dict("records"):
        r, s, probability, pull = (node[column] for column in ("round", "successes", "probability", "pull"))
        reached = probability > 0
        if r < last:
            flows = reached and pull > 0
            for gained in (0, 1):
                style = {"color": "#555555" if flows else "#cccccc", "lw": 1.0 if flows else 0.7, "ls": "-" if flows else ":"}
                axes.annotate(
                    "", xy=(r + 0.8, s + 0.9 * gained), xytext=(r + 0.2, s + 0.1 * gained), arrowprops={"arrowstyle": "-|>", **style}
                )
        axes.scatter(
            [r], [s], s=900, marker="s" if r == last else "o", zorder=3, edgecolor="#222222" if reached else "#999999",
            linewidth=1.0, linestyle="-" if reached else "--", facecolor="#ffffff" if r == last or not reached else colours(0.85 * pull),
        )  # fmt: skip
        dark = r < last and reached and pull > 0.55
        text = f"P={probability:.3f}" + (f"\na={pull:.2f}" if r < last and reached else "")
        axes.text(r, s, text, ha="center", va="center", fontsize=6, color="white" if dark else "black", zorder=4)
    axes.set(xlabel="pulls r (rounds played)", ylabel="successes s", xlim=(-0.5, last + 0.5), ylim=(-0.6, last + 0.6))
    axes.set_xticks(range(last + 1))
    axes.set_yticks(range(last + 1))
    bar = figure.colorbar(mpl.cm.ScalarMappable(mpl.colors.Normalize(0, 1 / 0.85), colours), ax=axes, shrink=0.8)
    bar.ax.set_ylim(0, 1)
    bar.set_label("probability a(r, s) of the next pull")
    axes.set_title(f"expected pulls per arm f* = {table['cost'].iloc[0]:.4f}")
    return figure
