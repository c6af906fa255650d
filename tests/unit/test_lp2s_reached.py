"""A cost that a competitor has below where its curve starts is known from above only."""

from types import SimpleNamespace

import numpy as np
import pytest

from banditpapers.papers.lp2s.summaries import comparison
from banditpapers.statistics import Z95

COSTS = ("100", "200", "400")


def reached(paths: list[list[float]], level: float) -> dict:
    cell = SimpleNamespace(
        cell=SimpleNamespace(algorithm={"name": "batched_thompson"}, environment={"arms": 10}),
        checkpoints=COSTS,
        counts={"planned": len(paths), "finished": len(paths), "failed": 0},
        path=lambda rule, quantity: np.array(paths),
    )
    found, *_ = comparison._competitor(cell, "mean", "SR", level, ("T", "SR"), True, None)
    return found


def test_a_curve_that_starts_below_the_level():
    found = reached([[0.1, 0.05, 0.01], [0.12, 0.05, 0.01]], 0.5)
    assert (found["measured"], found["low"], found["high"]) == (100, 0, 100)
    assert found["se"] == pytest.approx(100 / (2 * Z95))
    assert found["note"] == "reached with at most 100 pulls, where the curve starts"


def test_a_band_that_starts_below_the_level():
    found = reached([[0.3, 0.1, 0.01], [0.9, 0.2, 0.01]], 0.5)
    assert found["low"] == 0
    assert 100 < found["measured"] < found["high"]
    assert found["note"] == ""


def test_a_band_within_the_curve():
    found = reached([[0.8, 0.1, 0.01], [0.9, 0.2, 0.01]], 0.5)
    assert 100 < found["low"] < found["measured"] < found["high"] < 400
