"""The published program's settings as one bundle: absolute gaps, cumulative L, |L| = 0 counted as 1, Gaussian features, a constant beta.

Quantities, per dimension: "R(T)" of each algorithm (variant ""), "offline" there being SoftUCB with the program's constant beta, and of
LinUCB with that beta (variant "same beta"); "beta after training" and "diverged", of the training that is commented out in the program
(method soft_ucb_offline), with "R(T)" of what it leads to (variant "trained"); and leads in R(T), paired by set of arms and positive
where the first has less regret, see LEADS.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.balance import rule_of
from banditpapers.papers.softucb.pairs import Sample, counts, last, paired
from banditpapers.papers.softucb.ranges import THEORY
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import proportion, student
from banditpapers.tidy import row

SAME, TRAINED = "same beta", "trained"
LEADS = {  # the first's lead is the second's R(T) minus its own
    "lead of online over LinUCB": (("soft_ucb_online", ""), ("linear_ucb", "")),
    "lead of offline over epsilon-greedy": (("soft_ucb", ""), ("epsilon_greedy", "")),
    "lead of LinUCB with the same beta over offline": (("linear_ucb", SAME), ("soft_ucb", "")),
}
Player = tuple[CellRuns, str]
Row = dict[str, Any]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table."""
    grid = parameters["grid"]
    plan = grid["released"]
    rows: list[Row] = []
    for dimension in plan["dimensions"]:
        entries = _of(dict(_players(runs, grid, dimension)))
        rows += [
            {"method": "", "variant": "", "rule": "", **entry, "dimension": dimension, "horizon": plan["horizon"]} for entry in entries
        ]
    leading = ["dimension", "horizon", "method", "variant", "rule", "quantity", "measured", "low", "high"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _players(runs: Runs, grid: dict[str, Any], dimension: int) -> Iterator[tuple[tuple[str, str], Player]]:
    plan = grid["released"]

    def cell(name: str) -> CellRuns:
        return runs.one(name, dimension=dimension, variance=plan["variance"])

    constant, started, trained = rule_of(plan["beta"]), plan["online"], plan["training"]
    online = f"start={float(started['start'])!r} step={float(started['step'])!r} eta={float(started['eta'])!r}"
    yield ("soft_ucb", ""), (cell("soft_ucb"), constant)
    yield ("soft_ucb_online", ""), (cell("soft_ucb_online"), online)
    yield ("linear_ucb", ""), _with(cell("linear_ucb"), "beta", THEORY)
    yield ("fixed_arms_thompson", ""), _with(cell("fixed_arms_thompson"), "scale", grid["thompson"]["scale"])
    yield ("epsilon_greedy", ""), _with(cell("epsilon_greedy"), "epsilon", grid["greedy"]["epsilon"])
    yield ("linear_ucb", SAME), (cell("linear_ucb"), constant)
    yield ("soft_ucb_offline", TRAINED), (cell("soft_ucb_offline"), f"start={float(trained['start'])!r} eta={float(trained['eta'])!r}")


def _with(cell: CellRuns, key: str, value: Any) -> Player:
    """The runs of an algorithm whose rules are the values of one parameter, with one of them."""
    return cell, cell.rules[list(cell.cell.algorithm[key]).index(value)]


def _of(players: Mapping[tuple[str, str], Player]) -> Iterator[Row]:
    for (method, variant), (cell, rule) in players.items():
        keys = {"method": method, "variant": variant, "rule": rule}
        yield row(student(last(cell, rule, "regret")), cell.counts, **keys, quantity="R(T)")
        if variant == TRAINED:
            beta = last(cell, rule, "beta")
            note = f"from {beta.min():.4g} to {beta.max():.4g}" if beta.size else ""
            yield row(student(beta), cell.counts, **keys, quantity="beta after training", note=note)
            yield row(proportion(last(cell, rule, "diverged")), cell.counts, **keys, quantity="diverged")
    for quantity, (first, second) in LEADS.items():
        (one, rule), (other, rival) = players[first], players[second]
        yield row(_lead(players[first], players[second]), counts(one, other), quantity=quantity, rule=f"{rule} against {rival}")


def _lead(first: Player, second: Player) -> Any:
    samples: list[Sample] = [last(cell, rule, "regret") for cell, rule in (second, first)]
    return paired(second[0], samples[0], first[0], samples[1])
