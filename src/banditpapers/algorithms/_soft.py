"""What SoftUCB with a fixed, an offline and an online beta have in common: the readings of its text, and a trajectory's coin flips."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.kernels.philox import DRAW, fill_uniforms
from banditpapers.kernels.soft_policy import EMPTY
from banditpapers.seeding import Words

CAP = 50.0  # where a beta that only grows is stopped and reported as diverged


class Reading(NamedTuple):
    """The readings as the compiled loops take them."""

    delta: float
    ridge: float
    absolute: bool
    cumulative: bool
    fresh: bool
    empty: int


@dataclass(frozen=True, kw_only=True)
class SoftReading:
    """The readings of SoftUCB.

    delta: the probability that the policy gives to arms not eliminated, in (0, 1). ridge: alpha > 0.
    gap: "signed" (equation 6) or "absolute" (the published program). eliminated: L of the "current" round, or "cumulative".
    empty: gamma where |L| = 0: "uniform", "one" or "keep", see kernels/soft_policy.py. coldness: the policy of a round uses the gamma of
    the round before ("lagged", Algorithm 2) or its own ("fresh", which Lemma 2 is about).
    """

    WORDS: ClassVar[dict[str, tuple[str, ...]]] = {
        "gap": ("signed", "absolute"),
        "eliminated": ("current", "cumulative"),
        "empty": EMPTY,
        "coldness": ("lagged", "fresh"),
    }

    delta: float = 0.99
    ridge: float = 1.0
    gap: str = "signed"
    eliminated: str = "current"
    empty: str = "uniform"
    coldness: str = "lagged"

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise ValueError(f"{self.called}: delta is {self.delta}; write a number above 0 and below 1")
        if not 0 < self.ridge < math.inf:
            raise ValueError(f"{self.called}: ridge is {self.ridge}; write a number above 0")
        for key, allowed in self.WORDS.items():
            if getattr(self, key) not in allowed:
                raise ValueError(f"{self.called}: {key} is {getattr(self, key)!r}; write one of {', '.join(allowed)}")

    @property
    def called(self) -> str:
        """The algorithm's name in a grid."""
        return type(self).__module__.rpartition(".")[2]

    @property
    def reading(self) -> Reading:
        """The readings as the compiled loops take them."""
        cumulative, fresh = self.eliminated == "cumulative", self.coldness == "fresh"
        return Reading(float(self.delta), float(self.ridge), self.gap == "absolute", cumulative, fresh, EMPTY.index(self.empty))


def refuse_rounds(name: str, rounds: Sequence[int]) -> None:
    """Raises ValueError for recorded rounds that are not increasing integers."""
    if (
        not rounds
        or any(t != int(t) for t in rounds)
        or any(later <= earlier for earlier, later in zip((0, *rounds), rounds, strict=False))
    ):
        raise ValueError(f"{name}: rounds is {tuple(rounds)}; write integers of at least 1, each larger than the one before")


def refuse_numbers(name: str, key: str, values: Sequence[Any], least: float = 0.0, words: tuple[str, ...] = ()) -> None:
    """Raises ValueError unless `values` are numbers of at least `least`, or one of `words`, none of them twice."""
    right = [value in words if isinstance(value, str) else least <= value < math.inf for value in values]
    if not values or len(set(values)) < len(values) or not all(right):
        expected = " or ".join([f"numbers of at least {least:g}", *words])
        raise ValueError(f"{name}: {key} is {tuple(values)}; write {expected}, none of them twice")


def coins(words: Words, trajectory: int, horizon: int) -> NDArray[np.float64]:
    """The uniforms by which the arms of a trajectory are picked, shape (T,)."""
    found = np.empty(horizon)
    fill_uniforms(found, words.seed, DRAW, 0, words.lane, trajectory)
    return found
