"""Verdicts that changed against the accepted ones are named, and end the audit with exit code 1 until they are accepted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from banditpapers import accepted

ROOT = Path(__file__).parents[2]


def document(scale="paper", **verdicts) -> dict:
    """An audit's document, as far as it matters here."""
    claims = [{"paper": "tiny", "id": name, "verdict": word} for name, word in verdicts.items()]
    return {"scale": scale, "papers": [{"key": "tiny"}], "claims": claims}


def put(path: Path, value: dict) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


KEPT = accepted.verdicts(document(a="reproduced", b="deviates"))


def test_what_is_kept():
    assert KEPT == {"scale": "paper", "verdicts": {"tiny": {"a": "reproduced", "b": "deviates"}}}


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (document(a="reproduced", b="deviates"), []),
        (document(a="not testable", b="deviates"), ["tiny a was 'reproduced' and is 'not testable'"]),
        (document(a="reproduced"), ["tiny b was 'deviates' and is 'not there'"]),
        (document(a="reproduced", b="deviates", c="deviates"), ["tiny c was 'not there' and is 'deviates'"]),
        (document("quick", a="deviates"), []),
    ],
)
def test_changes(now, said):
    assert accepted.changes(now, KEPT) == said


def test_a_paper_that_was_not_audited_has_not_changed():
    both = {**KEPT, "verdicts": {**KEPT["verdicts"], "other": {"x": "reproduced"}}}
    assert accepted.changes(document(a="reproduced", b="deviates"), both) == []


def script(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "workflow" / "scripts" / "verdicts.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def test_the_script_fails_names_accepts_and_then_passes(tmp_path):
    words = {f"c{index}": "reproduced" for index in range(12)}
    kept = put(tmp_path / "accepted.json", accepted.verdicts(document(**words)))
    now = put(tmp_path / "claims.json", document(**(words | {"c3": "deviates"})))
    names = ("--document", str(now), "--accepted", str(kept))
    failed = script(*names, "--output", str(tmp_path / "out.json"))
    assert failed.returncode == 1
    assert "1 verdict changed against" in failed.stderr
    assert "tiny c3 was 'reproduced' and is 'deviates'. The new ones are in" in failed.stderr
    assert "python workflow/scripts/verdicts.py --accept, and commit" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert not (tmp_path / "out.json").exists()
    assert script(*names, "--accept").returncode == 0
    passed = script(*names, "--output", str(tmp_path / "out.json"))
    assert (passed.returncode, passed.stderr) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text()) == {"accepted": "paper", "claims": 12, "scale": "paper"}


def test_many_changes_are_counted(tmp_path):
    kept = put(tmp_path / "accepted.json", accepted.verdicts(document(**{f"c{index}": "deviates" for index in range(12)})))
    now = put(tmp_path / "claims.json", document(**{f"c{index}": "reproduced" for index in range(12)}))
    with pytest.raises(ValueError, match=r"12 verdicts changed .*; and 2 more\. The new ones"):
        accepted.compare(now, kept, tmp_path / "out.json")


def test_another_scale_is_not_accepted_over_the_committed_one(tmp_path):
    kept = put(tmp_path / "accepted.json", KEPT)
    before = kept.read_bytes()
    with pytest.raises(ValueError, match="nothing was written"):
        accepted.accept(put(tmp_path / "claims.json", document("quick", a="deviates")), kept)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"scale": "paper", "verdicts": {"tiny": {"a": "fine"}}}'])
def test_a_file_without_verdicts_is_refused(tmp_path, text):
    path = tmp_path / "accepted.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"accepted\.json does not hold accepted verdicts; restore it"):
        accepted.read(path)


def test_the_committed_verdicts_are_the_accepted_ones():
    published = json.loads((ROOT / "figures" / "audit" / "claims.json").read_text(encoding="utf-8"))
    assert accepted.read(ROOT / "config" / "claims" / "accepted.json") == accepted.verdicts(published)
