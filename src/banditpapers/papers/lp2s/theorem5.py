"""What the bound of Theorem 5 on 1 - BPB says of given K, R, L and delta_0.

The bound is 1 - (1 - delta_0) L + exp(-L) + C1 K^-(alpha_0 c - 2) + C2 L exp(-R K^(-2c) / 4), with c > 2 / alpha_0. Here it is taken at its
least: C1 = 0, c = 2, where the last term is smaller than for any c that is allowed, since alpha_0 is at most 1, and C2 = 1, which (27)
gives, because the mean number of survivors is L.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, expm1, sinh
from typing import Any

from banditpapers.tidy import row

LEAST_C = 2.0  # below every c that is allowed
HALF = 0.5  # the factor that an exponential term must come below, to count as small


@dataclass(frozen=True)
class Theorem5:
    """arms: K. rounds: R of a stage. survivors: L. delta0: of LP-FC."""

    arms: int
    rounds: int
    survivors: float
    delta0: float

    @property
    def exponent(self) -> float:
        """R K^(-2c) / 4 at c = LEAST_C; it is less for every c that the theorem allows."""
        return float(self.rounds * self.arms ** (-2 * LEAST_C) / 4)

    @property
    def least(self) -> float:
        """A number that the bound exceeds for C2 = 1, whatever c and C1."""
        return 1 - (1 - self.delta0) * self.survivors + exp(-self.survivors) + self.survivors * exp(-self.exponent)


def theorem5(stated: Theorem5, missed: float, keys: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The margins of three statements; `missed` is the largest exact 1 - BPB."""
    note = f"the bound is above {stated.least:.4g} with C2 = 1 of (27), whatever c and C1; 1 - BPB is at most {missed:.4g} here"
    yield row(1 - stated.least, **keys, check="theorem5_informs", note=note)
    off = -expm1(-stated.exponent)  # what the exponential takes off 1
    needed = 4 * stated.arms ** (2 * LEAST_C)
    note = f"R = {stated.rounds} takes {off:.2g} off the factor of the last term; an exponent of 1 needs R above {needed:.2g}"
    yield row(HALF - 1 + off, **keys, check="theorem5_rounds", note=note)
    apart = 2 * sinh(stated.exponent)
    note = f"exp(R K^(-2c) / 4) of the text exceeds the theorem's exp(-R K^(-2c) / 4), at c = {LEAST_C:g} by {apart:.2g}, and grows with R"
    yield row(-apart, **keys, check="theorem5_sign", note=note)
