"""Runs on the instances with constraints: which instance a cell plays, curves along the horizons, and their slopes."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.algorithms._constrained import MEANS, widths
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.shown import Sample, Setting
from banditpapers.plugins import build
from banditpapers.runs import Runs
from banditpapers.statistics import Estimate, mean
from banditpapers.tidy import row

Row = dict[str, Any]
SHIPPED = ("union", "")  # the variant that claims lead with, and that of algorithms without variants
READINGS = {
    "union": "rho shared by all calls",
    "lazy": "arms estimated anew when their count doubled",
    "text": "rho shared as section 4 has it",
    "sharp": "sharp grid, rho shared by all calls",
    "sharp lazy": "sharp grid, arms estimated anew when their count doubled",
    "sharp text": "sharp grid, rho shared as section 4 has it",
}
ORDER = ("", *READINGS)  # of variants in tables


def keyed(one: Setting, grid: Row) -> Row:
    """What claims select by, the reading and whether it leads."""
    keys = {key: value for key, value in one.keys.items() if key != "gap"}
    leading = {"reading": READINGS.get(one.variant, ""), "default": one.variant in SHIPPED}
    return {"instance": shown.instance(one.runs, grid), **keys, **leading}


@dataclass(frozen=True)
class Curve:
    """One algorithm with one rho on one instance, along the horizons."""

    settings: tuple[Setting, ...]
    keys: Row

    @property
    def horizons(self) -> list[int]:
        """Every T, ascending."""
        return [one.horizon for one in self.settings]

    def pairs(self, quantity: str) -> Sample:
        """regret or violation, mean of both runs: shape (pairs, horizons)."""
        return np.column_stack([one.pairs(quantity) for one in self.settings])

    @property
    def counts(self) -> dict[str, int]:
        """n planned, finished and failed."""
        return self.settings[0].runs.counts

    def at(self, one: Setting) -> Row:
        """The keys of one horizon."""
        return {**self.keys, "horizon": one.horizon}

    def name(self, exhibit: str) -> Row:
        """Of the stream that resamples the curve's pairs."""
        return {"exhibit": exhibit, **{key: self.keys[key] for key in ("instance", "rho", "method", "variant")}}


def curves(runs: Runs, grid: Row, *methods: str) -> Iterator[Curve]:
    """The curves of the algorithms on the grid's instances, in the grid's order of instances."""
    found: dict[tuple[Any, ...], list[Setting]] = {}
    for method in methods:
        for one in shown.settings(runs, method):
            name = shown.instance(one.runs, grid)
            if name:
                place = list(grid["instances"]).index(name), methods.index(method), ORDER.index(one.variant), one.rho
                found.setdefault(place, []).append(one)
    for _, settings in sorted(found.items(), key=lambda item: item[0]):
        yield Curve(tuple(sorted(settings, key=lambda one: one.horizon)), keyed(settings[0], grid))


def means(curve: Curve, quantity: str) -> Iterator[Row]:
    """regret or violation by horizon: the mean over pairs of both runs' mean."""
    for one in curve.settings:
        yield row(mean(one.pairs(quantity)), curve.counts, **curve.at(one), quantity=quantity)


def last_slope(curve: Curve, quantity: str, exhibit: str) -> tuple[Estimate, Sample, str]:
    """The log-log slope of the mean between the last two horizons, its resamples (pairs drawn again), and a note.

    NaN where a mean is not positive: it has no logarithm. Resamples: shape (resamples,).
    """
    sample, horizons = curve.pairs(quantity)[:, -2:], curve.horizons[-2:]
    note = f"from T = {horizons[0]:g} to {horizons[-1]:g}"
    if len(horizons) < 2 or not (sample.mean(axis=0) > 0).all():
        nan = float("nan")
        return Estimate(nan, nan, nan, nan, "bootstrap 95%"), np.empty(0), f"no slope {note}"
    weights = shown.slope_weights(horizons)
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample may be of zeros alone
        resampled = np.log(shown.resampled_means(sample, **curve.name(exhibit))) @ weights
    return shown.bootstrap(float(np.log(sample.mean(axis=0)) @ weights), resampled), resampled, note


def slope_rows(curve: Curve, quantity: str, exhibit: str) -> Iterator[Row]:
    """ "last slope" and the margin "sublinear at the end", at horizon 0; for violations also "slope near 1/2"."""
    slope, resampled, note = last_slope(curve, quantity, exhibit)
    keys = {**curve.keys, "horizon": 0, "note": note}
    yield row(slope, curve.counts, **keys, quantity="last slope")
    yield row(shown.affine(slope, -1.0, 0.9), curve.counts, **keys, quantity="sublinear at the end")
    near = 0.06 - abs(slope.mean - 0.5)
    margin = shown.bootstrap(near, 0.06 - np.abs(resampled - 0.5)) if resampled.size else slope
    yield row(margin, curve.counts, **keys, quantity="slope near 1/2")


def width(one: Setting) -> float:
    """C: the half-width with one sample; of the programs on plain means, theirs."""
    if one.rho:
        return one.precision.width
    environment, delta = build("environments", one.runs.cell.environment), float(one.runs.cell.algorithm["delta"])
    return widths(environment, one.horizon, 1.0, delta, MEANS, "union", 1.0).width


def unit(one: Setting) -> float:
    """C sqrt(K T)."""
    return width(one) * sqrt(one.arms * one.horizon)


def table(rows: Iterator[Row] | list[Row], *leading: str) -> pd.DataFrame:
    """Rows as a table whose first columns are what claims select by."""
    found = pd.DataFrame(rows)
    first = [
        *leading,
        "instance",
        "arms",
        "rho",
        "horizon",
        "method",
        "variant",
        "quantity",
        "reading",
        "default",
        "measured",
        "low",
        "high",
    ]
    return found[[*first, *found.columns.difference(first, sort=False)]]
