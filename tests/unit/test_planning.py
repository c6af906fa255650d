"""From a configuration to jobs: an exhibit has replicates of its own, and a cell those of the exhibit that wants most."""

from pathlib import Path

import pytest

from banditpapers import configuration
from banditpapers.planning import Plan

ROOT = Path(__file__).parents[2]
RIDGE = {"name": "doubly_robust_thompson", "ridge": "sqrt t", "propensity": "exact"}


@pytest.fixture
def plan(monkeypatch):
    """The plan of the shipped configuration with overrides."""
    monkeypatch.chdir(ROOT)

    def of(**overrides):
        return Plan(configuration.load(configuration.shipped(ROOT), overrides))

    return of


def replicates_of(plan, paths):
    """By cell: the replicates of these blocks."""
    found = {}
    for path in paths:
        block = plan.blocks[path]
        found.setdefault(block.cell, []).extend(range(block.first, block.last + 1))
    return {cell: sorted(replicates) for cell, replicates in found.items()}


def test_replicates_are_the_exhibit_s(plan):
    found = {exhibit: plan().replicates("drts", exhibit) for exhibit in plan().exhibits("drts")}
    own = {"ablation": 20, "readings": 10, "longer": 10, "early": 200, "selection": 100, "table1": 1}
    assert found == {exhibit: own.get(exhibit, 10) for exhibit in found}
    assert {plan().replicates("lp2s", exhibit) for exhibit in plan().exhibits("lp2s")} == {1000}


def test_a_cell_of_two_exhibits_has_the_replicates_of_the_one_that_wants_most(plan):
    found = plan()
    covered = replicates_of(found, [path for path in found.blocks if "/drts/" in path])
    wanted = {}
    for exhibit in found.exhibits("drts"):
        for cell in found._cells["drts", exhibit]:
            wanted.setdefault(cell, {})[exhibit] = found.replicates("drts", exhibit)
    shared = [cell for cell, by_exhibit in wanted.items() if len(set(by_exhibit.values())) > 1]
    assert len(shared) >= 4
    assert {cell: len(replicates) for cell, replicates in covered.items()} == {cell: max(n.values()) for cell, n in wanted.items()}
    assert all(replicates == list(range(len(replicates))) for replicates in covered.values())


@pytest.mark.parametrize("exhibit", ["figure1_repaired", "ablation", "selection", "early", "table1"])
def test_an_exhibit_reads_only_blocks_below_its_n(plan, exhibit):
    found = plan()
    paths, planned = found.runs("drts", exhibit), found.replicates("drts", exhibit)
    assert len(paths) == len(set(paths))
    assert all(found.blocks[path].first < planned for path in paths)
    assert set(replicates_of(found, paths)) == set(found._cells["drts", exhibit])
    assert all(set(replicates) >= set(range(planned)) for replicates in replicates_of(found, paths).values())


def test_what_two_exhibits_share_is_simulated_once(plan):
    found = plan()
    repaired, ablation = set(found.runs("drts", "figure1_repaired")), set(found.runs("drts", "ablation"))
    cells = {found.blocks[path].cell for path in repaired & ablation}
    assert len(cells) == 8
    assert sum(RIDGE.items() <= cell.algorithm.items() for cell in cells) == 4
    assert {found.blocks[path].first for path in repaired} == {0}
    assert {found.blocks[path].first for path in ablation} == {0, 10}


def test_more_replicates_keep_all_blocks_and_touch_no_other_exhibit(plan):
    before, after = plan(), plan(**{"drts.ablation.replicates": "31"})
    assert before.blocks.items() <= after.blocks.items()
    assert after.replicates("drts", "ablation") == 31
    assert {block.first for path, block in after.blocks.items() if path not in before.blocks} == {20, 30}
    for exhibit in set(before.exhibits("drts")) - {"ablation"}:
        assert before.runs("drts", exhibit) == after.runs("drts", exhibit)


@pytest.mark.parametrize("paper", configuration.PAPERS)
def test_at_paper_scale_a_killed_job_loses_less_than_a_minute(plan, paper):
    found = plan(papers=[paper])
    forecasts = [block.seconds for block in found.blocks.values() if block.cell.paper == paper]
    assert 0 < max(forecasts) <= found.settings.block.seconds == 60


def test_the_quick_preset_has_one_block_per_cell(plan, monkeypatch):
    monkeypatch.chdir(ROOT)
    found = Plan(configuration.load([*configuration.shipped(ROOT), ROOT / "config" / "quick.yaml"]))
    paths = [path for path in found.blocks if "/drts/" in path]
    assert len(paths) == len({found.blocks[path].cell for path in paths})
    assert sum(found.blocks[path].seconds for path in paths) < 120


def test_no_exhibit_is_a_figure_of_one_paper_and_a_table_of_another(plan):
    found = plan(papers=list(configuration.PAPERS))
    assert not set(found.names("figure")) & set(found.names("table")), "a rule finds them by their names"
