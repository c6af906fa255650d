"""Batched best-arm algorithms of one's own in Tables 2, 3 and 4: at the cost of LP2S and at its regret, like the paper's competitors.

Their recommendation rule has a name of its own, so that no lead of LP2S over the paper's competitors is measured against them.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.own.playing import put
from banditpapers.papers.lp2s import experiment
from banditpapers.papers.lp2s import layout as printed
from banditpapers.papers.lp2s.grid import Grid
from banditpapers.papers.lp2s.summaries import comparison
from banditpapers.runs import CellRuns, Runs

TABLES = tuple(experiment.TABLES)
RULE = "own"


def worlds(exhibit: str, grid: Grid, claims: Claims, entry: Any) -> list[tuple[dict[str, Any], list[int]]]:
    """Where an algorithm is played for an exhibit, and the budgets: those of two-stage exploration."""
    if exhibit not in TABLES:
        return []
    pulls = partial(experiment.budgets, "two_stage_exploration", grid=grid, claims=claims)
    return [(experiment.environment(prior, arms), pulls(prior, arms)) for prior, arms in experiment.instances(exhibit, grid)]


def summarise(
    make: Callable[..., pd.DataFrame], runs: Runs, own: Sequence[CellRuns], parameters: dict[str, Any], claims: Claims
) -> pd.DataFrame:
    """The tidy table with cells of one's own, whose algorithms have their labels for names, among the competitors."""
    named = [replace(cell, rules=(RULE, *cell.rules[1:])) for cell in own]
    with ExitStack() as stack:
        for label in {str(cell.cell.algorithm["name"]) for cell in named}:
            stack.enter_context(put(comparison.RULES, label, (RULE,)))
        return make(Runs((*runs.cells, *named), runs.about), parameters, claims)


@contextmanager
def layout(labels: Sequence[str]) -> Iterator[None]:
    """A column for each."""
    with ExitStack() as stack:
        for label in labels:
            stack.enter_context(put(printed.METHODS, label, (label, RULE)))
        yield
