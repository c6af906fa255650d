"""Probabilities of being the maximum of many Beta variables, against closed forms and against brute-force integration."""

import math

import numpy as np
import pytest
from scipy import special, stats

from banditpapers.kernels.arm_groups import group_arms, regroup
from banditpapers.kernels.beta_cdf import beta_cdf, logit_grid
from banditpapers.kernels.maximum_of_arms import first_groups, maximum_of_arms, window


def probabilities(prior, successes, pulls):
    """Every arm's probability of being the maximum, by the kernels; the grid starts as that of a run."""
    a, b = prior
    successes, pulls = np.array(successes), np.array(pulls)
    low, high = window((float(a), float(b)), len(pulls))
    grid, _ = first_groups(float(a), float(b), len(pulls), low, high)
    groups = group_arms(float(a), float(b), successes, pulls, grid)
    _, groups, chance = maximum_of_arms(float(a), float(b), low, high, successes, pulls, grid, groups)
    assert chance.sum() == pytest.approx(1, abs=1e-12)
    return (chance / np.maximum(groups.members[: chance.size], 1))[groups.group]


def brute_force(prior, successes, pulls):
    """The same by scipy's Beta laws on equidistant log-odds, many per standard deviation of any law."""
    z = np.linspace(-10, 35, 60_001)
    x, y = special.expit(z), special.expit(-z)
    log_cdf, hazard = np.zeros_like(z), []
    for won, tried in zip(successes, pulls, strict=True):
        alpha, beta = prior[0] + won, prior[1] + tried - won
        cdf = np.maximum(np.where(y < 0.5, special.betaincc(beta, alpha, y), special.betainc(alpha, beta, x)), 1e-300)
        log_cdf += np.where(y < 0.5, np.log1p(-np.minimum(special.betainc(beta, alpha, y), 1 - 1e-16)), np.log(cdf))
        hazard.append(np.exp(alpha * np.log(x) + beta * np.log(y) - special.betaln(alpha, beta)) / cdf)
    return np.array([(np.exp(log_cdf) * h).sum() * (z[1] - z[0]) for h in hazard])


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (5, 1), (1, 3), (0.4, 0.7), (30, 4), (100.0, 5.5), (3, 20)])
def test_log_cdf_and_hazard_agree_with_scipy(alpha, beta):
    grid = logit_grid(-9.0, 12.0, 0.1, math.inf, 0.0, 1.0)
    z = grid.z
    np.testing.assert_allclose(z, np.linspace(-9, 12, z.size), atol=1e-12)
    log_cdf, hazard = np.empty(z.size), np.empty(z.size)
    beta_cdf(float(alpha), float(beta), grid, log_cdf, hazard)
    upper, lower = special.betainc(beta, alpha, special.expit(-z)), special.betainc(alpha, beta, special.expit(z))
    np.testing.assert_allclose(np.exp(log_cdf), lower, atol=1e-10)
    known = lower > 1e-4
    expected = np.where(upper < 0.5, np.log1p(-np.minimum(upper, 0.9)), np.log(np.maximum(lower, 1e-300)))
    np.testing.assert_allclose(log_cdf[known], expected[known], rtol=1e-7, atol=1e-10)
    density = np.exp(special.xlogy(alpha, special.expit(z)) + special.xlogy(beta, special.expit(-z)) - special.betaln(alpha, beta))
    np.testing.assert_allclose(hazard[known], density[known] / lower[known], rtol=1e-6)


def test_the_trapezoidal_rule_on_a_clustered_grid_integrates_a_sharp_peak():
    grid = logit_grid(1.0, 12.0, 0.4, 0.4, 3.0, 0.003)
    z = grid.z
    assert z[0] == pytest.approx(1.0)
    assert z[-1] == pytest.approx(12.0)
    assert z.size < 80
    for centre, spread in ((3.0, 0.003), (3.1, 0.1), (4.0, 0.4), (5.0, 0.5)):
        assert (grid.weight * stats.norm.pdf(z, centre, spread)).sum() == pytest.approx(1, abs=1e-6)


def test_arms_without_a_failure_are_the_maximum_in_proportion_to_their_successes():
    """F_i = x^(1 + s_i) under Beta(1, 1), so P(i is the maximum) = (1 + s_i) / sum_j (1 + s_j), whatever the number of arms."""
    successes = np.array([0] * 3000 + [1] * 400 + [7] * 20 + [60, 61, 127, 128, 129, 5000, 100000])
    np.testing.assert_allclose(probabilities((1, 1), successes, successes), (1 + successes) / (1 + successes).sum(), rtol=2e-4)


@pytest.mark.parametrize(
    ("prior", "successes", "pulls"),
    [
        ((1, 3), [0, 0, 0, 4, 5, 9], [0, 0, 2, 7, 7, 14]),
        ((5, 1), [0, 3, 10, 40, 1500], [0, 3, 11, 41, 1510]),
        ((1, 3), [950, 1880, 9400, 30, 0, 0], [1000, 2000, 10000, 31, 0, 0]),
        ((1, 3), [95000, 95100, 900, 60, 12, 0], [100000, 100050, 950, 63, 12, 0]),
        ((0.5, 2), [3, 0, 1, 0], [4, 5, 6, 0]),
        ((1, 1), [500] * 9 + [505] * 6, [1000] * 15),  # a first clustered grid is not enough
        ((1, 3), [95000, 1900, 950], [100000, 1985, 990]),  # the sharpest arm has a chance of 1%
    ],
)
def test_probabilities_agree_with_brute_force(prior, successes, pulls):
    np.testing.assert_allclose(probabilities(prior, successes, pulls), brute_force(prior, successes, pulls), atol=2e-5, rtol=5e-4)


def test_arms_of_equal_record_share_a_group_until_their_records_differ():
    low, high = window((1.0, 1.0), 5)
    grid, groups = first_groups(1.0, 1.0, 5, low, high)
    assert groups.members[0] == 5
    assert (groups.group == 0).all()
    successes, pulls, moved = np.array([1, 0, 1, 0, 0]), np.array([1, 1, 1, 0, 0]), np.array([0, 1, 2])
    groups.seat[:] = np.arange(5)
    assert regroup(1.0, 1.0, moved, successes, pulls, groups, grid)
    assert groups.group[0] == groups.group[2]
    assert groups.group[3] == groups.group[4] == 0
    assert groups.members[groups.group].tolist() == [2, 1, 2, 2, 2]
    np.testing.assert_allclose(groups.alpha[groups.group], 1 + successes)
    np.testing.assert_allclose(groups.beta[groups.group], 1 + pulls - successes)


@pytest.mark.parametrize(("prior", "arms"), [((1.0, 1.0), 2), ((1.0, 3.0), 5000), ((5.0, 1.0), 1000), ((0.5, 0.5), 30)])
def test_the_window_holds_the_largest_mean(prior, arms):
    low, high = window(prior, arms)
    law = stats.beta(*prior)
    assert arms * law.logcdf(special.expit(low)) == pytest.approx(math.log(1e-12), rel=1e-6)
    assert arms * stats.beta(prior[1], prior[0]).cdf(special.expit(-high)) == pytest.approx(1e-10, rel=1e-6)
