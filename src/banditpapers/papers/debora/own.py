"""K-armed and constrained algorithms of one's own against the horizon, up to the one to which they are played."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.own.playing import put
from banditpapers.papers.debora.constrained import Row, curves, means, slope_rows
from banditpapers.papers.debora.descriptions import Description, constrained, gap_arms
from banditpapers.papers.debora.grid import Grid
from banditpapers.papers.debora.shown import row_of, settings
from banditpapers.papers.debora.summaries import finals, regret
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import exact_proportion, mean
from banditpapers.tidy import row

UNDER_CONSTRAINTS = {"violation": "violation", "soft_regret": "regret", "hard_regret": "regret", "finals": ""}


def worlds(exhibit: str, grid: Grid, claims: Claims, entry: Any) -> list[tuple[Description, list[int]]]:
    """Where an algorithm is played for an exhibit, and the horizons."""
    if entry.problem == "k-armed" and exhibit in ("regret", "finals"):
        return [(gap_arms(arms, gap), entry.within(grid.regret.horizons)) for arms in grid.regret.arms for gap in grid.regret.gaps]
    if entry.problem == "constrained" and exhibit in UNDER_CONSTRAINTS:
        return [(world, entry.within(grid.growth.horizons)) for world in constrained(grid)]
    return []


def summarise(
    make: Callable[..., pd.DataFrame], runs: Runs, own: Sequence[CellRuns], parameters: dict[str, Any], claims: Claims
) -> pd.DataFrame:
    """The tidy table with rows for cells of one's own, whose algorithms have their labels for names."""
    exhibit, grid = parameters["exhibit"], parameters["grid"]
    theirs = Runs(tuple(own), runs.about)
    free = {str(cell.cell.algorithm["name"]): None for cell in own if not cell.cell.environment.get("costs")}
    bound = [str(cell.cell.algorithm["name"]) for cell in own if cell.cell.environment.get("costs")]
    module = {"regret": regret, "finals": finals}.get(exhibit)
    if module is None:
        table = make(runs, parameters, claims)
    else:
        with put(module, "METHODS", (*module.METHODS, *free)):
            unconstrained = (cell for cell in own if not cell.cell.environment.get("costs"))
            table = make(Runs((*runs.cells, *unconstrained), runs.about), parameters, claims)
    rows: list[Row] = []
    for method in free if exhibit == "finals" else ():
        for one in settings(theirs, method):
            if one.horizon == int(one.runs.checkpoints[-1]) and "replicated" in one.runs.quantities:
                share = exact_proportion(1.0 - one.of("replicated"))
                rows.append({**row_of(one, share, grid, quantity="non-replication"), "instance": ""})
    for curve in curves(theirs, grid, *dict.fromkeys(bound)):
        rows += _constrained(curve, exhibit)
    return pd.concat([table, pd.DataFrame(rows).reindex(columns=table.columns)], ignore_index=True) if rows else table


def _constrained(curve: Any, exhibit: str) -> list[Row]:
    """As the paper's algorithms have them."""
    last = curve.settings[-1]
    if exhibit == "finals":
        found = [row(mean(last.pairs(name)), curve.counts, **curve.at(last), gap=0.0, quantity=name) for name in ("violation", "regret")]
        if "replicated" in last.runs.quantities:
            share = exact_proportion(1.0 - last.of("replicated"))
            found.append(row(share, curve.counts, **curve.at(last), gap=0.0, quantity="non-replication"))
        return found
    quantity = UNDER_CONSTRAINTS[exhibit]
    found = list(means(curve, quantity))
    if exhibit == "hard_regret" and "unsafe" in last.runs.quantities:
        found += [row(mean(one.of("unsafe")), curve.counts, **curve.at(one), quantity="unsafe rounds") for one in curve.settings]
    return found if exhibit == "soft_regret" else [*found, *slope_rows(curve, quantity, exhibit)]


def layout(labels: Sequence[str]) -> AbstractContextManager[None]:
    """Pictures and tables go by the tidy table's methods."""
    return nullcontext()
