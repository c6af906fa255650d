"""Is a printed number what a rerun gives? The noise of their difference, many such questions at once, and what would have been seen.

The paper's mean of N replicates has the noise of ours, scaled: a difference has sqrt(1 + n / N) times our standard error. An interval of
ours may be longer on one side (a proportion near 1, a curve read at a height), so each side has a standard error of its own: its length
over 1.96, which for the few replicates of a t interval counts its heavier tail. The printed number may be anything within its rounding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Any

from scipy.special import ndtr, ndtri

from banditpapers.statistics import Z95

FAMILY = 0.05  # the chance that any of a family's numbers is called different although all are equal, at most (Holm)
POWER = 0.80  # the chance with which a deviation would have been seen, for this to count as seeing it


@dataclass(frozen=True)
class Comparison:
    """A printed number, its rounding, our number, and the standard errors of their difference below and above ours (inf: not known)."""

    stated: float
    rounding: float
    measured: float
    below: float
    above: float

    @property
    def p(self) -> float:
        """The two-sided p-value of the printed number, at its nearest within the rounding, being ours."""
        excess = abs(self.stated - self.measured) - self.rounding
        side = self.above if self.stated > self.measured else self.below
        return 1.0 if excess <= 0 else 0.0 if side == 0 else 2 * float(ndtr(-excess / side))

    def interval(self, critical: float) -> tuple[float, float]:
        """What the paper could have printed beside ours."""
        return self.measured - critical * self.below, self.measured + critical * self.above

    def detectable(self, critical: float) -> float:
        """The deviation that is seen with the chance POWER, on the side where less is seen."""
        side = max(self.below, self.above)
        return self.rounding + (critical + float(ndtri(POWER))) * side if side > 0 else self.rounding


def comparison(stated: float, rounding: float, row: Mapping[str, Any], paper_replicates: int) -> Comparison:
    """A printed number beside the row that measures it."""
    low, high = open_interval(row)
    measured = float(row["measured"])
    both = sqrt(1 + row["finished"] / paper_replicates) / Z95
    return Comparison(stated, rounding, measured, both * (measured - low), both * (high - measured))


def open_interval(row: Mapping[str, Any]) -> tuple[float, float]:
    """A row's interval, open at an end that is not known (a band that does not come down to the level within the curve)."""
    return known(row["low"], -inf) + 0.0, known(row["high"], inf) + 0.0  # + 0.0: no "-0" in a sentence


def known(value: Any, fallback: float = nan) -> float:
    """The number, or what stands for it where there is none."""
    return fallback if value is None or isnan(float(value)) else float(value)


def holm(p_values: Sequence[float]) -> list[float]:
    """For each of a family's p-values the critical z at its step of Holm's procedure: different when |z| is at or beyond it.

    The smallest p-value is held against FAMILY / m, the next against FAMILY / (m - 1), until one is not beyond; the rest stay at its step.
    """
    critical, left, going = [0.0] * len(p_values), len(p_values), True
    for index in sorted(range(len(p_values)), key=p_values.__getitem__):
        critical[index] = float(-ndtri(FAMILY / left / 2))
        going = going and p_values[index] <= FAMILY / left
        left -= going
    return critical
