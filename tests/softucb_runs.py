"""Made-up runs of softucb whose means, margins and best bounds are known, for the tests of its exhibits."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from banditpapers import configuration
from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.papers.softucb import experiment
from banditpapers.plugins import build
from banditpapers.runs import CellRuns, Runs

CONFIG = Path(__file__).parents[1] / "config"
GRID = configuration.load([CONFIG / "config.yaml", CONFIG / "softucb.yaml"], {"papers": "[softucb]"}).grids["softucb"]
NONE = Claims(paper="softucb", replicates=1, claims=[])
N = 8
LUCK = np.linspace(-1, 1, N)
Outcome = Callable[[Cell, str], Mapping[str, NDArray[np.float64]]]


def parameters(exhibit: str, grid=GRID):
    """As the workflow hands them over."""
    return json.loads(json.dumps(experiment.parameters(exhibit, grid)))


def cells(exhibit: str, grid=GRID) -> list[Cell]:
    """Each cell of an exhibit once."""
    return sorted(set(experiment.cells(exhibit, grid, NONE)), key=lambda cell: cell.id)


def made_up(exhibit: str, outcome: Outcome, failed: tuple[str, ...] = (), source: str = "", grid=GRID) -> Runs:
    """All cells of an exhibit. outcome: of a cell and a rule, arrays of shape (N, checkpoints) by quantity; the others are 0.

    failed: algorithms whose first replicate did not finish. source: of all ratings.
    """
    found = []
    for cell in cells(exhibit, grid):
        player = build("algorithms", cell.algorithm)
        quantities = getattr(player, "quantities", ("regret",))
        values = np.zeros((N, len(player.checkpoints), len(player.rules), len(quantities)))
        for r, rule in enumerate(player.rules):
            for quantity, numbers in outcome(cell, rule).items():
                values[:, :, r, quantities.index(quantity)] = numbers
        lost = int(cell.algorithm["name"] in failed)
        taken = source if "ratings" in cell.environment else ""
        found.append(CellRuns(cell, N, lost, values[lost:], player.checkpoints, player.rules, quantities, {}, 0.0, taken))
    return Runs(tuple(found), {})


def one(table, **select):
    """The only row with these keys."""
    rows = table[np.logical_and.reduce([table[key] == value for key, value in select.items()])]
    assert len(rows) == 1, (select, len(rows))
    return rows.iloc[0]
