"""How far a run is: never wrong by an old file, and never the reason why a job fails."""

import json
import os
import time

import pytest

from banditpapers import progress


def plan(folder, **seconds):
    path = folder / "progress.json"
    forecast = {str(folder / name): cost for name, cost in seconds.items()}
    progress.begin(path, json.dumps(forecast), None)
    return path


def test_blocks_are_counted_by_their_work(tmp_path):
    path = plan(tmp_path, a=3, b=1)
    assert json.loads(path.read_text())["started"] <= time.time()
    (tmp_path / "a").touch()
    assert progress.line(path, tmp_path / "a").startswith("simulated 1 of 2 blocks, 75% of the work, about 0.0 min left")
    (tmp_path / "b").touch()
    assert progress.line(path, tmp_path / "b") == "simulated 2 of 2 blocks, 100% of the work, about 0.0 min left"


def test_a_file_from_before_the_run_is_not_done(tmp_path):
    (tmp_path / "old").touch()
    os.utime(tmp_path / "old", (1e9, 1e9))
    path = plan(tmp_path, old=1, new=1)
    (tmp_path / "new").touch()
    assert progress.line(path, tmp_path / "new").startswith("simulated 1 of 2 blocks, 50%")


@pytest.mark.parametrize("seconds", [{"a": 0.0}, {"a": 0.0, "b": 5.0}])
def test_forecasts_of_nothing_divide_nothing(tmp_path, seconds):
    path = plan(tmp_path, **seconds)
    (tmp_path / "a").touch()
    assert progress.line(path, tmp_path / "a") == f"simulated 1 of {len(seconds)} blocks"


@pytest.mark.parametrize(
    "text", ["", "[1]", "3", "{", '{"started": 1}', '{"started": null, "seconds": {}}', '{"started": 1, "seconds": [3]}']
)
def test_a_damaged_plan_says_nothing(tmp_path, text):
    (tmp_path / "progress.json").write_text(text)
    assert progress.line(tmp_path / "progress.json", tmp_path / "a") is None


def test_a_block_outside_the_plan_says_nothing(tmp_path):
    path = plan(tmp_path, a=1)
    assert progress.line(path, tmp_path / "b") is None
    assert progress.line(tmp_path / "none.json", tmp_path / "a") is None
