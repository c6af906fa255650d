"""Table 1: the data that complete-record analysis and the doubly robust method use, filled with the numbers of a run."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel

CAPTION = (
    "Table 1 of the paper, filled from one run of DRTS (shipped grid: N = 4 arms, contexts of dimension 2, rounds 1 and 2, v = 0.1). "
    "X is an arm's context, Y its reward, Y(DR) its pseudo-reward; “?” is the reward of an arm that was not played. A dagger marks "
    "what an analysis uses: complete-record analysis the context and reward of the arm played, the doubly robust method the contexts "
    "and pseudo-rewards of all arms. A pseudo-reward is the imputation X'c, plus (Y − X'c)/π for the arm played, π the probability "
    "with which it was selected, resampling included: 1 where no other arm's chance is above the threshold. c comes from the rounds "
    "before, and so is 0 in round 1."
)


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """The two panels of the paper and the probabilities that lie between them."""
    rounds = [(int(str(t)), rows.to_dict("records")) for t, rows in table.groupby("round")]
    panels = []
    for heading, reward in (("Complete-record analysis", "Y"), ("Doubly robust method", "Y(DR)")):
        columns = ["arm", *(f"t = {t}: {what}" for t, _ in rounds for what in ("X", reward))]
        lines = [
            (f"arm {rows[0]['arm']}", *(text for entry in rows for text in _cells(entry, reward == "Y(DR)")))
            for rows in zip(*(entries for _, entries in rounds), strict=True)
        ]
        panels.append(Panel(heading, tuple(columns), tuple(lines)))
    chances = [
        (str(t), str(entry["arm"]), f"{entry['selection_probability']:.4f}", f"{entry['reward']:.3f}", f"{entry['pseudo_reward']:.3f}")
        for t, entries in rounds
        for entry in entries
        if entry["played"]
    ]
    return [*panels, Panel("The arms played", ("round t", "arm", "π", "Y", "Y(DR)"), tuple(chances))]


def _cells(entry: dict[str, Any], doubly_robust: bool) -> tuple[str, str]:
    context = ", ".join(f"{value:.3f}" for name, value in entry.items() if name.startswith("context_"))
    mark = " †" if doubly_robust or entry["played"] else ""
    reward = entry["pseudo_reward"] if doubly_robust else entry["reward"]
    return f"({context}){mark}", f"{reward:.3f}{mark}" if doubly_robust or entry["played"] else "?"
