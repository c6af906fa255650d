"""How often the two runs of a pair of DEBORA differ, against rho.

Quantities: "non-replication", the share of pairs whose arms and epochs are not all the same, with the Clopper-Pearson interval; "splits",
the mean number of RepMean calls that give two numbers, until the runs part; "predicted", what theory has for that number:

    H 2 sigma / (sqrt(pi n) alpha),  sigma = 1/2, alpha = cell / sqrt(n)

with the measured mean number H of calls, one per epoch: the means of two samples differ by 2 sigma / sqrt(pi n) on average, and a shift
falls between them with this probability over the cell's width. For the paper's grid that is .28 (rho - 2 delta) (1 + rho' - 2 delta') /
sqrt(2 log(2/delta')) H/M. Margins: "below rho", rho minus non-replication, by setting and for the setting of a grid where it is smallest;
"ratio to rho", non-replication over rho.
"""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import Setting, affine, row_of, settings
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, exact_proportion, mean


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Five rows per setting, then one per grid."""
    grid, found = parameters["grid"], list(settings(runs, "debora"))
    rows: list[dict[str, Any]] = []
    for one in found:
        differ = differing(one)
        measured: dict[str, Estimate] = {
            "non-replication": differ,
            "splits": mean(one.of("splits")),
            "predicted": affine(mean(one.of("epochs")), per_call(one)),
            "below rho": affine(differ, -1.0, one.rho),
            "ratio to rho": affine(differ, 1 / one.rho),
        }
        rows += (row_of(one, estimate, grid, quantity=quantity) for quantity, estimate in measured.items())
    for variant in dict.fromkeys(one.variant for one in found):
        rows.append(nearest([one for one in found if one.variant == variant], grid))
    return pd.DataFrame(rows)


def differing(one: Setting) -> Estimate:
    """The share of pairs that differ."""
    return exact_proportion(1.0 - one.of("replicated"))


def per_call(one: Setting) -> float:
    """The probability that a call splits, of Bernoulli(1/2) samples."""
    return 1.0 / (math.sqrt(math.pi) * one.precision.cell)


def nearest(found: Sequence[Setting], grid: dict[str, Any]) -> dict[str, Any]:
    """The margin below rho, in parts of rho, of the setting that has least of it by its interval's end."""
    least = max(found, key=lambda one: differing(one).high / one.rho)
    keys = {"arms": 0, "gap": 0.0, "rho": 0.0, "horizon": 0, "reading": "", "default": True}
    note = f"1 - non-replication / rho at K = {least.arms}, gap {least.gap:g}, rho = {least.rho:g}, T = {least.horizon:.0e}"
    margin = affine(differing(least), -1 / least.rho, 1.0)
    return row_of(least, margin, grid, **keys, quantity="below rho, all settings", note=note)
