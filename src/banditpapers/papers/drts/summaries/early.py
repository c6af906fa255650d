"""The distribution of early regret: LinTS, and DRTS as released, over many replicates, beside the published mean of ten.

A mean and its standard error say little here: a share of the replicates takes the wrong sign of beta for right at first, and pays for
it. Quantities, per setting, algorithm and v:
"value"                  a replicate's regret at the end (v of the smallest mean only), `share` of the replicates being at or below it
"mean", "median", "quantile 0.05", "quantile 0.95", "largest"   of those regrets
"wrong sign"             share of replicates that play an arm of the wrong sign in more than half of the rounds up to `judged`
"above 40"               share of replicates with more regret than that
"tail at published"      chance that a mean of ten such regrets lies as far out on its side as the published one, see `tail`
"disjoint tail"          the same counted among the means of ten disjoint groups
"typical of ten"         "tail at published" minus 0.005: negative where such a mean is not one that ten runs give
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from banditpapers.claims import Claims
from banditpapers.papers.drts import published
from banditpapers.papers.drts.tuned import DRTS, LINTS, Tuned, best, settings, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, proportion, student
from banditpapers.tidy import NAN, row

JUDGED = 300  # rounds in which a replicate shows whether it holds the wrong sign
LARGE = 40.0
GROUP = published.REPLICATES
STEP = 0.01  # of the grid on which the law of a mean of ten is computed
RARE = 0.005
Row = dict[str, Any]


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """The tidy table; `default` marks the v with the smallest mean regret at the end of these runs."""
    rows: list[Row] = []
    for arms, dimension in settings(runs):
        for method in (LINTS, DRTS):
            found = best(runs.one(method, arms=arms, dimension=dimension))
            for rule in found.runs.rules:
                one, leading = Tuned(found.runs, rule), rule == found.rule
                keys = {"arms": arms, "dimension": dimension, "method": method, "rule": spelled(rule), "default": leading}
                rows += [{**entry, **keys, "reading": f"v{spelled(rule)[1:]}"} for entry in _described(one, arms, dimension, leading)]
    leading_columns = ["arms", "dimension", "method", "rule", "default", "quantity", "round", "judged", "published", "share", "measured"]
    table = pd.DataFrame(rows)
    return table[[*leading_columns, *table.columns.difference(leading_columns, sort=False)]]


def _described(one: Tuned, arms: int, dimension: int, values: bool) -> Iterator[Row]:
    last = int(one.rounds[-1])
    judged = int(one.rounds[one.rounds <= JUDGED][-1])
    sample, wrong = one.at("regret", last), one.at("wrong_sign", judged) / judged
    stated = published.at("regret", arms, dimension, str(one.runs.cell.algorithm["name"]), last)
    keys: dict[str, Any] = {"round": last, "judged": judged, "published": stated, "share": NAN}
    if values:
        for rank, value in enumerate(np.sort(sample), 1):
            yield row(_number(float(value)), one.runs.counts, **{**keys, "share": rank / len(sample)}, quantity="value")
    quantiles = {"median": 0.5, "quantile 0.05": 0.05, "quantile 0.95": 0.95, "largest": 1.0}
    yield row(student(sample), one.runs.counts, **keys, quantity="mean")
    for name, level in quantiles.items():
        yield row(_number(float(np.quantile(sample, level))), one.runs.counts, **keys, quantity=name)
    yield row(proportion((wrong > 0.5).astype(float)), one.runs.counts, **keys, quantity="wrong sign")
    yield row(proportion((sample > LARGE).astype(float)), one.runs.counts, **keys, quantity="above 40")
    if not np.isnan(stated) and len(sample) >= GROUP:
        upper = stated >= sample.mean()
        means = sample[: len(sample) // GROUP * GROUP].reshape(-1, GROUP).mean(axis=1)
        beyond = proportion((means >= stated if upper else means <= stated).astype(float))
        chance, side = tail(sample, stated, upper), "at least" if upper else "at most"
        note = f"a mean of {GROUP} is {side} {stated:g} with probability {chance:.2g}"
        yield row(_number(chance), one.runs.counts, **keys, quantity="tail at published", note=note)
        yield row(beyond, one.runs.counts, **keys, quantity="disjoint tail", note=f"of {len(means)} disjoint means of {GROUP}")
        exactly = Estimate(chance - RARE, NAN, chance - RARE, chance - RARE, "none")
        yield row(exactly, one.runs.counts, **keys, quantity="typical of ten", note=note)


def _number(value: float) -> Estimate:
    """A number of a sample that is shown without an interval."""
    return Estimate(value, NAN, NAN, NAN, "none")


def tail(sample: NDArray[np.float64], level: float, upper: bool) -> float:
    """P(a mean of ten draws from the sample, with replacement, is at least, or at most, the level): exact on a grid of step 0.01.

    The law of a sum is the tenfold convolution of the sample's own law, here by a Fourier transform; values are rounded to the grid, which
    moves a mean by at most half a step. sample: shape (n,).
    """
    at = np.rint(sample / STEP).astype(np.int64)
    size = GROUP * int(at.max()) + 1
    law = np.bincount(at, minlength=size) / len(at)
    total = np.fft.irfft(np.fft.rfft(law, n=size) ** GROUP, n=size)
    bar = GROUP * level / STEP
    chance = total[int(np.ceil(bar)) :].sum() if upper else total[: int(np.floor(bar)) + 1].sum()
    return round(min(max(float(chance), 0.0), 1.0), 9)  # a transform is exact to about 1e-14
