"""How the algorithms and their variants are named and drawn."""

from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from banditpapers.plotting import BLUE, ORANGE, PURPLE, Look, look

VARIANTS: dict[tuple[str, str], dict[str, Any]] = {
    ("debora", "sharp"): {"name": "DEBORA, sharp grid", "colour": PURPLE, "line": "--", "marker": "v"},
    ("debora", "every"): {"name": "DEBORA, sharp grid, all arms anew", "colour": PURPLE, "line": ":", "marker": "X"},
    ("batched_elimination", "1"): {"name": "Esfandiari et al., Algorithm 1", "colour": ORANGE, "line": "--", "marker": "P"},
    ("batched_elimination", "2"): {"name": "Esfandiari et al., Algorithm 2", "colour": BLUE},
    ("batched_elimination", "2 label"): {"name": "Algorithm 2, smallest label", "colour": BLUE, "line": ":", "marker": "<"},
}


def styled(method: str, variant: str = "") -> Look:
    """The look of an algorithm's variant: its algorithm's, with another name, line and marker."""
    return replace(look(method), **VARIANTS.get((method, variant), {}))


def decades(axes: Axes, which: str, most: int = 6) -> None:
    """Make an axis logarithmic, with at most so many labels, all powers of ten. Its limits must be set."""
    axes.set(**{f"{which}scale": "log"})
    axis: Axis = getattr(axes, f"{which}axis")
    low, high = (float(np.log10(end)) for end in sorted(axis.get_view_interval()))
    whole = range(int(np.ceil(low - 1e-9)), int(np.floor(high + 1e-9)) + 1)
    axis.set_major_locator(FixedLocator([10.0**exponent for exponent in whole[:: -(-len(whole) // most)]]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))


def power(value: float) -> str:
    """A number as a power of ten where it is one: a horizon, say, as mathematical text."""
    digits, _, exponent = f"{value:e}".partition("e")
    return rf"$10^{{{int(exponent)}}}$" if float(digits) == 1 else f"{value:g}"
