"""P(arm is the maximum) of independent Gaussians: values known to 25 digits, invariances, quadrature of scipy, closed forms, constants.

Largest errors met when these bounds were chosen: 5e-13 for a probability, 1e-12 for a sum.
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from banditpapers.kernels.gaussian_max import argmax_probabilities, argmax_probability
from banditpapers.kernels.normal_cdf import cdf, cdf_and_density
from banditpapers.kernels.quasi_max import gray_code_points, quasi_argmax_probabilities

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "drts_maximum.json").read_text())


def vectors(count: int, seed: int, largest: int = 20) -> list[tuple[np.ndarray, np.ndarray]]:
    """Means and sds of 2 to `largest` arms; the sds differ by a factor of up to 1000, or not at all."""
    rng = np.random.default_rng(seed)
    made = []
    for n in rng.integers(2, largest + 1, count):
        sds = 10.0 ** rng.uniform(-3, 0, n) if rng.random() < 0.7 else np.ones(n)
        made.append((rng.standard_normal(n) * 10.0 ** rng.uniform(-3, 0.5), sds))
    return made


def integral(means: np.ndarray, sds: np.ndarray, arm: int) -> float:
    """The definition, by scipy's adaptive quadrature in units of the arm's own sd, cut where any arm's cdf moves."""
    others = np.arange(means.size) != arm

    def integrand(x: float) -> float:
        return norm.pdf(x) * np.prod(ndtr((means[arm] - means[others] + sds[arm] * x) / sds[others]))

    moves = (means[:, None] + sds[:, None] * np.array([-8.0, -2.0, 0.0, 2.0, 8.0]) - means[arm]) / sds[arm]
    cuts = np.unique(np.clip(moves, -9.0, 9.0))
    return sum(quad(integrand, low, high, epsabs=1e-13, epsrel=1e-10)[0] for low, high in pairwise(cuts))


def quasi(means: np.ndarray, sds: np.ndarray) -> np.ndarray:
    """The 200-point formula, term by term."""
    z = norm.ppf(gray_code_points(200))
    factors = ndtr((means[:, None, None] + sds[:, None, None] * z - means[:, None]) / sds[:, None])
    factors[np.arange(means.size), np.arange(means.size)] = 1.0
    return factors.prod(axis=1).mean(axis=1)


def test_table_of_the_normal_law():
    x = np.linspace(-9.0, 9.0, 4001)
    values = np.array([cdf_and_density(point) for point in x])
    assert np.abs(values[:, 0] - ndtr(x)).max() < 2e-15
    assert np.abs(values[:, 1] - norm.pdf(x)).max() < 1e-12
    assert [cdf(-9.5), cdf(-np.inf), cdf(0.0), cdf(9.5), cdf(np.inf)] == [0.0, 0.0, 0.5, 1.0, 1.0]


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
def test_independently_computed_values(case):
    means, sds = np.array(case["mean"]), np.array(case["sd"])
    assert argmax_probabilities(means, sds) == pytest.approx(np.array(case["pi"]), rel=0, abs=3e-12)
    one_by_one = [argmax_probability(means, sds, arm) for arm in range(means.size)]
    assert one_by_one == pytest.approx(case["pi"], rel=0, abs=3e-12)


def test_definition_by_adaptive_quadrature():
    for means, sds in vectors(6, seed=1, largest=6):
        truth = [integral(means, sds, arm) for arm in range(means.size)]
        assert argmax_probabilities(means, sds) == pytest.approx(truth, rel=0, abs=1e-11)


def test_sum_to_one_and_single_arms():
    for means, sds in vectors(150, seed=2):
        chances = argmax_probabilities(means, sds)
        assert chances.min() >= 0.0
        assert abs(chances.sum() - 1.0) < 1e-11
        arm = int(chances.argmax())
        for i in (arm, 0, means.size - 1):
            assert abs(argmax_probability(means, sds, i) - chances[i]) < 3e-14


def test_order_shift_and_scale_do_not_matter():
    rng = np.random.default_rng(3)
    for scattered, sds in vectors(60, seed=4):
        means = np.round(scattered * 2.0**20) / 2.0**20  # so that a shift is exact
        chances = argmax_probabilities(means, sds)
        order = rng.permutation(means.size)
        assert np.abs(argmax_probabilities(means[order], sds[order]) - chances[order]).max() < 1e-14
        assert np.abs(argmax_probabilities(means + 37.0, sds) - chances).max() < 2e-13
        assert np.abs(argmax_probabilities(3.7 * means, 3.7 * sds) - chances).max() < 2e-13
        assert np.array_equal(argmax_probabilities(means / 1024.0, sds / 1024.0), chances)


def test_two_arms_have_a_closed_form():
    """A third arm that wins with probability 1e-12 forces the quadrature; it must give what the closed form gives."""
    for means, sds in vectors(40, seed=5, largest=2):
        truth = ndtr((means[0] - means[1]) / np.hypot(*sds))
        assert argmax_probabilities(means, sds) == pytest.approx([truth, 1 - truth], rel=0, abs=1e-14)
        best = int(means.argmax())
        third = means[best] - 7.2 * np.hypot(sds[best], 0.5)
        chances = argmax_probabilities(np.append(means, third), np.append(sds, 0.5))
        assert chances == pytest.approx([truth, 1 - truth, 0.0], rel=0, abs=3e-12)


@pytest.mark.parametrize("arms", [1, 2, 3, 7, 20, 100])
def test_equal_arms_share_equally(arms):
    chances = argmax_probabilities(np.full(arms, 0.3), np.full(arms, 0.01))
    assert chances == pytest.approx(np.full(arms, 1 / arms), rel=0, abs=2e-12)
    assert argmax_probability(np.full(arms, 0.3), np.full(arms, 0.01), 0) == pytest.approx(1 / arms, rel=0, abs=2e-12)


@pytest.mark.parametrize("narrow", [1e-3, 1e-9, 1e-100])
def test_scales_may_differ_without_bound(narrow):
    """Three narrow arms at a threshold that a wide one exceeds or not: up to the width of the narrow ones, this is Phi."""
    threshold = 0.5 if narrow > 1e-10 else 0.0
    means, sds = np.array([-1.0, threshold, threshold, threshold]), np.array([2.0, narrow, narrow, narrow])
    below = ndtr((threshold + 1.0) / 2.0)
    chances = argmax_probabilities(means, sds)
    assert chances == pytest.approx([1 - below, below / 3, below / 3, below / 3], rel=0, abs=max(narrow, 1e-11))
    assert chances.sum() == pytest.approx(1.0, rel=0, abs=1e-11)


def test_constants():
    assert argmax_probabilities(np.array([1.0, 2.0, 2.0, 0.0]), np.zeros(4)).tolist() == [0.0, 0.5, 0.5, 0.0]
    assert argmax_probabilities(np.zeros(3), np.zeros(3)) == pytest.approx(np.full(3, 1 / 3))
    below = ndtr(0.5) * ndtr(0.25)
    means, sds = np.array([0.0, 0.5, 0.0, 0.4, 0.5]), np.array([1.0, 0.0, 2.0, 0.0, 1e-200])
    chances = argmax_probabilities(means, sds)
    assert chances[[1, 3, 4]] == pytest.approx([below / 2, 0.0, below / 2], rel=0, abs=1e-12)
    assert chances.sum() == pytest.approx(1.0, rel=0, abs=1e-11)
    small = np.where(sds < 0.1, 1e-7, sds)
    assert chances == pytest.approx(argmax_probabilities(means, small), rel=0, abs=1e-6)
    assert [argmax_probability(means, sds, arm) for arm in range(5)] == pytest.approx(chances, rel=0, abs=3e-14)
    assert argmax_probabilities(np.array([0.3, 0.0]), np.array([0.0, 1.0])) == pytest.approx([ndtr(0.3), ndtr(-0.3)], rel=0, abs=1e-14)


@pytest.mark.parametrize(
    ("means", "sds"),
    [([], []), ([0.0, 1.0], [1.0]), ([0.0, 1.0], [1.0, -1.0]), ([np.nan, 0.0], [1.0, 1.0]), ([0.0, 0.0], [1.0, np.inf])],
)
def test_refuses_what_is_no_gaussian(means, sds):
    with pytest.raises(ValueError, match="write"):
        argmax_probabilities(np.array(means), np.array(sds))
    with pytest.raises(ValueError, match="write"):
        argmax_probability(np.array(means), np.array(sds), 0)


def test_points_of_the_released_code():
    z = norm.ppf(gray_code_points(200))
    assert z[:5] == pytest.approx(REFERENCE["points"]["first"], rel=1e-14, abs=1e-16)
    assert [z.mean(), z.std()] == pytest.approx([REFERENCE["points"]["mean"], REFERENCE["points"]["sd"]], rel=1e-12)


def test_quasi_monte_carlo_is_its_formula():
    for means, sds in vectors(25, seed=6, largest=12):
        assert np.abs(quasi_argmax_probabilities(means, sds) - quasi(means, sds)).max() < 1e-12


def test_quasi_monte_carlo_approximates_the_probabilities():
    errors = [np.abs(quasi_argmax_probabilities(m, s) - argmax_probabilities(m, s)).max() for m, s in vectors(25, seed=7, largest=12)]
    assert 1e-4 < max(errors) < 1e-2


def test_quasi_monte_carlo_with_constants():
    assert quasi_argmax_probabilities(np.array([1.0, 2.0, 2.0]), np.zeros(3)).tolist() == [0.0, 0.5, 0.5]
    means, sds = np.array([0.2, 0.0, -0.3]), np.array([0.0, 1.0, 0.5])
    assert quasi_argmax_probabilities(means, sds) == pytest.approx(quasi(means, np.maximum(sds, 1e-9)), rel=0, abs=1e-8)


@njit
def bits(means, sds):
    """All results for one vector in a row: compiled here, interpreted in the test below."""
    n = means.size
    row = np.empty(3 * n)
    row[:n] = argmax_probabilities(means, sds)
    row[n : 2 * n] = quasi_argmax_probabilities(means, sds)
    for arm in range(n):
        row[2 * n + arm] = argmax_probability(means, sds, arm)
    return row


def test_interpreted_code_gives_the_same_bits():
    few = vectors(5, seed=8, largest=6)
    compiled = [bits(means, sds).tobytes().hex() for means, sds in few]
    program = "from truth.test_gaussian_max import bits, vectors\nfor m, s in vectors(5, 8, 6): print(bits(m, s).tobytes().hex())"
    paths = os.pathsep.join(str(Path(__file__).parents[k] / name) for k, name in ((1, ""), (2, "src")))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == compiled
