"""Where each number came from, on a finished run: sidecars, replay, verification, and the crate."""

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import codecheck_rules
import crate_rules
import pytest
from checkout import RESULTS, TINY

from banditpapers import configuration, exhibits, records, replay
from banditpapers.planning import Plan

FIGURES = f"{RESULTS}/figures"
RACING = "src/banditpapers/algorithms/batch_racing.py"
CRATE = ("ro-crate-metadata.json", "codecheck.yml")


@pytest.fixture
def plan(finished, monkeypatch) -> Plan:
    """The plan of the finished run, whose folder is the working folder."""
    monkeypatch.chdir(finished.root)
    return Plan(configuration.load([*configuration.shipped(Path()), *map(Path, TINY[1:])]))


def script(checkout, name, *arguments):
    """Run a script by hand; its exit code, lines and sentence."""
    command = [sys.executable, str(checkout.root / "workflow/scripts" / name), *arguments]
    process = subprocess.run(
        command, cwd=checkout.root, env=checkout.environment(), capture_output=True, text=True, encoding="utf-8", check=False
    )
    return process.returncode, process.stdout.splitlines(), process.stderr


def test_every_sidecar_says_all_there_is_to_say(finished, plan):
    lock = sha256((finished.root / "requirements.lock").read_bytes()).hexdigest()
    for paper in plan.papers:
        for name in plan.exhibits(paper):
            about = json.loads((finished.root / FIGURES / paper / f"{name}.json").read_text(encoding="utf-8"))
            assert set(about) == set(exhibits.PROVENANCE)
            assert (about["lock"], about["machine"], about["versions"]) == (lock, records.machine(), records.versions())
            cells = {plan.blocks[path].cell for path in plan.runs(paper, name)}
            assert {(entry["cell"], entry["code"], entry["planned"], entry["finished"] + entry["failed"]) for entry in about["cells"]} == {
                (cell.json, plan.simulation_code(cell), plan.replicates(paper, name), plan.replicates(paper, name)) for cell in cells
            }
            assert about["master_seed"] == ([plan.settings.master_seed] if cells else [])
            assert (about["cpu_seconds"] > 0) == bool(cells)


def test_a_replicate_of_every_algorithm_is_replayed_bit_for_bit(plan):
    cells = {cell.algorithm["name"]: (cell, n) for paper in plan.papers for cell, n in replay.cells_of(plan, paper).items()}
    assert len(cells) == len({block.cell.algorithm["name"] for block in plan.blocks.values()}) >= 8
    for cell, planned in cells.values():
        found = replay.replay(plan, cell, planned - 1)
        assert list(found.stored.values()) == [""], cell.id
        assert found.rows


def test_the_replay_command_compares_with_the_stored_rows(work):
    arguments = ("lp2s_table4", "--cell", "racing-arms200-prior_1_1", "--replicate", "4", *TINY)
    code_, lines, said = script(work, "replay.py", *arguments)
    assert (code_, said) == (0, "")
    assert lines[0].split() == ["replicate", "checkpoint", "rule", "pulls", "batches", "survivors", "simple_regret", "best"]
    assert lines[-1].startswith(f"equal, bit for bit, to the stored rows of {RESULTS}/lp2s/runs/batch_racing-arms200-prior_1_1-")
    code_, lines, said = script(work, "replay.py", *arguments, "--config", "master_seed=7", "--json")
    assert (code_, json.loads("\n".join(lines))["stored"][0]["equal"]) == (1, False)
    assert said.startswith("replay.py: replicate 4 of batch_racing-arms200-prior_1_1-")
    assert said.endswith("its master seed is 20231213, not 7\n")


def verify(checkout, *arguments):
    """The exit code, the exhibits that are not current with their state, and the sentence."""
    number, lines, said = script(checkout, "verify.py", FIGURES, *TINY, *arguments)
    rows = dict(line.split(":")[0].split(maxsplit=1)[::-1] for line in lines[:-1])
    return number, {exhibit: state for exhibit, state in rows.items() if state != "current"}, said


def test_a_finished_run_is_current_until_its_code_is_another(work, plan):
    work.edit(RACING, lambda text: f"{text}# a comment\n")
    assert verify(work) == (0, {}, "")
    work.edit(RACING, lambda text: f"{text}_ANOTHER = 1\n")
    number, found, said = verify(work)
    shown = {name for name in plan.exhibits("lp2s") for path in plan.runs("lp2s", name) if "/batch_racing-" in path}
    assert {"figure2", "table2", "table3", "table4"} <= shown
    assert (number, found) == (0, {f"lp2s/{name}": "stale" for name in shown})
    assert said.startswith("warning: some figures are stale")
    assert verify(work, "--strict")[0] == 1


def test_an_altered_figure_is_named_and_made_again_when_it_is_deleted(work):
    picture = work.root / FIGURES / "drts/figure1.svg"
    before = picture.read_bytes()
    picture.write_bytes(before.replace(b"</svg>", b"<!-- better --></svg>"))
    (work.root / FIGURES / "lp2s/table3.tex").unlink()
    number, found, said = verify(work)
    assert (number, found) == (1, {"drts/figure1": "altered", "lp2s/table3": "missing"})
    assert "delete them and run snakemake --cores all" in said
    picture.unlink()
    work.run("--cores", "1", *TINY)
    assert verify(work) == (0, {}, "")
    assert picture.read_bytes() == before


def test_one_target_writes_a_crate_and_a_codecheck_manifest_that_follow_the_rules(work):
    work.run("--cores", "1", "crate", *TINY)
    assert crate_rules.faults(work.root) == []
    assert codecheck_rules.faults(work.root) == []
    assert work.dry_run("crate", *TINY).counts.total() == 0
    assert str(work.root).encode() not in b"".join((work.root / name).read_bytes() for name in CRATE)
    assert set(CRATE) <= set((work.root / ".gitignore").read_text(encoding="utf-8").splitlines())
