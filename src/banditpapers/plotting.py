"""One style for all figures, and files that are the same bytes on every build.

The colours are Okabe and Ito's, which colour-blind readers can tell apart; line styles and markers repeat the distinction for print in
black and white. An algorithm has the same colour, marker and name in every figure; colours differ within a paper, where vermilion is the
paper's own algorithm.
"""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter

from banditpapers.files import write_atomically

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How an algorithm appears."""

    name: str
    colour: str
    line: str
    marker: str


LOOKS = {
    "lp2s": Look("LP2S", VERMILION, "-", "o"),
    "batch_racing": Look("BatchRacing", BLUE, "--", "s"),
    "two_stage_exploration": Look("TSE", GREEN, "-.", "^"),
    "batched_thompson": Look("Batched Thompson", ORANGE, ":", "D"),
    "doubly_robust_thompson": Look("DRTS", VERMILION, "-", "o"),
    "linear_thompson": Look("LinTS", BLUE, "--", "s"),
    "balanced_thompson": Look("BLTS", ORANGE, ":", "D"),
    "soft_ucb_offline": Look("SoftUCB offline", VERMILION, "-", "o"),
    "soft_ucb_online": Look("SoftUCB online", PURPLE, "--", "v"),
    "soft_ucb": Look("SoftUCB, fixed β", SKY, ":", "*"),
    "linear_ucb": Look("LinUCB", GREEN, "-.", "^"),
    "fixed_arms_thompson": Look("LinTS", BLUE, "--", "s"),
    "epsilon_greedy": Look("ε-greedy", ORANGE, ":", "D"),
    "debora": Look("DEBORA", VERMILION, "-", "o"),
    "debora_soft": Look("DEBORA-S", VERMILION, "-", "o"),
    "debora_hard": Look("DEBORA-H", VERMILION, "--", "s"),
    "batched_elimination": Look("Esfandiari et al.", BLUE, "--", "s"),
    "phased_elimination": Look("in the style of RSE", GREEN, "-.", "^"),
    "doubling_ucb": Look("UCB, doubling epochs", BLACK, ":", "D"),
    "ucb1": Look("UCB1", SKY, ":", "*"),
    "optimistic_lp": Look("optimistic LP", BLACK, ":", "D"),
    "pessimistic_lp": Look("OPB (reconstructed)", BLACK, "-.", "^"),
}
# for an algorithm that has no look of its own yet: taken in alphabetical order of names
SPARE = (Look("", PURPLE, "-", "v"), Look("", SKY, "--", "P"), Look("", BLACK, "-.", "X"), Look("", YELLOW, ":", "*"))

STYLE: dict[Any, Any] = {  # matplotlib types the keys as literals, from 3.11 on
    "font.family": "DejaVu Sans",  # comes with matplotlib: no system font is needed
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.5,
    "lines.markersize": 4,
    "legend.frameon": False,
    "svg.hashsalt": "banditpapers",
    "svg.fonttype": "path",
    "savefig.dpi": 160,
    "text.parse_math": True,
}


def look(algorithm: str, others: tuple[str, ...] = ()) -> Look:
    """The look of an algorithm; `others` are the names in the same figure that have none of their own."""
    if algorithm in LOOKS:
        return LOOKS[algorithm]
    unknown = sorted({algorithm, *others} - LOOKS.keys())
    spare = SPARE[unknown.index(algorithm) % len(SPARE)]
    return Look(algorithm.replace("_", " "), spare.colour, spare.line, spare.marker)


def new_figure(rows: int, columns: int, axes_size: tuple[float, float], sharey: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure whose panels have the given width and height in inches, and its axes row by row."""
    mpl.rcParams.update(STYLE)
    width, height = axes_size
    figure = Figure(figsize=(width * columns + 0.9, height * rows + 0.9), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False, sharey=sharey).ravel())


def log_scale(axes: Axes, which: str) -> None:
    """Make the x or y axis logarithmic with few, plain labels: 1, 2 and 5 per decade on a short axis, decades on a long one."""
    axes.set(**{f"{which}scale": "log"})
    axis: Axis = getattr(axes, f"{which}axis")
    low, high = sorted(float(end) for end in axis.get_view_interval())
    decades = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for digits in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7)):
        ticks = [digit * 10.0**decade for decade in decades for digit in digits if low <= digit * 10.0**decade <= high]
        if len(ticks) > 2:
            break
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    axis.set_minor_formatter(NullFormatter())


def plain(value: float) -> str:
    """500, 20k, 3M, 0.05, 1e-4: a number as briefly as it can be read."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:g}{letter}"
    return f"{value:g}" if value >= 1e-3 else f"{value:.0e}".replace("e-0", "e-")


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG or PNG, by the path's ending, with no date, version or random identifier in it."""
    metadata = {".svg": {"Date": None, "Creator": None}, ".png": {"Software": None}}[path.suffix]
    picture = BytesIO()
    with mpl.rc_context(STYLE):
        figure.savefig(picture, format=path.suffix[1:], metadata=metadata)
    write_atomically(path, lambda file: file.write(picture.getvalue()))
