"""Regret, violation and replicability at the last horizons."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted
from banditpapers.papers.debora.looks import styled
from banditpapers.papers.debora.panels import look

CAPTION = (
    "Regret, violation and replicability at the last horizon T of each algorithm. Numbers are means over pairs of runs, with their 95% "
    "intervals (regret, violation: normal; ratios of means: delta method; share of pairs that differ: Clopper-Pearson). UCB has doubling "
    "epochs; UCB1 is played round by round and so ends earlier. Esfandiari et al., Algorithm 2, is not replicable at near ties, see the "
    "figure near_ties. The curve in the style of RSE and OPB are reconstructions. Under constraints the ratio is that of the violation "
    "(DEBORA-S) or regret (DEBORA-H) to that of the linear program on plain means."
)
FREE = ("algorithm", "ρ", "T", "regret", "ratio to UCB", "pairs that differ", "n")
BOUND = ("algorithm", "ρ", "T", "violation", "regret", "ratio to plain means", "pairs that differ", "n")


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """A panel per world."""
    panels = []
    for (instance, arms, gap), world in table.groupby(["instance", "arms", "gap"], sort=False):
        heading = f"{instance}: K = {arms}" if instance else f"K = {arms}, gap {gap:g}"
        columns = BOUND if instance else FREE
        lines = [_line(rows, columns) for _, rows in world.groupby(["method", "variant", "rho"], sort=False)]
        panels.append(Panel(heading, columns, tuple(lines)))
    return panels


def _line(rows: pd.DataFrame, columns: tuple[str, ...]) -> tuple[str, ...]:
    first = rows.iloc[0]
    found = {str(entry["quantity"]): _estimate(entry) for entry in rows.to_dict("records")}
    found["pairs that differ"] = found.get("non-replication", "—")
    name = (look if first["instance"] else styled)(str(first["method"]), str(first["variant"])).name
    known = (name, f"{first['rho']:g}" if first["rho"] else "—", _number(first["horizon"]))
    return (*known, *(found.get(column, "—") for column in columns[3:-1]), counted(first.to_dict()))


def _estimate(entry: Any) -> str:
    """1.13e7 [1.10e7, 1.16e7]"""
    if pd.isna(entry["measured"]):
        return "—"
    measured, low, high = (_number(entry[name]) for name in ("measured", "low", "high"))
    return measured if low == high else f"{measured} [{low}, {high}]"


def _number(value: float) -> str:
    """Three digits, and an exponent without zeros."""
    mantissa, _, exponent = f"{value:.3g}".replace("-", "−").partition("e")
    return mantissa + (f"e{exponent.lstrip('+0')}".replace("e−0", "e-").replace("e−", "e-") if exponent else "")
