"""Effects of readings and sizes of differences on made-up audits; the files that ship; the document against its schema."""

import json
from pathlib import Path

import jsonschema
import pandas as pd
import pytest

from banditpapers import audit, configuration, differences, document, findings
from banditpapers.statistics import Z95

ROOT = Path(__file__).parents[2]


def judged(name, verdict="reproduced", measured=1.0, reading="usual", default=True, kind="value", stated=2.0, se=0.1, **keys) -> dict:
    """A row of an audit's table."""
    row = dict.fromkeys((*audit.COLUMNS, *audit.BEHIND), "") | {"paper": "lp2s", "id": name, "verdict": verdict, "measured": measured}
    row |= {"reading": reading, "default": default, "kind": kind, "paper_value": stated, "se": se, "measured_by": True}
    row |= {
        "low": measured - Z95 * se,
        "high": measured + Z95 * se,
        "planned": 10,
        "finished": 10,
        "rounding": 0.0,
        "detectable": 0.5,
        "positive": 1.0,
    }
    return row | {"exhibit": "lp2s/table2", "z": float("nan"), **keys}


TABLE = pd.DataFrame(
    [
        judged("a", measured=1.0), judged("a", measured=1.5, reading="other", default=False, verdict="deviates", se=0.2),
        judged("b", verdict="deviates", measured=4.0, stated=2.0), judged("c", verdict="deviates", measured=-0.5, kind="ordering"),
        judged("d", measured=float("nan"), measured_by=False),
    ]
)  # fmt: skip
TIDY = pd.DataFrame({"way": ["old", "new", "paired"], "measured": [5.0, 7.0, -1.0], "se": [0.3, 0.4, 0.5], "low": 0.0, "high": 0.25})


def register(**keys) -> document.Effect:
    """The effect of one reading."""
    place = {"ambiguity": "which", "default": "usual", "why": "the text", "readings": [{"reading": "other", **keys}]}
    found = findings.Findings.model_validate({"paper": "lp2s", "registers": [place], "differences": []})
    return findings.registers(found, TABLE, lambda paper, exhibit: TIDY)[0].readings[0]


def numbers(effect):
    return effect.measured, effect.effect, effect.low, effect.high


def test_a_reading_of_a_claim_against_its_default():
    found = register(claim="a", row="other")
    half = Z95 * (0.1**2 + 0.2**2) ** 0.5
    assert numbers(found) == pytest.approx((1.5, 0.5, 0.5 - half, 0.5 + half))
    assert found.verdict == "deviates"


def test_a_reading_that_is_another_claim():
    half = Z95 * 0.1 * 2**0.5
    assert numbers(register(claim="b", against="a")) == pytest.approx((4.0, 3.0, 3 - half, 3 + half))
    assert numbers(register(claim="a")) == (1.0, 0.0, 0.0, 0.0)


def test_a_reading_in_a_table():
    half = Z95 * 0.5
    assert numbers(register(exhibit="x", select={"way": "new"}, minus={"way": "old"})) == pytest.approx((7.0, 2.0, 2 - half, 2 + half))
    assert numbers(register(exhibit="x", select={"way": "paired"})) == (None, -1.0, 0.0, 0.25)


@pytest.mark.parametrize("keys", [{"claim": "a", "row": "third"}, {"claim": "d"}, {"exhibit": "x", "select": {"way": "no"}}])
def test_a_reading_that_the_grid_lacks(keys):
    found = register(**keys)
    assert numbers(found) == (None, None, None, None)
    assert found.note == "not in this run's grid"


def test_a_reading_that_was_not_run_says_so():
    found = register(note="not run")
    assert (numbers(found), found.note) == ((None, None, None, None), "not run")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"claim": "z"}, "names the claim z, which there is not"),
        ({"exhibit": "x", "select": {}}, "selects 3 rows of x"),
        ({"exhibit": "x", "select": {"manner": "new"}}, "selects by 'manner', which x has not"),
    ],
)
def test_a_reading_that_is_nowhere_is_refused(keys, said):
    with pytest.raises(ValueError, match=said):
        register(**keys)


def apart(*claims: str) -> findings.Findings:
    words = {"title": "t", "evidence": "e", "other_reading": "o", "would_settle": "w", "claims": list(claims)}
    return findings.Findings.model_validate({"paper": "lp2s", "registers": [], "differences": [words]})


def test_the_size_of_a_difference():
    found = findings.differences(apart("*"), TABLE)[0]
    assert found.claims == ["b", "c"]
    assert found.size == "2 of 4 claims; printed numbers are 0.5 times ours; statements fail by 0.5"
    assert findings.differences(apart("a"), TABLE)[0].size == "0 of 1 claims"
    assert findings.uncovered(apart("b"), TABLE) == ["c"]
    with pytest.raises(ValueError, match=r"names the claim z\*, which there is not"):
        findings.differences(apart("a", "z*"), TABLE)


def test_the_document_has_no_nan_obeys_its_schema_and_is_shown():
    made = document.document(
        TABLE, ["lp2s"], "tiny", findings.differences(apart("b", "c"), TABLE), [document.Register.model_validate(REGISTER)]
    )
    text = json.dumps(made, allow_nan=False)
    jsonschema.Draft202012Validator(document.schema()).validate(json.loads(text))
    claims = {claim["id"]: claim for claim in made["claims"]}
    assert [reading["reading"] for reading in claims["a"]["readings"]] == ["usual", "other"]
    assert (claims["d"]["readings"], claims["d"]["target"]) == ([], "lp2s_table2")
    shown = differences.page(made)
    assert "- Size: 2 of 2 claims; printed numbers are 0.5 times ours; statements fail by 0.5" in shown
    assert "- Claims: `b`, `c`" in shown
    assert "| which \\| one | usual: the text | other | `a` | measured 2, +1 [0.5, 1.5] | deviates |" in shown
    assert "|  |  | third |  | not run |  |" in shown


EFFECT = {"claim": "a", "exhibit": None, "measured": 2.0, "effect": 1.0, "low": 0.5, "high": 1.5, "verdict": "deviates", "note": ""}
REGISTER = {
    "paper": "lp2s",
    "ambiguity": "which | one",
    "default": "usual",
    "why": "the text",
    "readings": [
        {"reading": "other", **EFFECT},
        {"reading": "third", **dict.fromkeys(EFFECT), "note": "not run"},
    ],
}


@pytest.mark.parametrize("change", [{"format": 2}, {"extra": 1}, {"claims": [{}]}, {"scale": None}])
def test_the_schema_refuses_what_is_not_a_document(change):
    made = document.document(TABLE, ["lp2s"], "tiny") | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(document.schema()).validate(made)


# ---- what ships


@pytest.mark.parametrize(
    ("old", "new", "said"), [("why:", "reason:", "why"), ("paper: lp2s", "paper: 3", "paper"), ("registers:", "- x", "")]
)
def test_a_file_of_findings_that_is_wrong_is_refused(tmp_path, old, new, said):
    text = (ROOT / "config" / "findings" / "lp2s.yaml").read_text(encoding="utf-8")
    (tmp_path / "lp2s.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"lp2s\.yaml.*{said}.*write findings as config/findings/README\.md says"):
        findings.load(tmp_path / "lp2s.yaml")


@pytest.fixture(scope="module")
def committed():
    return json.loads((ROOT / "figures" / "audit" / "claims.json").read_text(encoding="utf-8"))


def test_the_committed_document_obeys_the_committed_schema(committed):
    shipped = json.loads((ROOT / "figures" / "audit" / "claims.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(shipped)
    jsonschema.Draft202012Validator(shipped).validate(committed)
    assert shipped == document.schema()
    assert committed["scale"] == "paper"
    assert [paper["key"] for paper in committed["papers"]] == ["lp2s", "drts", "softucb", "debora"]


def test_every_claim_that_differs_is_explained(committed):
    different = {(claim["paper"], claim["id"]) for claim in committed["claims"] if claim["verdict"] in findings.DIFFERENT}
    named = {(entry["paper"], name) for entry in committed["differences"] for name in entry["claims"]}
    assert different == named


def test_every_paper_has_its_open_places(committed):
    for paper in configuration.PAPERS:
        places = [place for place in committed["registers"] if place["paper"] == paper]
        assert len(places) >= 8
        measured = [reading for place in places for reading in place["readings"] if reading["effect"] is not None]
        assert len(measured) >= 6
        assert all(reading["low"] <= reading["effect"] <= reading["high"] for reading in measured)
        assert all(reading["note"] for place in places for reading in place["readings"] if reading["effect"] is None)


def test_what_is_reproduced_could_have_been_refuted(committed):
    """A number that is called reproduced has a deviation of at most half of it that would have been seen."""
    for claim in committed["claims"]:
        if claim["kind"] == "value":
            for reading in claim["readings"]:
                if reading["verdict"] == "reproduced":
                    assert reading["detectable"] <= max(0.5 * abs(claim["paper_value"]), claim["rounding"]), claim["id"]


def test_no_difference_calls_a_reconstruction_the_authors_own(committed):
    words = json.dumps([committed["differences"], committed["registers"]])
    assert "the authors' algorithm" not in words
    assert "wrong" not in words, "neutral in tone"
