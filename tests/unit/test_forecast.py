"""The forecast of CPU seconds against what was measured: the order of magnitude, without a clock.

PER_ROUND has microseconds per round on one core of a machine that did nothing else: for (N, d) the contexts, which are drawn once, and one
member of the sweep. `benchmarks/latest.json` has what whole runs at paper scale took.
"""

import json
from importlib import import_module
from pathlib import Path

import pytest

from banditpapers import configuration
from banditpapers.papers.drts import experiment
from banditpapers.planning import SHOW, START, Plan

ROOT = Path(__file__).parents[2]
SETTINGS = [(10, 20), (10, 30), (20, 20), (20, 30)]
CONTEXTS = {"radial": (2.3, 3.3, 4.4, 6.3), "truncated": (12, 17, 26, 30)}
PER_ROUND = {
    ("linear_thompson", ("ridge", 1)): (0.55, 1.0, 0.8, 1.3),
    ("linear_thompson", ("ridge", "sqrt t")): (1.2, 2.2, 1.5, 2.5),
    ("balanced_thompson", ("propensity", "exact")): (1.4, 2.1, 2.1, 3.2),
    ("balanced_thompson", ("propensity", "constant")): (0.9, 1.5, 1.2, 2.2),
    ("doubly_robust_thompson", ("propensity", "exact")): (2.0, 2.9, 2.8, 4.8),
    ("doubly_robust_thompson", ("propensity", "released")): (3.1, 3.9, 4.7, 5.4),
}
LOADING = 0.3  # CPU seconds of a block in which compiled code is loaded: START counts them


@pytest.fixture(scope="module")
def plan():
    """The plan at paper scale."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        found = Plan(configuration.load(configuration.shipped(ROOT)))
        assert found.blocks
        return found


def measured(cell):
    """Seconds of one replicate by the table; None for a kind of cell that is not in it."""
    world, algorithm = cell.environment, cell.algorithm
    known = [times for (name, (key, value)), times in PER_ROUND.items() if name == algorithm["name"] and algorithm.get(key) == value]
    if len(known) != 1 or world["contexts"] not in CONTEXTS or algorithm["rounds"][-1] < 20000:
        return None
    at = SETTINGS.index((world["arms"], world["dimension"]))
    members = len(algorithm["v"]) * (len(algorithm["gamma"]) if algorithm["name"] == "balanced_thompson" else 1)
    return 1e-6 * algorithm["rounds"][-1] * (CONTEXTS[world["contexts"]][at] + members * known[0][at])


def test_a_replicate_of_drts_takes_what_its_rounds_take(plan):
    cells = {
        block.cell for block in plan.blocks.values() if block.cell.paper == "drts" and block.cell.algorithm["name"] != "doubly_robust_data"
    }
    ratios = {cell.id: experiment.seconds(cell) / seconds for cell in cells if (seconds := measured(cell))}
    assert len(ratios) > 40
    assert all(0.6 < ratio < 1.6 for ratio in ratios.values()), ratios
    assert 0.8 < sum(ratios.values()) / len(ratios) < 1.25


def test_whole_papers_take_what_whole_runs_took(plan):
    latest = json.loads((ROOT / "benchmarks" / "latest.json").read_text(encoding="utf-8"))
    recorded = {paper: latest[key] for paper in plan.papers if (key := f"{paper}.simulation_cpu_minutes") in latest}
    assert "lp2s" in recorded
    for paper, minutes in recorded.items():
        blocks = [block for block in plan.blocks.values() if block.cell.paper == paper]
        assert len(blocks) == latest[f"{paper}.simulation_jobs"]
        forecast = sum(block.seconds + LOADING for block in blocks) / 60
        assert 1 / 1.5 < forecast / minutes < 1.5, (paper, forecast, minutes)


def test_blocks_stay_under_a_minute_and_no_replicate_is_split(plan):
    assert all(0 < block.seconds <= plan.settings.block.seconds for block in plan.blocks.values())
    assert len(plan.blocks) + 2 * sum(len(plan.exhibits(paper)) for paper in plan.papers) < 3000


def test_the_printed_table_adds_up(plan, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(str(ROOT / "workflow" / "scripts"))
    import_module("forecast").main(["--settings", plan.settings.to_json()])
    lines = capsys.readouterr().out.splitlines()[1:-1]
    rows = {tuple(line[:40].split()): (int(line[40:45]), float(line[52:65])) for line in lines}
    for paper in plan.papers:
        blocks = [block for block in plan.blocks.values() if block.cell.paper == paper]
        jobs = len(blocks) + 2 * len(plan.exhibits(paper))
        minutes = sum(START + block.seconds for block in blocks) / 60 + 2 * len(plan.exhibits(paper)) * SHOW / 60
        assert rows[paper, "together"] == (jobs, pytest.approx(minutes, abs=0.06))
        assert rows[paper, "together"][0] == sum(row[0] for name, row in rows.items() if name[0] == paper) - jobs
    parts = [*plan.papers, *(["data"] if plan.ratings else [])]
    assert rows[("together",)] == (
        sum(rows[part, "together"][0] for part in parts),
        pytest.approx(sum(rows[part, "together"][1] for part in parts), abs=0.3),
    )
    assert 10 < rows[("together",)][1] < 60, "CPU minutes at paper scale"
