"""Small parameters for every algorithm, by the name of its file, and the instances that it is held to its contract on.

A new algorithm gets one entry here; the contract suite asks for it by name.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Case(NamedTuple):
    """parameters: what a grid would write, valid for all sizes. other: parameters that play differently.

    environment: what a grid would write, without its `arms`. sizes: numbers of arms to try; the middle one where a test needs only one.
    most: for best-arm algorithms, the largest number of pulls that a checkpoint's label allows on K arms.
    """

    parameters: Mapping[str, Any]
    other: Mapping[str, Any]
    environment: Mapping[str, Any]
    sizes: tuple[int, ...]
    most: Callable[[str, int], int] | None = None


def budget(label: str, arms: int) -> int:
    """The label is a number of pulls."""
    return int(label)


BETA = {"name": "beta_bernoulli", "prior": (1, 1)}, (2, 6, 31)
LINEAR = {"name": "linear_contexts", "dimension": 5, "contexts": "radial", "coefficients": "fresh"}, (2, 6, 10)
ROUNDS = list(range(1, 21))

PARAMETERS = {
    "balanced_thompson": Case(
        {"rounds": ROUNDS, "v": [0.1, 1], "gamma": [0.05, 0.5], "variance": "RSS"},
        {"rounds": [15], "v": [0.3], "gamma": [0.01], "ridge": 2, "propensity": "constant"},
        *LINEAR,
    ),
    "batch_racing": Case(
        {"delta": 0.5, "batches": 90, "budgets": [7, 150, 333], "beyond": 1.3},
        {"delta": 0.9, "batches": 60, "trace": True},
        *BETA,
        lambda label, arms: arms * 90 if label == "cap" else int(label),
    ),
    "batched_thompson": Case({"budgets": [7, 50, 200]}, {"budgets": [30], "growth": 1.5, "first_batch": 1}, *BETA, budget),
    "doubly_robust_data": Case(
        {"rounds": 6, "v": 0.5, "arms": 4, "dimension": 3},
        {"rounds": 9, "v": 2, "arms": 4, "dimension": 3},
        {**LINEAR[0], "dimension": 3},
        (4,),
    ),
    "doubly_robust_thompson": Case(
        {"rounds": ROUNDS, "v": [0.1, 1]},
        {"rounds": [15], "v": [0.3], "ridge": 2, "draws": "A.3", "propensity": "released"},
        *LINEAR,
    ),
    "linear_thompson": Case(
        {"rounds": ROUNDS, "v": [0.1, 1]},
        {"rounds": [7, 15], "v": [0.3], "ridge": "sqrt t", "draw": "shared"},
        *LINEAR,
    ),
    "lp2s": Case(
        {"setting": "SRM", "mu0": None, "rounds": 12, "survivors": 1.5, "delta0": ["smallest", "grid 0.05", 0.6]},
        {"setting": "PAC", "mu0": 0.7, "rounds": 9, "survivors": 1, "delta0": ["smallest"]},
        *BETA,
        lambda label, arms: 2 * 12 * arms,
    ),
    "two_stage_exploration": Case({"budgets": [7, 50, 400]}, {"budgets": [90], "share": 0.3}, *BETA, budget),
}
