"""What the loops share: what is recorded, arms that are none, and generators."""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from banditpapers.own.problems import Misplay
from banditpapers.seeding import Streams

Outcomes = NDArray[np.float64]
Steps = Iterator[None]
T = TypeVar("T")


@dataclass(frozen=True)
class Played:
    """A loop around objects that `make` makes, one per run. records: the rounds, horizons or budgets, ascending.

    COMMON: parameters that are no part of the coin flips' name.
    """

    make: Callable[[], Any]
    records: tuple[int, ...]
    COMMON: tuple[str, ...]
    rules: ClassVar[tuple[str, ...]] = ("own",)

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded."""
        return tuple(map(str, self.records))

    def steps(self, environment: Any, streams: Streams) -> "Iterator[Outcomes | None]":
        """A replicate, round after round: None after each, and the outcomes as the last."""
        raise NotImplementedError

    def play(self, environment: Any, streams: Streams) -> Outcomes:
        """Play one replicate. Returns shape (records, 1, quantities)."""
        outcomes: Outcomes | None = None
        for outcomes in self.steps(environment, streams):  # noqa: B007
            pass
        assert outcomes is not None
        return outcomes


def arm_of(answer: Any, arms: int, method: str) -> int:
    """The arm that a method answered. Raises Misplay for what is none."""
    try:
        arm = operator.index(answer)
    except TypeError:
        raise Misplay(f"{method} answered {answer!r}; return the number of an arm, an integer from 0 to {arms - 1}") from None
    if not 0 <= arm < arms:
        raise Misplay(f"{method} answered {arm}, of {arms} arms; return an integer from 0 to {arms - 1}")
    return arm


def fixed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same numbers, read-only. values: any shape."""
    view = values.view()
    view.flags.writeable = False
    return view
