"""Regret of DEBORA-S with its sign (section 4)."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from banditpapers.papers.debora.panels import per_instance

CAPTION = (
    "DEBORA-S: regret R_T with its sign against the horizon. The y axis is linear between −100 and 100 and logarithmic beyond. Negative "
    "regret: the strategies played break the constraints and earn more than the best safe strategy, so that a bound on the regret says "
    "nothing there. Lines: means over pairs of runs (shipped grid: 50 pairs at each T, ρ = 0.3, δ = ρ/10); bands: 95% normal intervals. "
    "Variants as for the violation; black: the optimistic linear program on plain means, which is not replicable. Where a line falls "
    "through 0 the estimates begin to tell the arms apart; below that horizon all arms are alike to the algorithm."
)
LINEAR = 100.0


def _signed(curve: pd.DataFrame, column: str) -> Any:
    return curve[column]


def draw(table: pd.DataFrame) -> Figure:
    """A panel per instance."""
    figure, panels = per_instance(table, "regret", _signed, "regret $R_T$ (reward units)")
    for axes in panels:
        axes.axhline(0, color="black", lw=0.8)
        _symmetric(axes)
    shown = table[table["quantity"] == "regret"]
    panels[0].set_ylim(*(side * 10 * max(LINEAR, float((side * shown["measured"]).max())) for side in (-1, 1)))
    return figure


def _symmetric(axes: Axes) -> None:
    axes.set_yscale("symlog", linthresh=LINEAR)
    powers = range(3, 18, 3)
    ticks = [-(10.0**power) for power in reversed(powers)] + [0.0] + [10.0**power for power in powers]
    axes.yaxis.set_major_locator(FixedLocator(ticks))
    axes.yaxis.set_major_formatter(FuncFormatter(_power))
    axes.yaxis.set_minor_locator(NullLocator())


def _power(value: float, _: Any) -> str:
    if not value:
        return "0"
    digits = len(f"{abs(value):.0f}") - 1
    return f"$-10^{{{digits}}}$" if value < 0 else f"$10^{{{digits}}}$"
