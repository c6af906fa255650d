"""Algorithms of one's own in tidy tables, pictures and printed tables, beside the papers'.

A paper's `own.py` adds rows for their cells; a picture draws a line for each method that its table has. What is put in here for the time of
one job: rows, a look for each, and a sentence in the caption. The audit selects rows by the papers' own methods and does not see them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from banditpapers import exhibits
from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.own.playing import put
from banditpapers.own.problems import PROBLEMS
from banditpapers.plotting import LOOKS, Look
from banditpapers.runs import CellRuns, Runs

# Tol's muted colours, which none of the papers' algorithms has; lines and markers tell them apart without colour
WINE, TEAL, INDIGO, OLIVE, ROSE = "#882255", "#44AA99", "#332288", "#999933", "#CC6677"
SPARE = ((WINE, "-", "P"), (TEAL, "--", "X"), (INDIGO, "-.", "p"), (OLIVE, ":", "h"), (ROSE, "-", "d"))
Described = Mapping[str, Any]


def summarise(paper: str, summary: str, *rest: Any, **named: Any) -> None:
    """`exhibits.summarise`, with rows for the algorithms that its parameters name under "own"."""
    module = import_module(f"banditpapers.papers.{paper}.summaries.{summary}")
    extend = import_module(f"banditpapers.papers.{paper}.own").summarise
    make = module.summarise

    def both(runs: Runs, parameters: Mapping[str, Any], claims: Claims) -> pd.DataFrame:
        known = {key: value for key, value in parameters.items() if key != "own"}
        ours, own = _parted(runs, parameters["own"])
        table: pd.DataFrame = extend(make, ours, own, known, claims)
        return table

    with put(module, "summarise", both):
        exhibits.summarise(paper, summary, *rest, **named)


def publish(paper: str, name: str, kind: str, source: Path, *rest: Any) -> None:
    """`exhibits.publish`, with the looks of the algorithms that the tidy table's parameters name under "own"."""
    with shown(paper, name, exhibits.tidy(source)[1]["parameters"].get("own", ())):
        exhibits.publish(paper, name, kind, source, *rest)


@contextmanager
def shown(paper: str, name: str, own: Sequence[Described]) -> Iterator[None]:
    """Within it, the exhibit knows the algorithms."""
    module = import_module(f"banditpapers.papers.{paper}.exhibits.{name}")
    labels = [str(one["label"]) for one in own]
    with ExitStack() as stack:
        for i, one in enumerate(own):
            stack.enter_context(put(LOOKS, one["label"], Look(_spelled(one), *SPARE[i % len(SPARE)])))
        stack.enter_context(import_module(f"banditpapers.papers.{paper}.own").layout(labels))
        if own:
            stack.enter_context(put(module, "CAPTION", f"{module.CAPTION} {_sentence(own)}"))
        yield


def _spelled(one: Described) -> str:
    limited = one["horizon"] and PROBLEMS[one["problem"]].records == "horizons"
    return f"{one['label']}, to T = {one['horizon']:g}" if limited else str(one["label"])


def _sentence(own: Sequence[Described]) -> str:
    names = ", ".join(_spelled(one) for one in own)
    return f"Not of the paper: {names}, from files outside of this project; no claim of the paper is judged by them."


def _parted(runs: Runs, own: Sequence[Described]) -> tuple[Runs, list[CellRuns]]:
    """Ours, and those of one's own with their labels for names, in the order of the configuration."""
    by_label: dict[str, list[CellRuns]] = {str(one["label"]): [] for one in own}
    ours = []
    for cell in runs.cells:
        found = next((str(one["label"]) for one in own if _made(cell.cell, one)), None)
        if found is None:
            ours.append(cell)
        else:
            named = Cell(cell.cell.paper, cell.cell.environment, {**cell.cell.algorithm, "name": found})
            by_label[found].append(replace(cell, cell=named))
    return Runs(tuple(ours), runs.about), [cell for cells in by_label.values() for cell in cells]


def _made(cell: Cell, one: Described) -> bool:
    records = PROBLEMS[one["problem"]].records
    parameters = {key: value for key, value in cell.algorithm.items() if key not in ("name", records)}
    return bool(cell.algorithm["name"] == one["name"] and parameters == one["parameters"])
