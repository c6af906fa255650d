"""What sets the learnt bound: h(beta), the regret of a fixed beta, and where an eta lets beta settle.

Quantities, per setting: "h" and "regret" at each beta; and with beta = 0
"maximum", "minimum"               the largest and the smallest h; `at` says at which beta
"settles for the default eta"      the largest h minus the default eta: positive where beta can settle
"eta at the least regret"          h at the beta of least regret (`at`): the eta that lets beta settle there
"learnt beta predicted"            the smallest beta at which h rises through eta, between the scanned ones; for each eta of Table 1
Intervals of h and of what follows from it are by the jackknife over replicates, for the beta that is named.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.balance import Scan, ratio, scans, settled
from banditpapers.papers.softucb.pairs import Sample, jackknife
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, student
from banditpapers.tidy import NAN, row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table; `eta` and `reading` name the eta of the rows that have one, `default` the one of the other exhibits."""
    grid = parameters["grid"]
    etas = sorted({float(eta) for eta in (*grid["table1"]["eta"], grid["offline"]["eta"])})
    rows = [{**entry, **scan.keys} for scan in scans(runs, grid["equilibrium"]) for entry in _of(scan, etas, float(grid["offline"]["eta"]))]
    leading = ["arms", "dimension", "horizon", "quantity", "beta", "eta", "at", "measured", "low", "high"]
    table = pd.DataFrame({"eta": NAN, "at": NAN, **entry} for entry in rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]


def _of(scan: Scan, etas: list[float], shipped: float) -> Iterator[dict[str, Any]]:
    counts, regret, means = scan.runs.counts, scan.of("regret"), scan.sums.mean(axis=0)
    h = [jackknife(scan.sums, _height(place)) for place in range(len(scan.beta))]
    for place, beta in enumerate(scan.beta.tolist()):
        yield row(h[place], counts, quantity="h", beta=beta)
        yield row(student(regret[:, place]), counts, quantity="regret", beta=beta)
    highest, lowest, best = (int(place) for place in (np.argmax(ratio(means)), np.argmin(ratio(means)), np.argmin(regret.mean(axis=0))))
    for name, place in (("maximum", highest), ("minimum", lowest), ("eta at the least regret", best)):
        yield row(h[place], counts, quantity=name, beta=0.0, at=float(scan.beta[place]))
    top = h[highest]
    spare = Estimate(top.mean - shipped, top.se, top.low - shipped, top.high - shipped, top.interval)
    keys: dict[str, Any] = {"quantity": "settles for the default eta", "beta": 0.0, "at": float(scan.beta[highest])}
    yield row(spare, counts, **keys, eta=shipped, reading=f"eta = {shipped:g}")
    for eta in etas:
        found = jackknife(scan.sums, _settled(scan, eta))
        note = "" if np.isfinite(found.mean) else "h does not rise through this eta within the scanned beta"
        keys = {"quantity": "learnt beta predicted", "beta": 0.0, "eta": eta, "reading": f"eta = {eta:g}", "note": note}
        yield row(found, counts, **keys, default=eta == shipped)


def _settled(scan: Scan, eta: float) -> Callable[[Sample], float]:
    return lambda means: settled(scan.beta, means, eta)


def _height(place: int) -> Callable[[Sample], float]:
    return lambda means: float(ratio(means)[place])
