"""The page on where papers and measurements differ, and the readings side by side, as Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, nan
from typing import Any

SHOWN = 8  # claims that a difference names on the page
PARTS = {
    "evidence": "Evidence",
    "size": "Size",
    "other_reading": "What in the text allows another reading",
    "would_settle": "What would settle it",
}


def page(document: Mapping[str, Any]) -> str:
    """The page of the audit's document."""
    parts = [
        "# Where paper and measurement differ",
        "",
        f"Made by the audit at {document['scale']} scale. A reading or a reconstruction of ours is never the authors' own. Sizes are",
        "computed from the verdicts in [claims.csv](claims.csv), by the default readings. Effects are differences of what a claim measures",
        "from the default reading, with 95% intervals that take both for independent.",
        "",
    ]
    for paper in document["papers"]:
        parts += [f"## `{paper['key']}`: {paper['title']}", ""]
        for entry in document["differences"]:
            if entry["paper"] == paper["key"]:
                parts += [
                    f"### {entry['title']}",
                    "",
                    *(f"- {what}: {entry[name]}" for name, what in PARTS.items()),
                    _named(entry["claims"]),
                    "",
                ]
        parts += ["### Readings side by side", "", "| open in the text | default, and why | reading | measured by | effect | verdict |"]
        parts.append("|---|---|---|---|---|---|")
        places = [place for place in document["registers"] if place["paper"] == paper["key"]]
        parts += [line for place in places for line in _lines(place)]
        parts.append("")
    return "\n".join(parts)


def _named(claims: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in claims[:SHOWN])
    more = f" and {len(claims) - SHOWN} more" if len(claims) > SHOWN else ""
    return f"- Claims: {shown}{more}" if claims else "- Claims: none differs at this scale"


def _lines(place: Mapping[str, Any]) -> Iterator[str]:
    """The rows of an open place in the table of readings."""
    head = (place["ambiguity"], f"{place['default']}: {place['why']}")
    for reading in place["readings"]:
        by = reading["claim"] or (f"{place['paper']}_{reading['exhibit']}" if reading["exhibit"] else "")
        cells = (*head, reading["reading"], f"`{by}`" if by else "", _shown(reading), reading["verdict"] or "")
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
        head = ("", "")


def _shown(reading: Mapping[str, Any]) -> str:
    effect, low, high = (reading[name] if reading[name] is not None else nan for name in ("effect", "low", "high"))
    if not isfinite(effect):
        return str(reading["note"])
    interval = f" [{low:.3g}, {high:.3g}]" if low < high else ""
    measured = f"measured {reading['measured']:.4g}" if reading["measured"] is not None else ""
    change = f"{effect:+.3g}{interval}" if effect or low < high else ""
    return "; ".join(part for part in (", ".join(part for part in (measured, change) if part) or "0", reading["note"]) if part)
