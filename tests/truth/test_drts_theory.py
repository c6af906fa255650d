"""The law of resampling, Lemma 2, the pseudo-reward and phi against independent computations."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ncx2, norm

from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.kernels.resampling import admitted, draws_allowed
from banditpapers.papers.drts import information, lemmas
from banditpapers.seeding import words
from banditpapers.statistics import student

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "drts_resampling.json").read_text(encoding="utf-8"))
CANDIDATE = np.array(KNOWN["candidate"])
REWARDS, IMPUTED = np.array([0.4, -0.2, 0.1, 0.7, -0.5, 0.3, 0.0]), np.array([-0.3, 0.5, 0.2, -0.6, 0.1, 0.9, -0.8])
ULPS = 4e-16


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: f"M={case['M']}")
def test_law_of_known_cases(case):
    most = float(case["M"])
    law = lemmas.law_by_formula(CANDIDATE, case["gamma"], most)
    np.testing.assert_allclose(law, case["law"], rtol=0, atol=ULPS)
    assert admitted(CANDIDATE, case["gamma"]) == pytest.approx(case.get("S", 0.75), abs=ULPS)


@pytest.mark.parametrize("most", [1, 2, 5, 200])
def test_law_sums_to_one(most):
    assert abs(lemmas.law_by_formula(CANDIDATE, 0.125, most).sum() - 1) <= ULPS
    rng = np.random.default_rng(3)
    for arms in (2, 10, 20):
        for _ in range(50):
            candidate = rng.dirichlet(np.full(arms, 0.3))
            assert abs(lemmas.law_by_formula(candidate, 1 / (arms + 1), most).sum() - 1) <= 4 * ULPS


@pytest.mark.parametrize("most", [1, 2, 3])
def test_law_by_all_sequences_of_draws(most):
    by_draws = lemmas.law_by_enumeration(CANDIDATE, 0.125, most)
    np.testing.assert_allclose(by_draws, lemmas.law_by_formula(CANDIDATE, 0.125, most), rtol=0, atol=1e-15)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_law_by_simulation(most):
    n, gamma = 200_000, 0.125
    draws = np.random.default_rng(11).choice(CANDIDATE.size, p=CANDIDATE, size=(n, most))
    found = CANDIDATE[draws] > gamma
    at = np.where(found.any(axis=1), found.argmax(axis=1), most - 1)
    shares = np.bincount(draws[np.arange(n), at], minlength=CANDIDATE.size) / n
    law = lemmas.law_by_formula(CANDIDATE, gamma, most)
    assert np.abs((shares - law) / np.sqrt(law * (1 - law) / n)).max() <= 4


@pytest.mark.parametrize("most", [1, 2, 3])
def test_pseudo_reward_is_unbiased_with_the_law_and_nothing_else(most):
    gamma = 0.125
    law = lemmas.law_by_enumeration(CANDIDATE, gamma, most)
    assert np.abs(lemmas.bias(law, lemmas.law_by_formula(CANDIDATE, gamma, most), REWARDS, IMPUTED)).max() < 8e-12
    raw = np.abs(lemmas.bias(law, CANDIDATE, REWARDS, IMPUTED)).max()
    assert raw == 0 if most == 1 else raw > 0.5
    # by hand, for one arm: E[Y^DR] is the imputed reward plus what the played arm adds
    arm = 3
    played = law[arm] * (IMPUTED[arm] + (REWARDS[arm] - IMPUTED[arm]) / CANDIDATE[arm]) + (1 - law[arm]) * IMPUTED[arm]
    assert lemmas.bias(law, CANDIDATE, REWARDS, IMPUTED)[arm] == pytest.approx(played - REWARDS[arm], abs=1e-12)


def test_clipping_is_biased_where_the_floor_binds():
    bias = lemmas.bias(CANDIDATE, np.maximum(CANDIDATE, 0.125), REWARDS, IMPUTED)
    assert np.all(bias[CANDIDATE >= 0.125] == 0)
    assert np.all(np.abs(bias[CANDIDATE < 0.125]) > 1e-3)


def test_unlimited_resampling_never_learns_from_some_arms():
    law = lemmas.law_by_formula(CANDIDATE, 0.125, np.inf)
    assert np.array_equal(law == 0, CANDIDATE <= 0.125)
    bias = lemmas.bias(law, law, REWARDS, IMPUTED)
    np.testing.assert_allclose(bias, np.where(law == 0, IMPUTED - REWARDS, 0.0), atol=1e-15)


@pytest.mark.parametrize("arms", [10, 20])
def test_lemma2_at_its_v_and_beyond(arms):
    gamma = 1 / (arms + 1)
    star = lemmas.v_star(arms, gamma)
    assert star == pytest.approx(KNOWN["v_star"][str(arms)], abs=1e-15)
    drawn, worst = list(lemmas.random_instances(arms)), list(lemmas.boundary_instances(arms))
    for instance in (*drawn, *worst):
        assert instance.inside.any()
        assert lemmas.inside_probability(instance, star) >= 1 - gamma
        assert lemmas.likeliest_outside(instance, star) <= gamma
    assert any(not instance.inside.all() for instance in drawn)
    for group in (drawn, worst):
        assert min(lemmas.inside_probability(instance, 1.0) for instance in group) < 1 - gamma


def test_boundary_instance_in_closed_form():
    """Two arms just at the bar: the better one wins with probability Phi(1 / v); here as the last of the instances, others far away."""
    *_, last = lemmas.boundary_instances(10)
    assert lemmas.inside_probability(last, 1.0) == pytest.approx(norm.cdf(1.0), abs=1e-12)


@pytest.mark.parametrize("arms", [10, 20])
def test_share_admitted_and_exhaustion(arms):
    gamma = 1 / (arms + 1)
    rng = np.random.default_rng(7)
    for spread in (0.05, 0.3, 1.0, 30.0):
        for _ in range(200):
            assert admitted(rng.dirichlet(np.full(arms, spread)), gamma) >= max(1 / arms, 2 * gamma) - 1e-12
    assert (1 - 2 * gamma) ** 200 == pytest.approx({10: 4e-18, 20: 2e-9}[arms], rel=0.15)


@pytest.mark.parametrize("arms", [10, 20])
def test_draws_of_a3(arms):
    allowed = draws_allowed("A.3", arms, 20_000)
    for t, known in KNOWN["draws_A3_delta0.05"][str(arms)].items():
        assert allowed[int(t) - 1] == known
    assert np.all((1 - 1 / (arms + 1)) ** allowed <= 0.05 / np.arange(1, 20_001) ** 2 * (1 + 1e-9))


@pytest.mark.parametrize("contexts", ["radial", "projection", "clip", "global"])
@pytest.mark.parametrize(("arms", "dimension"), [(4, 3), (10, 20)])
def test_information_against_drawn_contexts(contexts, arms, dimension):
    drawn = student(information.across_per_round(LinearContexts(arms, dimension, contexts), 2000))
    exact = information.inverse_information(arms, dimension, contexts)
    assert abs(1 / exact - drawn.mean) <= 4 * drawn.se


def test_information_is_the_smallest_eigenvalue():
    """The direction of equal coordinates has the largest: what is left is the mean across it, up to the noise of a finite sample."""
    contexts = LinearContexts(4, 3, "radial").world(words(test="information"), 20_000).contexts.reshape(-1, 3)
    smallest = np.linalg.eigvalsh(contexts.T @ contexts / len(contexts))[0]
    assert smallest == pytest.approx(1 / information.inverse_information(4, 3, "radial"), rel=0.05)


def test_truncated_contexts_have_an_interval_and_examples_are_exact():
    found = information.inverse_information(4, 3, "truncated")
    assert 3 < found.low < found.mean < found.high
    assert information.uniform_ball(20) == pytest.approx(22, abs=1e-9)
    assert 22 < information.truncated_normal(20) < 22 * math.exp(0.5)
    for dimension in (5, 40):
        for rho in (0.25, 0.5):
            matrix = np.eye(dimension) + rho * (np.eye(dimension, k=1) + np.eye(dimension, k=-1))
            exact = dimension * (1 + 2 * rho) / np.linalg.eigvalsh(matrix)[0]
            assert information.tridiagonal(dimension, rho) == pytest.approx(exact, rel=1e-9)
        lags = np.abs(np.subtract.outer(np.arange(dimension), np.arange(dimension)))
        eigenvalues = np.linalg.eigvalsh(0.5**lags)
        assert dimension * eigenvalues[-1] / eigenvalues[0] <= information.autoregressive(dimension, 0.5)


def test_acceptance_of_rejection():
    for dimension, centre in ((2, 0.5), (5, 1.0), (20, 2.0)):
        expected = math.log10(ncx2.cdf(1.0, dimension, dimension * centre**2))
        assert information.log10_acceptance(dimension, centre) == pytest.approx(expected, rel=1e-6)
    assert information.log10_acceptance(20, 10.0) == pytest.approx(-433, abs=1)
    assert information.log10_acceptance(20, 20.0) == pytest.approx(-1720, abs=1)
