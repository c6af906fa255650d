"""An orphaned job of a killed controller and its twin write the same block at once: one whole file is there, as one alone writes it."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from banditpapers import records
from banditpapers.cells import Cell
from banditpapers.files import write_atomically

ROOT = Path(__file__).parents[2]
CELL = Cell(
    "lp2s",
    {"name": "beta_bernoulli", "prior": [1, 1], "arms": 50},
    {"name": "two_stage_exploration", "budgets": [200, 400], "share": 0.5},
)


def command(output: Path) -> list[str]:
    line = [sys.executable, str(ROOT / "workflow" / "scripts" / "simulate.py"), "--cell", CELL.json, "--first", "0", "--last", "4"]
    return [*line, "--master-seed", "7", "--code", "x", "--output", str(output)]


def content(path: Path) -> tuple[object, dict[str, object]]:
    table, about = records.read(path)
    return table.to_pydict(), {key: value for key, value in about.items() if key != "cpu_seconds"}


def test_two_jobs_write_one_block(tmp_path):
    alone, shared = tmp_path / "alone" / "0-4.parquet", tmp_path / "shared" / "0-4.parquet"
    subprocess.run(command(alone), check=True)
    twins = [subprocess.Popen(command(shared)) for _ in range(2)]
    assert [twin.wait(timeout=120) for twin in twins] == [0, 0]
    assert [path.name for path in shared.parent.iterdir()] == ["0-4.parquet"], "no half-written file stays"
    assert json.dumps(content(shared), default=str) == json.dumps(content(alone), default=str)


def test_a_reader_beside_two_writers_meets_whole_files_only(tmp_path):
    path, size, stop = tmp_path / "block", 100_000, threading.Event()

    def write(letter: bytes) -> None:
        while not stop.is_set():
            write_atomically(path, lambda file: [file.write(letter * (size // 4)) for _ in range(4)])

    writers = [threading.Thread(target=write, args=(letter,)) for letter in (b"a", b"b")]
    for writer in writers:
        writer.start()
    seen, deadline = set(), time.monotonic() + 20
    while len(seen) < 2 and time.monotonic() < deadline:
        if path.exists():
            found = path.read_bytes()
            assert found in (b"a" * size, b"b" * size)
            seen.add(found[:1])
    stop.set()
    for writer in writers:
        writer.join()
    assert seen == {b"a", b"b"}
    assert os.listdir(tmp_path) == ["block"]
