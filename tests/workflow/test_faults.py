"""What goes wrong for people: damage, failures and mistakes end in one sentence, and the same command goes on from there."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import QUICK, RESULTS, TINY

from banditpapers import accepted, records
from banditpapers.configuration import ConfigurationError, load, shipped

ROOT = Path(__file__).parents[2]


def published(checkout, folder=RESULTS):
    """What readers see, but for the sidecars, which name CPU seconds."""
    return {name: text for name, text in checkout.files(f"{folder}/figures").items() if not name.endswith(".json")}


def test_damaged_files_are_named_and_made_again(work):
    """Cut short, emptied, with other bits: blocks of both papers and a tidy table."""
    before = published(work)
    runs = {name: next((work.root / RESULTS).glob(f"*/runs/{name}-*/0-*.parquet")) for name in ("lp2s-arms200", "doubly_robust_data")}
    traces = min((work.root / RESULTS).glob("lp2s/runs/batch_racing-arms100-*/0-4.parquet"))
    tidy = work.root / RESULTS / "drts/early.parquet"
    command = ("--cores", "2", "lp2s_figure2", "lp2s_table4", "drts_table1", "drts_early", *TINY)
    os.truncate(traces, 1000)
    os.truncate(runs["doubly_robust_data"], 0)
    for path in (runs["lp2s-arms200"], tidy):
        content = bytearray(path.read_bytes())
        for eighth in range(1, 8):  # a flip in a statistic or a pad changes nothing that is read, and is none
            content[len(content) * eighth // 8] ^= 4
        path.write_bytes(content)
    printed = work.refused(*command)
    damaged = (*runs.values(), traces, tidy)
    for path in damaged:
        said = re.search(rf"^(?:summarise|exhibit)\.py: {re.escape(str(path.relative_to(work.root)))} (.*)$", printed, re.MULTILINE)
        assert said, printed
        assert said[1].startswith(("is damaged", "does not hold what was written"))
        assert said[1].endswith("delete it and run the same command again")
        path.unlink()
    assert "Traceback" not in printed
    work.run(*command)
    assert published(work) == before
    assert work.dry_run(*command).counts.total() == 0


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
    printed = work.refused("--cores", "2", *TINY)
    assert "whole.py: 1 of 5 replicates of two_stage_exploration-arms" in printed
    assert "says why" in printed
    assert "Traceback" not in printed
    for path in work.root.glob(f"{RESULTS}/lp2s/runs/two_stage_exploration-*/0-4.parquet"):
        table, about = records.read(path)
        assert about["failures"] == {"3": "FloatingPointError: a tampered replicate"}
        assert set(table.column("replicate").to_pylist()) == set(range(5)) - {3}
    rows = list(csv.DictReader((work.root / RESULTS / "figures/lp2s/table4.csv").open(encoding="utf-8")))
    counts = {row["method"]: (row["planned"], row["finished"], row["failed"]) for row in rows if row["quantity"] == "SR"}
    assert counts["two_stage_exploration"] == ("5", "4", "1")
    assert counts["batch_racing"] == ("5", "5", "0")
    sidecar = json.loads((work.root / RESULTS / "figures/lp2s/table4.json").read_text(encoding="utf-8"))
    assert sorted(cell["failed"] for cell in sidecar["cells"]) == [0] * (len(sidecar["cells"]) - 1) + [1]
    assert "TSE 4/5" in (work.root / RESULTS / "figures/lp2s/table4.md").read_text(encoding="utf-8")
    audited = (work.root / RESULTS / "figures/audit/claims.csv").read_text(encoding="utf-8")
    assert "only 4 of 5 replicates finished" in audited


def test_a_changed_verdict_fails_the_audit_is_named_and_can_be_accepted(work):
    """The committed verdicts are those at paper scale, with which this preset is not compared; so it gets accepted ones of its own."""
    work.run("--cores", "1", "audit", *TINY)
    published, kept = work.root / RESULTS / "figures/audit/claims.json", work.root / "config/claims/accepted.json"
    about = json.loads((work.root / RESULTS / "verdicts.json").read_text(encoding="utf-8"))
    assert (about["scale"], about["accepted"]) == ("tiny", "paper")
    found = accepted.verdicts(json.loads(published.read_text(encoding="utf-8")))
    word = found["verdicts"]["lp2s"]["theorem2-11-1000"]
    found["verdicts"]["lp2s"]["theorem2-11-1000"] = "deviates" if word != "deviates" else "reproduced"
    kept.write_text(json.dumps(found), encoding="utf-8")
    written = published.read_bytes()
    for _ in range(2):  # a second run must not take the changed verdicts for the accepted ones
        printed = work.refused("--cores", "1", "audit", *TINY)
        assert "verdicts.py: 1 verdict changed against config/claims/accepted.json: lp2s theorem2-11-1000 was" in printed
        assert published.read_bytes() == written, "the new verdicts stay"
    command = [sys.executable, "workflow/scripts/verdicts.py", "--document", str(published), "--accept"]
    subprocess.run(command, cwd=work.root, check=True)
    work.run("--cores", "1", "audit", *TINY)


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
    ("lp2s: {figure1: {prior: [1, 0]}}", 1, "lp2s.figure1.prior[1]", "write a number of at least 0.5"),
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
    printed = work.refused("--cores", "1", *TINY, "mine.yaml", before_any_job=True)
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
    printed = clone.refused("--cores", "1", *QUICK, "mine.yaml", before_any_job=True)
    last = printed.rstrip().splitlines()[-1]
    assert f"mine.yaml, line 1, {key}: " in last
    assert remedy in last
    assert "Traceback" not in printed
    assert not (clone.root / "results").exists()
