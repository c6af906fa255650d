"""Bounds on the expected stage-1 pulls f* of one arm, by the policy that keeps an arm only while it never fails.

    Theorem 2 as stated:  f* <= L / (K E mu^R) sum_{r=1}^{R} E mu^r
    corrected:            f* <= L / (K E mu^(R-1)) sum_{r=0}^{R-1} E mu^r

The paper's policy pulls an arm at (r, r) only, but forgets that the pull itself may fail: the failed arm counts in f, and after the last
pull it survives. With both counted, a pull at (R-1, R-1) always ends in a survivor, so a(0, 0) E mu^(R-1) = L/K. Either policy exists only
if its first pull has a probability, a(0, 0) = L / (K E mu^(R-1)) <= 1.
"""

import numpy as np
from numpy.typing import NDArray


def theorem2_bound(prior: tuple[float, float], arms: int, rounds: int, survivors: float) -> float:
    """The right-hand side of Theorem 2 as the paper states it: not a valid bound."""
    moments = _moments(prior, rounds)
    return float(survivors / arms * np.sum(moments[1:]) / moments[-1])


def corrected_theorem2_bound(prior: tuple[float, float], arms: int, rounds: int, survivors: float) -> float:
    """The pulls of the policy that Theorem 2 has in mind; it bounds f* where `first_pull` is at most 1 and the policy is feasible."""
    moments = _moments(prior, rounds)
    return float(survivors / arms * np.sum(moments[:-1]) / moments[-2])


def first_pull(prior: tuple[float, float], arms: int, rounds: int, survivors: float, corrected: bool = False) -> float:
    """a(0, 0) of the policy behind Theorem 2: a probability where that policy exists."""
    return float(survivors / arms / _moments(prior, rounds)[-2 if corrected else -1])


def _moments(prior: tuple[float, float], rounds: int) -> NDArray[np.float64]:
    """E mu^r for r = 0..R, shape (R+1,)."""
    a, b = prior
    r = np.arange(rounds)
    return np.append(1.0, np.cumprod((a + r) / (a + b + r)))
