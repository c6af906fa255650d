"""Beyond the paper: what each choice that the text leaves open does."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Every choice that the text leaves open against the default, on the same arms and noise (shipped grid: K = 50, d = 10, σ² = 0.01, "
    "n = 50). Numbers are means ± standard error over sets of arms; a difference is the change minus the default, paired by set of "
    "arms, with the 95% interval of its mean (Student's t; Gaussian features are other arms: Welch's); positive where the change has "
    "more regret. Fixed β (T = 2048), default: signed gap (6), L of the current round, γ = 0 where |L| = 0, the γ of the round before "
    "(Algorithm 2), δ = 0.99, uniform features. Offline (T = 1024, η = 0.001), default: start 0, gradient summed over the rounds, "
    "step 1/T; β̂ is the mean of the last 20 iterates. The last round's gradient alone is taken with step 1. Online (T = 2048), "
    "default: start 1, η = 0.1, η term of the current round; summed over all rounds it is larger, and has a smaller η. β is stopped at 50."
)


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """A panel per part, and one for the two statements."""
    fixed, offline, online = (table[table["part"] == part] for part in ("fixed", "offline", "online"))
    stated = ~online["quantity"].isin(["R(T)"]).groupby(online["change"]).transform("any")
    sizes = [float(beta) for beta in dict.fromkeys(fixed["beta"])]
    columns = ("change", *(text for beta in sizes for text in (f"R(T), β = {beta:g}", "difference")), "n")
    lines = [
        (change, *(text for beta in sizes for text in _pair(rows[rows["beta"] == beta])), _n(rows)) for change, rows in _by_change(fixed)
    ]
    learning = {"β̂": "beta-hat", "difference in β̂": "difference in beta-hat", "R(T)": "R(T)", "difference in R(T)": "difference in R(T)"}
    played = {
        "R(T)": "R(T)",
        "difference in R(T)": "difference in R(T)",
        "final β": "final beta",
        "best arm eliminated": "best arm eliminated",
    }
    return [
        Panel("SoftUCB with a fixed β", columns, tuple(lines)),
        _panel("SoftUCB offline", offline, learning | {"diverged": "diverged"}),
        _panel("SoftUCB online", online[~stated], played),
        _panel("Statements (positive where it holds)", online[stated], {"margin in R(T)": "difference in R(T)"}),
    ]


def _by_change(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [(str(change), group) for change, group in rows.groupby("change", sort=False)]


def _panel(heading: str, rows: pd.DataFrame, quantities: dict[str, str]) -> Panel:
    lines = []
    for change, group in _by_change(rows):
        found = group.set_index("quantity")
        lines.append((change, *(_text(found, quantity) for quantity in quantities.values()), _n(group)))
    return Panel(heading, ("change", *quantities, "n"), tuple(lines))


def _pair(rows: pd.DataFrame) -> tuple[str, str]:
    found = rows.set_index("quantity")
    return _text(found, "R(T)"), _text(found, "difference in R(T)")


def _text(found: pd.DataFrame, quantity: str) -> str:
    if quantity not in found.index:
        return ""
    entry: Any = found.loc[quantity]
    if quantity.startswith("difference"):
        return f"{_signed(entry['measured'])} [{_signed(entry['low'])}, {_signed(entry['high'])}]"
    return f"{entry['measured']:.3g}" if quantity == "diverged" else f"{entry['measured']:.4g} ± {entry['se']:.2g}"


def _signed(value: float) -> str:
    """Four digits at most, with its sign."""
    digits = 3 if abs(value) < 0.995 else 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:+.{digits}f}".replace("-", "−")


def _n(rows: pd.DataFrame) -> str:
    """The n of all rows together: the least that finished."""
    least: dict[Any, Any] = rows.sort_values("finished").iloc[0].to_dict()
    return counted(least)
