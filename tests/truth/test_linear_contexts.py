"""Worlds of correlated contexts: an independent computation's numbers, norms, accounts, the same bits."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from banditpapers.environments.linear_contexts import OUTCOME, READINGS, History, LinearContexts, World, account, centres
from banditpapers.seeding import Words

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "drts_streams.json").read_text())
WORDS = Words(REFERENCE["seed"], 0)


def test_the_radial_world_agrees_with_an_independent_computation():
    world = LinearContexts(10, 20).world(WORDS, 3)
    near = {"rtol": 0, "atol": 1e-15}
    np.testing.assert_allclose(world.coefficients[:3], REFERENCE["fixed_beta_d20_first3"], **near)
    np.testing.assert_allclose(world.contexts[0, 0, :4], REFERENCE["radial_N10_d20_lane0_round0_arm0_first4"], **near)
    np.testing.assert_allclose(np.linalg.norm(world.contexts[0], axis=1), REFERENCE["radial_N10_d20_lane0_round0_norms"], **near)
    np.testing.assert_allclose(world.rewards[:, 4] - world.contexts[:, 4] @ world.coefficients, REFERENCE["noise_lane0_first3"], **near)
    fresh = LinearContexts(10, 20, coefficients="fresh").world(WORDS, 1)
    np.testing.assert_allclose(fresh.coefficients, REFERENCE["fresh_beta_d20_lane0"], **near)


@pytest.mark.parametrize("reading", READINGS)
def test_rewards_share_their_noise_and_gaps_have_none(reading):
    world = LinearContexts(6, 4, reading).world(Words(3, 4), 50)
    value = world.contexts @ world.coefficients
    noise = world.rewards - value
    np.testing.assert_allclose(noise, np.repeat(noise[:, :1], 6, axis=1), rtol=0, atol=1e-14)
    np.testing.assert_allclose(world.gaps, value.max(axis=1, keepdims=True) - value, rtol=0, atol=1e-14)
    assert (world.gaps.min(axis=1) == 0.0).all()
    assert all(array.flags.c_contiguous and array.dtype == np.float64 for array in world)


def test_each_reading_is_its_formula():
    """The untruncated normal contexts follow from the global reading, which only divides by a constant."""
    arms, dimension = 10, 20
    world = {reading: LinearContexts(arms, dimension, reading).world(Words(8, 9), 400).contexts for reading in READINGS}
    x = world["global"] * np.sqrt(dimension) * (arms + 3)
    norm = np.linalg.norm(x, axis=2, keepdims=True)
    np.testing.assert_allclose(world["projection"], x / np.maximum(1, norm), rtol=0, atol=1e-14)
    np.testing.assert_allclose(world["clip"], np.clip(x, -1 / np.sqrt(dimension), 1 / np.sqrt(dimension)), rtol=0, atol=1e-14)
    radius = np.linalg.norm(world["radial"], axis=2)
    np.testing.assert_allclose(world["radial"], radius[..., None] * x / norm, rtol=0, atol=1e-14)
    assert abs(radius.mean() - 1 / 2) < 4.5 / np.sqrt(12 * radius.size)
    assert abs(radius.var() - 1 / 12) < 4.5 / np.sqrt(180 * radius.size)
    centred = x - centres(arms)[:, None]
    covariance = np.einsum("tij,tkj->ik", centred, centred) / (400 * dimension)
    assert np.abs(covariance - 0.5 - 0.5 * np.eye(arms)).max() < 4.5 * np.sqrt(2 / (400 * dimension))
    assert np.abs(centred.mean(axis=(0, 2))).max() < 4.5 / np.sqrt(400 * dimension)
    assert np.abs(np.corrcoef(centred[:, 0].T) - np.eye(dimension)).max() < 4.5 / np.sqrt(400)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("arms", "dimension"), [(2, 1), (10, 20), (20, 30)])
def test_contexts_lie_in_the_unit_ball(reading, arms, dimension):
    if reading == "global" and dimension == 1:
        arms = 6  # in one dimension a normal number is beyond 3 once in 700
    norm = np.linalg.norm(LinearContexts(arms, dimension, reading).world(Words(1, 2), 300).contexts, axis=2)
    assert 0 < norm.min() <= norm.max() <= 1 + 1e-12


def test_the_arms_of_an_instance_are_centred_at_the_even_numbers_without_zero():
    assert centres(2).tolist() == [-2.0, 2.0]
    assert centres(6).tolist() == [-6.0, -4.0, -2.0, 2.0, 4.0, 6.0]


# 1/phi^2 of eigenvalues of 1000 rounds, from an independent computation; the smallest eigenvalue of a sample is too small, ours is not
EIGENVALUES = {"radial": 1152, "projection": 373, "clip": 1877, "global": 3925}


@pytest.mark.parametrize("reading", EIGENVALUES)
def test_information_agrees_with_eigenvalues(reading):
    environment = LinearContexts(10, 20, reading)
    contexts = environment.world(WORDS, 20_000).contexts

    def smallest(rounds):
        rows = contexts[:rounds].reshape(-1, 20)
        return np.linalg.eigvalsh(rows.T @ rows / len(rows))[0]

    assert 1 / smallest(1000) == pytest.approx(EIGENVALUES[reading], rel=0.06)
    ours = environment.information(WORDS, 20_000)
    assert smallest(1000) < smallest(20_000) < ours < 1.1 * smallest(20_000)
    assert ours == pytest.approx(environment.information(Words(1, 1), 5000), rel=0.04)


def test_information_in_one_dimension_is_the_mean_square():
    environment = LinearContexts(4, 1, "projection")
    assert environment.information(WORDS, 100) == pytest.approx((environment.world(WORDS, 100).contexts ** 2).mean())


@pytest.mark.parametrize("reading", READINGS)
def test_a_longer_horizon_keeps_its_prefix(reading):
    environment = LinearContexts(4, 5, reading, "fresh")
    short, long = environment.world(Words(5, 6), 7), environment.world(Words(5, 6), 40)
    for name in ("contexts", "rewards", "gaps"):
        assert getattr(short, name).tobytes() == getattr(long, name)[:7].tobytes()
    assert short.coefficients.tobytes() == long.coefficients.tobytes()


def test_only_fresh_coefficients_differ_between_replicates():
    fixed, fresh = LinearContexts(4, 30), LinearContexts(4, 30, coefficients="fresh")
    first, second = fixed.world(Words(5, 0), 1), fixed.world(Words(5, 1), 1)
    assert first.coefficients.tobytes() == second.coefficients.tobytes()
    assert not np.shares_memory(first.coefficients, second.coefficients)
    assert np.linalg.norm(first.coefficients) == pytest.approx(0.5834, abs=5e-5)
    assert (first.contexts != second.contexts).all()
    betas = np.array([fresh.world(Words(5, lane), 1).coefficients for lane in range(100)])
    assert len(np.unique(betas)) == betas.size
    assert 0.99 / np.sqrt(30) < np.abs(betas).max() < 1 / np.sqrt(30)
    assert fresh.world(Words(5, 0), 1).contexts.tobytes() == first.contexts.tobytes()


def test_outcomes_are_accounted_as_computed_by_hand():
    gaps = np.array([[0.0, 0.25], [0.5, 0.0], [0.125, 0.0], [0.0, 1.0]])
    world = World(
        np.zeros((4, 2, 2)), np.ones((4, 2)), np.zeros((4, 2)), gaps, np.array([0.75, -0.25])
    )  # positive sum: arm 1 is the good one
    history = History(np.array([1, 0, 1, 0]), np.array([[0.75, -0.25], [3.75, 3.75]]), np.array([2, 0, 1, 5]), np.array([0, 0, 1, 1]))
    assert OUTCOME == ("regret", "error", "wrong_sign", "resamples", "exhausted")
    assert account(world, history, (2, 4)).tolist() == [[0.75, 0.0, 1.0, 2.0, 0.0], [0.75, 5.0, 2.0, 8.0, 2.0]]
    negative = world._replace(coefficients=-world.coefficients)
    assert account(negative, history, (2, 4))[:, 2].tolist() == [1.0, 2.0]
    assert account(negative, history._replace(estimates=np.zeros((1, 2))), [3])[:, 2].tolist() == [2.0]


def digest(rounds):
    """One hash of small worlds of all readings."""
    text = sha256()
    for reading in READINGS:
        for array in LinearContexts(4, 3, reading, "fresh").world(Words(2**32 - 1, 4_000_000_000), rounds):
            text.update(array.tobytes())
    return text.hexdigest()


@pytest.mark.parametrize(("variable", "value", "rounds"), [("NUMBA_DISABLE_JIT", "1", 3), ("NUMBA_CPU_NAME", "generic", 50)])
def test_the_bits_depend_neither_on_the_compiler_nor_on_the_processor(variable, value, rounds):
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root / "src"), str(Path(__file__).parent)])
    program = f"from test_linear_contexts import digest; print(digest({rounds}))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONPATH": path, variable: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == digest(rounds), done.stderr


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"arms": 3, "dimension": 2}, "arms"),
        ({"arms": 0, "dimension": 2}, "arms"),
        ({"arms": 2.5, "dimension": 2}, "arms"),
        ({"arms": 4, "dimension": 0}, "dimension"),
        ({"arms": 4, "dimension": 1.5}, "dimension"),
        ({"arms": 4, "dimension": 2, "contexts": "sphere"}, "contexts"),
        ({"arms": 4, "dimension": 2, "coefficients": "random"}, "coefficients"),
    ],
)
def test_refuses_nonsense_and_says_what_to_write(parameters, message):
    with pytest.raises(ValueError, match=f"linear_contexts: {message} is .*; write "):
        LinearContexts(**parameters)
