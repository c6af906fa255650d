"""Ridge regression on fixed arms: updates of rank one against inverses, and everything computed afresh after 4096 rounds."""

import json
from pathlib import Path

import numpy as np
import pytest
from dense_soft import Dense

from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.kernels.fixed_design import AFRESH, begin, fill_widths, observe, refresh, total
from banditpapers.seeding import words

TRAJECTORIES = json.loads((Path(__file__).parents[1] / "data" / "softucb_cases.json").read_text())["trajectories"]


def instance(arms, dimension, seed=0):
    return FixedArms(arms, dimension, 0.1).instance(words(test="design", seed=seed))


def chosen(arms, horizon, seed=0):
    """Arms and rewards in which some arms are much played and some are not."""
    rng = np.random.default_rng(seed)
    return (arms * rng.random(horizon) ** 3).astype(int), rng.normal(0.3, 1, horizon)


def agree(design, dense, tolerance):
    np.testing.assert_allclose(design.means, dense.m, rtol=0, atol=tolerance)
    np.testing.assert_allclose(design.squares, dense.q, rtol=0, atol=tolerance)
    np.testing.assert_allclose(design.inverse, np.linalg.inv(dense.V), rtol=0, atol=tolerance)


@pytest.mark.parametrize("ridge", [1.0, 0.01, 30.0])
@pytest.mark.parametrize(("arms", "dimension"), [(1, 1), (2, 1), (3, 2), (7, 5), (50, 10), (20, 21)])
def test_every_update_is_that_of_an_inverse(arms, dimension, ridge):
    columns = instance(arms, dimension).columns
    design, dense, widths = begin(columns, ridge), Dense(columns.T, ridge), np.empty(arms)
    agree(design, dense, 1e-13 / ridge)
    for arm, reward in zip(*chosen(arms, 200), strict=True):
        observe(design, columns, arm, reward)
        dense.learn(arm, reward)
        agree(design, dense, 2e-13 * max(1, 1 / ridge))
        fill_widths(design, widths)
        np.testing.assert_allclose(widths**2, dense.q, rtol=0, atol=2e-13 * max(1, 1 / ridge))


@pytest.mark.parametrize("ridge", [1.0, 0.01])
@pytest.mark.parametrize(("arms", "dimension"), [(1, 1), (2, 1), (3, 2), (50, 10), (50, 20), (20, 5)])
def test_after_4096_rounds_all_is_as_if_never_updated(arms, dimension, ridge):
    columns = instance(arms, dimension).columns
    design = begin(columns, ridge)
    x, y = chosen(arms, AFRESH + 100)
    for arm, reward in zip(x[:AFRESH], y[:AFRESH], strict=True):
        observe(design, columns, arm, reward)
    before = design.means.copy()
    refresh(design, columns, ridge)
    V = ridge * np.eye(dimension) + (columns[:, x[:AFRESH]]) @ columns[:, x[:AFRESH]].T
    b = columns[:, x[:AFRESH]] @ y[:AFRESH]
    dense = Dense(columns.T, ridge)
    dense.V, dense.b = V, b
    dense.look()
    agree(design, dense, 1e-12 / min(ridge, 1))
    np.testing.assert_allclose(design.means, before, rtol=0, atol=1e-10)
    assert (design.squares >= 0).all()
    assert np.array_equal(design.plays, np.bincount(x[:AFRESH], minlength=arms))
    for arm, reward in zip(x[AFRESH:], y[AFRESH:], strict=True):
        observe(design, columns, arm, reward)
        dense.learn(arm, reward)
    agree(design, dense, 1e-10)


def test_what_updates_lost_is_made_good():
    """A tiny ridge loses digits; the fresh computation has them all again, and depends on the counts and sums alone."""
    columns = instance(6, 4).columns
    design, other = begin(columns, 1e-9), begin(columns, 1e-9)
    x, y = chosen(6, 1000)
    for arm, reward in zip(x, y, strict=True):
        observe(design, columns, arm, reward)
    refresh(design, columns, 1e-9)
    other.plays[:], other.sums[:] = design.plays, design.sums
    refresh(other, columns, 1e-9)
    assert all(mine.tobytes() == theirs.tobytes() for mine, theirs in zip(design[:5], other[:5], strict=True))
    estimate = np.linalg.lstsq(columns[:, x].T, y, rcond=None)[0]
    np.testing.assert_allclose(design.means, columns.T @ estimate, rtol=1e-7)


def test_widths_stay_real_where_a_square_falls_below_0():
    design, widths = begin(np.ones((1, 2)), 1.0), np.empty(2)
    design.squares[:] = -1e-20, 4.0
    fill_widths(design, widths)
    assert widths.tolist() == [0, 2]


def test_no_square_falls_below_0_in_a_long_run():
    """One arm a hundred thousand times: its width goes like 1 / sqrt(n)."""
    columns = instance(3, 3).columns
    design = begin(columns, 1.0)
    for n in range(1, 100_001):
        observe(design, columns, 1, 0.5)
        if n % AFRESH == 0:
            refresh(design, columns, 1.0)
        assert design.squares.min() >= 0
    assert design.squares[1] == pytest.approx(1 / 100_001, rel=1e-9)
    assert design.means[1] == pytest.approx(0.5 * 100_000 / 100_001, rel=1e-10)


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_the_cases_estimates_and_designs_come_out(name):
    case = TRAJECTORIES[name]
    x = np.array(case["X"])
    columns, means = np.ascontiguousarray(x.T), x @ case["theta"]
    design = begin(columns, case["alpha"])
    for arm, noise in zip(case["arms"], case["noise"], strict=True):
        observe(design, columns, arm, means[arm] + noise)
    np.testing.assert_allclose(design.means, x @ case["theta_hat"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(design.inverse @ case["V"], np.eye(2), rtol=0, atol=1e-12)
    refresh(design, columns, case["alpha"])
    np.testing.assert_allclose(design.means, x @ case["theta_hat"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(design.inverse @ case["V"], np.eye(2), rtol=0, atol=1e-12)


def test_a_sum_is_taken_in_order():
    numbers = np.random.default_rng(1).random(1000)
    assert total(numbers) == np.cumsum(numbers)[-1]
