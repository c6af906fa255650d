"""Files of claims, then whole tables of verdicts in files; the rule itself is tested in test_verdicts.py."""

import json
import math
from collections import Counter
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from banditpapers import audit, records
from banditpapers.claims import load
from banditpapers.statistics import Z95, Estimate
from banditpapers.tidy import NAN, row

SHIPPED = Path(__file__).parents[2] / "config" / "claims" / "lp2s.yaml"
N = 1000
COUNTS = {"planned": N, "finished": N, "failed": 0}


def sampled(centre: float, se: float, **keys) -> dict:
    return row(Estimate(centre, se, centre - Z95 * se, centre + Z95 * se, "normal 95%"), COUNTS, **keys)


# ---- files of claims

GOOD = """
paper: tiny
replicates: 1000
claims:
  - {id: a, where: here, statement: s, kind: value, exhibit: one, paper_value: 10, rounding: 0.5, select: {arms: 5, what: T}}
  - {id: b, where: here, statement: s, kind: ordering, exhibit: one, select: {what: lead}}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_claims_load(tmp_path):
    found = load(written(tmp_path, GOOD))
    assert [stated.id for stated in found.claims] == ["a", "b"]
    assert found.value("one", arms=5, what="T") == 10
    assert found.value("one", what="T", arms=5.0) == 10
    assert found.value("two", arms=5, what="T") is found.value("one", what="T") is found.value("one", what="lead") is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("id: b", "id: a", "the id 'a' stands twice"),
        ("kind: value", "kind: number", "kind"),
        ("rounding: 0.5", "rounded: 0.5", "rounded"),
        ("rounding: 0.5", "rounding: -0.5", "rounding"),
        ("rounding: 0.5", "rounding: .nan", "rounding"),
        ("paper_value: 10, ", "", "the claim a is a value and has no paper_value"),
        ("paper_value: 10", "paper_value: .inf", "paper_value"),
        ("paper_value: 10", "paper_value: ten", "paper_value"),
        ("paper_value: 10", 'paper_value: "10"', "paper_value"),
        ("where: here, ", "", "where"),
        ("replicates: 1000", "replicates: 0", "replicates"),
        ("replicates: 1000\n", "", "replicates"),
        ("claims:\n", "claims:\n  - 3\n", "claims"),
        ("{id: a", "{id: [a", "tiny.yaml"),
        ("paper: tiny", "paper: tiny\nverdict: fine", "verdict"),
        ("paper: tiny", "paper: tiny\npaper: other", "paper"),  # a key that stands twice
    ],
)
def test_a_file_of_claims_that_is_wrong_is_refused_by_name(tmp_path, old, new, said):
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ValueError, match=r"tiny\.yaml(, line [0-9]+(, [^:]+)?)?: ") as caught:
        load(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe\x00", b"a: b: c"])
def test_a_file_that_holds_no_claims_is_refused(tmp_path, content):
    (tmp_path / "tiny.yaml").write_bytes(content)
    with pytest.raises(ValueError, match=r"tiny\.yaml(, line [0-9]+)?: .*; write claims as config/claims/README\.md says"):
        load(tmp_path / "tiny.yaml")


def test_the_shipped_claims():
    found = load(SHIPPED)
    values = Counter(stated.exhibit for stated in found.claims if stated.kind == "value")
    assert values == {"table2": 90, "table3": 90, "table4": 81}
    assert sum(values.values()) == 261
    assert len({stated.id for stated in found.claims}) == len(found.claims)
    assert len(found.index) == 261, "each printed number has a selection of its own"
    assert {stated.kind for stated in found.claims} == {"value", "ordering", "trend", "bound"}
    for stated in found.claims:
        assert stated.statement
        assert stated.where
        assert stated.select
        if stated.kind == "value":
            assert 0 < stated.rounding <= 0.05 * stated.paper_value, stated.id
    assert found.value("table2", prior="(1, 1)", arms=1000, matched_on="T", budget="paper", method="lp2s", quantity="T") == 6940


# ---- the audit


def audited(folder: Path, rows: list[dict], text: str = GOOD) -> pd.DataFrame:
    records.write(folder / "results" / "tiny" / "one.parquet", pa.Table.from_pandas(pd.DataFrame(rows), preserve_index=False), {})
    return audit.audit(["tiny"], folder / "results", {"tiny": written(folder, text)})


def measured(centre: float, reading: str, default: bool, what: str = "T", arms: int = 5, **keys) -> dict:
    return sampled(centre, 0.1, reading=reading, default=default, what=what, arms=arms, **keys)


LEAD = measured(1, "only", True, "lead")


def test_every_reading_is_judged_the_default_first(tmp_path):
    rows = [measured(30, "x", False), measured(10.1, "y", True), measured(11.5, "z", False), measured(10, "w", True, arms=6), LEAD]
    found = audited(tmp_path, rows)
    assert list(found[found["id"] == "a"][["reading", "measured", "default", "verdict"]].itertuples(index=False, name=None)) == [
        ("y", 10.1, True, "reproduced"), ("x", 30.0, False, "deviates"), ("z", 11.5, False, "same direction"),
    ]  # fmt: skip
    assert found["id"].tolist() == ["a", "a", "a", "b"]
    assert set(found["exhibit"]) == {"tiny/one"}
    assert set(found["command"]) == {"snakemake --cores 8 tiny_one"}
    assert found["paper_value"].iloc[0] == 10
    assert math.isnan(found["paper_value"].iloc[3])


def tally(table: pd.DataFrame) -> dict[str, dict[str, int]]:
    return {
        entry["kind"]: {key: entry[key] for key in (*audit.VERDICTS, "claims") if entry[key]}
        for entry in audit.counts(table).to_dict("records")
    }


def test_each_claim_counts_once(tmp_path):
    found = audited(tmp_path, [measured(30, "x", False), measured(10, "y", True), LEAD])
    assert tally(found) == {"value": {"reproduced": 1, "claims": 1}, "ordering": {"reproduced": 1, "claims": 1}}


def test_a_claim_without_a_default_reading_counts_too(tmp_path):
    found = audited(tmp_path, [measured(30, "x", False), measured(10, "y", False), LEAD])
    assert tally(found)["value"] == {"deviates": 1, "claims": 1}


def test_a_claim_without_rows_is_not_testable(tmp_path):
    found = audited(tmp_path, [measured(10, "y", True, arms=9), LEAD])
    assert tally(found)["value"] == {"not testable": 1, "claims": 1}
    assert found["reason"].iloc[0] == "this run's grid has no such cell"


def test_a_selection_of_two_default_rows_is_refused(tmp_path):
    with pytest.raises(ValueError, match="the claim a selects 2 rows of default readings"):
        audited(tmp_path, [measured(10, "x", True), measured(11, "y", True), LEAD])


def test_an_unknown_column_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(ValueError, match=r"the claim a selects by 'karms', which one has not; its columns are .*arms"):
        audited(tmp_path, [measured(10, "x", True)], GOOD.replace("arms: 5", "karms: 5"))


def test_what_does_not_exist_survives_the_file(tmp_path):
    gone = {**LEAD, "exists": False, "measured": NAN, "low": NAN, "high": NAN, "note": "there is none"}
    found = audited(tmp_path, [measured(10, "x", True), gone])
    assert found["verdict"].tolist() == ["reproduced", "impossible as stated"]


def test_a_missing_or_damaged_table_stops_the_audit(tmp_path):
    with pytest.raises(FileNotFoundError):
        audit.audit(["tiny"], tmp_path, {"tiny": written(tmp_path, GOOD)})
    path = tmp_path / "results" / "tiny" / "one.parquet"
    audited(tmp_path, [LEAD])
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(records.DamagedRecordError, match=r"one\.parquet"):
        audit.audit(["tiny"], tmp_path / "results", {"tiny": tmp_path / "tiny.yaml"})


def put(folder: Path, table: pd.DataFrame) -> tuple[str, str, dict]:
    audit.write(table, folder / "claims.csv", folder / "summary.md", folder / "audit.json")
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("claims.csv", "summary.md", "audit.json")]
    return texts[0], texts[1], json.loads(texts[2])


def test_the_files_of_an_audit(tmp_path):
    table = audited(tmp_path, [measured(10.00000000001, "y", True), measured(30, "x", False), LEAD])
    listed, summary, complete = put(tmp_path, table)
    lines = listed.splitlines()
    assert lines[0] == ",".join(audit.COLUMNS)
    assert lines[1].startswith('tiny,a,here,s,value,y,10,10,9.8040036,10.1959964,reproduced,"10 lies within')
    assert lines[3].startswith("tiny,b,here,s,ordering,only,,1,0.804003602,1.1959964,reproduced")
    assert "| tiny | value | 1 | 0 | 0 | 0 | 0 | 1 |" in summary
    assert (complete["claims"], complete["rows"]) == (2, 3)
    before = [(tmp_path / name).read_bytes() for name in ("claims.csv", "summary.md", "audit.json")]
    put(tmp_path, table)
    assert before == [(tmp_path / name).read_bytes() for name in ("claims.csv", "summary.md", "audit.json")]


def test_failed_replicates_are_not_testable(tmp_path):
    table = audited(tmp_path, [{**measured(10, "y", True), "planned": 10, "finished": 7, "failed": 3}, LEAD])
    put(tmp_path, table)
    assert "only 7 of 10 replicates finished" in (tmp_path / "claims.csv").read_text()
    assert "not testable" in (tmp_path / "summary.md").read_text()


@pytest.mark.parametrize(("finished", "refused"), [(10, False), (7, True)])
def test_failed_replicates_of_any_exhibit_fail_the_audit(tmp_path, finished, refused):
    cell = {"id": "some-cell", "planned": 10, "finished": finished, "failed": 10 - finished}
    records.write(tmp_path / "tiny" / "one.parquet", pa.table({"x": [1.0]}), {"cells": [cell]})
    if refused:
        with pytest.raises(ValueError, match="3 of 10 replicates of some-cell failed; one shows what finished"):
            audit.refuse_failures([tmp_path / "tiny" / "one.parquet"])
    else:
        audit.refuse_failures([tmp_path / "tiny" / "one.parquet"])


AGREEMENT = """paper: tiny
replicates: 1000
agreement: {quantity: SR}
claims:
  - {id: a, where: here, statement: s, kind: value, exhibit: one, paper_value: 10, select: {arms: 5, quantity: SR, method: tse}}
  - {id: b, where: here, statement: s, kind: value, exhibit: one, paper_value: 10, select: {arms: 6, quantity: SR, method: tse}}
  - {id: c, where: here, statement: s, kind: value, exhibit: one, paper_value: 10, select: {arms: 5, quantity: T, method: tse}}
  - {id: d, where: here, statement: s, kind: ordering, exhibit: one, select: {arms: 6, quantity: T, method: tse}}
"""
RATED = [("SR", 10.2, 5, True), ("SR", 9.9, 6, True), ("SR", 99, 5, False), ("T", 30, 5, True), ("T", 1, 6, True)]


def rated(folder, text):
    rows = [measured(mean, "y" if default else "x", default, arms=arms, quantity=what, method="tse") for what, mean, arms, default in RATED]
    return audited(folder, rows, text)


def test_the_agreement_of_means(tmp_path):
    """(10.2 - 10) / (0.1 sqrt 2) and (9.9 - 10) / (0.1 sqrt 2): root mean square sqrt((2 + 0.5) / 2). T and other readings stay out."""
    found = rated(tmp_path, AGREEMENT)
    assert audit.agreement(found) == {"tiny/one tse": {"rms_z": round(math.sqrt(1.25), 3), "means": 2}}
    assert "| tiny/one tse | 2 | 1.12 |" in put(tmp_path, found)[1]


@pytest.mark.parametrize(
    ("header", "means"),
    [("agreement: {quantity: T}", 1), ("agreement: {quantity: SR, arms: 6}", 1), ("agreement: {method: tse}", 3), ("", 0)],
)
def test_the_header_says_which_means_are_pooled(tmp_path, header, means):
    pooled = audit.agreement(rated(tmp_path, AGREEMENT.replace("agreement: {quantity: SR}", header)))
    assert [entry["means"] for entry in pooled.values()] == ([means] if means else [])


@pytest.mark.parametrize(("paper", "means"), [("lp2s", 84), ("drts", 12)])
def test_the_shipped_claims_say_which_means_are_pooled(paper, means):
    found = load(SHIPPED.with_name(f"{paper}.yaml"))
    pooled = [stated for stated in found.claims if stated.kind == "value" and found.agreement.items() <= stated.select.items()]
    assert found.agreement
    assert len(pooled) == means
