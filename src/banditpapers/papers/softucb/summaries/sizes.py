"""Table 1: the size of the confidence bound that is learnt offline, beta-hat, against that of theory, beta-tilde.

Rows: dimension, horizon, eta, quantity; per replicate, over the last 20 training trajectories:
"beta-hat"         mean of the iterates; "regret": mean of the regrets; "first regret": of the first trajectory, played with beta_0
"beta-tilde minus beta-hat"   positive where the learnt size is the smaller one
"drift"            last iterate minus the one 20 before
"diverged"         share of replicates in which beta reached the cap
and with eta = 0: "beta-tilde", exact; "growth of beta-hat with eta", largest eta minus smallest, paired; "span of beta-hat with eta", the
ratio of their means minus 1 (interval of the logarithm by the delta method, paired, Student's t).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from banditpapers.claims import Claims
from banditpapers.papers.softucb.theory_bound import beta_tilde
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import Estimate, proportion, student
from banditpapers.tidy import NAN, row

Row = dict[str, Any]
Array = NDArray[np.float64]
LAST = 20


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting, eta and quantity; `published` is the number that the paper prints."""
    grid, rows = parameters["grid"], list[Row]()
    for dimension, horizon in grid["table1"]["settings"]:
        (cell,) = (
            found for found in runs.matching("soft_ucb_offline", dimension=dimension) if found.cell.algorithm["rounds"][-1] == horizon
        )
        rows += ({"dimension": dimension, "horizon": horizon, **entry} for entry in _setting(cell, grid, dimension, horizon))
    for entry in rows:
        keys = {key: entry[key] for key in ("dimension", "horizon", "quantity")}
        printed = claims.value(exhibit="table1", **keys) if entry["default"] else None
        entry["published"] = NAN if printed is None else printed
    leading = ["dimension", "horizon", "eta", "quantity", "reading", "default", "measured", "se", "low", "high", "published"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _setting(cell: CellRuns, grid: Row, dimension: int, horizon: int) -> Iterator[Row]:
    theory, learnt = beta_tilde(grid, dimension, horizon), []
    yield row(theory, eta=0.0, quantity="beta-tilde", exact=theory)
    last = min(LAST, cell.cell.algorithm["iterations"])
    for eta, rule in zip(cell.cell.algorithm["eta"], cell.rules, strict=True):
        iterates, regrets, stopped = (cell.path(rule, quantity)[:, : len(training(cell))] for quantity in ("beta", "regret", "diverged"))
        before = iterates[:, -last - 1] if iterates.shape[1] > last else np.full(len(iterates), float(cell.cell.algorithm["start"][0]))
        samples = {
            "beta-hat": iterates[:, -last:].mean(axis=1),
            "beta-tilde minus beta-hat": theory - iterates[:, -last:].mean(axis=1),
            "regret": regrets[:, -last:].mean(axis=1),
            "first regret": regrets[:, 0],
            "drift": iterates[:, -1] - before,
        }
        learnt.append(samples["beta-hat"])
        keys = {"eta": float(eta), "reading": f"eta = {eta:g}", "default": eta == grid["offline"]["eta"]}
        for quantity, sample in samples.items():
            yield row(student(sample), cell.counts, **keys, quantity=quantity)
        yield row(proportion(stopped.max(axis=1)), cell.counts, **keys, quantity="diverged")
    least, most = (f"{cell.cell.algorithm['eta'][i]:g}" for i in (0, -1))
    keys = {"eta": 0.0, "reading": "", "note": f"eta = {most} against {least}"}
    yield row(student(learnt[-1] - learnt[0]), cell.counts, **keys, quantity="growth of beta-hat with eta")
    yield row(span(learnt[-1], learnt[0]), cell.counts, **keys, quantity="span of beta-hat with eta")


def training(cell: CellRuns) -> list[str]:
    """The checkpoints of an offline cell that are training trajectories: they come first."""
    return [label for label in cell.checkpoints if label.startswith("n=")]


def span(larger: Array, smaller: Array) -> Estimate:
    """The ratio of two means minus 1, with the interval of paired samples; the standard error is that of the ratio.

    Samples: shape (replicates,).
    """
    name = "delta method, t 95%"
    n, (top, bottom) = larger.size, (float(np.mean(sample)) for sample in (larger, smaller))
    if n < 2 or not min(top, bottom) > 0:
        return Estimate(NAN, NAN, NAN, NAN, name)
    ratio = top / bottom
    se = float(np.std(larger / top - smaller / bottom, ddof=1) / np.sqrt(n))
    low, high = (ratio * float(np.exp(sign * stdtrit(n - 1, 0.975) * se)) for sign in (-1, 1))
    return Estimate(ratio - 1, ratio * se, low - 1, high - 1, name)
