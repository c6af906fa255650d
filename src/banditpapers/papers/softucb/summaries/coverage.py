"""Is the bound beta |x| a confidence bound? What happens to it round by round with a fixed beta, and at the beta that is learnt.

Quantities, per setting and beta:
"covered"               share of rounds in which all K bounds hold (the constraint of equation 10)
"best arm eliminated"   share of rounds with the best arm in L
"missed"                share of rounds in which the arms not eliminated have a probability below delta
"margin of theorem 1"   the bound (16) at this beta minus R(T)
With beta = 0: "coverage at the learnt bound", the share "covered" at the beta where the default eta lets beta settle (`at`; linear between
the scanned ones), minus 0.9: positive where the learnt bound covers as often as the bound of theory.
"""

from collections.abc import Iterator
from math import log, sqrt
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.balance import Scan, learnt, scans
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import NAN, row

WANTED = 0.9  # the confidence of the bound of theory in Table 1
SHARES = {"covered": "covered", "best arm eliminated": "best_eliminated", "missed": "missed"}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table."""
    grid = parameters["grid"]
    rows = [{**entry, **scan.keys} for scan in scans(runs, grid["equilibrium"]) for entry in _of(scan, grid)]
    leading = ["arms", "dimension", "horizon", "quantity", "beta", "at", "measured", "low", "high"]
    table = pd.DataFrame({"at": NAN, **entry} for entry in rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def theorem1(beta: float, dimension: int, horizon: int, delta: float, ridge: float) -> float:
    """The bound of Theorem 1 on R(T), with the constants of its proof: 4 sqrt(2) beta delta sqrt(d T log(alpha + T/d))."""
    return 4 * sqrt(2) * beta * delta * sqrt(dimension * horizon * log(ridge + horizon / dimension))


def _of(scan: Scan, grid: dict[str, Any]) -> Iterator[dict[str, Any]]:
    counts, eta, d = scan.runs.counts, float(grid["offline"]["eta"]), int(scan.runs.cell.environment["dimension"])
    shares = {name: scan.of(recorded) / scan.horizon for name, recorded in SHARES.items()}
    for place, beta in enumerate(scan.beta.tolist()):
        for name, sample in shares.items():
            yield row(student(sample[:, place]), counts, quantity=name, beta=beta)
        bound = theorem1(beta, d, scan.horizon, grid["delta"], grid["ridge"])
        note = f"the bound is {bound:.4g}"
        yield row(student(bound - scan.of("regret")[:, place]), counts, quantity="margin of theorem 1", beta=beta, note=note)
    at = learnt(scan, eta)
    keys: dict[str, Any] = {"quantity": "coverage at the learnt bound", "beta": 0.0, "at": at, "reading": f"eta = {eta:g}"}
    if not np.isfinite(at):
        yield row(student(np.empty(0)), counts, **keys, note="beta does not settle within the scanned range for this eta")
        return
    covered = np.array([np.interp(at, scan.beta, sample) for sample in shares["covered"]])
    yield row(
        student(covered - WANTED), counts, **keys, note=f"covered in {covered.mean():.3g} of the rounds; the bound of theory: {WANTED:g}"
    )
