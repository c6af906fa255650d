"""docs/images/costs.png: CPU time per replicate against each letter, from the rows of benchmarks/costs.csv."""

from typing import Any

import _setup
from cost_cases import PROGRAM_NAME

from banditpapers.plotting import BLACK, Look, log_scale, look, new_figure, save

FIGURE = _setup.ROOT / "docs" / "images" / "costs.png"
CONTEXTS = ("linear_thompson", "balanced_thompson", "doubly_robust_thompson")
FIXED = ("linear_ucb", "soft_ucb", "soft_ucb_offline", "soft_ucb_online", "fixed_arms_thompson", "epsilon_greedy")
PAIRS = ("debora", "batched_elimination", "phased_elimination", "doubling_ucb")
PANELS = (
    ("N", CONTEXTS, "N, arms with contexts"),
    ("d", CONTEXTS, "d, dimension of contexts"),
    ("T", CONTEXTS, "T, rounds with contexts"),
    ("K", FIXED, "K, fixed arms with features"),
    ("K", ("batch_racing", "batched_thompson", "two_stage_exploration", "lp2s"), "K, arms of best-arm identification"),
    ("R", ("batch_racing", "lp2s", PROGRAM_NAME), "R, batches or rounds"),
    ("K", PAIRS, "K, arms of a pair of runs"),
    ("K", ("debora_soft", "debora_hard", "optimistic_lp", "pessimistic_lp"), "K, arms of a constrained pair"),
    ("T", PAIRS, "T, horizon of a pair of runs"),
)


def draw(rows: list[dict[str, Any]]) -> None:
    """Milliseconds per replicate against a letter, one panel per letter and problem class."""
    figure, axes = new_figure(3, 3, (2.7, 2.9))
    for panel, (letter, names, label) in zip(axes, PANELS, strict=True):
        for name in names:
            own = [row for row in rows if row["algorithm"] == name and row["letter"] == letter]
            shown = Look("LP2S's program, once per cell", BLACK, ":", "D") if name == PROGRAM_NAME else look(name)
            values, milliseconds = [float(row["value"]) for row in own], [1e3 * float(row["seconds"]) for row in own]
            panel.plot(values, milliseconds, shown.line, marker=shown.marker, color=shown.colour, label=shown.name)
        for which in ("x", "y"):
            log_scale(panel, which)
        if panel.get_xlim()[1] > 1e12:
            panel.set_xticks([1e6, 1e10, 1e14], ["$10^6$", "$10^{10}$", "$10^{14}$"])
        panel.set(xlabel=label, ylabel="CPU ms per replicate")
        panel.legend(fontsize=6.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.22))
    FIGURE.parent.mkdir(exist_ok=True)
    save(figure, FIGURE)
