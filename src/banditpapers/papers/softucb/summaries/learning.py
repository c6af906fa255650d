"""Learning curves: beta-hat and regret of SoftUCB along training (offline) and along the rounds (online); Figures 1, 3 and 4.

Rows: panel "offline" or "online"; x, the training trajectory n or the round t; quantity "beta" (beta_n, beta_t) or "regret" (of trajectory
n; online cumulative). For Figure 1 also margins, with x = 0, which are positive where a curve has settled:
"settled beta"     0.1 minus the change relative to the larger of the two numbers: the means of the last 10 iterates and of 10 iterates
                   20 earlier; beta_T and beta_T/2
"settled regret"   regret of the first trajectory minus the mean of the last 20; regret of rounds 1 to T/2 minus that of the rest
"early share"      online: R(64) / R(T) minus a half
Short trainings take a third of the iterates instead of 10, and the recorded round at or below T/2 or 64.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.papers.softucb.theory_bound import beta_tilde
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import student
from banditpapers.tidy import row

Row = dict[str, Any]
Array = NDArray[np.float64]
WINDOW, LAST, EARLY, NEAR = 10, 20, 64, 0.1


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per panel, setting, x, quantity and eta."""
    grid, rows = parameters["grid"], list[Row]()
    for panel in ("offline", "online"):
        cells = runs.matching(f"soft_ucb_{panel}")
        for cell in sorted(cells, key=lambda cell: (cell.cell.environment["dimension"], cell.cell.algorithm["rounds"][-1])):
            rows += _curves(cell, panel, grid, margins=parameters["exhibit"] == "figure1")
    leading = ["panel", "dimension", "horizon", "x", "quantity", "eta", "reading", "default", "measured", "low", "high"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _curves(cell: CellRuns, panel: str, grid: Row, margins: bool) -> Iterator[Row]:
    dimension, horizon = cell.cell.environment["dimension"], cell.cell.algorithm["rounds"][-1]
    world = {"panel": panel, "dimension": dimension, "horizon": horizon, "beta_tilde": beta_tilde(grid, dimension, horizon)}
    marks = [label for label in cell.checkpoints if not label.startswith("t=")]  # offline, t counts rounds of the final trajectory
    x = np.array([int(label.removeprefix("n=")) for label in marks])
    for eta, rule in zip(cell.cell.algorithm["eta"], cell.rules, strict=True):
        default = eta == grid[panel]["eta"]
        keys = {**world, "eta": float(eta), "reading": f"eta = {eta:g}", "default": default}
        paths = {quantity: cell.path(rule, quantity)[:, : len(x)] for quantity in ("beta", "regret")}
        for quantity, path in paths.items():
            for at, sample in zip(x.tolist(), path.T, strict=True):
                yield row(student(sample), cell.counts, **keys, x=at, quantity=quantity)
        for quantity, sample in _settled(panel, x, **paths).items() if margins else ():
            yield row(student(sample), cell.counts, **keys, x=0, quantity=quantity)


def _settled(panel: str, x: NDArray[np.int64], beta: Array, regret: Array) -> dict[str, Array]:
    """The margins, one number per replicate. beta, regret: shape (replicates, x)."""
    if panel == "offline":
        window, last = min(WINDOW, len(x) // 3), min(LAST, len(x))
        late, before = beta[:, -window:], beta[:, len(x) - 3 * window : len(x) - 2 * window]
        change = _relative(late.mean(axis=1), before.mean(axis=1)) if window else np.full(len(beta), np.nan)
        return {"settled beta": NEAR - change, "settled regret": regret[:, 0] - regret[:, -last:].mean(axis=1)}
    half, early = (max(0, int(np.searchsorted(x, t, side="right")) - 1) for t in (x[-1] // 2, EARLY))
    first = regret[:, half]
    share = np.divide(regret[:, early], regret[:, -1], out=np.zeros(len(regret)), where=regret[:, -1] > 0)
    change = _relative(beta[:, -1], beta[:, half])
    return {"settled beta": NEAR - change, "settled regret": first - (regret[:, -1] - first), "early share": share - 0.5}


def _relative(now: Array, before: Array) -> Array:
    """|now - before| relative to the larger: in [0, 1] even for a beta that falls to 0, and 0 where both are 0."""
    larger = np.maximum(now, before)
    return np.divide(np.abs(now - before), larger, out=np.zeros_like(larger), where=larger > 0)
