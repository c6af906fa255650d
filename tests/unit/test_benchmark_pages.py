"""docs/benchmarks.md and docs/scaling.md say what was measured, and each fit is told against an expectation that it keeps."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
sys.path.insert(0, str(Path(__file__).parents[2] / "workflow" / "scripts"))

import costs
from cost_cases import CASES
from peers import page, side_by_side

from banditpapers.plugins import names

ROOT = Path(__file__).parents[2]
KNOWN = json.loads((ROOT / "benchmarks" / "latest.json").read_text(encoding="utf-8"))


def between(path, begin, end):
    text = path.read_text(encoding="utf-8")
    assert text.count(begin) == text.count(end) == 1
    return text.split(begin)[1].split(end)[0].strip("\n")


def test_the_table_of_libraries_is_what_was_measured():
    assert between(page.PAGE, page.BEGIN, page.END) == page.table(KNOWN)


def test_the_table_of_exponents_is_what_was_measured():
    assert between(costs.PAGE, costs.BEGIN, costs.END) == costs.table(costs.exponents(costs.measured()))


def test_ratios_and_excesses_are_those_of_the_rows():
    found = costs.exponents(costs.measured())
    assert KNOWN["costs.fits"] == len(found)
    for what in ("time", "memory"):
        assert KNOWN[f"costs.largest_excess_of_a_{what}_exponent"] == costs.largest_excess(found, what)
    for key, ratio in side_by_side.ratios(KNOWN["peers.rows"]).items():
        assert KNOWN[key] == ratio


def test_ours_is_ahead_of_every_library_on_every_algorithm():
    rows = KNOWN["peers.rows"]
    for name in page.ALGORITHMS:
        others = {peer: row[name]["microseconds"] for peer, row in rows.items() if peer != "ours" and name in row}
        assert len(others) >= 3
        assert rows["ours"][name]["microseconds"] < min(others.values()), name
    assert KNOWN["peers.worst_ratio_to_best_peer"] < 1


def test_ours_plays_the_same_arms_again_and_with_both_kernels_and_those_of_mabwiser():
    for name in page.ALGORITHMS:
        row = KNOWN["peers.rows"]["ours"][name]
        assert row["same_seed_same_actions"]
        assert row["same_actions_with_both_kernels"]
    assert KNOWN["peers.linear_ucb_rounds_equal_to_mabwiser"] == KNOWN["peers.linear_ucb_rounds"] == side_by_side.LINEAR_ROUNDS


def test_every_algorithm_has_its_costs():
    assert set(CASES) == set(names("algorithms"))
    measured = {(row["algorithm"], row["letter"], row["value"]) for row in costs.measured()}
    expected = {(name, letter, value) for name, case in CASES.items() for letter, axis in case.axes.items() for value in axis.values}
    assert expected <= measured


@pytest.mark.parametrize("what", ["time", "memory"])
def test_no_cost_grows_faster_than_its_algorithm_explains(what):
    for row in costs.exponents(costs.measured()):
        if row[what] is not None:
            assert row[what] <= row[f"{what}_expected"] + costs.SLACK, row


def test_a_slope_is_that_of_the_upper_half():
    assert costs.slope([1.0, 2.0, 4.0, 8.0], [1.0, 1.0, 4.0, 16.0]) == pytest.approx(2)


def test_a_worse_library_or_a_missing_one_is_told():
    rows = {peer: dict(row) for peer, row in KNOWN["peers.rows"].items()}
    rows["pymab"]["UCB1"] = rows["pymab"]["UCB1"] | {"microseconds": rows["ours"]["UCB1"]["microseconds"] / 2}
    assert side_by_side.ratios(rows)["peers.worst_ratio_to_best_peer"] == 2
    del rows["coba"]
    lines = page.table(KNOWN | {"peers.rows": rows, "peers.left_out": {"coba": "no compiler"}}).splitlines()
    assert any(line.startswith("| coba | | left out: no compiler") for line in lines)


@pytest.mark.parametrize("lock", sorted((ROOT / "benchmarks" / "peers").glob("*.lock")), ids=lambda path: path.name)
def test_locks_have_exact_versions_with_hashes_and_name_no_host(lock):
    text = lock.read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\S)", "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))
    assert len(packages) > 10
    for package in packages:
        assert re.match(r"[a-z0-9_.-]+==\S+", package), package
        assert "--hash=sha256:" in package, package
    assert "://" not in text
    wanted = [line for line in lock.with_suffix(".txt").read_text(encoding="utf-8").splitlines() if "==" in line]
    assert wanted
    assert all(f"{line} " in text for line in wanted)
