"""Small parameters for every algorithm, by the name of its file, and what its pulls may not exceed.

A new algorithm gets one entry here; the contract suite asks for it by name.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Case(NamedTuple):
    """parameters: what a grid would write, valid for 2 and more arms. other: parameters that play differently.

    most: the largest number of pulls that a checkpoint's label allows on K arms.
    """

    parameters: Mapping[str, Any]
    other: Mapping[str, Any]
    most: Callable[[str, int], int]


def budget(label: str, arms: int) -> int:
    """The label is a number of pulls."""
    return int(label)


PARAMETERS = {
    "batch_racing": Case(
        {"delta": 0.5, "batches": 90, "budgets": [7, 150, 333], "beyond": 1.3},
        {"delta": 0.9, "batches": 60, "trace": True},
        lambda label, arms: arms * 90 if label == "cap" else int(label),
    ),
    "batched_thompson": Case({"budgets": [7, 50, 200]}, {"budgets": [30], "growth": 1.5, "first_batch": 1}, budget),
    "lp2s": Case(
        {"setting": "SRM", "mu0": None, "rounds": 12, "survivors": 1.5, "delta0": ["smallest", "grid 0.05", 0.6]},
        {"setting": "PAC", "mu0": 0.7, "rounds": 9, "survivors": 1, "delta0": ["smallest"]},
        lambda label, arms: 2 * 12 * arms,
    ),
    "two_stage_exploration": Case({"budgets": [7, 50, 400]}, {"budgets": [90], "share": 0.3}, budget),
}
