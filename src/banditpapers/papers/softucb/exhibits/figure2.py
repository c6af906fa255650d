"""Figure 2: regret of all algorithms, on synthetic arms and on real ratings (section 5)."""

from textwrap import fill
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.softucb.contenders import LINUCB, RATINGS, TUNED, UNKNOWN

CAPTION = (
    "Figure 2 of the paper: mean cumulative regret R(t) (shipped grid: n = 50 sets of K = 50 arms). a, b: synthetic arms, σ² = 0.1, T = "
    "2¹¹. Then each set of ratings: users are arms, with d = 10 principal components of their ratings and their rating of one more item "
    "as the reward, σ² = 0.01, T = 2¹⁰; with the reward as the text has it (literal), which a linear model without an intercept cannot "
    "follow, and minus its mean (centred). The title says where the ratings come from. Coloured lines: the paper's algorithms: SoftUCB "
    "offline (η = 0.001, N = 100 training trajectories on the same arms; their regret is not shown), online (η = 0.1, β₀ = 1), LinUCB with "
    "the bound of theory (equation 5, R = σ, δ = 0.1), LinTS with s = 1, ε-greedy with ε = 0.1. Bands: 95% interval of their mean "
    "(Student's t). Thin black and grey lines: controls that the paper lacks, LinUCB and SoftUCB with the constant bound whose mean R(T) "
    "is smallest on other sets of arms; the CSV file beside the figure has more. A line may leave a panel at the top: the comparison has "
    "its end."
)
CONTROLS = {LINUCB: ("black", "-", "x"), "soft_ucb": ("#777777", "--", "+")}
LABELS = {LINUCB: "LinUCB, β of theory"}
MARKERS, HEIGHT, WIDTH, LETTERS = 6, 2.5, 38, "abcdefghijklmnopqrstuvwxyz"


def draw(table: pd.DataFrame) -> Figure:
    """A panel per world, in two rows."""
    keys = ["dimension", "variance", "ratings", "reward", "source"]
    worlds = [curves for _, curves in table.groupby(keys, sort=False)]
    columns = min(3, len(worlds))
    rows = -(-len(worlds) // columns)
    figure, panels = plotting.new_figure(rows, columns, (2.95, 2.8))
    letters = dict(zip(dict.fromkeys(_named(curves.iloc[0]) for curves in worlds), LETTERS, strict=False))
    for i, (axes, curves) in enumerate(zip(panels, worlds, strict=False)):
        _panel(axes, curves)
        axes.set_title(f"{letters[_named(curves.iloc[0])]}) {title(curves.iloc[0])}")
        axes.set(xlabel="round t", ylabel="cumulative regret R(t) (reward units)" if i % columns == 0 else "")
    for axes in panels[len(worlds) :]:
        axes.set_axis_off()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    return figure


def _named(entry: Any) -> tuple[Any, ...]:
    """What the paper gives a letter of its own: a dimension, or a set of ratings, whatever its reward is taken to be."""
    return (entry["ratings"], entry["dimension"])


def title(entry: Any) -> str:
    """What a panel shows and, of ratings, where they come from."""
    if not entry["ratings"]:
        return f"synthetic, d = {entry['dimension']}\nσ² = {entry['variance']:g}"
    return f"{RATINGS[entry['ratings']]}, reward {entry['reward']}\n{fill(entry['source'] or UNKNOWN, WIDTH)}"


def _panel(axes: Axes, curves: pd.DataFrame) -> None:
    shown = curves[curves["variant"].isin(["", TUNED])]
    last = int(shown["round"].max())
    for (method, variant), curve in shown.groupby(["method", "variant"], sort=False):
        look, every = plotting.look(str(method)), max(1, len(curve) // MARKERS)
        if variant == TUNED:
            colour, line, marker = CONTROLS[str(method)]
            name = "LinUCB, tuned β" if method == LINUCB else "SoftUCB, fixed tuned β"
            axes.plot(
                curve["round"], curve["measured"], color=colour, ls=line, lw=0.9, marker=marker, markevery=every, label=name, zorder=4
            )
            continue
        style: dict[str, Any] = {"color": look.colour, "ls": look.line, "marker": look.marker, "label": LABELS.get(str(method), look.name)}
        axes.plot(curve["round"], curve["measured"], markevery=every, **style)
        axes.fill_between(curve["round"], curve["low"], curve["high"], color=look.colour, alpha=0.18, lw=0)
    axes.set(xlim=(0, last), ylim=(0, _height(shown[shown["round"] == last])))
    axes.xaxis.set_major_formatter(lambda value, _: plotting.plain(value) if value else "0")


def _height(ends: pd.DataFrame) -> float:
    """The height of a panel: all lines, or so many times the third-highest, so that one line that is far above hides nothing."""
    heights = sorted(ends["measured"], reverse=True)
    return float(1.08 * min(ends[["measured", "high"]].max().max(), HEIGHT * heights[min(2, len(heights) - 1)])) or 1.0
