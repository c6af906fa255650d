"""Where a paper and the measurements differ, and what each reading of an open place changes: the words of a file, the numbers of the audit.

The file of a paper (config/findings) says what is ambiguous or different, why, and which claims show it; `*` in an id stands for any text.
Effects and sizes are computed here from the audit's rows.
"""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from math import hypot, isfinite
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict, ValidationError

from banditpapers.audit import selected
from banditpapers.document import Difference, Effect, Register, number
from banditpapers.sentences import lines
from banditpapers.statistics import Z95
from banditpapers.yaml_marks import read_file

DIFFERENT = ("deviates", "impossible as stated")
ADVICE = "write findings as config/findings/README.md says"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


Select = dict[str, str | int | float]


class ReadingOf(_Part):
    """A reading and where its effect is measured, if it was run.

    claim, row, against: a claim in the row of that reading (its first without one), against another claim's first row (else its own).
    exhibit, select, minus: one row of an exhibit's tidy table against another; else the row is the effect, a paired difference.
    """

    reading: str
    claim: str | None = None
    row: str | None = None
    against: str | None = None
    exhibit: str | None = None
    select: Select = {}
    minus: Select = {}
    note: str = ""


class OpenPlace(_Part):
    """A place where the text is open or wrong."""

    ambiguity: str
    default: str
    why: str
    readings: list[ReadingOf]


class Apart(_Part):
    """A difference and the claims that show it."""

    title: str
    claims: list[str]
    evidence: str
    other_reading: str
    would_settle: str


class Findings(_Part):
    """All of a paper's."""

    paper: str
    registers: list[OpenPlace]
    differences: list[Apart]


def load(path: Path) -> Findings:
    """The findings of a file. Raises ValueError with the file and the first thing that is wrong in it."""
    marked = read_file(path)
    if marked.faults:
        raise ValueError(f"{lines(marked.faults[:1])}; {ADVICE}")
    try:
        return Findings.model_validate(marked.data)
    except ValidationError as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())[:300]}; {ADVICE}") from error


def registers(found: Findings, table: pd.DataFrame, tidy: Callable[[str, str], pd.DataFrame]) -> list[Register]:
    """The open places with the effect of each reading that was run. tidy: the tidy table of a paper's exhibit."""
    rows = _by_claim(found.paper, table)
    return [
        Register(
            paper=found.paper,
            ambiguity=place.ambiguity,
            default=place.default,
            why=place.why,
            readings=[_effect(reading, rows, place, lambda exhibit: tidy(found.paper, exhibit)) for reading in place.readings],
        )
        for place in found.registers
    ]


def differences(found: Findings, table: pd.DataFrame) -> list[Difference]:
    """The differences with their sizes. Raises ValueError for a claim that does not exist, and for one that differs and is in none."""
    rows = _by_claim(found.paper, table)
    covered: set[str] = set()
    made = []
    for apart in found.differences:
        named = [name for name in rows if any(fnmatchcase(name, pattern) for pattern in apart.claims)]
        lost = [pattern for pattern in apart.claims if not any(fnmatchcase(name, pattern) for name in rows)]
        if lost:
            raise ValueError(f"the difference {apart.title!r} of {found.paper} names the claim {lost[0]}, which there is not; {ADVICE}")
        shown = [name for name in named if rows[name][0]["verdict"] in DIFFERENT]
        covered |= set(shown)
        text = apart.model_dump(exclude={"claims"})
        made.append(Difference(paper=found.paper, claims=shown, size=size([rows[name][0] for name in named]), **text))
    return made


def uncovered(found: Findings, table: pd.DataFrame) -> list[str]:
    """The claims that deviate or are impossible, and that no difference names."""
    rows = _by_claim(found.paper, table)
    patterns = [pattern for apart in found.differences for pattern in apart.claims]
    return [name for name, own in rows.items() if own[0]["verdict"] in DIFFERENT and not any(fnmatchcase(name, p) for p in patterns)]


def size(rows: Sequence[Mapping[str, Any]]) -> str:
    """How many of the claims differ, and by how much: a printed number as a multiple of ours, a statement by its margin."""
    apart = [row for row in rows if row["verdict"] in DIFFERENT]
    parts = [f"{len(apart)} of {len(rows)} claims"]
    times = [
        row["paper_value"] / row["measured"] for row in apart if row["kind"] == "value" and isfinite(row["measured"]) and row["measured"]
    ]
    if times:
        parts.append(f"printed numbers are {_span(times)} times ours")
    margins = [-row["measured"] for row in apart if row["kind"] != "value" and row["measured"] < 0]
    if margins:
        parts.append(f"statements fail by {_span(margins)}")
    return "; ".join(parts)


def _by_claim(paper: str, table: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table[table["paper"] == paper].to_dict("records"):
        found.setdefault(row["id"], []).append({str(name): value for name, value in row.items()})
    return found


def _effect(reading: ReadingOf, rows: Mapping[str, list[dict[str, Any]]], place: OpenPlace, tidy: Callable[[str], pd.DataFrame]) -> Effect:
    own: Mapping[str, Any] | None = None
    base: Mapping[str, Any] | None = None
    if reading.claim is not None:
        own, base = _of_claim(rows, reading.claim, reading.row, place), _of_claim(rows, reading.against or reading.claim, None, place)
    elif reading.exhibit is not None:
        table = tidy(reading.exhibit)
        own = _of_table(table, reading.exhibit, reading.select, place)
        base = _of_table(table, reading.exhibit, reading.minus, place) if reading.minus else NOTHING
    known = own is not None and base is not None
    effect = Effect(
        reading=reading.reading, claim=reading.claim, exhibit=reading.exhibit, measured=None, effect=None, low=None, high=None,
        verdict=None, note=reading.note if known or reading.claim is reading.exhibit is None else "not in this run's grid",
    )  # fmt: skip
    if own is None or base is None:
        return effect
    if own is base:
        low = high = 0.0
    elif base is NOTHING:
        low, high = own["low"], own["high"]
    else:
        half = Z95 * hypot(_error(own), _error(base))
        low, high = own["measured"] - base["measured"] - half, own["measured"] - base["measured"] + half
    numbers = {"effect": own["measured"] - base["measured"], "low": low, "high": high}
    measured = None if base is NOTHING else number(own["measured"])
    known_numbers = {name: number(value) for name, value in numbers.items()}
    return effect.model_copy(update={**known_numbers, "measured": measured, "verdict": own.get("verdict")})


NOTHING = {"measured": 0.0}  # what a paired difference is compared with


def _of_claim(rows: Mapping[str, list[dict[str, Any]]], claim: str, name: str | None, place: OpenPlace) -> dict[str, Any] | None:
    if claim not in rows:
        raise ValueError(f"the register {place.ambiguity!r} names the claim {claim}, which there is not; {ADVICE}")
    return next((row for row in rows[claim] if row["measured_by"] and name in (None, row["reading"])), None)


def _of_table(table: pd.DataFrame, exhibit: str, select: Select, place: OpenPlace) -> dict[str, Any] | None:
    rows = selected(table, select, f"the register {place.ambiguity!r}", exhibit).to_dict("records")
    if len(rows) > 1:
        raise ValueError(f"the register {place.ambiguity!r} selects {len(rows)} rows of {exhibit} by {select}; select by a further column")
    return {str(name): value for name, value in rows[0].items()} if rows else None


def _error(row: Mapping[str, Any]) -> float:
    """A standard error: the row's, or that of its interval; NaN where neither is known."""
    return float(row["se"]) if isfinite(row["se"]) else (row["high"] - row["low"]) / (2 * Z95)


def _span(values: Sequence[float]) -> str:
    ends = f"{min(values):.3g}", f"{max(values):.3g}"
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
