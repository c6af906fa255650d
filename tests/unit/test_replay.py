"""One replicate of one cell comes out again bit for bit, and what differs is named."""

import dataclasses
import json
import math
import shutil
import subprocess
import sys

import numpy as np
import published
import pytest

from banditpapers import records, replay, simulation
from banditpapers.planning import Plan
from banditpapers.records import DamagedRecordError

REPLAY = published.ROOT / "workflow" / "scripts" / "replay.py"
CELL = "two_stage_exploration-arms1000-prior_1_1"


@pytest.fixture
def plan(tmp_path, monkeypatch) -> Plan:
    """The plan of the quick preset in a folder that has its configuration and nothing else."""
    shutil.copytree(published.ROOT / "config", tmp_path / "là bas" / "config")
    monkeypatch.chdir(tmp_path / "là bas")
    return published.plan()


def cell(plan, text=CELL, target="lp2s_table2"):
    return replay.find(list(replay.cells_of(plan, target)), text, target)


def store(plan, block, seed=None, code=None):
    """Write a block where the workflow would."""
    path = published.Path(plan.settings.results) / "lp2s" / "runs" / block.cell.id / f"{block.first}-{block.last}.parquet"
    simulation.write(path, block, plan.settings.master_seed if seed is None else seed, code or plan.simulation_code(block.cell))
    return str(path)


def test_cells_of_an_exhibit_and_of_a_paper(plan):
    table, whole = replay.cells_of(plan, "lp2s_table2"), replay.cells_of(plan, "lp2s")
    assert set(table) == {plan.blocks[path].cell for path in plan.runs("lp2s", "table2")}
    assert set(whole) == {block.cell for block in plan.blocks.values()}
    assert set(whole.values()) == {20}
    assert replay.cells_of(plan, "lp2s_table1") == {}
    assert [found.id for found in table] == sorted(found.id for found in table)


@pytest.mark.parametrize("text", [CELL, "two_stage_exploration-arms1000-prior_1_1-", "exploration-arms1000-prior_1_1"])
def test_a_cell_is_found_by_its_id_a_prefix_or_a_part(plan, text):
    found = cell(plan, text)
    assert found.id.startswith(CELL)
    assert cell(plan, found.id) == found


@pytest.mark.parametrize(
    ("target", "text", "sentence"),
    [
        ("lp2s_tabel2", "", r"there is no target 'lp2s_tabel2'; did you mean 'lp2s_table2'\?"),
        ("zzz", "", r"there is no target 'zzz'; write one of lp2s, lp2s_figure1, "),
        ("lp2s_table1", "x", "lp2s_table1 has no cells: nothing in it is simulated; write another target"),
        ("lp2s_table2", "tse", "no cell of lp2s_table2 fits 'tse'; write --cell with one of those that the command lists without --cell"),
        (
            "lp2s_table2",
            "lp2s-arms",
            "2 cells of lp2s_table2 fit 'lp2s-arms'; write more of one of these: lp2s-arms1000-prior_1_1-",
        ),
        ("lp2s_table2", "prior_1_1", r"5 cells of lp2s_table2 fit 'prior_1_1'; write more of"),
        ("lp2s_table2", "", r"lp2s_table2 has 5 cells; write --cell with one of these: batch_racing-"),
    ],
)
def test_what_names_no_cell_is_refused_in_one_sentence(plan, target, text, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        cell(plan, text, target)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["-1", "1.5", "17th", "", "1e3", "٣", "9999999999", " 1"])
def test_what_is_no_replicate_is_refused(text):
    with pytest.raises(ValueError, match="write a whole number from 0, such as --replicate 17"):
        replay.number(text)
    assert replay.number("017") == 17


def test_a_replayed_replicate_is_the_stored_one(plan):
    block = simulation.simulate(cell(plan), plan.settings.master_seed, 0, 19)
    path = store(plan, block)
    for replicate in (0, 17, 19):
        found = replay.replay(plan, cell(plan), replicate)
        assert (found.equal, found.stored) == (True, {path: ""})
        assert list(found.rows) == [row for row in records.read(published.Path(path))[0].to_pylist() if row["replicate"] == replicate]
        assert len(found.rows) == len(block.checkpoints) * len(block.rules)
    beyond = replay.replay(plan, cell(plan), 20)
    assert (beyond.equal, beyond.stored, len(beyond.rows)) == (True, {}, len(found.rows))


def test_every_stored_block_that_has_it_is_compared_whatever_its_size(plan):
    paths = [store(plan, simulation.simulate(cell(plan), plan.settings.master_seed, *span)) for span in ((0, 9), (5, 6), (7, 9))]
    assert replay.replay(plan, cell(plan), 6).stored == dict.fromkeys(sorted(paths[:2]), "")


def altered(block, replicate, value):
    outcomes = block.outcomes.copy()
    outcomes[replicate, 1, 0, 3] = value(outcomes[replicate, 1, 0, 3])
    return dataclasses.replace(block, outcomes=outcomes)


@pytest.mark.parametrize("value", [lambda x: np.nextafter(x, 1), lambda x: -x, lambda x: math.nan])
def test_one_other_bit_is_found_and_named(plan, value):
    block = simulation.simulate(cell(plan), plan.settings.master_seed, 0, 3)
    path = store(plan, altered(block, 2, value))
    assert replay.replay(plan, cell(plan), 1).equal
    found = replay.replay(plan, cell(plan), 2)
    assert not found.equal
    assert f"simple_regret at checkpoint {block.checkpoints[1]}, rule {block.rules[0]} is " in found.stored[path]
    assert found.stored[path].endswith("; seed, code, lock file and machine are the same")


def test_why_stored_rows_may_differ_is_said(plan):
    other = simulation.simulate(cell(plan), 7, 0, 3)
    path = store(plan, other, seed=7, code="c0de")
    said = replay.replay(plan, cell(plan), 2).stored[path]
    assert f"its master seed is 7, not {plan.settings.master_seed} and it was made by other code (c0de, now " in said


def test_another_machine_and_lock_file_are_named_where_they_are_known(plan, monkeypatch):
    block = altered(simulation.simulate(cell(plan), plan.settings.master_seed, 0, 3), 2, lambda x: -x)
    with monkeypatch.context() as patch:
        patch.setattr(records, "made_with", lambda: {"versions": {}, "lock": "0", "machine": {"processor": "abacus"}})
        path = store(plan, block)
    said = replay.replay(plan, cell(plan), 2).stored[path]
    assert said.endswith("; it was made under another lock file and it was made on another machine")


def test_another_shape_is_a_difference(plan):
    block = simulation.simulate(cell(plan), plan.settings.master_seed, 0, 0)
    path = store(plan, dataclasses.replace(block, outcomes=block.outcomes[:, :1], checkpoints=block.checkpoints[:1]))
    assert f"it has 1 rows of 8 columns there and {len(block.checkpoints)} of 8 here" in replay.replay(plan, cell(plan), 0).stored[path]


def test_bits_are_compared_and_not_values():
    assert replay._bits(math.nan) == replay._bits(float("nan"))
    assert replay._bits(0.0) != replay._bits(-0.0)
    assert replay.plain({"a": math.nan, "b": math.inf, "c": 1.5, "d": 2}) == {"a": "nan", "b": "inf", "c": 1.5, "d": 2}


def test_a_replicate_that_failed_fails_again(plan, monkeypatch):
    chosen = cell(plan)
    whole = simulation.simulate

    def failing(*arguments):
        block = whole(*arguments[:4])
        failures = {str(i): "FloatingPointError: no luck" for i in range(block.first, block.last + 1)}
        return dataclasses.replace(block, outcomes=block.outcomes[:0], replicates=block.replicates[:0], failures=failures)

    finished = whole(chosen, plan.settings.master_seed, 5, 5)
    path = store(plan, failing(chosen, plan.settings.master_seed, 0, 3))
    later = store(plan, finished)
    monkeypatch.setattr(simulation, "simulate", failing)
    found = replay.replay(plan, chosen, 2)
    assert (found.rows, found.failure, found.stored) == ((), "FloatingPointError: no luck", {path: ""})
    assert "it failed then (None) and now (FloatingPointError: no luck)" in replay.replay(plan, chosen, 5).stored[later]


def test_a_damaged_block_is_named(plan):
    path = published.Path(store(plan, simulation.simulate(cell(plan), plan.settings.master_seed, 0, 3)))
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.raises(DamagedRecordError, match=r"0-3\.parquet is damaged"):
        replay.replay(plan, cell(plan), 2)


def test_the_command_prints_rows_and_refuses_in_one_sentence(tmp_path):
    """From another folder, with an overlay there and results that are nowhere."""
    (tmp_path / "mine é.yaml").write_text("results: results/that_are_nowhere\n", encoding="utf-8")

    def run(*arguments):
        command = [sys.executable, str(REPLAY), *arguments, "--configfile", str(published.ROOT / "config/quick.yaml"), "mine é.yaml"]
        process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
        return process.returncode, process.stdout, process.stderr

    code, printed, said = run("lp2s_table2", "--cell", CELL, "--replicate", "3", "--json")
    found = json.loads(printed)
    assert (code, said, found["replicate"], found["stored"], found["failure"]) == (0, "", 3, [], None)
    assert {row["replicate"] for row in found["rows"]} == {3}
    code, printed, said = run("lp2s_table2", "--cell", CELL)
    assert (code, printed, said.count("\n")) == (1, "", 1)
    assert said.startswith(f"replay.py: which replicate of {CELL}")
    assert said.endswith("write --replicate with a number from 0 to 19\n")
