"""The audit's page: the same bytes each time, every text escaped, main claims that exist, numbers as people write them."""

import copy
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from browser import made_up

from banditpapers import audit, page

ROOT = Path(__file__).parents[2]


def test_the_bytes_are_the_same_each_time():
    first, second = (page.render(made_up.audit(), made_up.MAIN, made_up.EXHIBITS) for _ in range(2))
    assert first == second


def test_the_committed_page_is_made_of_the_committed_audit(tmp_path):
    script = ROOT / "workflow" / "scripts" / "page.py"
    committed = ROOT / "figures" / "audit"
    made = tmp_path / "index.html"
    command = [sys.executable, script, "--claims", committed / "claims.json", "--main", ROOT / "config/claims/main.yaml", "--output", made]
    subprocess.run(command, check=True)
    assert made.read_bytes() == (committed / "index.html").read_bytes(), "figures/audit/index.html is old: snakemake --cores 1 audit"


def test_no_text_of_the_audit_becomes_markup():
    made = page.render(made_up.audit(), made_up.MAIN, made_up.EXHIBITS)
    assert made_up.NASTY not in made
    assert "<img src=x" not in made
    assert made.count("<script") == made.count("</script>") == 2
    data = json.loads(re.search(r'<script type="application/json" id="audit">(.*)</script>', made).group(1))
    assert data["claims"]["one-c0"]["reason"] == f"reason 0, {made_up.NASTY}"


def test_the_page_asks_nothing_of_a_network():
    made = page.render(made_up.audit(), made_up.MAIN, made_up.EXHIBITS)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', made)
    assert "default-src 'none'" in made


def test_the_script_stays_small():
    assert len((page.TEMPLATES / "page.js").read_text(encoding="utf-8").splitlines()) < 200


def test_verdicts_have_a_mark_each_and_counts_add_up():
    assert tuple(page.MARKS) == audit.VERDICTS
    assert len(set(page.MARKS.values())) == len(audit.VERDICTS)
    found = page.headlines(made_up.MAIN, made_up.audit()["claims"])
    assert found["one"][0].ids == ("c0", "c1", "c2", "c3", "c4")
    assert found["one"][0].verdicts == dict.fromkeys(audit.VERDICTS, 1)
    assert [headline.key for headline in found["two"]] == ["two-1"]


def test_a_main_claim_that_no_claim_has_is_refused():
    main = {"one": [page.Statement(statement="something", claims=["c0", "zzz*"])]}
    with pytest.raises(ValueError, match=r"the main claims of one name 'zzz\*', which is no id of its claims; write"):
        page.headlines(main, made_up.audit()["claims"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("one: [{statement: s, claims: []}]", "one.0.claims"),
        ("one: [{statement: s, claim: [c]}]", "one.0"),
        ("two: [{statement: s, claims: [c]}]", "no main claims of one; write at least one"),
        ("one:\n\t- x", "found a tab in the indentation"),
    ],
)
def test_a_list_of_main_claims_is_read_strictly(tmp_path, text, said):
    path = tmp_path / "main.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(said)) as error:
        page.load_main(path, ["one"])
    assert str(path) in str(error.value)


def test_every_paper_has_main_claims():
    main = page.load_main(ROOT / "config/claims/main.yaml", ["lp2s", "drts", "softucb", "debora"])
    claims = []
    for paper in main:
        stated = yaml.safe_load((ROOT / f"config/claims/{paper}.yaml").read_text(encoding="utf-8"))["claims"]
        claims += [{"paper": paper, "id": claim["id"], "verdict": "deviates"} for claim in stated]
    assert all(len(found) >= 5 for found in page.headlines(main, claims).values())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"), (0.0, "0"), (7, "7"), (23632.673, "23\u202f633"), (-0.0123456, "−0.01235"),
        (1e-9, "1e−9"), (2.5e15, "2.5e15"), (1000, "1\u202f000"), ("text", "text"),
    ],
)  # fmt: skip
def test_numbers_are_spelled_for_people(value, text):
    assert page.spelled(value) == text


def test_a_paper_s_number_keeps_its_digits():
    assert [page.printed(value) for value in (128.066, 0.00332, 6940.0, None)] == ["128.066", "0.00332", "6\u202f940", "–"]


def test_code_between_backquotes_is_marked_and_the_rest_escaped():
    assert page.marked("a `lp2s_table2` < `<b>`") == "a <code>lp2s_table2</code> &lt; <code>&lt;b&gt;</code>"


def test_a_claim_without_a_measurement_is_still_shown():
    about = page.details(made_up.audit(), made_up.EXHIBITS)["claims"]["one-c4"]
    assert [(reading["verdict"], reading["n"], reading["numbers"][0]) for reading in about["readings"]] == [
        ("not testable", "–", ["", "–"])
    ]
    failed = copy.deepcopy(made_up.audit())
    failed["claims"][0]["readings"][0]["finished"] = 990
    assert page.details(failed, made_up.EXHIBITS)["claims"]["one-c0"]["readings"][0]["n"] == "990 of 1\u202f000"


def test_the_packages_of_the_browser_tests_are_pinned_with_hashes_beside_the_others():
    lock, main = ((ROOT / name).read_text(encoding="utf-8") for name in ("requirements-browser.lock", "requirements.lock"))
    entries = re.split(r"(?m)^(?=[A-Za-z0-9._-]+==)", lock)[1:]
    assert {"playwright", "axe-playwright-python"} <= {entry.partition("==")[0] for entry in entries}
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in lock
    pinned = dict(re.findall(r"(?m)^([A-Za-z0-9._-]+)==([^ ;\\]+)", main))
    for name, version in re.findall(r"(?m)^([A-Za-z0-9._-]+)==([^ ;\\]+)", lock):
        assert pinned.get(name, version) == version
