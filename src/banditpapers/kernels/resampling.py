"""The law of an arm that is drawn again until its probability exceeds a threshold, at most M times.

Source: Kim, Kim and Paik, Doubly robust Thompson sampling with linear payoffs (NeurIPS 2021), Algorithm 1 and supplement, (15) and (16).

    candidates are independent with probabilities p_i;  Gamma = {i: p_i > gamma},  S = sum over Gamma of p_i
    P(arm i is played) = p_i (1 - (1 - S)^M) / S     for i in Gamma       (15)
                       = p_i (1 - S)^(M - 1)         otherwise            (16)
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def admitted(candidate, gamma):  # type: ignore[no-untyped-def]
    """S, the probability that a candidate is in Gamma. candidate: p, shape (N,); the comparison with gamma is strict."""
    total = 0.0
    for i in range(candidate.size):
        if candidate[i] > gamma:
            total += candidate[i]
    return total


@njit(cache=True)
def selection_probability(candidate, gamma, most, arm):  # type: ignore[no-untyped-def]
    """P(arm is played) from the candidates' probabilities, shape (N,). most: M >= 1, a float, may be infinite."""
    total = admitted(candidate, gamma)
    if candidate[arm] > gamma:
        return candidate[arm] * (1.0 - (1.0 - total) ** most) / total
    return candidate[arm] * (1.0 - total) ** (most - 1.0)


def draws_allowed(rule: int | str, arms: int, rounds: int, confidence: float = 0.05) -> NDArray[np.float64]:
    """M_t for t = 1, ..., T, shape (T,): a constant, or by the supplement's A.3.

    "A.3" is the smallest M with (1 - 1/(N + 1))^M <= confidence / t^2: then all rounds together find an arm with probability at least
    1 - 2 confidence.
    """
    if rule == "A.3":
        t = np.arange(1, rounds + 1)
        return np.maximum(np.ceil(np.log(t**2 / confidence) / math.log1p(1 / arms)), 1.0)
    return np.full(rounds, float(rule))
