"""LinUCB against another implementation: MABWiser's, on the same features, rewards and width, round by round.

The game was recorded by benchmarks/peers/record.py; MABWiser itself is not needed here.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from banditpapers.algorithms import linear_ucb

GAME = json.loads((Path(__file__).parents[1] / "data" / "mabwiser_linear_ucb.json").read_text(encoding="utf-8"))
COLUMNS = np.ascontiguousarray(np.array(GAME["features"]).T)
MEANS, NOISE = np.array(GAME["theta"]) @ COLUMNS, np.array(GAME["noise"])


def actions(alpha, ridge):
    return linear_ucb._play(COLUMNS, MEANS, NOISE, np.full(NOISE.size, alpha), ridge).tolist()


def test_linear_ucb_plays_the_arms_that_mabwiser_plays():
    assert actions(GAME["alpha"], 1.0) == GAME["actions"]


def test_the_recorded_game_is_not_that_of_one_arm():
    changes = np.count_nonzero(np.diff(GAME["actions"]))
    assert len(GAME["actions"]) == 500
    assert len(set(GAME["actions"])) > 5
    assert changes > 30


@pytest.mark.parametrize(("alpha", "ridge"), [(1.1, 1.0), (1.0, 1.2)])
def test_another_width_or_ridge_plays_another_game(alpha, ridge):
    """So that equal actions say something about both."""
    assert actions(alpha, ridge) != GAME["actions"]
