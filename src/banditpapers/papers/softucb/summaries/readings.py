"""Every choice that the text leaves open, against the default, replicate by replicate.

Part "fixed" (SoftUCB with a fixed beta): per change ("default", "gap absolute", ..., "delta 0.6", "features gaussian") and beta, "R(T)" and
"difference in R(T)", the change minus the default; other features are other arms, hence not paired.
Part "offline" (per change "start 0", ..., "gradient last round", "step 0.01"; the first is the default): "beta-hat", the mean of the last
20 iterates, "R(T)" of the final trajectory, "diverged", the share of replicates whose beta reached the cap, and "difference in beta-hat"
and "difference in R(T)".
Part "online" (per start and eta, change "start 1, eta 0.1" being the default, and "term cumulated, eta 0.1"): "R(T)", "final beta", "best
arm eliminated", the share of rounds with the best arm in L, and "difference in R(T)"; and two statements as changes of their own, both
"difference in R(T)" and positive where they hold: "start 0 is no worse", R(T) of the default start minus that of start 0, and "constraint
matters", R(T) with eta = 0 minus that with the default eta.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.balance import rule_of
from banditpapers.papers.softucb.pairs import Sample, counts, last, paired
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import proportion, student, welch
from banditpapers.tidy import NAN, row

USUAL = {"gap": "signed", "eliminated": "current", "empty": "uniform", "coldness": "lagged"}
ITERATES = 20  # beta-hat is their mean: a single iterate is noisy
Row = dict[str, Any]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table."""
    grid = parameters["grid"]
    parts = {"fixed": _fixed(runs, grid), "offline": _offline(runs, grid), "online": _online(runs, grid)}
    rows = [{**entry, "part": part, "reading": entry["change"]} for part, entries in parts.items() for entry in entries]
    leading = ["part", "change", "beta", "start", "eta", "quantity", "measured", "low", "high"]
    table = pd.DataFrame({"beta": 0.0, "start": NAN, "eta": NAN, **entry} for entry in rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _fixed(runs: Runs, grid: dict[str, Any]) -> Iterator[Row]:
    cells = {_change(cell, grid): cell for cell in runs.matching("soft_ucb")}
    usual = cells["default"]
    order = ["default", *(change for change in cells if change != "default")]
    for change in sorted(order, key=lambda change: (change != "default", change.partition(" ")[0], change)):
        cell = cells[change]
        for beta in grid["readings"]["beta"]:
            one, other = (last(played, rule_of(beta), "regret") for played in (cell, usual))
            keys = {"change": change, "beta": float(beta)}
            yield row(student(one), cell.counts, **keys, quantity="R(T)")
            if cell is not usual:
                same_arms = cell.cell.environment == usual.cell.environment
                found = paired(cell, one, usual, other) if same_arms else welch(one, other)
                yield row(
                    found, counts(cell, usual), **keys, quantity="difference in R(T)", note="" if same_arms else "other arms: not paired"
                )


def _change(cell: CellRuns, grid: dict[str, Any]) -> str:
    """What a cell does otherwise than the default, as "key value"."""
    usual = {**USUAL, "delta": grid["delta"], "features": grid["features"]}
    found = {**usual, **cell.cell.algorithm, "features": cell.cell.environment["features"]}
    changed = [f"{key} {_text(found[key])}" for key in usual if found[key] != usual[key]]
    return ", ".join(changed) or "default"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _offline(runs: Runs, grid: dict[str, Any]) -> Iterator[Row]:
    plan, eta = grid["offline"], float(grid["offline"]["eta"])
    cells = list(runs.matching("soft_ucb_offline"))
    (started,) = (cell for cell in cells if len(cell.cell.algorithm["start"]) > 1)
    usual_rule = _offline_rule(plan["start"], eta)
    shown = [(f"start {start:g}", started, _offline_rule(start, eta)) for start in (plan["start"], *grid["readings"]["offline_start"])]
    (rounds,) = (cell for cell in cells if cell.cell.algorithm.get("gradient", "sum") != "sum")
    (stepped,) = (cell for cell in cells if cell is not rounds and cell.cell.algorithm["step"] != plan["step"])
    shown += [(f"{key} {_text(cell.cell.algorithm[key])}", cell, usual_rule) for key, cell in (("gradient", rounds), ("step", stepped))]
    for change, cell, rule in shown:
        keys = {"change": change, "eta": eta, "start": float(rule.split()[0].partition("=")[2])}
        numbers, usual = _learnt(cell, rule), _learnt(started, usual_rule)
        for quantity, sample in numbers.items():
            yield row(student(sample), cell.counts, **keys, quantity=quantity)
            if change != shown[0][0]:
                found = paired(cell, sample, started, usual[quantity])
                yield row(found, counts(cell, started), **keys, quantity=f"difference in {quantity}")
        yield row(proportion(last(cell, rule, "diverged")), cell.counts, **keys, quantity="diverged")


def _offline_rule(start: float, eta: float) -> str:
    return f"start={float(start)!r} eta={float(eta)!r}"


def _learnt(cell: CellRuns, rule: str) -> dict[str, Sample]:
    iterates = [place for place, label in enumerate(cell.checkpoints) if label.startswith("n=")][-ITERATES:]
    return {"beta-hat": np.asarray(cell.path(rule, "beta")[:, iterates].mean(axis=1)), "R(T)": last(cell, rule, "regret")}


def _online(runs: Runs, grid: dict[str, Any]) -> Iterator[Row]:
    plan = grid["online"]
    cells = list(runs.matching("soft_ucb_online"))
    (started,) = (cell for cell in cells if len(cell.cell.algorithm["start"]) > 1)
    (cumulated,) = (cell for cell in cells if cell.cell.algorithm.get("term") == "cumulated")
    usual = _online_rule(plan, plan["start"], plan["eta"])
    pairs = [(start, eta) for start in started.cell.algorithm["start"] for eta in started.cell.algorithm["eta"]]
    shown = [(f"start {start:g}, eta {eta:g}", started, start, eta) for start, eta in pairs]
    shown += [(f"term cumulated, eta {eta:g}", cumulated, plan["start"], eta) for eta in cumulated.cell.algorithm["eta"]]
    regret = last(started, usual, "regret")
    for change, cell, start, eta in shown:
        rule, keys = _online_rule(plan, start, eta), {"change": change, "start": float(start), "eta": float(eta)}
        lost = last(cell, rule, "best_eliminated") / int(cell.checkpoints[-1])
        found = {"R(T)": last(cell, rule, "regret"), "final beta": last(cell, rule, "beta"), "best arm eliminated": lost}
        for quantity, sample in found.items():
            yield row(student(sample), cell.counts, **keys, quantity=quantity)
        if (cell, rule) != (started, usual):
            yield row(paired(cell, found["R(T)"], started, regret), counts(cell, started), **keys, quantity="difference in R(T)")
    for change, start, eta in (("start 0 is no worse", 0, plan["eta"]), ("constraint matters", plan["start"], 0)):
        keys = {"change": change, "quantity": "difference in R(T)", "start": float(start), "eta": float(eta)}
        rule = _online_rule(plan, start, eta)
        other = last(started, rule, "regret") if rule in started.rules else np.full(len(regret), np.nan)
        first, second = (regret, other) if start == 0 else (other, regret)
        yield row(paired(started, first, started, second), started.counts, **keys)


def _online_rule(plan: dict[str, Any], start: float, eta: float) -> str:
    return f"start={float(start)!r} step={float(plan['step'])!r} eta={float(eta)!r}"
