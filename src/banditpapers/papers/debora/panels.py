"""How the exhibits with constraints are drawn: variants of DEBORA-S and -H, a panel per instance, axes of many decades."""

from collections.abc import Callable
from math import ceil, floor, log10
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

from banditpapers import plotting
from banditpapers.plotting import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, Look

VARIANTS = {
    "union": Look("ρ shared by all calls", VERMILION, "-", "o"),
    "lazy": Look("arms estimated anew at doublings", BLUE, "--", "s"),
    "text": Look("ρ shared as in section 4", ORANGE, ":", "D"),
    "sharp": Look("sharp grid", PURPLE, "-", "v"),
    "sharp lazy": Look("sharp grid, at doublings", GREEN, "-.", "P"),
    "sharp text": Look("sharp grid, as in section 4", SKY, ":", "X"),
}
Values = Callable[[pd.DataFrame, str], Any]


def look(method: str, variant: str) -> Look:
    """A variant's look; an algorithm without variants has its own."""
    found = plotting.look(method)
    if variant not in VARIANTS:
        return found
    one = VARIANTS[variant]
    return Look(f"{found.name}, {one.name}", one.colour, one.line, one.marker)


def decades(axes: Axes, which: str, most: int = 6) -> None:
    """A logarithmic axis that is labelled with powers of ten, at most so many."""
    axes.set(**{f"{which}scale": "log"})
    axis: Any = getattr(axes, f"{which}axis")
    low, high = (log10(end) for end in sorted(axis.get_view_interval()))
    step = max(1, ceil((high - low) / most))
    powers = [power for power in range(ceil(low - 1e-9), floor(high + 1e-9) + 1) if power % step == 0]
    axis.set_major_locator(FixedLocator([10.0**power for power in powers]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def power(value: float) -> str:
    """A power of ten as such."""
    exponent = round(log10(value))
    return f"$10^{{{exponent}}}$" if abs(value / 10.0**exponent - 1) < 1e-9 else f"{value:g}"


def title(curves: pd.DataFrame) -> str:
    """An instance with its size."""
    first = curves.iloc[0]
    return f"{first['instance']}, K = {first['arms']}"


def plot(axes: Axes, curves: pd.DataFrame, values: Values, only: tuple[str, ...] = ()) -> None:
    """A line with its band per algorithm and variant. values: of a curve and a column, what is drawn."""
    for (method, variant), curve in curves.groupby(["method", "variant"], sort=False):
        if only and method not in only:
            continue
        style = look(str(method), str(variant))
        axes.plot(curve["horizon"], values(curve, "measured"), color=style.colour, ls=style.line, marker=style.marker, label=style.name)
        axes.fill_between(curve["horizon"], values(curve, "low"), values(curve, "high"), color=style.colour, alpha=0.2, lw=0)


def per_instance(table: pd.DataFrame, quantity: str, values: Values, ylabel: str) -> tuple[Figure, list[Axes]]:
    """A figure with a panel per instance of a quantity against the horizon, and a legend below; its y axis is still linear."""
    shown = table[table["quantity"] == quantity]
    names = list(dict.fromkeys(shown["instance"]))
    figure, panels = plotting.new_figure(1, len(names), (2.8, 2.9), sharey=True)
    for axes, name in zip(panels, names, strict=True):
        curves = shown[shown["instance"] == name]
        plot(axes, curves, values)
        axes.set(title=title(curves), xlabel="horizon T (rounds)")
        decades(axes, "x")
    panels[0].set_ylabel(ylabel)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure, panels


def per_round(curve: pd.DataFrame, column: str) -> Any:
    """Divided by T."""
    return curve[column] / curve["horizon"]
