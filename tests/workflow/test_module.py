"""The workflow as a module of another one, as docs/how_to/module.md has it: its files are found from the study's folder."""

import os
import re

import pytest
from checkout import Checkout, take_compiled_code_along
from documented import commands, written

from banditpapers import records
from banditpapers.cells import Cell

PAGE = "docs/how_to/module.md"


@pytest.fixture(scope="module")
def study(fresh, tmp_path_factory):
    """A folder with the page's Snakefile, and the checkout in it."""
    folder = tmp_path_factory.mktemp("étude") / "my study"
    take_compiled_code_along(fresh.clone(folder / "banditpapers"))
    (folder / "Snakefile").write_text(written(PAGE)["Snakefile"], encoding="utf-8")
    return Checkout(folder)


def test_the_study_s_commands_run(study):
    words = [command.words[1:] for command in commands(PAGE) if command.words[0] == "snakemake"]
    assert len(words) == 3
    for word in words:
        (study.ask if "-n" in word else study.run)(*word)
    assert (study.root / "summary.csv").read_text(encoding="utf-8").count("\n") == 5
    made = {path.name for path in study.root.iterdir()}
    assert {"bandits", "banditpapers", "summary.csv"} <= made
    assert made <= {"bandits", "banditpapers", "summary.csv", "Snakefile", ".snakemake"}
    assert not (study.root / "banditpapers" / "results").exists()


def test_its_rules_simulate_and_judge_with_the_checkout_s_files(study):
    printed = study.ask("-n", "bandits_all")  # asks for config/findings and more of the checkout
    block = re.findall(r"bandits/results/lp2s/runs/batch_racing-arms200-[^/]+/[0-9-]+\.parquet", printed)[0]
    own = ["--config", "small=1"]  # a key of the study's: none of the module's business
    study.run("--cores", "1", block, *own)
    assert Cell.from_json(records.read(study.root / block)[1]["cell"]).environment["arms"] == 200
    assert "Nothing to be done" in study.ask("-n", block, *own)


def test_what_the_study_hands_over_is_read_strictly(study):
    text = written(PAGE)["Snakefile"]
    (study.root / "Wrong").write_text(text.replace('"realizations"', '"realisations"'), encoding="utf-8")
    printed = study.ask("-n", "--snakefile", "Wrong", code=1)
    assert printed.rstrip().endswith("lp2s.realisations: unknown key 'realisations'; did you mean 'realizations'?")


def test_the_study_s_own_python_is_the_usual_one(study, tmp_path):
    (tmp_path / "python").write_text("#!/bin/sh\necho mine\n", encoding="utf-8")
    (tmp_path / "python").chmod(0o755)
    rule = 'rule which:\n    output: "which.txt"\n    shell: "python > {output}"\n'
    (study.root / "Own").write_text(written(PAGE)["Snakefile"] + "\n\n" + rule, encoding="utf-8")
    study.run("--cores", "1", "--snakefile", "Own", "which", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert (study.root / "which.txt").read_text(encoding="utf-8") == "mine\n"
