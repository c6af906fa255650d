"""The published program's settings, as one bundle."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "The published program's settings as one bundle (shipped grid: K = 50, T = 2048, σ² = 0.25, Gaussian features of length 1, n = 50 "
    "sets of arms): the absolute gap |μ̂_i* − μ̂_i|, arms that stay in L, |L| = 0 counted as 1. Its offline algorithm plays the "
    "constant β = 1.2 with δ = 0.6, because its training is commented out; its online algorithm starts at 2.2 with λ = 0.5, η = 1, δ "
    "= 0.99. Means ± standard error. Added: LinUCB with the constant 1.2, and what the program's training does when it is run (the "
    "last round's gradient alone, from 1.2, λ = 0.5, η = 1, 20 trajectories; β is stopped at 50). A lead is R(T) of the second minus "
    "that of the first, paired by set of arms, with the 95% interval of its mean (Student's t): positive where the first has less "
    "regret."
)
NAMES = {
    ("soft_ucb", ""): "SoftUCB offline as released (constant β)",
    ("soft_ucb_online", ""): "SoftUCB online",
    ("linear_ucb", ""): "LinUCB",
    ("fixed_arms_thompson", ""): "LinTS",
    ("epsilon_greedy", ""): "ε-greedy",
    ("linear_ucb", "same beta"): "LinUCB with the same constant β",
    ("soft_ucb_offline", "trained"): "SoftUCB offline, trained as the program has it",
}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """Two panels per dimension."""
    panels = []
    for dimension, world in table.groupby("dimension", sort=False):
        levels, leads = world[world["method"] != ""], world[world["method"] == ""]
        found = levels[levels["quantity"] == "R(T)"].to_dict("records")
        lines = [
            (NAMES[entry["method"], entry["variant"]], entry["rule"], f"{entry['measured']:.4g} ± {entry['se']:.2g}", counted(entry))
            for entry in found
        ]
        training = levels[levels["quantity"] != "R(T)"].set_index("quantity")
        if "beta after training" in training.index:
            after: Any = training.loc["beta after training"]
            diverged: Any = training.loc["diverged"]
            text = f"β = {after['measured']:.4g} ± {after['se']:.2g}, {after['note']}; diverged: {100 * diverged['measured']:.3g}%"
            lines.append(("its training", str(after["rule"]), text, counted(dict(after))))
        panels.append(Panel(f"d = {dimension}", ("algorithm", "parameters", "R(T)", "n"), tuple(lines)))
        apart = [(entry["quantity"], _interval(entry), counted(entry)) for entry in leads.to_dict("records")]
        panels.append(Panel(f"d = {dimension}, paired", ("lead", "in R(T)", "n"), tuple(apart)))
    return panels


def _interval(entry: dict[Any, Any]) -> str:
    return f"{entry['measured']:.3g} [{entry['low']:.3g}, {entry['high']:.3g}]".replace("-", "−")
