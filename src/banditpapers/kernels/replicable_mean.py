"""RepMean: a mean of samples in [0, 1], rounded to the middle of a cell of a randomly shifted grid.

Source: Impagliazzo, Lei, Pitassi and Sorrell, Reproducibility in learning (STOC 2022), as Algorithm 1 of Bollini et al., Replicable
constrained bandits (2026), section 2.2.1.

    v = S / n,  offset = u alpha,  j = floor((v - offset) / alpha)
    return the middle of [offset + j alpha, offset + (j + 1) alpha], cut at 0 and 1

Two runs whose means fall into one cell get the very same number, so that all they decide by it is the same. It comes from (j, alpha, u)
alone: computed from v it would differ in its last bit. With n samples,

    zeta = sqrt(2 log(2/delta') / (n (rho' - 2 delta')^2)) = C / sqrt(n)      half a width that holds with probability 1 - delta'
    alpha = 2 zeta / (1 + rho' - 2 delta')                                    "paper"
            zeta                                                              "whole": uses all of the replicability that zeta leaves
            1 / (rho' sqrt(2 n)), and zeta = alpha/2 + sqrt(log(2/delta') / (2 n))     "sharp": the same guarantee, about 15 times narrower
"""

import math
from typing import NamedTuple

from numba import njit

from banditpapers.kernels.normal import logarithm

GRIDS = ("paper", "whole", "sharp")


class Precision(NamedTuple):
    """What a grid of n samples is made of: alpha = cell / sqrt(n) and zeta = width / sqrt(n)."""

    cell: float
    width: float


def precision(rho: float, delta: float, grid: str = "paper") -> Precision:
    """The coefficients for one call that is rho'-replicable and fails with probability delta'.

    Raises ValueError unless 0 < 2 delta' < rho' < 1 and the grid is known.
    """
    if not 0 < 2 * delta < rho < 1:
        raise ValueError(f"rho' is {rho} and delta' {delta}; write numbers with 0 < 2 delta' < rho' < 1")
    if grid not in GRIDS:
        raise ValueError(f"grid is {grid!r}; write one of {', '.join(GRIDS)}")
    log = float(logarithm(2.0 / delta))
    if grid == "sharp":
        cell = 1.0 / (rho * math.sqrt(2.0))
        return Precision(cell, cell / 2.0 + math.sqrt(log / 2.0))
    width = math.sqrt(2.0 * log) / (rho - 2.0 * delta)
    return Precision(width if grid == "whole" else 2.0 * width / (1.0 + rho - 2.0 * delta), width)


def zeta(count: int, rho: float, delta: float) -> float:
    """The precision of the paper's grid with `count` samples; of none, that of one."""
    return precision(rho, delta).width / math.sqrt(max(count, 1))


@njit(cache=True)
def replicable_mean(total, count, alpha, u):  # type: ignore[no-untyped-def]
    """RepMean of `count` samples with sum `total`. alpha: width of a cell; u: the shared uniform in [0, 1)."""
    offset = u * alpha
    j = math.floor((total / count - offset) / alpha)
    low, high = max(offset + j * alpha, 0.0), min(offset + (j + 1) * alpha, 1.0)
    return (low + high) / 2.0
