"""What goes wrong for people: damage, kills, failures and mistakes end in one sentence, and the same command goes on from there."""

import csv
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import QUICK

from banditpapers import records
from banditpapers.configuration import ConfigurationError, load, shipped

ROOT = Path(__file__).parents[2]


def published(checkout, folder="results/quick"):
    """What readers see, but for the sidecars, which name CPU seconds."""
    return {name: text for name, text in checkout.files(f"{folder}/figures").items() if not name.endswith(".json")}


def test_a_damaged_file_is_named_and_made_again(work):
    before = published(work)
    cell = min(cell for cell in work.cells if cell.startswith("batch_racing-arms100-"))
    block = work.root / f"results/quick/lp2s/runs/{cell}/0-19.parquet"
    assert block.stat().st_size > 1000
    os.truncate(block, 1000)
    printed = work.refused("--cores", "2", *QUICK)
    assert f"summarise.py: {block.relative_to(work.root)} is damaged" in printed
    assert "delete it and run the same command again" in printed
    assert "Traceback" not in printed
    block.unlink()
    work.run("--cores", "2", *QUICK)
    assert published(work) == before
    assert work.dry_run(*QUICK).counts.total() == 0


FAILING = """

_whole, _calls = TwoStageExploration.play, []


def _tampered(self, environment, streams):
    _calls.append(environment)
    if len(_calls) == 4:
        raise FloatingPointError("a tampered replicate")
    return _whole(self, environment, streams)


TwoStageExploration.play = _tampered
"""


def test_a_failing_replicate_is_recorded_shown_and_fails_the_audit(work):
    work.edit("src/banditpapers/algorithms/two_stage_exploration.py", lambda text: text + FAILING)
    printed = work.refused("--cores", "2", *QUICK)
    assert "whole.py: 1 of 20 replicates of two_stage_exploration-arms" in printed
    assert "says why" in printed
    assert "Traceback" not in printed
    for path in work.root.glob("results/quick/lp2s/runs/two_stage_exploration-*/0-19.parquet"):
        table, about = records.read(path)
        assert about["failures"] == {"3": "FloatingPointError: a tampered replicate"}
        assert set(table.column("replicate").to_pylist()) == set(range(20)) - {3}
    rows = list(csv.DictReader((work.root / "results/quick/figures/lp2s/table4.csv").open(encoding="utf-8")))
    counts = {row["method"]: (row["planned"], row["finished"], row["failed"]) for row in rows if row["quantity"] == "SR"}
    assert counts["two_stage_exploration"] == ("20", "19", "1")
    assert counts["batch_racing"] == ("20", "20", "0")
    sidecar = json.loads((work.root / "results/quick/figures/lp2s/table4.json").read_text(encoding="utf-8"))
    assert sorted(cell["failed"] for cell in sidecar["cells"]) == [0] * (len(sidecar["cells"]) - 3) + [1] * 3
    assert "TSE 19/20" in (work.root / "results/quick/figures/lp2s/table4.md").read_text(encoding="utf-8")
    audited = (work.root / "results/quick/figures/audit/claims.csv").read_text(encoding="utf-8")
    assert "only 19 of 20 replicates finished" in audited


@pytest.mark.parametrize("jobs_die_too", [False, True], ids=["kill -9 of snakemake", "power loss"])
def test_the_same_command_goes_on_after_a_kill(work, jobs_die_too):
    command = ("--cores", "2", "lp2s_figure2", *QUICK, "--config", "results=results/killed", "figures=results/killed/figures")
    running = work.start(*command)
    deadline = time.monotonic() + 120
    while not list(work.root.glob("results/killed/lp2s/runs/*/*.parquet")):
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert "Error: Directory cannot be locked" in work.run(*command, code=1)  # a second run beside the first
    (os.killpg if jobs_die_too else os.kill)(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    printed = work.run(*command, code=1)
    assert "Error: Directory cannot be locked" in printed
    assert "It can be removed with the --unlock argument." in printed
    work.run("--unlock", *command)
    work.run(*command)
    running.communicate()  # its orphaned jobs have ended, too
    whole = {name: text for name, text in published(work).items() if name.startswith("lp2s/figure2.")}
    assert published(work, "results/killed") == whole
    for path in work.root.glob("results/killed/lp2s/runs/*/*.parquet"):
        twin = work.root / "results/quick" / path.relative_to(work.root / "results/killed")
        assert records.read(path)[1]["content"] == records.read(twin)[1]["content"]


def test_a_full_disk_leaves_no_part_of_a_file(work):
    """A limit on the size of files stands in for the disk; the script is run by hand, as a job runs it."""
    cell = min(cell for cell in work.cells if cell.startswith("batch_racing-arms100-"))
    about = records.read(work.root / f"results/quick/lp2s/runs/{cell}/0-19.parquet")[1]
    options = ["--first", "0", "--last", "19", "--master-seed", str(about["master_seed"]), "--code", "", "--output"]

    def simulate(output, limit):
        return subprocess.run(
            [sys.executable, "workflow/scripts/simulate.py", "--cell", about["cell"], *options, output],
            cwd=work.root, env=work.environment(), capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )  # fmt: skip

    assert simulate("roomy/0-19.parquet", resource.RLIM_INFINITY).returncode == 0
    full = simulate("full/0-19.parquet", 1000)
    assert full.returncode == 1
    assert full.stderr == "simulate.py: [Errno 27] File too large\n"
    assert list((work.root / "full").iterdir()) == []


REFUSED = [  # a snippet laid over the quick preset; its line, its key, and what the sentence says
    ("lp2s: {batch_racing: {delta: 1e-3}}", 1, "lp2s.batch_racing.delta", "write 1.0e-3 or 0.001"),
    ("\nlp2s: {realisations: 5}", 2, "lp2s.realisations", "did you mean 'realizations'?"),
    ("lp2s: {realizations: -5}", 1, "lp2s.realizations", "write an integer of at least 1"),
    ("lp2s: {default_reading: {stage: B}}", 1, "lp2s.default_reading.stage", "write one of the readings: A, D"),
    ("scale: a\nscale: b", 2, "scale", "keep one of the two"),
    ("master_seed: 010", 1, "master_seed", "which looks octal; write 10"),
    ("scale: no", 1, "scale", "write 'no' in quotes"),
    ("scale: 2024_06", 1, "scale", "which YAML reads as 202406"),
    ("master_seed: true", 1, "master_seed", "write an integer of at least 0"),
    ("master_seed: 1.5", 1, "master_seed", "write an integer of at least 0"),
    ("lp2s: {realizations: 0}", 1, "lp2s.realizations", "write an integer of at least 1"),
    ("lp2s: {arms: []}", 1, "lp2s.arms", "write a list of at least one entry"),
    ("lp2s: {arms: [1]}", 1, "lp2s.arms[0]", "write an integer of at least 2"),
    ("lp2s: {batch_racing: {delta: 0}}", 1, "lp2s.batch_racing.delta", "write a number above 0 and below 1"),
    ("lp2s: {figure1: {prior: [1, 0]}}", 1, "lp2s.figure1.prior[1]", "write a number above 0"),
    ("block: {largest: 0}", 1, "block.largest", "write an integer of at least 1"),
    ("papers: [lp2z]", 1, "papers[0]", "write a paper's key"),
    ("results: /tmp/results", 1, "results", "write a relative folder path"),
    ("figures: results/quick", 1, "figures", "which holds the results, too"),
    ("lp2s: {survivors_factor: 200}", 1, "lp2s.survivors_factor", "of 100 arms survive"),
]


@pytest.mark.parametrize(("snippet", "line", "key", "remedy"), REFUSED, ids=[snippet.strip() for snippet, *_ in REFUSED])
def test_a_bad_configuration_is_refused(tmp_path, snippet, line, key, remedy):
    mine = tmp_path / "mine.yaml"
    mine.write_text(snippet, encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load([*shipped(ROOT), ROOT / QUICK[1], mine])
    assert str(caught.value).startswith(f"{mine}, line {line}, {key}: ")
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("snippet", "line", "key", "remedy"), REFUSED[:5], ids=[snippet.strip() for snippet, *_ in REFUSED[:5]])
def test_a_bad_configuration_ends_snakemake_with_that_sentence(work, snippet, line, key, remedy):
    (work.root / "mine.yaml").write_text(snippet, encoding="utf-8")
    before = work.files("results")
    printed = work.refused("--cores", "1", *QUICK, "mine.yaml")
    last = printed.rstrip().splitlines()[-1]
    assert f"mine.yaml, line {line}, {key}: " in last
    assert remedy in last
    assert "Traceback" not in printed
    assert work.files("results") == before


@pytest.mark.parametrize(
    ("snippet", "key", "remedy"),
    [
        ("drts: {v: [1e-3, 0.1]}", "drts.v[0]", "write 1.0e-3 or 0.001"),
        ("drts: {threshold: 0.05}", "drts.threshold", "with 10 arms; write 1/(N + 1)"),
        ("drts: {settings: [[11, 20]]}", "drts.settings[0][0]", "write an even integer of at least 2"),
        ("drts: {sensitivity: {setting: [30, 20]}}", "drts.sensitivity.setting", "which is not among the settings; write one of them"),
    ],
)
def test_a_bad_grid_of_drts_ends_snakemake_with_that_sentence(fresh, tmp_path, snippet, key, remedy):
    clone = fresh.clone(tmp_path / "faute")
    (clone.root / "mine.yaml").write_text(snippet, encoding="utf-8")
    printed = clone.refused("--cores", "1", *QUICK, "mine.yaml")
    last = printed.rstrip().splitlines()[-1]
    assert f"mine.yaml, line 1, {key}: " in last
    assert remedy in last
    assert "Traceback" not in printed
    assert not (clone.root / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lp2s_tabel2", *QUICK], "No rule to produce lp2s_tabel2"),
        ([*QUICK, "--config", "master_sed=3"], "--config, master_sed: unknown key 'master_sed'; did you mean 'master_seed'?"),
        ([*QUICK, "--config", "n=1"], "Invalid config definition: Config entry must start with a valid identifier"),
        ([*QUICK, "--config", "results=Snakefile/x"], "Snakefile is a file, but Snakefile/x is to be a folder"),
        (["--configfile", "config/quik.yaml"], "No such file or directory: 'config/quik.yaml'"),
    ],
)
def test_a_mistyped_command_ends_in_a_sentence(fresh, tmp_path, arguments, sentence):
    clone = fresh.clone(tmp_path / "faute")
    assert sentence in clone.refused("--cores", "1", *arguments).rstrip().splitlines()[-1]
    assert not (clone.root / "results").exists()
