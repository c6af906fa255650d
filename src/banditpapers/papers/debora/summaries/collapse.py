"""Regret in units of the bound's sum.

With C^2 of a setting: "collapsed", regret gap / ((K - 1) C^2), against `scaled_horizon`, T gap^2 / (K C^2); "plateau", per gap the mean
of the collapsed values of the paper's grid far above the onset, where the scaled horizon exceeds 100, with the smallest and the largest
beside it; "below the explicit bound", 8 minus the largest regret of all runs over sum_a C^2 / gap_a, by setting, and over all settings of
a grid.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora.shown import Setting, affine, combined, extreme, row_of, settings
from banditpapers.runs import Runs
from banditpapers.statistics import Z95, Estimate, mean
from banditpapers.tidy import row

FAR = 100.0  # scaled horizons beyond which regret has left its onset behind
BOUND = 8.0  # regret is at most sum_a 8 C^2 / gap_a + gap_a while all widths hold
NAN = float("nan")


def unit(one: Setting) -> float:
    """sum_a C^2 / gap_a over the arms that are not the best, where all these have the same gap."""
    return (one.arms - 1) * one.precision.width**2 / one.gap


def scaled_horizon(one: Setting) -> float:
    """T in units of the onset, K C^2 / gap^2."""
    return one.horizon * one.gap**2 / (one.arms * one.precision.width**2)


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """Rows by setting, then by gap, then over all."""
    grid, found = parameters["grid"], [one for one in settings(runs, "debora") if one.gap > 0]
    rows: list[dict[str, Any]] = []
    for one in found:
        x = {"scaled_horizon": scaled_horizon(one), "smallest": NAN, "largest": NAN}
        rows.append(row_of(one, affine(mean(one.pairs("regret")), 1 / unit(one)), grid, quantity="collapsed", **x))
        margin = extreme(BOUND - one.largest("regret") / unit(one))
        rows.append(row_of(one, margin, grid, quantity="below the explicit bound", **x))
    for gap in dict.fromkeys(one.gap for one in found):
        rows.append(_plateau(gap, [one for one in found if one.gap == gap and not one.variant and scaled_horizon(one) > FAR]))
    for variant in dict.fromkeys(one.variant for one in found):
        least = max((one for one in found if one.variant == variant), key=lambda one: one.largest("regret") / unit(one))
        margin = extreme(BOUND - least.largest("regret") / unit(least))
        keys: dict[str, Any] = {"horizon": 0, "arms": 0, "rho": 0.0, "gap": 0.0, "reading": "", "default": True, "scaled_horizon": NAN}
        name = "below the explicit bound, all settings"
        rows.append(row_of(least, margin, grid, quantity=name, **keys, smallest=NAN, largest=NAN))
    return pd.DataFrame(rows)


def _plateau(gap: float, far: Sequence[Setting]) -> dict[str, Any]:
    """The mean of independent means."""
    keys: dict[str, Any] = {"arms": 0, "gap": gap, "rho": 0.0, "horizon": 0, "method": "debora", "variant": "", "quantity": "plateau"}
    if not far:
        return row(Estimate(NAN, NAN, NAN, NAN, "normal 95%"), **keys, scaled_horizon=NAN, smallest=NAN, largest=NAN)
    levels = [affine(mean(one.pairs("regret")), 1 / unit(one)) for one in far]
    centre = float(np.mean([level.mean for level in levels]))
    se = float(np.sqrt(sum(level.se**2 for level in levels)) / len(levels))
    ends = {"smallest": min(level.mean for level in levels), "largest": max(level.mean for level in levels)}
    estimate = Estimate(centre, se, centre - Z95 * se, centre + Z95 * se, "normal 95%")
    return row(estimate, combined(*far), **keys, scaled_horizon=NAN, **ends, note=f"mean of {len(far)} settings")
