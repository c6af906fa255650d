"""Beyond the paper: the choices inside LinTS, BLTS and DRTS that the text leaves open or the released program makes otherwise."""

import pandas as pd
from matplotlib.figure import Figure

from banditpapers import plotting

CAPTION = (
    "Cumulative regret R(T) of variants of each algorithm (shipped grid: N = 10, d = 20, T = 20,000, n = 10 replicates), each with "
    "its best parameters, named beside it: those with the smallest mean on these same replicates. Points: means; bars: 95% intervals "
    "of Student's t. All variants meet the same contexts and noise, so that differences between them, which the CSV file beside the "
    "figure gives paired by replicate, are surer than the bars suggest. RSS: weighted residual sum of squares; Σw: sum of the "
    "weights. Constant: the released program's weight 1/max(1/N, γ) in every round; stale: propensities from the previous round's "
    "contexts."
)


def draw(table: pd.DataFrame) -> Figure:
    """A dot per variant, the algorithms from top to bottom."""
    shown = table[table["quantity"] == "R(T)"].reset_index(drop=True)
    figure, (axes,) = plotting.new_figure(1, 1, (6.2, 0.36 * len(shown) + 0.3))
    for i, entry in enumerate(shown.to_dict("records")):
        look = plotting.look(entry["method"])
        bars = [[entry["measured"] - entry["low"]], [entry["high"] - entry["measured"]]]
        axes.errorbar([entry["measured"]], [i], xerr=bars, color=look.colour, marker=look.marker, ms=5, capsize=2.5, elinewidth=1.2)
        axes.annotate(entry["rule"], (entry["high"], i), xytext=(5, 0), textcoords="offset points", va="center", fontsize=7)
    names = [f"{plotting.look(method).name}: {variant}" for method, variant in zip(shown["method"], shown["variant"], strict=True)]
    axes.set_yticks(range(len(shown)), names)
    axes.set(xlabel="cumulative regret R(T) (reward units)", xlim=(0, 1.4 * shown["high"].max()), ylim=(len(shown) - 0.5, -0.5))
    axes.grid(visible=False, axis="y")
    return figure
