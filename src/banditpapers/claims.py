"""What a paper states, claim by claim, and the rule by which a measurement judges it.

A claim is one number, ordering, trend or bound, with the place where it stands. `select` names the rows of an exhibit's tidy table that
measure it. A verdict is computed here and nowhere typed:

value               the paper's number v, printed to +- `rounding`; ours is m with the 95% interval [low, high], of n replicates.
  impossible as stated  v lies below the table's `floor` or above its `ceiling`, a bound that computation puts on any run with the
                        stated parameters, by more than the printed rounding and 3 standard errors of the paper's mean, under every
                        reading of that bound (`floor`, `floor_rounded`).
  reproduced            v +- rounding meets [low, high] widened about m to 99% and by the paper's own replicate noise (its N).
  same direction        v misses it, but lies within a quarter of m.
  deviates              anything else.
ordering, trend, bound   m is the margin by which the statement holds: it is true where the margin is positive (bound: not negative).
  impossible as stated  the table says that what the statement needs does not exist (`exists` is false), whatever the row measures.
  reproduced            the whole interval is positive; a margin without noise (computed exactly) is positive, or zero for a bound.
  same direction        m is positive, but its interval reaches below zero.
  deviates              m is not positive.
not testable        no row measures it, the row holds no number (a value below what the row is known to exceed still deviates), or fewer
                    replicates finished than were planned.

An interval of which one end is unknown (a band that does not reach the level within the curve) is open at that end.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, isnan, nan, sqrt
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from banditpapers.canonical import digest
from banditpapers.sentences import lines
from banditpapers.statistics import Z95
from banditpapers.yaml_marks import read_file

Z99 = 2.5758293035489004
NEAR = 0.25
MANY = 3.0  # standard errors beyond which a number counts as impossible and not as noise


class Claim(BaseModel):
    """One statement of a paper."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: str
    where: str
    statement: str
    kind: Literal["value", "ordering", "trend", "bound"]
    exhibit: str
    select: dict[str, str | int | float]
    paper_value: int | Annotated[float, Field(allow_inf_nan=False)] | None = None
    rounding: Annotated[int | float, Field(ge=0, allow_inf_nan=False)] = 0

    @model_validator(mode="after")
    def _states_a_number(self) -> Self:
        if self.kind == "value" and self.paper_value is None:
            raise ValueError(f"the claim {self.id} is a value and has no paper_value")
        return self


class Claims(BaseModel):
    """All claims of a paper.

    replicates: the N behind each of the paper's means. agreement: what a value's `select` must hold for its deviation to count in the root
    mean square that the audit shows per method; without it, none does.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    paper: str
    replicates: Annotated[int, Field(ge=1)]
    agreement: dict[str, str | int | float] = {}
    claims: list[Claim]

    def value(self, exhibit: str, **select: Any) -> float | None:
        """The number that the paper prints for this selection, or None."""
        return self.index.get((exhibit, frozenset(select.items())))

    @property
    def key(self) -> str:
        """Changes when a claim changes, not when a comment among the claims does."""
        return digest(self.model_dump(mode="json")).hex()[:16]

    @cached_property
    def index(self) -> Mapping[tuple[str, frozenset[tuple[str, Any]]], float]:
        """The printed numbers by exhibit and selection."""
        return {
            (claim.exhibit, frozenset(claim.select.items())): float(claim.paper_value)
            for claim in self.claims
            if claim.kind == "value" and claim.paper_value is not None
        }


def load(path: Path) -> Claims:
    """The claims of a file. Raises ValueError with the file and the first thing that is wrong in it."""
    marked, advice = read_file(path), "write claims as config/claims/README.md says"
    if marked.faults:
        raise ValueError(f"{lines(marked.faults[:1])}; {advice}")
    try:
        found = Claims.model_validate(marked.data)
    except ValidationError as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())[:300]}; {advice}") from error
    repeated = [name for name, times in Counter(claim.id for claim in found.claims).items() if times > 1]
    if repeated:
        raise ValueError(f"{path}: the id {repeated[0]!r} stands twice; give each claim its own")
    return found


@dataclass(frozen=True)
class Verdict:
    """The word and the sentence behind it."""

    verdict: Literal["reproduced", "same direction", "deviates", "impossible as stated", "not testable"]
    reason: str
    rule: str = ""


def judge(claim: Claim, row: Mapping[str, Any] | None, paper_replicates: int) -> Verdict:
    """The verdict on a claim by the row that measures it; the rule is this module's docstring."""
    if row is None:
        return Verdict("not testable", "this run's grid has no such cell")
    if row["finished"] < row["planned"]:
        return Verdict("not testable", f"only {row['finished']} of {row['planned']} replicates finished")
    if claim.kind != "value" and row.get("exists") is not None and not row["exists"]:
        return Verdict("impossible as stated", row.get("note") or "what the statement needs does not exist")
    if not isfinite(row["measured"]):
        more_than = _known(row["low"], float("nan"))  # a curve that ends before it reaches the number still says what it exceeds
        if claim.kind == "value" and float(claim.paper_value or 0) + claim.rounding < more_than:
            return Verdict("deviates", f"{claim.paper_value:g} is less than {more_than:.4g}, which ours exceeds")
        return Verdict("not testable", row.get("note") or "the measurement gave no number")
    return _judge_value(claim, row, paper_replicates) if claim.kind == "value" else _judge_margin(claim, row)


def _judge_value(claim: Claim, row: Mapping[str, Any], paper_replicates: int) -> Verdict:
    stated, measured = float(claim.paper_value or 0), float(row["measured"])
    barred = _barred(stated, float(claim.rounding), row)
    if barred and "under every reading" in barred:
        return Verdict("impossible as stated", barred)
    # the paper's mean has noise of its own: that of our replicates, scaled to its N; 1.96 becomes 2.58 for 99%
    widen = Z99 / Z95 * sqrt(1 + row["finished"] / paper_replicates)
    low, high = _interval(row, measured)
    low, high = measured - widen * (measured - low), measured + widen * (high - measured)
    aside = f"; {barred}" if barred else ""
    if low <= stated + claim.rounding and stated - claim.rounding <= high:
        return Verdict("reproduced", f"{stated:g} lies within {low:.4g} to {high:.4g}, 99% for two runs{aside}")
    if abs(stated - measured) <= NEAR * abs(measured):
        return Verdict("same direction", f"{stated:g} is {stated / measured:.3g} times ours: beyond noise, within a quarter{aside}")
    times = f"{stated / measured:.3g} times ours" if measured else "not 0"
    return Verdict("deviates", f"{stated:g} is {times}, outside {low:.4g} to {high:.4g}{aside}")


def _barred(stated: float, rounding: float, row: Mapping[str, Any]) -> str:
    """What a computed bound says of a printed number: empty when it allows it."""
    floor, rounded, ceiling, se = (_known(row.get(name), float("nan")) for name in ("floor", "floor_rounded", "ceiling", "bound_se"))
    if not isnan(ceiling) and stated - rounding > ceiling + MANY * _known(se, 0.0):
        return f"{stated:g} exceeds {ceiling:.6g}, the most that the stated parameters allow, under every reading"
    if isnan(floor) or stated >= floor:
        return ""
    short, short_rounded = (_standard_errors(bound - stated - rounding, se) for bound in (floor, _known(rounded, floor)))
    least = f"{stated:g} is below {floor:.6g}, the least that the stated parameters allow"
    if min(short, short_rounded) > MANY:
        ends = sorted({f"{min(short, short_rounded):.3g}", f"{max(short, short_rounded):.3g}"}, key=float)
        by = f", by {' to '.join(ends)} standard errors" if isfinite(short) else ""
        return f"{least}, under every reading{by}"
    if short > MANY:
        by = f", by {short:.2g} standard errors" if isfinite(short) else ""
        return f"{least} with L real{by}; with L rounded down ({rounded:.6g}) it is possible"
    return f"{least} with L real, but only by {max(short, 0):.2g} standard errors: noise"


def _standard_errors(excess: float, se: float) -> float:
    """The excess in standard errors; without noise, any excess is infinitely many."""
    return excess / se if se > 0 else inf if excess > 0 else 0.0


def _judge_margin(claim: Claim, row: Mapping[str, Any]) -> Verdict:
    margin, note = float(row["measured"]) + 0.0, str(row.get("note") or "")  # + 0.0: no "-0" in a sentence
    aside = f"; {note}" if note else ""
    if isnan(_known(row["low"], nan)) and isnan(_known(row["high"], nan)) and margin > 0:
        return Verdict("same direction", f"holds by {margin:.4g}, but has no interval{aside}")
    low, high = _interval(row, margin)
    within = f" ({low:.4g} to {high:.4g})" if low < high else ", exactly"
    if low > 0 or (claim.kind == "bound" and low == high == margin and margin >= 0):
        return Verdict("reproduced", f"holds by {margin:.4g}{within}{aside}")
    if margin > 0:
        return Verdict("same direction", f"holds by {margin:.4g}, but the interval {low:.4g} to {high:.4g} reaches below zero{aside}")
    return Verdict("deviates", f"fails by {0 - margin:.4g}{within}{aside}")


def _interval(row: Mapping[str, Any], measured: float) -> tuple[float, float]:
    """The row's interval: open at an end that alone is unknown, the number itself where there is none."""
    low, high = _known(row["low"], nan), _known(row["high"], nan)
    if isnan(low) and isnan(high):
        return measured, measured
    return _known(low, -inf) + 0.0, _known(high, inf) + 0.0


def _known(value: Any, fallback: float) -> float:
    return fallback if value is None or isnan(float(value)) else float(value)
