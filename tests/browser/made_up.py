"""A small audit with claims of each kind and verdict, and texts that would break a page that does not escape."""

from itertools import product
from typing import Any

from banditpapers.page import Shown, Statement

NASTY = "<script>document.title = 'broken'</script> \"quoted\" & 'single', </textarea><img src=x onerror=alert(1)>"
KINDS = ("value", "ordering", "trend", "bound")
VERDICTS = ("reproduced", "same direction", "deviates", "impossible as stated", "not testable")


def reading(name: str, verdict: str, measured: float | None, default: bool, reason: str) -> dict[str, Any]:
    """One reading of a claim."""
    low, high = (None, None) if measured is None else (measured - 1, measured + 1)
    planned = 0 if measured is None else 1000
    return {
        "reading": name, "default": default, "measured": measured, "low": low, "high": high, "planned": planned, "finished": planned,
        "verdict": verdict, "reason": reason,
    }  # fmt: skip


def claim(number: int, paper: str, kind: str, verdict: str) -> dict[str, Any]:
    """A claim; every third has a second reading with another verdict, and those that are not testable have none."""
    value = 40.0 * number if kind == "value" else None
    readings = [] if verdict == "not testable" else [reading("A; smallest", verdict, 10.0 - number, True, f"reason {number}, {NASTY}")]
    if readings and number % 3 == 0:
        readings.append(reading("B, another", "reproduced", 1234567.0 * number, False, "another reason"))
    return {
        "paper": paper, "id": f"c{number}", "where": f"Table 1, K = {(10 - number % 10) * 100}", "statement": f"statement {number} {NASTY}",
        "kind": kind, "paper_value": value, "rounding": 0.5, "exhibit": f"{paper}/figure1", "target": f"{paper}_figure1",
        "command": f"snakemake --cores 8 {paper}_figure1", "family": f"{paper}/figure1", "verdict": verdict,
        "reason": f"reason {number}, {NASTY}", "rule": f"{verdict}: by the rule {NASTY}", "readings": readings,
    }  # fmt: skip


def audit() -> dict[str, Any]:
    """Twenty claims of two papers: each kind with each verdict."""
    claims = [claim(number, "one" if number < 12 else "two", *pair) for number, pair in enumerate(product(KINDS, VERDICTS))]
    nothing = {**dict.fromkeys(("claim", "measured", "effect", "low", "high", "verdict")), "note": ""}
    effect = {"reading": "B `code`", "claim": "c0", "exhibit": "figure1", "measured": 2.0, "effect": -1.5, "low": -2.0, "high": -1.0}
    return {
        "$schema": "claims.schema.json", "format": 1, "scale": "made-up",
        "papers": [{"key": key, "title": f"Paper {key} {NASTY}", "reference": "2026"} for key in ("one", "two")],
        "claims": claims,
        "differences": [
            {"paper": "one", "claims": [f"c{number}" for number in range(5)], "title": "Many", "evidence": f"`code` {NASTY}",
             "size": "twice", "other_reading": "K may be T", "would_settle": "the code"},
            {"paper": "two", "claims": ["c12"], "title": "One", "evidence": "a run", "size": "half", "other_reading": "none",
             "would_settle": "K"},
        ],
        "registers": [
            {"paper": "one", "ambiguity": f"K {NASTY}", "default": "A", "why": "the text",
             "readings": [effect | {"verdict": "deviates", "note": NASTY}, effect | nothing]},
        ],
    }  # fmt: skip


MAIN = {
    "one": [Statement(statement=f"the first {NASTY}", claims=["c[0-4]"]), Statement(statement="a single one", claims=["c7"])],
    "two": [Statement(statement="another", claims=["c1?"])],
}
EXHIBITS = {
    f"{key}/figure1": Shown(f"A figure {NASTY}", f"../{key}/figure1.png", {"csv": f"../{key}/figure1.csv"}) for key in ("one", "two")
}
