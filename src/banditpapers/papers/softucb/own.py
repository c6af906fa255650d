"""Linear bandits of one's own in Figure 2: on synthetic arms and on real ratings."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.contenders import Contender, described
from banditpapers.papers.softucb.descriptions import Description, rated_worlds, synthetic
from banditpapers.papers.softucb.grid import Grid
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import student
from banditpapers.tidy import row


def worlds(exhibit: str, grid: Grid, claims: Claims, entry: Any) -> list[tuple[Description, list[int]]]:
    """Where an algorithm is played for an exhibit, and the rounds that are recorded."""
    plan = grid.figure2
    if exhibit != "figure2":
        return []
    found = [(synthetic(grid, dimension), grid.rounds(plan.horizon)) for dimension in plan.dimensions]
    return [*found, *((world, grid.rounds(plan.rated.horizon)) for world in rated_worlds(grid))]


def summarise(
    make: Callable[..., pd.DataFrame], runs: Runs, own: Sequence[CellRuns], parameters: dict[str, Any], claims: Claims
) -> pd.DataFrame:
    """The tidy table with rows for cells of one's own, whose algorithms have their labels for names."""
    table = make(runs, parameters, claims)
    rows = []
    for cell in own:
        one = Contender(cell, cell.rules[0])
        keys = {**described(cell.cell.environment, parameters["grid"], cell.source), "method": one.method, "variant": "", "rule": one.rule}
        for t, sample in zip(one.rounds, one.path().T, strict=True):
            rows.append(row(student(sample), cell.counts, **keys, tuned_on="", round=t, quantity="regret"))
    return pd.concat([table, pd.DataFrame(rows).reindex(columns=table.columns)], ignore_index=True)


def layout(labels: Sequence[str]) -> AbstractContextManager[None]:
    """The picture goes by the tidy table's methods."""
    return nullcontext()
