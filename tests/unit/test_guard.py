"""A time limit ends a replicate in whatever loop it is; a process that is killed says nothing of its replicate; files appear whole."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from numba import njit

from banditpapers import audit, cells, files, records, runs, simulation
from banditpapers.guard import guarded
from banditpapers.plugins import build

WORLD = {"name": "beta_bernoulli", "prior": [1, 1], "arms": 6}
TSE = {"name": "two_stage_exploration", "share": 0.5, "budgets": [40, 900]}


@njit
def turn(rounds):  # compiled, so that no handler of Python's is called before it returns
    total = 0
    while total < rounds:
        total += 1 if total % 7 else 2
        if total > 1000:
            total -= 900
    return total


@dataclass
class Endless:
    """Made up: its second replicate never ends, its fourth finds no memory."""

    rules: ClassVar[tuple[str, ...]] = ("mean",)
    checkpoints: ClassVar[tuple[str, ...]] = ("cap",)
    count: int = 0

    def play(self, environment, streams):
        self.count = int(np.uint8(streams))
        if self.count == 1:
            turn(2000)
        if self.count == 3:
            raise MemoryError
        return np.full((1, 1, 5), float(self.count))


@pytest.fixture
def endless(monkeypatch):
    monkeypatch.setattr(simulation, "build", lambda room, parameters: Endless() if room == "algorithms" else build(room, parameters))
    monkeypatch.setattr(simulation, "streams", lambda *name: name[-1])
    return cells.Cell("lp2s", WORLD, {"name": "endless"})


def test_a_replicate_without_end_is_ended_and_recorded(endless, tmp_path):
    turn(1)
    block = simulation.simulate(endless, 7, 0, 5, limit=1)
    assert block.failures == {"1": "TimeLimit: more than 1 CPU seconds", "3": "MemoryError"}
    assert block.outcomes[:, 0, 0, 0].tolist() == [0, 2, 4, 5]
    assert 1 <= block.seconds < 30
    simulation.write(tmp_path / "0-5.parquet", block, 7, "c0de")
    assert records.read(tmp_path / "0-5.parquet")[1]["failures"] == block.failures
    found = runs.read([tmp_path / "0-5.parquet"], 6)
    assert found.cells[0].counts == {"planned": 6, "finished": 4, "failed": 2}
    records.write(tmp_path / "table.parquet", simulation.table(block), found.about)
    with pytest.raises(ValueError, match=r"2 of 6 replicates of endless-.* failed; table shows what finished"):
        audit.refuse_failures([tmp_path / "table.parquet"])


def test_a_limit_changes_no_number():
    cell = cells.Cell("lp2s", WORLD, TSE)
    one, other = simulation.simulate(cell, 7, 3, 8), simulation.simulate(cell, 7, 3, 8, limit=60)
    assert one.outcomes.tobytes() == other.outcomes.tobytes()
    assert (one.replicates.tolist(), one.facts, one.failures) == (other.replicates.tolist(), other.facts, {})


@pytest.mark.parametrize(
    ("end", "how"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was ended by SIGKILL"),
        (lambda: os._exit(7), "ended with exit code 7"),
        (lambda: {}["a fault of the program"], "ended with exit code 1"),
    ],
)
def test_a_process_that_ends_otherwise_ends_the_job(end, how):
    seen = []
    with pytest.raises(ChildProcessError, match=f"{how} at replicate 12; nothing was written"):
        seen.extend(guarded(range(10, 15), lambda number: end() or b"" if number == 12 else b"yes", 60))
    assert seen == [(10, b"yes"), (11, b"yes")]


def test_whoever_stops_listening_leaves_no_process_behind():
    answers = guarded(range(5), lambda number: time.sleep(60) or b"" if number else str(os.getpid()).encode(), 600)
    _, answer = next(answers)
    answers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(answer), 0)


# ---- files

HALF = """
import os, signal, sys
from pathlib import Path
from banditpapers.files import write_atomically

def write(file):
    file.write(b"half of it")
    file.flush()
    os.kill(os.getpid(), int(sys.argv[2]))
    file.write(b" and the rest")

write_atomically(Path(sys.argv[1]), write)
"""


def test_what_a_kill_leaves_half_written_has_another_name_and_is_swept(tmp_path):
    target = tmp_path / "runs" / "0-9.parquet"
    environment = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[1])}
    command = [sys.executable, "-c", HALF, str(target)]
    assert subprocess.run([*command, str(int(signal.SIGKILL))], env=environment, check=False).returncode == -signal.SIGKILL
    (left,) = target.parent.iterdir()
    assert (left.name.startswith(".0-9.parquet."), left.suffix, left.read_bytes()) == (True, ".part", b"half of it")
    files.sweep(tmp_path, tmp_path / "nowhere")
    assert left.exists(), "as young as that, it may be at work"
    long_ago = time.time() - files.STALE - 1
    os.utime(left, (long_ago, long_ago))
    target.write_bytes(b"whole")
    os.utime(target, (long_ago, long_ago))
    files.sweep(tmp_path)
    assert [path.name for path in target.parent.iterdir()] == ["0-9.parquet"]


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(files.__file__).parents[1])}
    command = [sys.executable, "-c", HALF, str(tmp_path / "runs" / "0-9.parquet"), str(int(signal.SIGINT))]
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode != 0
    assert list((tmp_path / "runs").iterdir()) == []
