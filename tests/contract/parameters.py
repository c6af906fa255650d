"""The instances that every algorithm is held to its contract on: the package's small parameters, by the name of the algorithm's file."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from banditpapers.selftest import samples


class Case(NamedTuple):
    """An entry of src/banditpapers/samples.yaml, where the fields are explained.

    most: for best-arm algorithms, the largest number of pulls that a checkpoint's label allows on K arms.
    """

    parameters: Mapping[str, Any]
    other: Mapping[str, Any]
    environment: Mapping[str, Any]
    sizes: tuple[int, ...]
    most: Callable[[str, int], int]


def budget(label: str, arms: int) -> int:
    """The label is a number of pulls."""
    return int(label)


MOST = {  # where it is not
    "batch_racing": lambda label, arms: arms * 90 if label == "cap" else int(label),
    "lp2s": lambda label, arms: 2 * 12 * arms,
}
PARAMETERS = {
    name: Case(entry["parameters"], entry["other"], entry["environment"], tuple(entry["sizes"]), MOST.get(name, budget))
    for name, entry in samples().items()
}
