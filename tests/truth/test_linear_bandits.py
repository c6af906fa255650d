"""LinTS, BLTS and DRTS against trajectories of an independent computation and against careful NumPy loops, action for action."""

import json
import re
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from linear_variants import VARIANTS, history, oracle

from banditpapers.algorithms.doubly_robust_thompson import impute
from banditpapers.environments.linear_contexts import LinearContexts, account
from banditpapers.kernels.factor import add_arms, factorise, solve_rest, squares
from banditpapers.kernels.ridge import absorb, scores
from banditpapers.seeding import Words

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "drts_histories.json").read_text())
WORDS = Words(REFERENCE["seed"], 0)
NAMED = {
    "LinTS": "LinTS",
    "LinTS_shared": "LinTS, shared",
    "BLTS_varB": "BLTS",
    "BLTS_varRSS": "BLTS, RSS",
    "BLTS_asreleased": "BLTS, as released",
    "DRTS": "DRTS",
    "DRTS_asreleased": "DRTS, as released",
}
UNWEIGHTED = [variant for variant in VARIANTS if variant.startswith("LinTS") or variant == "BLTS, as released"]


@lru_cache
def world_of(arms, dimension, contexts, horizon):
    return LinearContexts(arms, dimension, contexts, "fresh").world(WORDS, horizon)


def replayed(name, horizon):
    """The variant, regrets and errors up to a round, and what they should be."""
    arms, dimension, reading, kind = re.fullmatch(r"N(\d+)_d(\d+)_(radial|sphere)_(.*)", name).groups()
    variant = NAMED[re.sub(r"_[vg][\d.]+", "", kind)]
    expected = REFERENCE["trajectories"][name]
    rounds = tuple(t for t in expected["grid"] if t <= horizon)
    world = world_of(int(arms), int(dimension), {"radial": "radial", "sphere": "projection"}[reading], horizon)
    outcome = account(world, history(variant, world, WORDS, rounds, float(re.search(r"_v([\d.]+)", kind)[1])), rounds)
    return variant, outcome[:, :2].T, np.array([expected["regret"], expected["err"]])[:, : len(rounds)]


@pytest.mark.parametrize("name", REFERENCE["trajectories"])
def test_first_rounds_are_those_of_an_independent_computation(name):
    _, found, expected = replayed(name, 10)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", REFERENCE["trajectories"])
def test_trajectories_are_those_of_an_independent_computation(name):
    """BLTS with true propensities is followed for 200 rounds only.

    Its weights 1/p act on the very estimates that p is computed from, so that rounding grows exponentially in early rounds: 1e-15 added to
    the rewards of the NumPy loops reaches an action in round 305, and the two programs part in round 231. With a constant weight, as
    released, BLTS is followed to the end.
    """
    horizon = 2000 if re.search("LinTS|DRTS|asreleased", name) else 200
    variant, found, expected = replayed(name, horizon)
    np.testing.assert_allclose(found[0], expected[0], rtol=0, atol=1e-9)
    tolerance = 1e-12 if variant in UNWEIGHTED else 1e-4 if variant.startswith("DRTS") else 1e-3
    np.testing.assert_allclose(found[1], expected[1], rtol=tolerance)


def same(variant, arms, dimension, horizon, v):
    words = Words(1, 2)
    world = LinearContexts(arms, dimension).world(words, horizon)
    actions, b = oracle(variant, world, words, v)
    found = history(variant, world, words, (horizon,), v)
    assert np.array_equal(found.actions, actions), np.flatnonzero(found.actions != actions)[0]
    np.testing.assert_allclose(found.estimates[0], b, rtol=0, atol=1e-12 if variant in UNWEIGHTED else 1e-6)


@pytest.mark.parametrize("v", [0.01, 1.0])
@pytest.mark.parametrize(("arms", "dimension", "horizon"), [(2, 1, 40), (4, 3, 40), (6, 2, 25)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_small_instances_are_played_like_the_numpy_loops(variant, arms, dimension, horizon, v):
    same(variant, arms, dimension, horizon, v)


@pytest.mark.parametrize("v", [0.01, 0.1, 1.0])
@pytest.mark.parametrize(("arms", "dimension"), [(10, 20), (10, 30), (20, 20), (20, 30)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_paper_s_settings_are_played_like_the_numpy_loops(variant, arms, dimension, v):
    same(variant, arms, dimension, 200, v)


# ---- what DRTS learns from


def learned(contexts, rewards, actions, chances):
    """After each round: Y^DR, F, W, V's factor, b and c."""
    arms, d = contexts.shape[1:]
    gram, factor, moment, b, w = squares(1, d)[0], squares(1, d)[0], np.zeros((1, d)), np.empty(d), np.empty((1, d))
    inverse, imputation, pseudo = np.eye(d), np.zeros(d), np.empty(arms)
    for t, (x, reward, arm, chance) in enumerate(zip(contexts, rewards, actions, chances, strict=True)):
        impute(x, reward, arm, chance, pseudo, moment[0], imputation)
        absorb(inverse, imputation, x[arm], reward, 1.0, np.empty(d))
        add_arms(gram, x)
        factorise(gram, np.sqrt(t + 1), moment, factor, w)
        solve_rest(factor, w[0], b)
        lower = np.tril(gram[:, :d])
        yield pseudo.copy(), moment[0].copy(), lower + np.tril(lower, -1).T, np.tril(factor[:, :d]), b.copy(), imputation.copy()


def test_a_small_history_is_exact():
    """Three rounds of three arms in fractions. A fourth arm without a context changes nothing; the loops take arms in pairs."""
    exact = REFERENCE["dr_tiny_history"]
    contexts = np.array([[[float(Fraction(x)) for x in arm] for arm in arms] + [[0.0, 0.0]] for arms in exact["X"]])
    rewards, chances = ([float(Fraction(number)) for number in exact[key]] for key in ("rewards", "pi"))
    for found, row in zip(learned(contexts, rewards, exact["actions_0based"], chances), exact["rounds"], strict=True):
        expected = [[float(Fraction(number)) for number in np.ravel(row[key])] for key in ("Y_DR", "F", "W", "imputation_next")]
        pseudo, moment, gram, _, b, imputation = found
        for ours, theirs in zip((pseudo[:3], moment, gram.ravel(), imputation), expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=4e-15, atol=1e-15)
        assert pseudo[3] == 0
        np.testing.assert_allclose(b, row["beta_hat"], rtol=4e-15)


@pytest.mark.parametrize("chance", [1.0, 0.3, 1e-6])
def test_with_the_truth_imputed_and_no_noise_pseudo_rewards_are_the_means_whatever_the_probability(chance):
    world = LinearContexts(6, 5, "projection", "fresh").world(Words(4, 1), 20)
    for x in world.contexts:
        pseudo, means = np.empty(6), np.empty(6)
        scores(x, world.coefficients, means)
        impute(x, means[2], 2, chance, pseudo, np.zeros(5), world.coefficients)
        assert pseudo.tolist() == means.tolist()


def test_no_eigenvalue_of_v_is_below_the_root_of_t():
    world = LinearContexts(4, 8, "clip", "fresh").world(Words(4, 1), 60)
    rng = np.random.default_rng(5)
    arms, chances = rng.integers(0, 4, 60), rng.uniform(0.1, 1, 60)
    rewards = world.rewards[np.arange(60), arms]
    for t, (_, _, gram, factor, _, _) in enumerate(learned(world.contexts, rewards, arms, chances)):
        v = factor.T @ factor
        np.testing.assert_allclose(v, gram + np.sqrt(t + 1) * np.eye(8), rtol=1e-13, atol=1e-13)
        assert np.linalg.eigvalsh(v)[0] >= np.sqrt(t + 1) * (1 - 1e-13)
