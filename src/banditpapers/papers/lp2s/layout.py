"""The printed form of Tables 2, 3 and 4: ours with its standard error or interval, and the paper's number in brackets."""

from math import isnan
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel

METHODS = {  # column: method, reading (None: the default of LP2S)
    "LP2S": ("lp2s", None),
    "TSE": ("two_stage_exploration", "overall mean"),
    "Batched Thompson": ("batched_thompson", "empirical mean"),
    "the same, posterior mean": ("batched_thompson", "posterior mean"),
    "BatchRacing": ("batch_racing", "mean"),
}
MATCHED = {"T": "sampling cost T", "SR": "simple regret", "1-PB": "1 − PB"}
CAPTION = (
    "Each number is ours, of n replicates (finished/planned where some failed), ± its standard error, or with its 95% interval in square "
    "brackets where it is read off a curve; in round brackets the number that the paper prints. T is the mean number of pulls, SR the mean "
    "simple regret (difference of means), 1 − PB the share of replicates that miss the best arm. LP2S stands in the default reading at the "
    "cost that this reading has, whatever a block is matched on; its other readings are the last panel. "
    "≤: the curve is below already where it starts; >: it ends before it gets there."
)


def number(value: float) -> str:
    """Three significant digits, as the paper prints."""
    if isnan(value):
        return "—"
    return f"{value:.0f}" if 100 <= abs(value) < 1e5 else f"{value:.2e}" if abs(value) >= 1e5 else f"{value:.3g}"


def cell(entry: Any, printed: float | None) -> str:
    """One cell's text."""
    if isnan(entry.measured):
        ours = "—" if isnan(entry.low) else f"> {number(entry.low)}"
    elif entry.note.startswith("reached with at most"):
        ours = f"≤ {number(entry.measured)}"
    elif entry.interval == "band 95%":
        ours = f"{number(entry.measured)} [{number(entry.low)}, {number(entry.high)}]"
    else:
        ours = f"{number(entry.measured)} ± {number(entry.se)}"
    return ours if printed is None else f"{ours} ({number(printed)})"


def replicates(rows: pd.DataFrame) -> str:
    """n, or by method how many of the planned replicates finished where some did not."""
    names = {method: name for name, (method, reading) in reversed(METHODS.items())}
    counted = zip(rows["method"], rows["finished"], rows["planned"], strict=True)
    short = {f"{names[method]} {finished}/{planned}" for method, finished, planned in counted if finished < planned}
    return ", ".join(sorted(short)) or str(rows["planned"].iloc[0])


def comparison(table: pd.DataFrame, claims: Claims, exhibit: str) -> list[Panel]:
    """The panels of a comparison table."""
    measured = table[~table["quantity"].str.contains("lead|deficit") & (table["matched_on"] != "cap")]
    panels = []
    for budget in ("paper", "ours"):
        for matched_on in measured["matched_on"].unique():
            block = measured[(measured["budget"] == budget) & (measured["matched_on"] == matched_on)]
            others = [quantity for quantity in ("SR", "T", "1-PB") if quantity != matched_on and (block["quantity"] == quantity).any()]
            for quantity in others:
                panels.append(_panel(block, claims, exhibit, budget, matched_on, quantity))
    return [*panels, _readings(measured, claims, exhibit)]


def _panel(block: pd.DataFrame, claims: Claims, exhibit: str, budget: str, matched_on: str, quantity: str) -> Panel:
    rows = []
    for (prior, arms), world in block[block["quantity"] == quantity].groupby(["prior", "arms"], sort=False):
        texts = [str(prior), str(arms), number(world["at"].iloc[0])]
        for method, reading in METHODS.values():
            chosen = world[(world["method"] == method) & (world["default"] if reading is None else world["reading"] == reading)]
            keys = {"prior": prior, "arms": arms, "matched_on": matched_on, "budget": "paper", "method": method, "quantity": quantity}
            stated = claims.value(exhibit, **keys) if budget == "paper" and reading != "posterior mean" else None
            texts += [cell(entry, stated) for entry in chosen.itertuples()] or ["—"]
        rows.append((*texts, replicates(world)))
    whose = "the paper's LP2S" if budget == "paper" else "our LP2S"
    columns = ("(a, b)", "K", f"{matched_on} of {whose}", "LP2S at its own T", *list(METHODS)[1:], "n")
    return Panel(f"{quantity} at the {MATCHED[matched_on]} of {whose}", columns, tuple(rows))


def _readings(measured: pd.DataFrame, claims: Claims, exhibit: str) -> Panel:
    """T and SR of LP2S under every reading: exact values beside the paper's."""
    lp2s = measured[(measured["method"] == "lp2s") & (measured["budget"] == "ours") & (measured["matched_on"] == "T")]
    rows = []
    for (prior, arms), world in lp2s.groupby(["prior", "arms"], sort=False):
        for (reading, note), entry in world.groupby(["reading", "note"], sort=False):
            value = dict(zip(entry["quantity"], zip(entry["measured"], entry["se"], entry["exact"], strict=True), strict=True))
            texts = [f"{number(value[name][0])} ± {number(value[name][1])} / {number(value[name][2])}" for name in value]
            rows.append((str(prior), str(arms), f"{reading} ({note})" if note else str(reading), *texts, replicates(entry)))
        keys = {"prior": prior, "arms": arms, "matched_on": "T", "budget": "paper", "method": "lp2s"}
        stated = [claims.value(exhibit, **keys, quantity=name) for name in value]
        rows.append((str(prior), str(arms), "the paper", *("—" if v is None else number(v) for v in stated), str(claims.replicates)))
    heading = "LP2S in every reading (stage length; delta_0; score): simulated ± standard error / exact"
    return Panel(heading, ("(a, b)", "K", "reading", *value, "n"), tuple(rows))
