"""A small grid of debora and made-up runs on it, whose means and margins are known, for the tests of its exhibits."""

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from banditpapers import configuration
from banditpapers.cells import Cell
from banditpapers.claims import Claims
from banditpapers.environments.constrained_arms import OUTCOME
from banditpapers.exhibits import rounded
from banditpapers.papers.debora import experiment
from banditpapers.papers.debora.grid import Grid
from banditpapers.plugins import build
from banditpapers.runs import CellRuns, Runs
from banditpapers.seeding import streams

CONFIG = Path(__file__).parents[1] / "config"
SHIPPED = configuration.load([CONFIG / "config.yaml", CONFIG / "debora.yaml"], {"papers": "[debora]"}).grids["debora"]
NONE = Claims(paper="debora", replicates=1, claims=[])
N = 10
LUCK = np.linspace(-1, 1, N)
NOISE = 1 + 0.1 * LUCK
# of a cell, a horizon and a rho (0 where there is none): numbers by quantity, of shape (N,) or one for all
Outcome = Callable[[Cell, int, float], Mapping[str, NDArray[np.float64] | float]]


def small(**changes) -> Grid:
    """The shipped grid with some of its sections changed: regret={"arms": (2,)}."""
    parts = {name: getattr(SHIPPED, name).model_copy(update=update) for name, update in changes.items()}
    return SHIPPED.model_copy(update=parts)


def parameters(exhibit: str, grid: Grid):
    """As the workflow hands them over."""
    return json.loads(json.dumps(experiment.parameters(exhibit, grid)))


def cells(exhibit: str, grid: Grid) -> list[Cell]:
    """Each cell of an exhibit once."""
    return sorted(set(experiment.cells(exhibit, grid, NONE)), key=lambda cell: cell.id)


def width(arms: int, horizon: float, rho: float) -> float:
    """C of DEBORA by the formula: M sqrt(2 log(2 M / delta)) / (rho - 2 delta) with delta = rho / 10."""
    most = arms * math.ceil(math.log2(horizon))
    return most * math.sqrt(2 * math.log(2 * most / (0.1 * rho))) / (0.8 * rho)


def rho_of(rule: str) -> float:
    return float(rule.removeprefix("rho=")) if rule.startswith("rho=") else 0.0


def made_up(exhibit: str, grid: Grid, outcome: Outcome, failed: tuple[str, ...] = ()) -> Runs:
    """All cells of an exhibit. failed: algorithms whose first pair did not finish."""
    found = []
    for cell in cells(exhibit, grid):
        player = build("algorithms", cell.algorithm)
        quantities = getattr(player, "quantities", OUTCOME)
        values = np.zeros((N, len(player.checkpoints), len(player.rules), len(quantities)))
        for (c, horizon), (r, rule) in ((a, b) for a in enumerate(player.checkpoints) for b in enumerate(player.rules)):
            for quantity, numbers in outcome(cell, int(horizon), rho_of(rule)).items():
                if quantity in quantities:
                    values[:, c, r, quantities.index(quantity)] = numbers
        lost = int(cell.algorithm["name"] in failed)
        found.append(CellRuns(cell, N, lost, values[lost:], player.checkpoints, player.rules, tuple(quantities), {}, 0.0))
    return Runs(tuple(found), {})


def simulated(exhibit: str, grid: Grid, pairs: int, seed: int = 5) -> Runs:
    """All cells of an exhibit, played."""
    found = []
    for cell in cells(exhibit, grid):
        world, player = build("environments", cell.environment), build("algorithms", cell.algorithm)
        values = np.array([player.play(world, streams(seed, "debora", cell.environment, cell.algorithm, i)) for i in range(pairs)])
        found.append(CellRuns(cell, pairs, 0, values, player.checkpoints, player.rules, OUTCOME, {}, 0.0))
    return Runs(tuple(found), {})


def summarised(module, exhibit: str, grid: Grid, runs: Runs):
    """The tidy table as it is written."""
    return rounded(module.summarise(runs, parameters(exhibit, grid), NONE))


def one(table, **select):
    """The only row with these keys."""
    rows = table[np.logical_and.reduce([table[key] == value for key, value in select.items()])]
    assert len(rows) == 1, (select, len(rows))
    return rows.iloc[0]
