"""Regressions and propensities: faults that people reported of bandit simulations, numbers 9 to 11 of docs/reliability.md."""

import math

import numpy as np
import pytest
from linear_variants import VARIANTS, player
from scipy import stats

from banditpapers.algorithms.balanced_thompson import BalancedThompson
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.environments.linear_contexts import OUTCOME, World, account
from banditpapers.kernels import ridge
from banditpapers.kernels.factor import factorise, solve_rest, squares, widths_by_factor
from banditpapers.kernels.gaussian_max import argmax_probabilities, argmax_probability
from banditpapers.plugins import build
from banditpapers.seeding import Words

EXHAUSTED = OUTCOME.index("exhausted")


# ---- 9: hard regressions


def one_hot(rounds, dimension, scale, arms=4, seed=0):
    """A world of one-hot contexts, a share of which is met only late."""
    rng = np.random.default_rng(seed)
    contexts = np.zeros((rounds, arms, dimension))
    hot = rng.integers(0, dimension, (rounds, arms)) * (np.arange(rounds)[:, None] > rounds // 2) + rng.integers(0, 5, (rounds, arms))
    np.put_along_axis(contexts, np.minimum(hot, dimension - 1)[:, :, None], scale, axis=2)
    rewards = rng.standard_normal((rounds, arms))
    return World(contexts, np.full((rounds, arms), scale), rewards, np.zeros((rounds, arms)), np.zeros(dimension))


def learnt(world, actions, lambdas, weights=1.0):
    """b = B^-1 f from all rounds at once, by LAPACK."""
    x = world.contexts[np.arange(len(actions)), actions]
    f = (weights * x.T) @ world.rewards[np.arange(len(actions)), actions]
    return np.linalg.solve((weights * x.T) @ x + lambdas * np.eye(x.shape[1]), f)


@pytest.mark.parametrize(("scale", "lam"), [(1.0, 1.0), (1e4, 1e-6)])
@pytest.mark.parametrize("draw", ["independent", "shared"])
def test_09_one_hot_contexts_in_63_dimensions(draw, scale, lam):
    world = one_hot(20_000, 63, scale)
    (found,) = build("algorithms", {"name": "linear_thompson", "rounds": [20_000], "v": [0.1], "ridge": lam, "draw": draw}).histories(
        world, Words(1, 2)
    )
    np.testing.assert_allclose(found.estimates[0], learnt(world, found.actions, lam), rtol=1e-8, atol=1e-12 / scale)


def contexts_of_length(scale, rounds=20_000, dimension=20, late=19_900):
    """Dense contexts; half of all directions are met only in the last rounds."""
    rng = np.random.default_rng(3)
    x = rng.standard_normal((rounds, dimension))
    x[:late, dimension // 2 :] = 0
    return x @ np.linalg.qr(rng.standard_normal((dimension, dimension)))[0] * (scale / np.linalg.norm(x, axis=1))[:, None]


def relative_error(inverse, x, lam):
    """The largest relative error of |u|^2_{B^-1} over all directions u."""
    gram = (x.astype(np.longdouble).T @ x.astype(np.longdouble) + lam * np.eye(x.shape[1])).astype(float)
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(values) @ vectors.T
    return np.abs(np.linalg.eigvalsh(root @ (inverse + inverse.T) @ root / 2) - 1).max()


@pytest.mark.parametrize(("scale", "lam"), [(1.0, 1.0), (1.0, 1e-2), (10.0, 1.0), (1.0, 1e-6), (100.0, 1e-3)])
def test_09_the_inverse_is_right_to_8_digits_by_either_way(scale, lam):
    x = contexts_of_length(scale)
    afresh = ridge.drifts(scale**2, lam)
    assert afresh == (scale**2 / lam > 500)
    inverse, b, image = ridge.identities(1, 20, 1 / lam)[0], np.zeros(20), np.empty(20)
    gram, f = squares(1, 20)[0], np.zeros(20)
    for t in range(len(x)):
        if afresh:
            ridge.absorb_afresh(gram, f, inverse, b, x[t], 1.0, 1.0, lam)
        else:
            ridge.absorb(inverse, b, x[t], 1.0, 1.0, image)
    assert relative_error(inverse, x, lam) < 1e-8


def test_09_updates_that_drift_are_what_is_avoided():
    x = contexts_of_length(1.0)
    inverse, b, image = ridge.identities(1, 20, 1e6)[0], np.zeros(20), np.empty(20)
    for t in range(len(x)):
        ridge.absorb(inverse, b, x[t], 1.0, 1.0, image)
    assert relative_error(inverse, x, 1e-6) > 1e-6


def test_09_samplers_learn_from_long_contexts():
    """Without noise b is beta. DRTS learns from what it imputed early on, too; what it imputes with is tried below."""
    rng = np.random.default_rng(5)
    x, beta = 1e4 * rng.standard_normal((400, 4, 6)), rng.standard_normal(6)
    world = World(x, np.linalg.norm(x, axis=2), x @ beta, np.zeros((400, 4)), beta)
    for variant in (variant for variant in VARIANTS if "DRTS" not in variant):
        (found,) = player(variant, (400,), **({} if "sqrt" in variant else {"ridge": 1e-6})).histories(world, Words(3, 4))
        np.testing.assert_allclose(found.estimates[0], beta, rtol=1e-6)


def test_09_the_ways_agree_where_both_can_be_gone():
    x, rewards = contexts_of_length(1.0)[:300], np.sin(np.arange(300.0))
    updated, afresh = ((ridge.identities(1, 20, 1.0)[0], np.zeros(20)) for _ in range(2))
    gram, f, image = squares(1, 20)[0], np.zeros(20), np.empty(20)
    for t in range(300):
        ridge.absorb(*updated, x[t], rewards[t], 3.0, image)
        ridge.absorb_afresh(gram, f, *afresh, x[t], rewards[t], 3.0, 1.0)
    np.testing.assert_allclose(afresh[0], updated[0], atol=1e-12)
    np.testing.assert_allclose(afresh[1], updated[1], atol=1e-12)


@pytest.mark.parametrize("variant", ["LinTS", "LinTS, shared", "BLTS", "DRTS"])
def test_09_what_precision_cannot_hold_fails_and_is_no_number(variant):
    """Nothing but one direction of length 1e9 beside lambda = 1e-6: no digit of lambda is left in B, and simulate() records the failure."""
    x = np.full((50, 2, 3), 1e9)
    world = World(x, np.full((50, 2), 1e9), np.ones((50, 2)), np.zeros((50, 2)), np.ones(3))

    def played():
        return [account(world, found, (50,)) for found in player(variant, (50,), ridge=1e-6).histories(world, Words(1, 2))]

    with pytest.raises(ArithmeticError):
        played()


# ---- 10: variance is the inverse of precision


def test_10_a_precision_of_100_is_a_variance_of_a_hundredth():
    x, factor, width = np.ones((1, 1)), squares(1, 1)[0], np.empty(1)
    factorise(np.full((1, 4), 99.0), 1.0, np.zeros((1, 1)), factor, np.empty((1, 1)))
    widths_by_factor(factor, x, np.array([0]), np.empty((2, 1, 1)), width)
    assert width[0] ** 2 == pytest.approx(0.01)
    ridge.widths_by_inverse(np.full((1, 1), 0.01), x, np.array([0]), np.empty((2, 1, 1)), width)
    assert width[0] ** 2 == pytest.approx(0.01)
    z, sampled = np.random.default_rng(1).standard_normal(10_000), np.empty((10_000, 1))
    for k in range(z.size):
        solve_rest(factor, z[k : k + 1].copy(), sampled[k])
    assert sampled.var() == pytest.approx(0.01, rel=0.05)


@pytest.mark.parametrize("variant", ["LinTS", "LinTS, shared", "LinTS, sqrt t", "BLTS"])
def test_10_the_samplers_explore_with_that_variance(variant):
    """99 rounds of x = 1 make B = 100 (a tenth of that rounds off for the other lambda); then x = 1 meets x = 0."""
    x = np.ones((100, 2, 1))
    x[99, 1] = 0
    world = World(x, np.abs(x[:, :, 0]), np.full((100, 2), 0.1), np.zeros((100, 2)), np.zeros(1))
    found = [player(variant, (99, 100), (1.0,)).histories(world, Words(7, lane))[0] for lane in range(3000)]
    b = np.mean([one.estimates[0, 0] for one in found])
    precision = 99 + math.sqrt(99) if "sqrt" in variant else 100
    if variant == "BLTS":
        precision = 1 + 2 * 98 + 2  # equal arms are as likely, and weigh twice
    expected = stats.norm.cdf(b * math.sqrt(precision))
    assert np.mean([one.actions[99] == 0 for one in found]) == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 3000))


# ---- 11: propensities


def test_11_extreme_propensities_are_finite():
    means, sds = np.arange(20.0)[::-1].copy(), np.full(20, 0.01)
    chances = argmax_probabilities(means, sds)
    assert chances.tolist() == [1.0, *[0.0] * 19]
    assert [argmax_probability(means, sds, arm) for arm in range(20)] == chances.tolist()
    assert np.isfinite(argmax_probabilities(means, 1e-200 * sds)).all()


def test_11_floored_propensities_are_counted_and_nothing_is_lost():
    """A gap of 1 between 20 arms, v = 0.01, and contexts that change sides so that the unlikely arm is met, too."""
    rng = np.random.default_rng(6)
    x = np.zeros((300, 20, 20))
    x[:, np.arange(20), rng.permutation(20)] = 1.0
    rewards = x @ np.r_[1.0, np.zeros(19)] + rng.standard_normal((300, 1))
    world = World(x, np.ones((300, 20)), rewards, x[:, :, 0].max(axis=1, keepdims=True) - x[:, :, 0], np.r_[1.0, np.zeros(19)])
    members = BalancedThompson((10, 300), (0.01, 1.0), (0.01, 0.5)).histories(world, Words(1, 2))
    for found in members:
        outcome = account(world, found, (10, 300))
        assert np.isfinite(outcome).all()
        assert outcome[-1, EXHAUSTED] == found.exhausted.sum()
    floored = [found.exhausted.sum() for found in members]
    assert all(low < high for low, high in zip(floored[::2], floored[1::2], strict=True)), "a higher floor binds more often"
    assert members[1].exhausted[0] == 1, "the first arm is one of 20, below 0.5"
    for found in DoublyRobustThompson((10, 300), (0.01, 1.0)).histories(world, Words(1, 2)):
        assert np.isfinite(account(world, found, (10, 300))).all()
