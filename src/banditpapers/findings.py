"""Where a paper and the measurements differ, and what each reading of an open place changes: the words of a file, the numbers of the audit.

The file of a paper (config/findings) says what is ambiguous or different, why, and which claims show it; `*` in an id stands for any text.
Effects and sizes are computed here from the audit's rows.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from math import hypot, nan
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict, ValidationError

from banditpapers.document import Difference, Effect, Register, number
from banditpapers.sentences import lines
from banditpapers.statistics import Z95
from banditpapers.yaml_marks import read_file

DIFFERENT = ("deviates", "impossible as stated")
ADVICE = "write findings as config/findings/README.md says"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ReadingOf(_Part):
    """A reading: the claim that measures it, in the row of that name (its first without one), against another claim's first row (or its own)."""

    reading: str
    claim: str | None = None
    row: str | None = None
    against: str | None = None
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


def registers(found: Findings, table: pd.DataFrame) -> list[Register]:
    """The open places with the effect of each reading that was run."""
    rows = _by_claim(found.paper, table)
    return [
        Register(
            paper=found.paper,
            ambiguity=place.ambiguity,
            default=place.default,
            why=place.why,
            readings=[_effect(reading, rows, place) for reading in place.readings],
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
    times = [row["paper_value"] / row["measured"] for row in apart if row["kind"] == "value" and row["measured"] and row["measured"] == row["measured"]]
    if times:
        parts.append(f"printed numbers are {_span(times)} times ours")
    margins = [-row["measured"] for row in apart if row["kind"] != "value" and row["measured"] < 0]
    if margins:
        parts.append(f"statements fail by {_span(margins)}")
    return "; ".join(parts)


def page(documents: Mapping[str, Any]) -> str:
    """Where papers and measurements differ, and the readings side by side, as Markdown, from the audit's document."""
    parts = [
        "# Where paper and measurement differ",
        "",
        f"Made by the audit at {documents['scale']} scale. A reading or a reconstruction of ours is never the authors' own. Sizes are computed from",
        "the verdicts in [claims.csv](claims.csv), by the default readings. Effects are differences of what a claim measures from the default",
        "reading, with 95% intervals that take both for independent.",
        "",
    ]
    for paper in documents["papers"]:
        parts += [f"## `{paper['key']}`: {paper['title']}", ""]
        for entry in (entry for entry in documents["differences"] if entry["paper"] == paper["key"]):
            parts += [f"### {entry['title']}", "", f"- Evidence: {entry['evidence']}", f"- Size: {entry['size']}"]
            parts += [f"- What in the text allows another reading: {entry['other_reading']}", f"- What would settle it: {entry['would_settle']}"]
            named = ", ".join(f"`{name}`" for name in entry["claims"][:SHOWN])
            rest = f" and {len(entry['claims']) - SHOWN} more" if len(entry["claims"]) > SHOWN else ""
            parts += [f"- Claims: {named}{rest}" if named else "- Claims: none differs at this scale", ""]
        parts += ["### Readings side by side", "", "| open in the text | default, and why | reading | claim | effect | verdict |"]
        parts.append("|---|---|---|---|---|---|")
        for place in (place for place in documents["registers"] if place["paper"] == paper["key"]):
            for index, reading in enumerate(place["readings"]):
                head = (place["ambiguity"], f"{place['default']}: {place['why']}") if not index else ("", "")
                cells = (*head, reading["reading"], f"`{reading['claim']}`" if reading["claim"] else "", _shown(reading), reading["verdict"] or "")
                parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)


SHOWN = 8  # claims that a difference names on the page


def _by_claim(paper: str, table: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table[table["paper"] == paper].to_dict("records"):
        found.setdefault(row["id"], []).append({str(name): value for name, value in row.items()})
    return found


def _effect(reading: ReadingOf, rows: Mapping[str, list[dict[str, Any]]], place: OpenPlace) -> Effect:
    if reading.claim is None:
        return Effect(reading=reading.reading, claim=None, measured=None, effect=None, low=None, high=None, verdict=None, note=reading.note)
    base = _find(rows, reading.against or reading.claim, None, place)
    own = _find(rows, reading.claim, reading.row, place)
    if own is None or base is None:  # not in this run's grid
        note = reading.note or "not in this run's grid"
        return Effect(reading=reading.reading, claim=reading.claim, measured=None, effect=None, low=None, high=None, verdict=None, note=note)
    effect, half = own["measured"] - base["measured"], Z95 * hypot(_error(own), _error(base))
    if own is base:
        half = 0.0
    return Effect(
        reading=reading.reading,
        claim=reading.claim,
        measured=number(own["measured"]),
        effect=number(effect),
        low=number(effect - half),
        high=number(effect + half),
        verdict=own["verdict"],
        note=reading.note,
    )


def _find(rows: Mapping[str, list[dict[str, Any]]], claim: str, name: str | None, place: OpenPlace) -> dict[str, Any] | None:
    if claim not in rows:
        raise ValueError(f"the register {place.ambiguity!r} names the claim {claim}, which there is not; {ADVICE}")
    return next((row for row in rows[claim] if row["measured_by"] and name in (None, row["reading"])), None)


def _error(row: Mapping[str, Any]) -> float:
    """A standard error: the row's, or that of its interval; NaN where neither is known."""
    return float(row["se"]) if row["se"] == row["se"] else (row["high"] - row["low"]) / (2 * Z95)


def _span(values: Sequence[float]) -> str:
    ends = f"{min(values):.3g}", f"{max(values):.3g}"
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _shown(reading: Mapping[str, Any]) -> str:
    effect, low, high = (reading[name] if reading[name] is not None else nan for name in ("effect", "low", "high"))
    if effect != effect:
        return str(reading["note"])
    interval = f" [{low:.3g}, {high:.3g}]" if low < high else ""
    measured = f"measured {reading['measured']:.4g}"
    return "; ".join(part for part in (f"{measured}, {effect:+.3g}{interval}" if effect else measured, reading["note"]) if part)
