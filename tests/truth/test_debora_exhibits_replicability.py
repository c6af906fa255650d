"""Replicability, near ties and RepMean by itself: the exhibits on made-up pairs of runs and on short simulations."""

import math

import numpy as np
import pytest
from debora_exhibits import LUCK, SHIPPED, made_up, one, simulated, small, summarised

from banditpapers.kernels.replicable_mean import replicable_mean
from banditpapers.papers.debora.summaries import near_ties, replicability, rounding
from banditpapers.runs import Runs
from banditpapers.statistics import exact_proportion

GRID = small(
    replicability={"arms": (2,), "rho": (0.3, 0.9)},
    near_ties={"arms": (2, 5), "gaps": (0.0, 0.1), "horizons": (10**6,)},
    rounding={"pairs": 20_000, "samples": (1, 7, 1000)},
)


def test_replicability_of_made_up_pairs():
    def outcome(cell, horizon, rho):
        return {"replicated": np.where(LUCK > 0.7, 0, 1), "splits": np.where(LUCK > 0.7, 3, 0), "epochs": 20.0}

    table = summarised(replicability, "replicability", GRID, made_up("replicability", GRID, outcome))
    key = {"arms": 2, "rho": 0.3, "variant": "", "horizon": 10**6}
    share = exact_proportion(np.r_[np.ones(2), np.zeros(8)])
    row = one(table, **key, quantity="below rho")
    assert (row["measured"], row["low"], row["high"]) == tuple(map(pytest.approx, (0.1, 0.3 - share.high, 0.3 - share.low)))
    assert row["low"] < 0, "ten pairs cannot tell"
    assert one(table, **key, quantity="ratio to rho")["measured"] == pytest.approx(2 / 3)
    assert one(table, **key, quantity="splits")["measured"] == pytest.approx(0.6)
    most = 40
    d = 0.8 * 0.3 / most
    closed = 0.5 / math.sqrt(math.pi) * 0.24 / math.sqrt(2 * math.log(2 * most / 0.03)) * (1 + d) * 20 / most
    assert one(table, **key, quantity="predicted")["measured"] == pytest.approx(closed)
    worst = one(table, variant="", quantity="below rho, all settings")
    assert worst["measured"] == pytest.approx(1 / 3)
    assert "rho = 0.3" in worst["note"]


def test_replicability_of_simulated_pairs():
    """The mean number of split calls is as predicted, up to the calls of small counts; and no pair differs without one."""
    grid = small(replicability={"arms": (2, 5), "rho": (0.9,), "horizons": (10**6,)})
    runs = simulated("replicability", grid, 1500)
    table = summarised(replicability, "replicability", grid, runs)
    for arms, variant in ((2, ""), (5, ""), (2, "sharp"), (5, "sharp")):
        found = {q: one(table, arms=arms, variant=variant, quantity=q) for q in ("splits", "predicted", "below rho", "non-replication")}
        assert 0.6 < found["splits"]["measured"] / found["predicted"]["measured"] < 1.25
        assert found["below rho"]["low"] > 0
        assert found["non-replication"]["measured"] <= found["splits"]["measured"]
    assert one(table, arms=5, variant="sharp", quantity="non-replication")["low"] > 0.2, "the promise is no idle one"
    for cell in runs.cells:
        for checkpoint in cell.checkpoints:
            differ, splits = 1 - cell.of(checkpoint, "rho=0.9", "replicated"), cell.of(checkpoint, "rho=0.9", "splits")
            assert np.all(splits >= differ)


def test_near_ties_of_simulated_pairs():
    """Algorithm 2 as printed breaks its promise on equal arms, with the smallest label it keeps it; one rho' for all arms is too large."""
    table = summarised(near_ties, "near_ties", GRID, simulated("near_ties", GRID, 400))
    for arms, least in ((2, 0.4), (5, 0.7)):
        tie = {"arms": arms, "gap": 0.0, "rho": 0.3, "horizon": 10**6}
        assert one(table, **tie, method="batched_elimination", variant="2", quantity="non-replication")["low"] > least
        assert one(table, **tie, method="batched_elimination", variant="2", quantity="below rho")["high"] < 0
        others = (("batched_elimination", "1"), ("batched_elimination", "2 label"), ("phased_elimination", "RSE"), ("debora", ""))
        for method, variant in (*others, ("debora", "sharp")):
            assert one(table, **tie, method=method, variant=variant, quantity="below rho")["low"] > 0
    assert one(table, arms=5, gap=0.0, method="debora", variant="every", horizon=10**6, quantity="below rho")["high"] < 0
    assert one(table, method="batched_elimination", variant="2", quantity="below rho, all settings")["measured"] < -1


def test_rounding_at_once_is_rounding_one_by_one():
    rng = np.random.default_rng(6)
    totals, shifts = rng.integers(0, 51, 300), rng.random(300)
    for alpha in (0.013, 0.4, 1.0, 37.5):
        found = rounding.rounded(totals / 50, alpha, shifts)
        assert list(found) == [replicable_mean(float(total), 50, alpha, u) for total, u in zip(totals, shifts, strict=True)]


def test_rounding_splits_as_predicted_and_within_the_promise():
    table = summarised(rounding, "rounding", GRID, Runs((), {}))
    assert len(table) == 3 * 2 * 3 * 5
    for rho, _ in SHIPPED.rounding.precisions:
        for variant in ("paper", "whole", "sharp"):
            key = {"rho": rho, "variant": variant, "samples": 1000}
            split, predicted = (one(table, **key, quantity=quantity)["measured"] for quantity in ("split", "predicted split"))
            assert abs(split - predicted) < 5 * math.sqrt(predicted / 20_000)
            assert one(table, **key, quantity="split below rho'")["low"] > 0
            assert one(table, **key, quantity="error below delta'")["low"] > 0
            # one sample each: two coins differ with probability 1/2, and a boundary lies between 0 and 1 with 1/alpha
            once, cell = one(table, **{**key, "samples": 1}, quantity="split"), 1 / (math.sqrt(math.pi) * predicted)
            assert abs(once["measured"] - 0.5 / cell) < 5 * math.sqrt(0.5 / cell / 20_000)
    sharp = one(table, rho=0.3, variant="sharp", samples=1000, quantity="error")
    assert sharp["finished"] == 20_000
    assert one(table, rho=0.3, variant="sharp", samples=1000, quantity="split")["measured"] > 0.2
