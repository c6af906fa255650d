"""Rows of `theory` on the contexts: sections 3.1, 4.1 and 5 of the paper."""

from collections.abc import Iterator, Sequence
from math import ceil, exp, log
from typing import Any

from banditpapers.papers.drts import information
from banditpapers.statistics import Estimate
from banditpapers.tidy import row

Row = dict[str, Any]
Settings = Sequence[tuple[int, int]]
READINGS = ("radial", "projection", "truncated", "clip", "global")
EQUAL = 1e-9  # numbers that differ by less are equal
TRILLION = 12  # decades of draws that nobody would wait for


def equality(difference: float) -> float:
    """The margin by which two numbers are equal, without the last digits, which differ between machines."""
    return round(EQUAL - abs(difference), 12)


def of_contexts(worlds: Settings, parameters: dict[str, Any]) -> Iterator[Row]:
    """Sections 3.1, 4.1 and 5: phi and the truncation."""
    for arms, d in ((arms, d) for arms, d in worlds if d > 1):
        for reading in READINGS:
            keys: Row = {"arms": arms, "dimension": d, "reading": reading, "default": reading == parameters["contexts"]}
            yield from ({**entry, **keys} for entry in _information(arms, d, reading))
    for d in sorted({d for _, d in worlds}):
        most, chance = max(arms for arms, _ in worlds), information.log10_acceptance(d, 2.0)
        far = information.log10_acceptance(d, most)
        note = f"the arm of mean 2 has norm at most 1 in one of 10^{-chance:.0f} draws, that of mean {most} in one of 10^{-far:.0f}"
        yield row(chance + TRILLION, dimension=d, check="truncation_by_rejection", exists=chance > -TRILLION, note=note)


def _information(arms: int, d: int, reading: str) -> Iterator[Row]:
    found = information.inverse_information(arms, d, reading)
    known = found if isinstance(found, Estimate) else Estimate(found, 0.0, found, found, "exact")
    rounds = information.ROUNDS if known.se else 0
    sampled = {"planned": rounds, "finished": rounds, "failed": 0}
    over = Estimate(known.mean / d - 1, known.se / d, known.low / d - 1, known.high / d - 1, known.interval)
    note = f"1/phi^2 = {known.mean:.5g} = {known.mean / d:.3g} d" + (f", from {rounds} rounds" if rounds else "")
    yield row(over, sampled, check="phi_at_least_d", note=note)
    old, least = d**1.5, ceil((known.mean / d) ** 2)
    better = Estimate(1 - known.mean / old, known.se / old, 1 - known.high / old, 1 - known.low / old, known.interval)
    note = f"1/phi^2 = {known.mean:.4g}, d^(3/2) = {old:.3g}; with so much 1/phi^2 per d, the new order is smaller from d = {least} on"
    yield row(better, sampled, check="order_improves", note=note)
    if not isinstance(found, Estimate):
        grown = information.inverse_information(arms, 256 * d, reading)
        exponent = log((grown.mean if isinstance(grown, Estimate) else grown) / found) / log(256)
        note = f"from d = {d} to {256 * d}, 1/phi^2 grows like d^{exponent:.4g}"
        yield row(1.01 - exponent, check="phi_order_d", note=note)


def of_examples(worlds: Settings, parameters: dict[str, Any]) -> Iterator[Row]:
    """The examples of section 4.1."""
    for d in sorted({d for _, d in worlds}):
        found = information.uniform_ball(d)
        yield row(equality(found - d - 2), dimension=d, check="uniform_ball", note=f"1/phi^2 = {found:.10g}")
        bound, found = (d + 2) * exp(0.5), information.truncated_normal(d)
        yield row(
            bound - found, dimension=d, check="truncated_normal", note=f"covariance I: 1/phi^2 = {found:.5g}, the bound is {bound:.5g}"
        )
        since = next(t for t in range(3, 10**7) if log(t) / t <= d**-2)
        note = f"log t / t <= 1/d^2 from t = {since} on (and, trivially, at t = 1, where the logarithm is 0)"
        yield row(parameters["horizon"] - since, dimension=d, check="imputation_settles", note=note)
    small, large = 100, 10_000
    for i, correlation in enumerate((0.5, 0.25)):
        ends = information.tridiagonal(small, correlation), information.tridiagonal(large, correlation)
        exponent = log(ends[1] / ends[0]) / log(large / small)
        note = (
            f"row sums of off-diagonals are at most {2 * correlation:g}; from d = {small} to {large}, 1/phi^2 grows like d^{exponent:.3g}"
        )
        yield row(
            1.01 - exponent, check="bounded_row_sums", reading=f"tri-diagonal, correlation {correlation:g}", default=i == 0, note=note
        )
    constant = information.autoregressive(1, 0.5)
    note = f"1/phi^2 is at most {constant:.3g} d for every d"
    yield row(constant, check="bounded_row_sums", reading="AR(1), correlation 0.5", default=False, note=note)
