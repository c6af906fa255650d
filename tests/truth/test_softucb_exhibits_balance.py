"""The balance that sets the learnt bound, coverage and the gradient of softucb, on made-up runs whose crossings are known."""

import math

import numpy as np
import pytest
from softucb_runs import GRID, LUCK, NONE, N, made_up, one, parameters

from banditpapers.papers.softucb.balance import settled
from banditpapers.papers.softucb.exhibits import coverage as coverage_exhibit
from banditpapers.papers.softucb.exhibits import equilibrium as equilibrium_exhibit
from banditpapers.papers.softucb.exhibits import gradient as gradient_exhibit
from banditpapers.papers.softucb.pairs import jackknife
from banditpapers.papers.softucb.summaries import coverage, equilibrium, gradient
from banditpapers.statistics import Estimate, student

ETA, SETTINGS = GRID.offline.eta, GRID.equilibrium.settings
FIRST = dict(zip(("arms", "dimension", "horizon"), SETTINGS[0], strict=True))
WIDE = 1000.0


def height(beta, top=0.006):
    """A hump: 0 at 0, `top` at 1.5."""
    return top * (beta / 1.5) * np.exp(1 - beta / 1.5)


def played(cell, rule, top=0.006, covered=None):
    beta, horizon = float(rule.partition("=")[2]), cell.algorithm["rounds"][-1]
    share = min(1.0, beta / 2) if covered is None else covered
    return {
        "widths": WIDE * (2 + LUCK[:, None]),
        "gradient": -WIDE * height(beta, top) * (2 + LUCK[:, None]),
        "regret": 10 + (beta - 0.5) ** 2 + 0.1 * LUCK[:, None],
        "covered": horizon * share * (1 + 0 * LUCK[:, None]),
        "best_eliminated": horizon * (1 - share) * (1 + 0 * LUCK[:, None]),
        "missed": 2.0 + LUCK[:, None],
    }


def summarised(module, exhibit, failed=(), **changes):
    return module.summarise(made_up(exhibit, lambda cell, rule: played(cell, rule, **changes), failed), parameters(exhibit), NONE)


def test_h_is_the_ratio_of_the_sums_and_its_maximum_is_found():
    table = summarised(equilibrium, "equilibrium")
    assert (table["quantity"] == "h").sum() == len(SETTINGS) * len(GRID.equilibrium.beta)
    row = one(table, **FIRST, quantity="h", beta=0.5)
    assert (row["measured"], row["se"], row["interval"]) == (pytest.approx(height(0.5)), pytest.approx(0, abs=1e-12), "jackknife 95%")
    top = one(table, **FIRST, quantity="maximum")
    assert (top["beta"], top["at"], top["measured"]) == (0.0, 1.5, pytest.approx(0.006))
    best = one(table, **FIRST, quantity="eta at the least regret")
    assert (best["at"], best["measured"]) == (0.5, pytest.approx(height(0.5)))
    assert one(table, **FIRST, quantity="minimum")["at"] == 0.02


def test_beta_settles_on_the_rising_branch():
    table = summarised(equilibrium, "equilibrium")
    assert one(table, **FIRST, quantity="settles for the default eta")["measured"] == pytest.approx(0.006 - ETA)
    grid = np.array(GRID.equilibrium.beta)
    for eta in GRID.table1.eta:
        found = one(table, **FIRST, quantity="learnt beta predicted", eta=eta)
        rising = grid[grid <= 1.5]
        assert found["measured"] == pytest.approx(np.interp(eta, height(rising), rising))
        assert found["default"] == (eta == ETA)
        assert found["reading"] == f"eta = {eta:g}"


def test_an_eta_above_the_maximum_settles_nowhere():
    table = summarised(equilibrium, "equilibrium", top=0.5 * ETA)
    spare = one(table, **FIRST, quantity="settles for the default eta")
    assert spare["high"] < 0
    lost = one(table, **FIRST, quantity="learnt beta predicted", eta=ETA)
    assert np.isnan(lost["measured"])
    assert "does not rise" in lost["note"]
    assert np.isnan(one(summarised(coverage, "coverage", top=0.5 * ETA), **FIRST, quantity="coverage at the learnt bound")["measured"])
    assert len(equilibrium_exhibit.draw(table).axes) == 2 * len(SETTINGS)


def test_settled_takes_the_first_crossing_upwards_and_no_other():
    beta = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    means = np.column_stack([-np.array([3.0, 1.0, 2.0, 1.0, 4.0]), np.ones(5)])
    assert settled(beta, means, 1.5) == pytest.approx(2.5)
    assert np.isnan(settled(beta, means, 4.5))
    assert np.isnan(settled(beta, means, 0.5)), "falling through eta is no place to stay"


def test_jackknife_of_a_mean_is_students_interval_and_of_a_ratio_nearly_the_delta_methods():
    sample = np.random.default_rng(1).normal(3, 1, (40, 2))
    known, found = student(sample[:, 0]), jackknife(sample, lambda means: float(means[0]))
    assert (found.mean, found.se, found.low) == (pytest.approx(known.mean), pytest.approx(known.se), pytest.approx(known.low))
    ratio = jackknife(sample, lambda means: float(means[0] / means[1]))
    one_by_one = (sample[:, 0] - ratio.mean * sample[:, 1]) / sample[:, 1].mean()
    assert ratio.se == pytest.approx(student(one_by_one).se, rel=0.05)
    assert np.isnan(jackknife(sample[:1], lambda means: float(means[0])).low)


def test_coverage_at_the_learnt_bound():
    table = summarised(coverage, "coverage")
    at = one(summarised(equilibrium, "equilibrium"), **FIRST, quantity="learnt beta predicted", eta=ETA)["measured"]
    row = one(table, **FIRST, quantity="coverage at the learnt bound")
    assert (row["at"], row["measured"]) == (pytest.approx(at), pytest.approx(at / 2 - 0.9))
    assert one(table, **FIRST, quantity="best arm eliminated", beta=0.5)["measured"] == pytest.approx(0.75)
    assert one(table, **FIRST, quantity="missed", beta=0.5)["measured"] == pytest.approx(2 / FIRST["horizon"])
    always = one(summarised(coverage, "coverage", covered=1.0), **FIRST, quantity="coverage at the learnt bound")
    assert always["measured"] == pytest.approx(0.1)
    assert len(coverage_exhibit.draw(table).axes) == 2 * len(SETTINGS)


def test_margin_of_theorem_1():
    assert coverage.theorem1(0.5, 10, 2048, 0.99, 1.0) == pytest.approx(4 * math.sqrt(2) * 0.5 * 0.99 * math.sqrt(20480 * math.log(205.8)))
    table = summarised(coverage, "coverage")
    row = one(table, **FIRST, quantity="margin of theorem 1", beta=0.02)
    bound = coverage.theorem1(0.02, FIRST["dimension"], FIRST["horizon"], GRID.delta, GRID.ridge)
    assert row["measured"] == pytest.approx(bound - 10 - 0.48**2)


def test_a_failed_replicate_is_counted():
    for module, exhibit in ((equilibrium, "equilibrium"), (coverage, "coverage"), (gradient, "gradient")):
        table = summarised(module, exhibit, failed=("soft_ucb",))
        assert set(table[["planned", "finished", "failed"]].itertuples(index=False, name=None)) == {(N, N - 1, 1)}


def quadratic(cell, rule, noise=0.0, slope=-5.0):
    """E[R] is least at 0.4: its derivative is 200 (beta - 0.4), which a central difference finds exactly."""
    beta = float(rule.partition("=")[2])
    return {
        "expected_regret": 20 + 100 * (beta - 0.4) ** 2 + LUCK[:, None],
        "gradient": slope * beta + noise * LUCK[:, None] + 0 * LUCK[:, None],
        "true_gradient": 2 * slope * beta + 0 * LUCK[:, None],
    }


def gradients(**changes):
    runs = made_up("gradient", lambda cell, rule: quadratic(cell, rule, **changes))
    return gradient.summarise(runs, parameters("gradient"), NONE)


def test_the_true_gradient_is_a_central_difference_paired_by_set_of_arms():
    table = gradients()
    for beta in GRID.gradient.beta:
        row = one(table, variance=0.1, beta=beta, quantity="true gradient")
        assert (row["measured"], row["se"]) == (pytest.approx(-200 * (beta - 0.4)), pytest.approx(0, abs=1e-9))
        assert one(table, variance=0.01, beta=beta, quantity="estimator")["measured"] == pytest.approx(-5 * beta)
        assert one(table, variance=0.01, beta=beta, quantity="estimator, true means")["measured"] == pytest.approx(-10 * beta)
        assert one(table, variance=0.1, beta=beta, quantity="sign agrees")["measured"] == (1 if beta > 0.4 else -1)
    assert table.groupby("variance")["default"].first().to_dict() == {0.01: False, 0.1: True}
    assert len(gradient_exhibit.draw(table).axes) == 2


def test_signs_are_compared_only_where_both_are_known():
    flipped = gradients(slope=5.0)
    assert one(flipped, variance=0.1, beta=0.15, quantity="sign agrees")["measured"] == 1
    unsure = one(gradients(noise=100.0), variance=0.1, beta=0.15, quantity="sign agrees")
    assert np.isnan(unsure["measured"])
    assert "across 0" in unsure["note"]
    assert [gradient.side(Estimate(mean, 1, mean - 2, mean + 2, "t 95%")) for mean in (-3.0, 1.0, 3.0)] == [-1, 0, 1]
