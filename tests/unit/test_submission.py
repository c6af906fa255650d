"""Submissions to a cluster: what goes together, and how a simulated run fills cores."""

import re
from math import inf
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from banditpapers import configuration
from banditpapers.planning import START, Plan
from banditpapers.submission import KINDS, TOGETHER, components, fill, kind, pioneers, simulated, submissions

ROOT = Path(__file__).parents[2]


def test_a_kind_is_the_least_that_holds_the_block():
    assert kind(0) == "blocks_of_4s"
    assert kind(4 - START) == "blocks_of_4s"
    assert kind(4.01 - START) == "blocks_of_8s"
    assert kind(240 - START) == "blocks_of_240s"
    assert kind(240) is None


@pytest.mark.parametrize("profile", ["slurm", "generic"])
def test_profiles_put_together_what_the_simulation_does(profile: str):
    settings = yaml.safe_load((ROOT / "workflow" / "profiles" / profile / "config.yaml").read_text(encoding="utf-8"))
    said = {name: int(count) for name, count in (entry.split("=") for entry in settings["group-components"])}
    assert {name: count for name, count in said.items() if name.startswith("blocks_of_")} == components()
    groups = dict(entry.split("=") for entry in settings["groups"])
    assert set(groups.values()) | set(components()) == set(said)
    rules = {name for path in (ROOT / "workflow" / "rules").glob("*.smk") for name in re.findall(r"^rule (\w+):", path.read_text(), re.M)}
    assert set(groups) <= rules


def test_every_rule_keeps_its_lane_and_its_memory():
    for path in (ROOT / "workflow" / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        rules = len(re.findall(r"^rule ", text, re.M))
        assert len(re.findall(r"^ +mem_mb=", text, re.M)) == len(re.findall(r"^ +runtime=", text, re.M)) == rules, path.name


@given(st.lists(st.floats(0, 2000), max_size=300))
def test_no_second_is_lost_and_none_is_too_many(seconds: list[float]):
    lengths = submissions(seconds)
    assert sum(lengths) == pytest.approx(sum(START + one for one in seconds))
    assert lengths == sorted(lengths, reverse=True)
    assert all(length <= TOGETHER or length - START > KINDS[-1] for length in lengths)


def test_a_run_on_few_cores_by_hand():
    # two cores: 3 beside 2, then 1 after 2; each waits one second
    run = fill([3.0, 2.0, 1.0], 2, delay=1.0, rate=inf)
    assert run.wall == 5.0
    # 5.4 of 6 seconds of work are done at 4.4: 3 and 2 in full, and 0.4 of the last
    assert run.share == pytest.approx(5.4 / (2 * 4.4))
    assert run.saturation == round(9 / 4)
    assert fill([], 10).wall == 0.0
    with pytest.raises(ValueError, match="found 0 cores; write 1 or more"):
        fill([1.0], 0)


@given(st.lists(st.floats(0.1, 1000), min_size=1, max_size=200), st.integers(1, 50))
def test_wall_time_lies_between_the_bounds_of_list_scheduling(seconds: list[float], cores: int):
    lengths = submissions(seconds)
    run = fill(lengths, cores, delay=5.0, rate=10.0)
    taken = [5.0 + length for length in lengths]
    least = max(*taken, sum(taken) / cores)
    assert least * (1 - 1e-9) <= run.wall <= sum(taken) / cores + max(taken) + len(lengths) / 10 + 1e-6
    assert 0 < run.share <= 1


def test_a_thousand_cores_are_busy_with_the_large_preset():
    plan = Plan(configuration.load([*configuration.shipped(ROOT), ROOT / "config" / "large.yaml"], {}))
    hundred, thousand = simulated(plan, [100, 1000])["runs"]
    assert hundred["busy_share"] >= 0.9
    assert thousand["busy_share"] >= 0.8


def test_the_longest_block_of_each_algorithm_goes_first(monkeypatch):
    monkeypatch.chdir(ROOT)
    found = Plan(configuration.load(configuration.shipped(ROOT), {}))
    by_algorithm = {}
    for block in found.blocks.values():
        by_algorithm.setdefault(block.cell.algorithm["name"], []).append(block)
    first = pioneers(found.blocks.values())
    assert len(first) == len(by_algorithm) > 15
    for block in first:
        assert block.seconds == max(other.seconds for other in by_algorithm[block.cell.algorithm["name"]])
