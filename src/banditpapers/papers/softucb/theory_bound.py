"""The size of the confidence bound that theory suggests (equation 5), to hold what is learnt against."""

from collections.abc import Mapping
from math import log, sqrt
from typing import Any


def beta_tilde(grid: Mapping[str, Any], dimension: int, horizon: int) -> float:
    """R sqrt(2 log(1/delta) + d log(1 + T/d)) + sqrt(alpha) C, with R = sigma and C = 1, the length of theta.

    It is what algorithms/linear_ucb.py computes for t = T. grid: the paper's grid as JSON.
    """
    inside = 2.0 * log(1.0 / grid["confidence"]) + dimension * log(1.0 + horizon / dimension)
    return sqrt(grid["variance"]) * sqrt(inside) + sqrt(grid["ridge"])
