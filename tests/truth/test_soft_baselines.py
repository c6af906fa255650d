"""What SoftUCB is compared with, LinUCB, epsilon-greedy and Thompson sampling on fixed arms, against plain NumPy loops."""

import json
from pathlib import Path

import dense_soft as plain
import numpy as np
import pytest
from soft_game import CLOSE, HORIZON, SMALL, STREAMS, WORLD, game, regrets

from banditpapers.algorithms._soft import coins
from banditpapers.algorithms.epsilon_greedy import EpsilonGreedy
from banditpapers.algorithms.fixed_arms_thompson import FixedArmsThompson, fill_scales
from banditpapers.algorithms.linear_ucb import LinearUcb, fill_bounds
from banditpapers.kernels.philox import DRAW, fill_normals

CASES = json.loads((Path(__file__).parents[1] / "data" / "softucb_cases.json").read_text())


@pytest.mark.parametrize("row", CASES["bounds"], ids=lambda row: row["paper"])
def test_the_bounds_of_theory_are_those_that_the_paper_prints(row):
    bounds = np.empty(row["T"])
    fill_bounds(bounds, row["d"], row["R2"] ** 0.5, row["delta"], float(row["alpha"]))
    assert bounds[-1] == pytest.approx(row["value"], rel=1e-13)
    assert str(bounds[-1]).startswith(row["paper"].strip("[]").replace("[", "")), "printed without rounding; one digit was lost"
    assert (np.diff(bounds) > 0).all()


@pytest.mark.parametrize(("world", "horizon"), [(WORLD, HORIZON), *SMALL])
@pytest.mark.parametrize("ridge", [1.0, 4.0])
def test_linear_ucb_is_played_like_the_numpy_loop(world, horizon, ridge):
    ucb = LinearUcb(tuple(range(1, horizon + 1)), ("theory", 0.5, 0), scale=0.3, ridge=ridge)
    x, mu, noise, _ = game(world, horizon)
    d, t = x.shape[1], np.arange(1, horizon + 1)
    bounds = (0.3 * np.sqrt(2 * np.log(10) + d * np.log(1 + t / d)) + np.sqrt(ridge), np.full(horizon, 0.5), np.zeros(horizon))
    expected = [regrets(world, plain.values(x, mu, noise, plain.linear_ucb(bound), ridge)) for bound in bounds]
    np.testing.assert_allclose(ucb.play(world, STREAMS)[..., 0].T, expected, **CLOSE)


@pytest.mark.parametrize(("world", "horizon"), [(WORLD, HORIZON), *SMALL])
def test_epsilon_greedy_is_played_like_the_numpy_loop(world, horizon):
    greedy = EpsilonGreedy(tuple(range(1, horizon + 1)), (0.1, 0, 1), ridge=2.0)
    x, mu, noise, explores = game(world, horizon)
    chosen = (coins(STREAMS.algorithm_words, 1, horizon) * len(x)).astype(int)
    expected = [regrets(world, plain.values(x, mu, noise, plain.epsilon_greedy(explores < e, chosen), 2.0)) for e in (0.1, 0, 1)]
    np.testing.assert_allclose(greedy.play(world, STREAMS)[..., 0].T, expected, **CLOSE)


def test_the_scales_of_theory():
    scales = np.empty(100)
    fill_scales(scales, 7, 0.3, 0.2)
    np.testing.assert_allclose(scales, 0.3 * np.sqrt(9 * 7 * np.log(np.arange(1, 101) / 0.2)), rtol=1e-14)


@pytest.mark.parametrize(("world", "horizon"), [(WORLD, HORIZON), *SMALL])
def test_thompson_sampling_is_played_like_the_numpy_loop(world, horizon):
    lints = FixedArmsThompson(tuple(range(1, horizon + 1)), (1.0, 0.2, "theory"), noise=0.3, ridge=2.0)
    x, mu, noise, _ = game(world, horizon)
    d, normals = x.shape[1], np.empty((horizon, x.shape[1]))
    for t in range(horizon):
        fill_normals(normals[t], STREAMS.algorithm_words.seed, DRAW, t, STREAMS.algorithm_words.lane, 0)
    scales = (1.0, 0.2, 0.3 * np.sqrt(9 * d * np.log(np.arange(1, horizon + 1) / 0.1)))
    expected = [regrets(world, plain.thompson(x, mu, noise, np.broadcast_to(s, horizon), normals, 2.0)) for s in scales]
    np.testing.assert_allclose(lints.play(world, STREAMS)[..., 0].T, expected, **CLOSE)


def test_updates_of_rank_one_are_the_same_game():
    """The loop that the benchmarks compare speed with."""
    x, mu, noise, u = game(WORLD, 500)
    slow, fast = (plain.soft(x, mu, noise, u, 0.5, design=design) for design in (plain.Dense, plain.RankOne))
    assert np.array_equal(slow.actions, fast.actions)
    np.testing.assert_allclose(slow.gradients, fast.gradients, **CLOSE)
