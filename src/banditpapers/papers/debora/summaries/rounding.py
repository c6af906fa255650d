"""RepMean by itself: two samples of n Bernoulli(1/2) numbers and one shift, with the three grids.

Quantities: "split", the share of pairs whose outputs differ, with "split below rho'"; "error", the share of first samples whose output
misses the mean by more than zeta, with "error below delta'"; "predicted split", 2 sigma / (sqrt(pi n) alpha), where the normal law of the
difference of two means is taken. All grids and precisions meet the same samples and shifts.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.kernels.replicable_mean import GRIDS, precision
from banditpapers.papers.debora.shown import PAPER, affine
from banditpapers.runs import Runs
from banditpapers.seeding import stream
from banditpapers.statistics import exact_proportion
from banditpapers.tidy import row

MEAN = 0.5


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Five rows per number of samples, precision and grid."""
    plan = parameters["grid"]["rounding"]
    rows: list[dict[str, Any]] = []
    for n in plan["samples"]:
        generator = stream(paper=PAPER, role="statistics", exhibit="rounding", samples=n)
        first, second = (generator.binomial(n, MEAN, plan["pairs"]) / n for _ in range(2))
        shifts = generator.random(plan["pairs"])
        for (i, (rho, delta)), grid in ((pair, grid) for pair in enumerate(plan["precisions"]) for grid in GRIDS):
            cell, zeta = (coefficient / math.sqrt(n) for coefficient in precision(rho, delta, grid))
            one, other = rounded(first, cell, shifts), rounded(second, cell, shifts)
            split, error = exact_proportion(_ones(one != other)), exact_proportion(_ones(abs(one - MEAN) > zeta))
            keys = {"arms": 0, "gap": 0.0, "rho": rho, "delta": delta, "horizon": 0, "samples": n}
            keys |= {"method": "replicable_mean", "variant": grid, "reading": f"rho' = {rho:g}", "default": i == 0}
            counts = {"planned": plan["pairs"], "finished": plan["pairs"], "failed": 0}
            rows.append(row(split, counts, **keys, quantity="split"))
            rows.append(row(affine(split, -1.0, rho), counts, **keys, quantity="split below rho'"))
            rows.append(row(error, counts, **keys, quantity="error"))
            rows.append(row(affine(error, -1.0, delta), counts, **keys, quantity="error below delta'"))
            rows.append(row(1.0 / (math.sqrt(math.pi * n) * cell), **keys, quantity="predicted split"))
    return pd.DataFrame(rows)


def rounded(means: NDArray[np.float64], alpha: float, u: NDArray[np.float64]) -> NDArray[np.float64]:
    """RepMean of many means, each with its own shift: kernels/replicable_mean.py, all at once. All of one shape."""
    offsets = u * alpha
    j = np.floor((means - offsets) / alpha)
    return np.asarray((np.maximum(offsets + j * alpha, 0.0) + np.minimum(offsets + (j + 1) * alpha, 1.0)) / 2.0)


def _ones(hits: NDArray[np.bool_]) -> NDArray[np.float64]:
    return hits.astype(np.float64)
