"""Rows of tidy tables: what is measured, its interval, its denominators, and what computation allows.

Every tidy table whose numbers are audited has these columns besides the keys that its claims select by:

reading, default     the named choice under which the number was measured, and whether it is the one that exhibits lead with
measured, se, low, high, interval    the number, its standard error, and the interval of the named kind; NaN where there is none
positive                             the share of replicates above zero, of a mean of replicates: how often a margin is one
planned, finished, failed            replicates
exact                the number computed without sampling, where that can be done
floor, floor_rounded, ceiling, bound_se   what any run with the stated parameters must respect, with L real and with L rounded down, and
                     the standard error of the paper's mean at that bound
exists, note         false when what a statement needs does not exist; a sentence
"""

from collections.abc import Mapping
from typing import Any

from banditpapers.statistics import Estimate

NAN = float("nan")
EXACTLY = {"planned": 0, "finished": 0, "failed": 0}  # the denominators of a number that is computed and not sampled


def row(estimate: Estimate | float, counts: Mapping[str, int] = EXACTLY, **keys: Any) -> dict[str, Any]:
    """One row. A plain number is exact: its interval is itself."""
    if not isinstance(estimate, Estimate):
        estimate = Estimate(float(estimate), 0.0, float(estimate), float(estimate), "exact")
    defaults = {"reading": "", "default": True, "exact": NAN, "floor": NAN, "floor_rounded": NAN, "ceiling": NAN, "bound_se": NAN}
    return {
        **defaults,
        "exists": True,
        "note": "",
        **keys,
        "measured": estimate.mean,
        "se": estimate.se,
        "low": estimate.low,
        "high": estimate.high,
        "interval": estimate.interval,
        "positive": estimate.positive,
        **counts,
    }
