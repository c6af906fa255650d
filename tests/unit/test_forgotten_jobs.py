"""The SLURM profile's squeue: SLURM's own, which also names the jobs that two queries in a row have missed."""

import os
import subprocess
from pathlib import Path

import pytest

OWN = Path(__file__).parents[2] / "workflow" / "profiles" / "slurm" / "bin"
SLURMS = """#!/usr/bin/env bash
[ -e listed ] || { echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1; }
cat listed
"""


@pytest.fixture
def squeue(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "squeue").write_text(SLURMS, encoding="utf-8")
    (tmp_path / "bin" / "squeue").chmod(0o755)
    variables = {**os.environ, "PATH": os.pathsep.join([str(OWN), str(tmp_path / "bin"), os.environ["PATH"]])}

    def call(*lines: str, run: str = "a") -> list[str]:
        (tmp_path / "listed").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        command = ["squeue", "--format=%i|%T", "--states=all", "--noheader", *(["--name", run] if run else [])]
        done = subprocess.run(command, cwd=tmp_path, env=variables, check=False, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    return call


def test_a_job_is_unknown_once_two_queries_have_missed_it(squeue):
    assert squeue("1|RUNNING", "2|PENDING") == ["1|RUNNING", "2|PENDING"]
    assert squeue("2|RUNNING") == ["2|RUNNING"], "one answer may be incomplete"
    assert squeue("2|RUNNING") == ["2|RUNNING", "1|UNKNOWN"]
    assert squeue("1|COMPLETED", "2|RUNNING") == ["1|COMPLETED", "2|RUNNING"], "it is there again"
    assert squeue() == []
    assert squeue() == ["1|UNKNOWN", "2|UNKNOWN"]
    assert squeue("3|PENDING", run="b") == ["3|PENDING"], "another run has its own"


def test_other_questions_are_slurm_s(squeue, tmp_path):
    assert squeue("7|RUNNING", run="") == ["7|RUNNING"]
    assert not (tmp_path / ".snakemake").exists()


def test_no_answer_forgets_nothing(squeue, tmp_path):
    squeue("1|RUNNING")
    variables = {**os.environ, "PATH": os.pathsep.join([str(OWN), str(tmp_path / "bin"), os.environ["PATH"]])}
    (tmp_path / "listed").unlink()
    for _ in range(3):
        silent = subprocess.run(["squeue", "--name", "a"], cwd=tmp_path, env=variables, check=False, capture_output=True, text=True)
        assert (silent.returncode, silent.stdout) == (1, "")
    assert squeue("1|RUNNING") == ["1|RUNNING"]


def test_where_there_is_no_slurm_it_says_so(tmp_path):
    (tmp_path / "tools").mkdir()
    for name in ("bash", "dirname"):
        (tmp_path / "tools" / name).symlink_to(f"/usr/bin/{name}")
    variables = {"PATH": os.pathsep.join([str(OWN), str(tmp_path / "tools")])}
    done = subprocess.run([OWN / "squeue", "--name", "a"], env=variables, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (127, "squeue is missing: this machine does not submit to SLURM\n")
