"""The self-test: it knows every algorithm, passes here, and says what differs, which number and by how much."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from banditpapers import selftest
from banditpapers.plugins import names
from banditpapers.seeding import stream, words

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(selftest.RECORD.read_text(encoding="utf-8"))


@pytest.fixture
def record(tmp_path):
    """A copy of the record after a change; what the self-test says of it, without what passes."""

    def changed(change):
        found = json.loads(json.dumps(RECORDED))
        change(found)
        path = tmp_path / "selftest.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        return [str(verdict) for verdict in selftest.run(path) if verdict.remark]

    return changed


def racing(found):
    return found["algorithms"]["batch_racing"]["parameters"]


def test_every_algorithm_is_recorded_in_two_ways_and_passes():
    verdicts = list(selftest.run())
    assert sorted(RECORDED["algorithms"]) == sorted(selftest.samples()) == names("algorithms")
    assert len(verdicts) == len(RECORDED["streams"]) + 2 * len(names("algorithms"))
    assert {str(verdict)[:4] for verdict in verdicts} == {"pass"}
    assert not any(verdict.remark for verdict in verdicts)


def test_the_known_streams_are_those_that_are_pinned_by_hand():
    """As in test_seeding.py and, for Philox, as its authors publish."""
    numbers = {name: list(found.values()) for name, found in RECORDED["streams"].items()}
    assert numbers["by name"] == stream(a=1).random(3).tolist() == [0.9721728966008799, 0.785122524344374, 0.30058104787009454]
    assert numbers["of an environment"] == [0.8514823425276352, 0.7174606330120546, 0.5880109935670965]
    assert numbers["words"][:2] == [*words(a=1)] == [2143115777, 763020636]
    assert [f"{int(word):08x}" for word in numbers["Philox"][:4]] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def test_a_last_bit_is_told_and_passes(record):
    def change(found):
        entry = racing(found)
        entry["sha256"], row = "0" * 64, entry["outcomes"][0].split()
        entry["outcomes"][0] = " ".join([*row[:3], repr(float(row[3]) * (1 + 1e-15)), row[4]])

    assert record(change) == ["pass    batch_racing (parameters): equal to 1e-12, not to the bit"]


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (0, "8", "1 of 30 numbers; replicate 0, 7, mean, pulls: expected 8.0, found 7.0"),
        (0, "7.00000000000001", "1 of 30 numbers; replicate 0, 7, mean, pulls: expected 7.00000000000001, found 7.0"),
        (3, "0.094952480257", "1 of 30 numbers; replicate 0, 7, mean, simple_regret: expected 0.094952480257, found 0.0949524802561"),
        (4, "nan", "1 of 30 numbers; replicate 0, 7, mean, best: expected None, found 0.0"),
    ],
)
def test_what_differs_is_named_with_both_numbers(record, place, value, said):
    def change(found):
        entry = racing(found)
        row = entry["outcomes"][0].split()
        row[place], entry["sha256"] = value, "0" * 64
        entry["outcomes"][0] = " ".join(row)

    (line,) = record(change)
    assert line.startswith(f"DIFFERS batch_racing (parameters): {said}")


def test_other_shapes_missing_records_and_other_streams_are_told(record):
    def change(found):
        racing(found).update(sha256="0" * 64, outcomes=["1 2 3"])
        del found["algorithms"]["lp2s"]
        found["streams"]["words"]["number 2"] += 1
        del found["streams"]["Philox"]

    assert [line.partition(":")[0] for line in record(change)] == [
        "DIFFERS stream words", "DIFFERS stream Philox", "DIFFERS batch_racing (parameters)", "DIFFERS lp2s",
    ]  # fmt: skip


def test_a_failing_replicate_differs(monkeypatch, record):
    def fail(*_):
        raise FloatingPointError("a tampered replicate")

    monkeypatch.setattr("banditpapers.algorithms.batch_racing.BatchRacing.play", fail)
    said = "replicate 0 failed: FloatingPointError: a tampered replicate; replicate 1 failed: FloatingPointError: a tampered replicate"
    assert record(lambda found: None) == [f"DIFFERS batch_racing ({which}): {said}" for which in ("other", "parameters")]


def test_an_entry_without_its_keys_is_refused_with_its_line(tmp_path, monkeypatch):
    path = tmp_path / "samples.yaml"
    path.write_text("# mine\nmine:\n  parameters: {}\n", encoding="utf-8")
    monkeypatch.setattr(selftest, "SAMPLES", path)
    with pytest.raises(ValueError, match="line 2: mine has parameters; write environment, other, parameters, sizes"):
        selftest.samples.__wrapped__()
    monkeypatch.setattr(selftest, "samples", dict)
    with pytest.raises(ValueError, match=r"mine has no entry in samples\.yaml"):
        selftest.play("mine")


def test_the_command_records_compares_and_ends_with_1_if_anything_differs(tmp_path):
    def run(*arguments):
        command = [sys.executable, ROOT / "workflow/scripts/selftest.py", "--expected", tmp_path / "mine.json", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run().stderr.startswith("selftest.py: ")
    assert run("--record").returncode == 0
    mine = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert {key: mine[key] for key in ("algorithms", "streams")} == {key: RECORDED[key] for key in ("algorithms", "streams")}
    mine["streams"]["words"]["number 1"] = 5.0
    (tmp_path / "mine.json").write_text(json.dumps(mine), encoding="utf-8")
    done = run()
    assert done.returncode == 1
    assert "DIFFERS stream words: 1 of 6 numbers; number 1: expected 5.0, found 2143115777.0\n" in done.stdout
    items = len(RECORDED["streams"]) + 2 * len(names("algorithms"))
    assert done.stdout.splitlines()[-1].startswith(f"1 differ: {items} items; processor ")
    assert "numba " in done.stdout
    assert done.stderr == ""
