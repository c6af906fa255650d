"""Epochs that are drawn at once against rounds that are played one by one: exact laws of an epoch, and complete runs."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import plain_debora as plain
import pytest
from debora_runs import A3, B5, debora_once, generator, hard_once, pessimistic_once, soft_once
from scipy.stats import chi2, ks_2samp

from banditpapers.algorithms._constrained import calls_at_most
from banditpapers.algorithms._pairs import epochs_at_most
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.epochs import draw_epoch

CASES = json.loads((Path(__file__).parents[1] / "data" / "debora_cases.json").read_text())["epoch_distribution"]
EPOCHS, LEVEL = 30_000, 1e-3
GAPS = ConstrainedArms(3, gap=0.4)
LAWS = {
    **{f"case {k}": (case["x"], case["need"], case["R"]) for k, case in enumerate(CASES)},
    "an arm without weight": ([0.5, 0.0, 0.5], [3, 1, 2], 4),
    "cut in the middle": ([0.2, 0.5, 0.3], [4, 4, 2], 6),
    "one round left": ([0.2, 0.5, 0.3], [2, 4, 2], 1),
    "one play each": ([0.2, 0.5, 0.3], [1, 1, 1], 9),
    "a rare arm": ([0.97, 0.03], [12, 1], 8),
    "one that is far from done": ([0.4, 0.6], [30, 3], 100),
}
RUNS = {  # horizon, runs, width of a cell, width of an estimate
    "debora": (GAPS, 300, 600, 1.5, 1.9),
    "debora, wide": (ConstrainedArms(2, gap=0.3), 1000, 300, 30.0, 20.0),
    "soft": (A3, 200, 600, 0.6, 0.8),
    "soft, lazy": (B5, 200, 600, 0.6, 0.8),
    "soft, long": (A3, 3000, 150, 2.0, 2.0),
    "hard": (A3, 200, 600, 0.6, 0.8),
    "hard, lazy, no clip": (B5, 200, 600, 0.3, 0.5),
    "hard, long": (B5, 3000, 150, 0.6, 0.8),
    "OPB": (A3, 200, 600, 0.0, 0.8),
    "OPB, long": (B5, 3000, 150, 0.0, 0.3),
}
QUANTITIES = ("regret", "violation", "epochs", "first arm", "longest epoch")


def drawn(x, need, remaining, rng):
    counts, x, need = np.empty(len(x), dtype=np.int64), np.array(x), np.array(need)
    found = {}
    for _ in range(EPOCHS):
        assert draw_epoch(rng, x, need, remaining, counts) == counts.sum()
        key = tuple(counts.tolist())
        found[key] = found.get(key, 0) + 1
    return found


def p_of_law(found, law):
    """The chi-square test; outcomes that are expected less than five times go together."""
    assert set(found) <= set(law), "counts that cannot be"
    large = [counts for counts, mass in law.items() if EPOCHS * mass >= 5]
    observed, expected = [found.get(counts, 0) for counts in large], [EPOCHS * law[counts] for counts in large]
    observed, expected = np.array([*observed, EPOCHS - sum(observed)]), np.array([*expected, EPOCHS - sum(expected)])
    kept = expected > 1e-6
    return float(chi2.sf(((observed - expected)[kept] ** 2 / expected[kept]).sum(), max(kept.sum() - 1, 1)))


def one_by_one(name, rng, later=0):
    world, horizon, _, *coefficients = RUNS[name]
    if name.startswith("debora"):
        return plain.debora(world.r, horizon, *coefficients, rng)
    if name.startswith("soft"):
        choose = plain.soft(world.alpha)
    elif name.startswith("hard"):
        choose = plain.hard(world.alpha, *world.safest, clip="no clip" not in name)
    else:
        choose = plain.pessimistic(world.alpha, *world.safest)
    return plain.constrained(np.vstack([world.r, world.g]), horizon, *coefficients, choose, rng, later, "lazy" in name)


def at_once(name, rng):
    world, horizon, _, *coefficients = RUNS[name]
    if name.startswith("debora"):
        found = debora_once(world, horizon, *coefficients, rng.random(epochs_at_most(world.arms, horizon)), rng)
    elif name.startswith("OPB"):
        found = pessimistic_once(world, horizon, coefficients[1], generator(int(rng.integers(2**31))), rng)
    else:
        offsets, xi = rng.random(calls_at_most(world.arms, len(world.g), horizon)), generator(int(rng.integers(2**31)))
        told = world, horizon, *coefficients, offsets, xi, rng, "lazy" in name
        found = soft_once(*told) if name.startswith("soft") else hard_once(*told, "no clip" not in name)
    return plain.Run(*found[:2])


def told(name, runs):
    """The quantities of runs, rounded: the order of a sum decides about its last bits. Shape (quantities, runs)."""
    world, horizon, *_ = RUNS[name]
    rows = []
    for strategies, rounds in runs:
        assert rounds.sum() == horizon
        over = np.maximum(strategies @ world.g.T - world.alpha, 0.0)
        violation = (rounds @ over).max() if world.limits else 0.0
        rows.append((rounds @ (world.optimum[1] - strategies @ world.r), violation, len(rounds), rounds @ strategies[:, 0], rounds.max()))
    return np.round(rows, 6).T


@cache
def battery():
    """The p-value of each comparison: one sample against an exact law, or two samples (Kolmogorov and Smirnov)."""
    found = {}
    for k, (name, (x, need, remaining)) in enumerate(LAWS.items()):
        found["epoch", name] = p_of_law(drawn(x, need, remaining, generator(1, k)), plain.epoch_law(x, need, remaining))
    for k, (name, (_, _, count, *_)) in enumerate(RUNS.items()):
        slow = told(name, [one_by_one(name, generator(2, k, i)) for i in range(count)])
        fast = told(name, [at_once(name, generator(3, k, i)) for i in range(3 * count)])
        for quantity, one, other in zip(QUANTITIES, slow, fast, strict=True):
            if len({*one, *other}) > 1:
                found[name, quantity] = float(ks_2samp(one, other, method="asymp").pvalue)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['x']} {case['need']} {case['R']}")
def test_the_exact_law_of_an_epoch_is_that_of_an_independent_computation(case):
    expected = {}
    for counts, mass in case["law"]:
        expected[tuple(counts)] = expected.get(tuple(counts), 0.0) + mass
    found = plain.epoch_law(case["x"], case["need"], case["R"])
    assert found.keys() == expected.keys()
    assert [found[counts] for counts in expected] == pytest.approx(list(expected.values()), rel=1e-9)
    assert sum(found.values()) == pytest.approx(1.0, rel=1e-12)


def test_no_comparison_of_the_battery_differs():
    found = battery()
    assert len(found) >= len(LAWS) + 3 * len(RUNS)
    worst = min(found, key=found.get)
    assert found[worst] * len(found) > LEVEL, (worst, found[worst])


def test_the_battery_sees_an_epoch_that_lasts_a_play_too_long():
    fast = told("soft", [at_once("soft", generator(3, 2, i)) for i in range(400)])
    wrong = told("soft", [one_by_one("soft", generator(4, i), later=1) for i in range(400)])
    assert min(ks_2samp(one, other, method="asymp").pvalue for one, other in zip(wrong, fast, strict=True)) < 1e-6
    x, need, remaining = LAWS["case 2"]
    assert p_of_law(drawn([0.53, 0.47], need, remaining, generator(5)), plain.epoch_law(x, need, remaining)) < 1e-6


def test_a_long_epoch_costs_no_more_than_a_short_one():
    """10^15 rounds, and as many plays as they should have."""
    counts, x, need = np.empty(3, dtype=np.int64), np.array([0.5, 0.3, 0.2]), np.array([10**14, 10**15, 10**14])
    for remaining in (10**13, 10**15):
        rounds = draw_epoch(generator(6), x, need, remaining, counts)
        assert rounds == counts.sum() == min(remaining, rounds)
        np.testing.assert_allclose(counts / rounds, x, atol=1e-5)
        assert (counts <= need).all()
        assert rounds == remaining or (counts == need).sum() == 1
