"""The cost of replicability (theorem 1 and the worst case over the gap)."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from banditpapers import plotting
from banditpapers.papers.debora.looks import decades, power

CAPTION = (
    "Mean regret of DEBORA (δ = ρ/10, shipped grid: 500 pairs of runs). Left: against 1/ρ at one gap and horizon (0.2 and 10¹⁵); bars: "
    "normal 95% interval; slopes: least squares of log regret on log 1/ρ, with their 95% interval from resampled pairs. Middle: the "
    "largest mean regret over 12 gaps from 2×10⁻⁵ to 0.1, K = 2, against 1/ρ, and right: against T; bars: 95% interval from resampled "
    "pairs. A maximum of noisy means is too large on average: by at most 4% here, by the CSV file's upward_bias (the excess of the "
    "maximum over resampled means). Dotted: slope 1 (middle) and 1/2 (right)."
)
STYLES = (
    ("#D55E00", "-", "o"),
    ("#0072B2", "--", "s"),
    ("#009E73", "-.", "^"),
    ("#000000", ":", "D"),
    ("#CC79A7", "-", "v"),
    ("#56B4E9", "--", "P"),
)


def draw(table: pd.DataFrame) -> Figure:
    """Three panels."""
    figure, (left, middle, right) = plotting.new_figure(1, 3, (3.1, 3.2))
    one, worst = table[table["quantity"] == "regret"], table[table["quantity"] == "worst regret"]
    slopes = table.set_index("quantity")
    for style, arms in _styles(one["arms"]):
        found: Any = table[(table["quantity"] == "slope in 1/rho") & (table["arms"] == arms)].iloc[0]
        name = f"K = {arms}: slope {found['measured']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
        _curve(left, one[one["arms"] == arms], 1 / one["rho"], style, name)
    for style, horizon in _styles(worst["horizon"]):
        found = slopes.loc[["worst slope in 1/rho"]].set_index("horizon").loc[horizon]
        _curve(middle, worst[worst["horizon"] == horizon], 1 / worst["rho"], style, f"T = {power(horizon)}: slope {found['measured']:.2f}")
    for style, rho in _styles(worst["rho"]):
        found = slopes.loc[["worst slope in T"]].set_index("rho").loc[rho]
        _curve(right, worst[worst["rho"] == rho], worst["horizon"], style, f"ρ = {rho:g}: slope {found['measured']:.2f}")
    left.set(title=f"gap {one['gap'].iloc[0]:g}, T = {power(one['horizon'].iloc[0])}", xlabel="1/ρ", ylabel="mean regret (reward units)")
    middle.set(title="worst gap, K = 2", xlabel="1/ρ", ylabel="largest mean regret (reward units)")
    right.set(title="worst gap, K = 2", xlabel="horizon T (rounds)")
    _guide(middle, worst["horizon"].min(), worst, 1.0)
    _guide(right, None, worst, 0.5)
    for axes, which in ((left, one), (middle, worst), (right, worst)):
        axes.set_ylim(which["measured"].min() / 8, which["measured"].max() * 2)
        decades(axes, "y")
        axes.legend(loc="lower right", fontsize=7.5)
    for axes in (left, middle):
        axes.set_xlim(0.9, 1.2 / table["rho"][table["rho"] > 0].min())
        plotting.log_scale(axes, "x")
    right.set_xlim(worst["horizon"].min() / 2, worst["horizon"].max() * 2)
    decades(right, "x")
    return figure


def _styles(values: pd.Series) -> Iterator[tuple[tuple[str, str, str], Any]]:
    yield from ((STYLES[i % len(STYLES)], value) for i, value in enumerate(dict.fromkeys(values)))


def _curve(axes: Axes, points: pd.DataFrame, x: pd.Series, style: tuple[str, str, str], name: str) -> None:
    colour, line, marker = style
    bars = [points["measured"] - points["low"], points["high"] - points["measured"]]
    axes.errorbar(x[points.index], points["measured"], yerr=bars, color=colour, ls=line, marker=marker, elinewidth=0.8, label=name)


def _guide(axes: Axes, horizon: int | None, worst: pd.DataFrame, slope: float) -> None:
    """A dotted line of a slope, above the highest curve's first point."""
    if horizon is None:
        points = worst[worst["rho"] == worst["rho"].min()].sort_values("horizon")
        x = points["horizon"].astype(float)
    else:
        points = worst[worst["horizon"] == worst["horizon"].max()].sort_values("rho", ascending=False)
        x = 1 / points["rho"]
    ends = [x.iloc[0], x.iloc[-1]]
    first = 1.5 * points["measured"].iloc[0]
    axes.plot(ends, [first, first * (ends[1] / ends[0]) ** slope], color="black", ls=":", lw=1.0)
