"""What SoftUCB does on average: the beta that it learns, when learning diverges, and what a beta that is too small costs."""

from functools import lru_cache

import numpy as np
import pytest

from banditpapers.algorithms.linear_ucb import LinearUcb
from banditpapers.algorithms.soft_ucb import SoftUcb
from banditpapers.algorithms.soft_ucb_offline import SoftUcbOffline
from banditpapers.algorithms.soft_ucb_online import SoftUcbOnline
from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.seeding import streams

BOUND = 2.5614  # of theory, for d = 5 and T = 256
ETAS = (0.0, 1e-3, 2e-3, 1e-2)


def played(algorithm, world, replicates):
    """Outcomes by quantity, each of shape (replicates, checkpoints, rules)."""
    instance = {"name": "fixed_arms", "arms": world.arms, "dimension": world.dimension, "variance": world.variance}
    found = [algorithm.play(world, streams(5, "softucb", instance, {"name": "statistics"}, i)) for i in range(replicates)]
    return dict(zip(getattr(algorithm, "quantities", ("regret",)), np.moveaxis(found, -1, 0), strict=True))


def near(sample, expected, its_error):
    """Within four standard errors of both."""
    return abs(np.mean(sample) - expected) < 4 * np.hypot(its_error, np.std(sample, ddof=1) / np.sqrt(len(sample)))


@lru_cache
def trained():
    """beta of the last 20 iterates of 100, their regret, and that of the first, each of shape (replicates, etas)."""
    found = played(SoftUcbOffline(rounds=(256,), iterations=100, eta=ETAS), FixedArms(50, 5, 0.1), 30)
    return found["beta"][:, 80:100].mean(axis=1), found["regret"][:, 80:100].mean(axis=1), found["regret"][:, 0]


def test_the_learnt_beta_and_its_regret_are_those_of_an_independent_computation():
    """Its 30 replicates had other arms: beta .332 +- .011 and .478 +- .014, regret 68 before and 16.1 +- 1.1 and 14.2 +- .4 after."""
    beta, regret, before = trained()
    assert near(beta[:, 1], 0.332, 0.011)
    assert near(beta[:, 2], 0.478, 0.014)
    assert near(regret[:, 1], 16.1, 1.1)
    assert near(regret[:, 2], 14.2, 0.4)
    assert near(before[:, 1], 67.8, 7.6)
    assert (beta[:, 1:3] < BOUND / 2).all(), "far below the bound of theory, for every replicate"


def test_eta_decides_which_beta_is_learnt():
    beta = trained()[0]
    assert (np.diff(beta, axis=1) > 0).all()
    assert beta[:, 2].mean() > 1.2 * beta[:, 1].mean()


def test_without_a_multiplier_nothing_is_learnt():
    """The policy's part of the gradient is not positive: from 0 beta stays at 0, which is greedy."""
    beta, regret, before = trained()
    assert (beta[:, 0] == 0).all()
    assert near(regret[:, 0], before.mean(), before[:, 0].std(ddof=1) / np.sqrt(len(before)))


def test_a_multiplier_that_is_too_large_drives_beta_beyond_every_bound():
    beta, regret, _ = trained()
    assert beta[:, 3].min() > 3 * BOUND
    assert regret[:, 3].min() > 5 * regret[:, 1].mean()


def test_a_beta_that_diverges_is_stopped_and_reported():
    found = played(SoftUcbOffline(rounds=(8, 64), iterations=10, eta=(1.0,), step=0.01), FixedArms(50, 5, 0.1), 3)
    assert (found["beta"][:, -3:] == 50).all()
    assert np.array_equal(found["diverged"], found["beta"] == 50)
    assert (found["beta"][:, 0] < 50).all()
    online = played(SoftUcbOnline(rounds=(1, 256), eta=(1.0,), term="cumulated"), FixedArms(50, 5, 0.1), 3)
    assert (online["diverged"].mean(axis=(0, 2)) == [0, 1]).all()


def test_a_beta_that_is_too_small_costs_more_than_five_times_as_much():
    regret = played(SoftUcb(rounds=(1024,), beta=(0.02, 0.4)), FixedArms(50, 10, 0.01), 40)["regret"][:, 0]
    assert regret[:, 0].mean() > 5 * regret[:, 1].mean()
    assert regret[:, 0].mean() - 4 * regret[:, 0].std() / np.sqrt(40) > regret[:, 1].mean()


@pytest.mark.parametrize("eta", [0.0, 0.1, 0.3])
def test_an_online_beta_that_starts_at_0_is_greedy_and_costs_hundreds(eta):
    found = played(SoftUcbOnline(rounds=(2048,), start=(0.0, 1.0), eta=(eta,)), FixedArms(50, 10, 0.01), 20)
    regret = found["regret"][:, 0]
    assert 200 < regret[:, 0].mean() < 900
    assert 20 < regret[:, 1].mean() < 45
    assert found["best_eliminated"][:, 0, 0].mean() > 0.25 * 2048, "the best arm is eliminated most of the time"


def test_learnt_online_beta_and_regret_are_those_of_an_independent_computation():
    """Its 30 replicates had other arms: beta .383 +- .036 and regret 32.7 +- 1.4 with eta .3; 29.4 +- 1.6 without the constraint."""
    found = played(SoftUcbOnline(rounds=(2048,), eta=(0.0, 0.3)), FixedArms(50, 10, 0.01), 30)
    assert near(found["beta"][:, 0, 1], 0.383, 0.036)
    assert near(found["regret"][:, 0, 1], 32.7, 1.4)
    assert near(found["regret"][:, 0, 0], 29.4, 1.6)
    assert found["beta"][:, 0, 0].mean() < 0.01


def test_what_it_is_compared_with_has_the_regret_of_an_independent_computation():
    """LinUCB with the bound of theory and with a constant, K = 50, d = 10, T = 2048: 73.5 +- 2.1 and 30.0 +- 1.5."""
    regret = played(LinearUcb((2048,), ("theory", 1.0), scale=0.1), FixedArms(50, 10, 0.01), 30)["regret"][:, 0]
    assert near(regret[:, 0], 73.5, 2.1)
    assert near(regret[:, 1], 30.0, 1.5)
