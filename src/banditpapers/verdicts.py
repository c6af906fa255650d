"""The rule by which a measurement judges a claim. It is in RULES, a sentence per verdict; `judge` names the one that it used.

v is the number that the paper prints, m is ours, or the margin by which a statement holds: it is true where the margin is positive (bound:
not negative). Intervals of margins are the 95% intervals of the table: of paired differences for orderings on common random numbers, which
is the paired test; of slopes for trends; a worst case over all replicates is a number without an interval. A number that is computed and
not sampled (no replicates) has all the power there is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Any, Literal

from banditpapers.claims import Claim
from banditpapers.equivalence import POWER, Comparison, comparison, known, open_interval

NEAR = 0.25  # of ours: a number beyond noise but nearer than this has the same direction
SEEN = 0.5  # of the printed number: a deviation of this size must have been visible, or the test says nothing
WORST = 6  # replicates from which on a worst case counts: what happens in a quarter of runs shows in one of six with the chance 0.82
MANY = 3.0  # standard errors beyond which a number counts as impossible and not as noise

Word = Literal["reproduced", "same direction", "deviates", "impossible as stated", "not testable"]
RULES: dict[str, str] = {
    "not measured": "not testable: no row measures it, or the row holds no number.",
    "not finished": "not testable: fewer replicates finished than were planned.",
    "no interval": "not testable: the measurement is sampled and has no interval.",
    "barred": "impossible as stated: v lies below the floor or above the ceiling that computation puts on any run with the stated "
    f"parameters, by more than its rounding and {MANY:g} standard errors of the paper's mean, under every reading of that bound.",
    "value equal": "reproduced: v, give or take its rounding, lies in the interval of ours for both runs' noise at its table's 95% (Holm), "
    f"and a deviation of {SEEN:g} v would have been seen with a chance of {POWER:.0%}.",
    "value unseen": f"not testable: v lies in that interval, but a deviation of {SEEN:g} v would not have been seen with that chance.",
    "value near": "same direction: v lies outside that interval, but within a quarter of m.",
    "value far": "deviates: v lies outside that interval, and is further than a quarter of m away.",
    "value exceeded": "deviates: no number was reached, but ours is known to exceed v.",
    "missing": "impossible as stated: what the statement needs does not exist, whatever was measured.",
    "margin holds": "reproduced: the whole interval of the margin is positive; without noise, the margin is positive, or zero for a bound.",
    "margin leans": "same direction: the margin is positive, but its interval reaches below zero.",
    "margin unclear": "not testable: the margin is not positive, but its interval reaches above zero, so that n decides neither way.",
    "margin few": f"not testable: it holds in the worst of fewer than {WORST} replicates, where one in a quarter of runs could hide.",
    "margin fails": "deviates: no part of the margin's interval is positive.",
}


@dataclass(frozen=True)
class Verdict:
    """The word, the sentence behind it in numbers, the sentence of the rule, and the deviation that would have been seen (of a value)."""

    verdict: Word
    reason: str
    rule: str
    detectable: float | None = None


def judge(claim: Claim, row: Mapping[str, Any] | None, paper_replicates: int, critical: float) -> Verdict:
    """The verdict on a claim by the row that measures it; `critical` is the z of its step in its family, for a value."""
    if row is None:
        return _by("not measured", "this run's grid has no such cell")
    if row["finished"] < row["planned"]:
        return _by("not finished", f"only {row['finished']} of {row['planned']} replicates finished")
    if claim.kind != "value" and row.get("exists") is not None and not row["exists"]:
        return _by("missing", row.get("note") or "what the statement needs does not exist")
    if not isfinite(row["measured"]):
        more_than = known(row["low"])  # a curve that ends before it reaches the number still says what it exceeds
        if claim.kind == "value" and float(claim.paper_value or 0) + claim.rounding < more_than:
            return _by("value exceeded", f"{claim.paper_value:g} is less than {more_than:.4g}, which ours exceeds")
        return _by("not measured", row.get("note") or "the measurement gave no number")
    return _judge_value(claim, row, paper_replicates, critical) if claim.kind == "value" else _judge_margin(claim, row)


def compared(claim: Claim, row: Mapping[str, Any] | None, paper_replicates: int) -> Comparison | None:
    """The comparison that takes part in its family's test; None where there is nothing to compare."""
    if claim.kind != "value" or row is None or row["finished"] < row["planned"] or not isfinite(row["measured"]):
        return None
    return comparison(float(claim.paper_value or 0), float(claim.rounding), row, paper_replicates)


def _by(rule: str, reason: str, detectable: float | None = None) -> Verdict:
    word: Any = RULES[rule].partition(":")[0]
    return Verdict(word, reason, RULES[rule], detectable)


def _judge_value(claim: Claim, row: Mapping[str, Any], paper_replicates: int, critical: float) -> Verdict:
    both = comparison(float(claim.paper_value or 0), float(claim.rounding), row, paper_replicates)
    stated, measured, rounding = both.stated, both.measured, both.rounding
    barred = _barred(stated, rounding, row)
    if barred and "under every reading" in barred:
        return _by("barred", barred)
    aside = f"; {barred}" if barred else ""
    if not isfinite(both.below) and not isfinite(both.above):
        return _by("no interval", f"ours is {measured:.4g}, of which nothing says how far it is from its mean{aside}")
    (low, high), seen = both.interval(critical), both.detectable(critical)
    if low <= stated + rounding and stated - rounding <= high:
        inside = f"{stated:g} lies within {low:.4g} to {high:.4g}, both runs' noise"
        if seen > max(SEEN * abs(stated), rounding):
            size = f"only a deviation of {seen:.3g} or more" if isfinite(seen) else "on one side no deviation"
            return _by("value unseen", f"{inside}; but {size} would have been seen{aside}", seen)
        return _by("value equal", f"{inside}; a deviation of {seen:.3g} would have been seen{aside}", seen)
    if abs(stated - measured) <= NEAR * abs(measured):
        return _by("value near", f"{stated:g} is {stated / measured:.3g} times ours: beyond noise, within a quarter{aside}", seen)
    times = f"{stated / measured:.3g} times ours" if measured else "not 0"
    return _by("value far", f"{stated:g} is {times}, outside {low:.4g} to {high:.4g}{aside}", seen)


def _barred(stated: float, rounding: float, row: Mapping[str, Any]) -> str:
    """What a computed bound says of a printed number: empty when it allows it."""
    floor, rounded, ceiling, se = (known(row.get(name)) for name in ("floor", "floor_rounded", "ceiling", "bound_se"))
    if not isnan(ceiling) and stated - rounding > ceiling + MANY * known(se, 0.0):
        return f"{stated:g} exceeds {ceiling:.6g}, the most that the stated parameters allow, under every reading"
    if isnan(floor) or stated >= floor:
        return ""
    short, short_rounded = (_standard_errors(bound - stated - rounding, se) for bound in (floor, known(rounded, floor)))
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
    margin, note = float(row["measured"]) + 0.0, str(row.get("note") or "")
    low, high, share, replicates = *open_interval(row), known(row.get("positive")), int(row["finished"])
    often = f"; it holds in {share:.0%} of {replicates} replicates" if low < high and not isnan(share) else ""
    aside = often + (f"; {note}" if note else "")
    if not isfinite(low) and not isfinite(high):
        said = f"holds by {margin:.4g}" if margin > 0 else f"fails by {0 - margin:.4g}"
        return _by("no interval", f"{said}, but has no interval{aside}")
    flat = low == high == margin
    within = f" ({low:.4g} to {high:.4g})" if low < high else f", over {replicates} replicates" if replicates else ", exactly"
    if low > 0 or (claim.kind == "bound" and flat and margin >= 0):
        few = flat and 0 < replicates < WORST
        return _by("margin few" if few else "margin holds", f"holds by {margin:.4g}{within}{aside}")
    if margin > 0:
        return _by("margin leans", f"holds by {margin:.4g}, but the interval {low:.4g} to {high:.4g} reaches below zero{aside}")
    if high > 0 and not flat:
        return _by("margin unclear", f"fails by {0 - margin:.4g}, but the interval {low:.4g} to {high:.4g} reaches above zero{aside}")
    return _by("margin fails", f"fails by {0 - margin:.4g}{within}{aside}")
