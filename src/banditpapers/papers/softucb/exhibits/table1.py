"""Table 1: learnt against theoretical size of the confidence bound (section 5)."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Table 1 of the paper: β̂ learnt by SoftUCB offline against β̃ of theory (shipped grid: K = 50, σ² = 0.1, δ = 0.99, N = 100 training "
    "trajectories, step 1/T, β₀ = 0, n = 50 sets of arms). β̂: mean of the last 20 iterates, then mean over the replicates ± standard "
    "error, with the 95% interval of Student's t. β̃: equation 5 with R² = σ² = 0.1, δ = 0.1, α = C = 1 and t = T; the paper cuts it off "
    "after two decimals; a dash where the text that we have lost the number. The paper prints no η: the first panel has that of all "
    "other exhibits (0.001), the second shows that β̂ is what η makes it. Regret: mean over the last 20 training trajectories; first "
    "regret: of the first, played with β = 0. Drift: last iterate minus the one 20 trajectories before. Diverged: replicates in which β "
    "reached the cap of 50, with the 95% interval of Wilson. Ratio: of the means, interval by the delta method on its logarithm."
)
QUANTITIES = {"beta-hat": "β̂", "beta-tilde minus beta-hat": "β̃ − β̂", "regret": "regret", "first regret": "first regret", "drift": "drift"}


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """The paper's layout, a column per setting; then all η, a row for each."""
    settings = list(table[["dimension", "horizon"]].drop_duplicates().itertuples(index=False, name=None))
    columns = ("", *(f"d = {dimension}, T = {horizon}" for dimension, horizon in settings))
    worlds = [table[(table["dimension"] == d) & (table["horizon"] == horizon)] for d, horizon in settings]
    leading = [{str(entry["quantity"]): entry for entry in world[world["default"]].to_dict("records")} for world in worlds]
    shown = [(name, *(_estimate(found[quantity]) for found in leading)) for quantity, name in QUANTITIES.items()]
    printed = [claims.value(exhibit="table1", dimension=d, horizon=horizon, quantity="beta-tilde") for d, horizon in settings]
    theory = [
        ("β̃, as printed", *("—" if value is None else f"{value:.2f}" for value in printed)),
        ("β̃, computed", *(f"{found['beta-tilde']['measured']:.4f}" for found in leading)),
    ]
    counts = ("n", *(counted(found["beta-hat"]) for found in leading))
    default = Panel(f"Table 1, η = {leading[0]['beta-hat']['eta']:g}", columns, (shown[0], *theory, *shown[1:], counts))
    lines = [line for world, setting in zip(worlds, settings, strict=True) for line in _all_eta(world, setting)]
    every = Panel("Every η", ("d", "T", "η", "β̂", "regret", "drift", "diverged", "n"), tuple(lines))
    return [
        default,
        every,
        Panel("β̂ of the largest against the smallest η", ("d", "T", "η", "difference", "ratio − 1", "n"), _spans(worlds)),
    ]


def _all_eta(world: pd.DataFrame, setting: tuple[int, int]) -> list[tuple[str, ...]]:
    lines = []
    for eta, rows in world[world["eta"] > 0].groupby("eta"):
        found = {str(entry["quantity"]): entry for entry in rows.to_dict("records")}
        shown = [_estimate(found[quantity]) for quantity in ("beta-hat", "regret", "drift")]
        share = found["diverged"]
        diverged = f"{share['measured']:.2f} [{share['low']:.2f}, {share['high']:.2f}]"
        lines.append((*map(str, setting), f"{eta:g}", *shown, diverged, counted(share)))
    return lines


def _spans(worlds: list[pd.DataFrame]) -> tuple[tuple[str, ...], ...]:
    lines = []
    for world in worlds:
        found = {str(entry["quantity"]): entry for entry in world[world["eta"] == 0].to_dict("records")}
        growth, span = found["growth of beta-hat with eta"], found["span of beta-hat with eta"]
        setting = str(growth["dimension"]), str(growth["horizon"])
        lines.append((*setting, str(growth["note"]).removeprefix("eta = "), _estimate(growth), _estimate(span), counted(growth)))
    return tuple(lines)


def _estimate(entry: Any) -> str:
    """0.454 ± 0.023 [0.408, 0.500]"""
    digits = 1 if abs(entry["measured"]) >= 10 else 3
    measured, se, low, high = (f"{entry[name]:.{digits}f}" for name in ("measured", "se", "low", "high"))
    return "—" if pd.isna(entry["measured"]) else f"{measured} ± {se} [{low}, {high}]"
