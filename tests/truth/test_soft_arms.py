"""The fixed arms of an instance: their law, their means, and noise that no longer horizon changes."""

import numpy as np
import pytest
from scipy import stats

from banditpapers.algorithms._soft import coins
from banditpapers.environments.fixed_arms import FEATURES, Arms, FixedArms, account
from banditpapers.seeding import streams, words

WORDS = words(test="fixed arms")


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize(("arms", "dimension"), [(1, 1), (3, 1), (50, 10), (20, 5), (7, 30)])
def test_arms_and_coefficients_have_length_1(arms, dimension, features):
    found = FixedArms(arms, dimension, 0.1, features).instance(WORDS)
    assert found.columns.shape == (dimension, arms)
    assert found.columns.flags.c_contiguous
    np.testing.assert_allclose((found.columns**2).sum(axis=0), 1, rtol=1e-14)
    assert (np.abs(found.means) <= 1 + 1e-14).all()
    assert (found.gaps >= 0).all()
    assert found.gaps.min() == 0
    if arms >= dimension:  # the coefficients can be told from the means
        theta = np.linalg.lstsq(found.columns.T, found.means, rcond=None)[0]
        np.testing.assert_allclose(found.columns.T @ theta, found.means, atol=1e-13)
        assert np.linalg.norm(theta) == pytest.approx(1, rel=1e-10)


def test_directions_have_the_law_of_the_cube_or_of_the_sphere():
    """In two dimensions: the angle is uniform for normal features, and denser towards the corners for uniform ones."""
    angles = {features: np.arctan2(*FixedArms(20_000, 2, 0.1, features).instance(WORDS).columns) for features in FEATURES}
    assert stats.kstest(angles["gaussian"], stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 0.001
    octant = np.abs(angles["uniform"]) % (np.pi / 2)
    octant = np.minimum(octant, np.pi / 2 - octant)  # from an axis to a corner: tan(octant) is uniform in (0, 1)
    assert stats.kstest(np.tan(octant), "uniform").pvalue > 0.001
    assert stats.kstest(octant / (np.pi / 4), "uniform").pvalue < 1e-6


def test_coefficients_are_uniform_on_the_sphere():
    theta = [FixedArms(2, 2, 0.1).instance(words(test="theta", i=i)) for i in range(3000)]
    angles = [np.arctan2(*np.linalg.solve(one.columns.T, one.means)) for one in theta]
    assert stats.kstest(angles, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 0.001


def test_noise_is_normal_and_has_its_variance():
    noise = FixedArms(2, 2, 0.1).noise(WORDS, 3, 40_000)
    assert stats.kstest(noise / np.sqrt(0.1), "norm").pvalue > 0.001
    assert (FixedArms(2, 2, 0.0).noise(WORDS, 3, 10) == 0).all()


def test_a_longer_horizon_changes_no_noise_and_no_coin():
    world = FixedArms(2, 2, 0.1)
    long, flips = world.noise(WORDS, 1, 1001), coins(WORDS, 1, 1001)
    for horizon in (1, 2, 15, 16, 17, 1000):
        assert world.noise(WORDS, 1, horizon).tobytes() == long[:horizon].tobytes()
        assert coins(WORDS, 1, horizon).tobytes() == flips[:horizon].tobytes()


def test_trajectories_and_purposes_are_independent():
    world = FixedArms(2, 2, 1.0)
    parts = [stats.norm.cdf(world.noise(WORDS, n, 2000)) for n in range(3)] + [coins(WORDS, n, 2000) for n in range(3)]
    correlations = np.corrcoef(parts)[np.triu_indices(6, 1)]
    assert np.abs(correlations).max() < 4 / np.sqrt(2000)


def test_splits_have_other_arms_and_other_noise():
    """By their name, as every instance: parameters are chosen on replicates that the evaluation never meets."""
    found = []
    for split in ("evaluation", "tuning"):
        instance = {"name": "fixed_arms", "arms": 4, "dimension": 3, "variance": 0.1, "split": split}
        named = streams(1, "softucb", instance, {"name": "linear_ucb"}, 0).environment_words
        world = FixedArms(4, 3, 0.1, split=split)
        found.append((world.instance(named).columns, world.noise(named, 0, 8)))
    assert not any(np.isin(one, other).any() for one, other in zip(*found, strict=True))


def test_more_arms_keep_those_before():
    """Given the same key; by its name an instance of another size has another."""
    few, many = (FixedArms(arms, 6, 0.1).instance(WORDS) for arms in (5, 50))
    assert few.columns.tobytes() == np.ascontiguousarray(many.columns[:, :5]).tobytes()
    assert few.means.tobytes() == many.means[:5].tobytes()


def test_regret_is_accounted_from_the_gaps():
    arms = Arms(np.ones((1, 3)), np.array([0.5, 1.0, 0.25]))
    actions = np.array([0, 1, 2, 2, 0])
    assert account(arms, actions, [1, 2, 5]).tolist() == [0.5, 0.5, 2.5]


def test_no_coin_picks_an_arm_that_is_not_there():
    """The largest uniform number is 1 - 2^-53; epsilon-greedy takes int(u K)."""
    largest = 1 - 2.0**-53
    assert all(int(largest * arms) == arms - 1 for arms in range(1, 5000))
