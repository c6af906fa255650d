"""A round of SoftUCB: fixed cases of an independent computation, and every case in which equation 9 means nothing."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from banditpapers.kernels.soft_policy import COLDEST, Softened, coldness, coldnesses, fill_index, pick, soften

CASES = json.loads((Path(__file__).parents[1] / "data" / "softucb_cases.json").read_text())["steps"]
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def softened(case, **changed):
    asked = {"beta": case["beta"], "gamma": case["gamma_in"], "delta": case["delta"]} | changed
    return soften(np.array(case["w"]), np.array(case["mu_hat"]), **asked)


@pytest.mark.parametrize("name", CASES)
def test_widths_and_estimates_of_the_cases_are_those_of_their_designs(name):
    """What the other tests take for given."""
    case = CASES[name]
    x, inverse = np.array(case["X"]), np.linalg.inv(case["V"])
    np.testing.assert_allclose(np.sqrt(((x @ inverse) * x).sum(axis=1)), case["w"], **CLOSE)
    np.testing.assert_allclose(x @ case["theta"], case["mu_hat"], **CLOSE)


@pytest.mark.parametrize("name", CASES)
def test_a_round_is_that_of_an_independent_computation(name):
    case = CASES[name]
    found = softened(case)
    np.testing.assert_allclose(found.indices, case["S"], **CLOSE)
    np.testing.assert_allclose(found.policy, case["p"], **CLOSE)
    assert found.gamma == pytest.approx(case["gamma"], rel=1e-12)
    assert found.gradient == pytest.approx(case["grad_policy"], rel=1e-9, abs=1e-12)
    assert found.gradient == pytest.approx(case["grad_policy_eq12"], abs=1e-12)
    assert np.flatnonzero(found.indices < 0).tolist() == case["L"]
    assert found.indices[case["i_star"]] == 2 * case["beta"] * case["w"][case["i_star"]]
    assert found.policy[found.indices >= 0].sum() == pytest.approx(case["p_U"], abs=1e-12)
    assert sum(case["w"]) == pytest.approx(case["W"], rel=1e-12)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].get("fd_fixed_gamma")])
def test_the_gradient_is_a_difference_quotient_with_gamma_held_fixed(name):
    case = CASES[name]
    assert softened(case).gradient == pytest.approx(case["fd_fixed_gamma"], rel=1e-5, abs=1e-11)
    step, gamma = 1e-6, case["gamma_used"]
    high, low = (softened(case, beta=case["beta"] + sign * step, gamma=gamma).policy @ case["mu_hat"] for sign in (1, -1))
    assert softened(case).gradient == pytest.approx((high - low) / (2 * step), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].get("fd_total_fresh_gamma")])
def test_equation_12_is_not_the_derivative_where_gamma_depends_on_beta(name):
    """Equation 12 leaves out d gamma/d beta: with this round's gamma the derivative is far larger."""
    case, step = CASES[name], 1e-6
    high, low = (softened(case, beta=case["beta"] + sign * step, gamma=None).policy @ case["mu_hat"] for sign in (1, -1))
    assert (high - low) / (2 * step) == pytest.approx(case["fd_total_fresh_gamma"], rel=1e-4)
    assert abs(case["fd_total_fresh_gamma"]) > 30 * abs(softened(case).gradient)


# ---- where equation 9 means nothing

WIDE, NARROW = np.array([1.0, 0.9, 0.8]), np.array([0.1, 0.1, 0.1])
ESTIMATES = np.array([0.3, 0.5, -0.5])


@pytest.mark.parametrize(("empty", "expected"), [("uniform", 0.0), ("one", math.log(99.0) / 2.0), ("keep", 7.5)])
def test_nothing_is_eliminated(empty, expected):
    """S = UCB - max LCB with beta = 1: UCB 1.3, 1.4, 0.3; LCB -0.7, -0.4, -1.3."""
    found = soften(WIDE, ESTIMATES, 1.0, 7.5, 0.99, empty)
    np.testing.assert_allclose(found.indices, [1.7, 1.8, 0.7], **CLOSE)
    assert found.gamma == pytest.approx(expected * (2.0 / 1.8 if empty == "one" else 1), rel=1e-14)
    assert found.policy == pytest.approx(np.exp(7.5 * found.indices) / np.exp(7.5 * found.indices).sum(), abs=1e-14)
    fresh = soften(WIDE, ESTIMATES, 1.0, None, 0.99, empty)
    assert fresh.gamma == (pytest.approx(found.gamma) if empty == "one" else 0)
    if empty != "one":
        assert fresh.policy.tolist() == [1 / 3] * 3
        assert fresh.gradient == 0


def test_a_gamma_below_0_is_0():
    """delta |L| / (1 - delta) < 1 would prefer the worst arms; two eliminated arms are enough for delta = 0.4."""
    for delta, eliminated, gamma in (
        (0.4, 1, 0),
        (0.4, 2, math.log(0.8 / 0.6)),
        (0.5, 1, 0),
        (0.1, 2, 0),
        (0.51, 1, math.log(0.51 / 0.49)),
    ):
        means = np.array([1.0, 0.9, *[-1.0] * eliminated])
        found = soften(np.full(means.size, 0.1), means, 1.0, None, delta)
        assert (found.indices < 0).sum() == eliminated
        assert found.gamma == pytest.approx(gamma / 0.2, rel=1e-12)
        if gamma == 0:
            assert set(found.policy) == {1 / means.size}
        assert found.policy[found.indices >= 0].sum() >= delta


def test_beta_0_is_greedy():
    found = soften(WIDE, ESTIMATES, 0.0, None, 0.99)
    assert found.gamma == COLDEST == 1e12
    assert found.policy.tolist() == [0, 1, 0]
    assert found.gradient == 0
    np.testing.assert_allclose(found.indices, [-0.2, 0.0, -1.0], **CLOSE)


def test_beta_0_before_the_first_round_is_uniform():
    found = soften(WIDE, np.zeros(3), 0.0, None, 0.99)
    assert found.indices.tolist() == [0, 0, 0]
    assert found.gamma == 0
    assert found.policy.tolist() == [1 / 3] * 3


def test_beta_0_shares_between_arms_of_the_same_estimate():
    found = soften(WIDE, np.array([0.5, 0.5, -0.5]), 0.0, None, 0.99)
    assert found.policy.tolist() == [0.5, 0.5, 0]


def test_widths_of_0_are_greedy_too():
    found = soften(np.zeros(3), ESTIMATES, 2.0, None, 0.99)
    assert found.gamma == COLDEST
    assert found.policy.tolist() == [0, 1, 0]


def test_a_tiny_largest_index_makes_gamma_large_but_no_larger_than_1e12():
    for beta, gamma in ((1e-9, math.log(198.0) / (2e-9 * 0.1)), (1e-13, COLDEST), (5e-324, COLDEST)):
        found = soften(NARROW, ESTIMATES, beta, None, 0.99)
        assert found.gamma == pytest.approx(min(gamma, COLDEST), rel=1e-6)
        assert found.policy.tolist() == [0, 1, 0]


@pytest.mark.parametrize("scale", [1.0, 1e6, 1e100])
@pytest.mark.parametrize("gamma", [0.0, 1.0, 1e6, COLDEST])
def test_no_exponential_overflows(scale, gamma):
    for beta in (0.0, 1e-3, 1.0, 50.0):
        found = soften(scale * WIDE, scale * ESTIMATES, beta, gamma, 0.99)
        assert all(np.isfinite(part).all() for part in found)
        assert found.policy.sum() == pytest.approx(1, abs=1e-15)
        assert (found.policy >= 0).all()
        if gamma == COLDEST:
            assert found.policy[found.indices.argmax()] == 1


def test_12_scores_far_apart_equal_or_infinite():
    """What people report of softmax policies, number 12 of docs/reliability.md."""
    apart = soften(np.full(3, 0.1), np.array([0.0, 800.0, -800.0]), 1.0, 1.0, 0.99)
    assert apart.policy.tolist() == [0, 1, 0]
    assert all(np.isfinite(part).all() for part in apart)
    equal = soften(np.full(3, 0.1), np.full(3, -800.0), 1.0, 1.0, 0.99)
    assert equal.policy == pytest.approx(np.full(3, 1 / 3), abs=1e-15)
    for odd in (-np.inf, np.inf, np.nan):
        with pytest.raises(ValueError, match=r"^soften: a width or an estimate is infinite or NaN; write finite numbers$"):
            soften(np.full(3, 0.1), np.full(3, odd), 1.0, 1.0, 0.99)


def test_the_smallest_index_wins_ties():
    """Of arms with the same lower bound the first is i*; which of them it is matters with absolute gaps only."""
    index, eliminated = np.empty(3), np.zeros(3, dtype=bool)
    means, widths = np.array([0.0, 0.5, 1.0]), np.array([0.5, 1.0, 1.5])  # all lower bounds are -0.5
    assert fill_index(means, widths, 1.0, False, False, index, eliminated) == (3.0, 0)
    assert index.tolist() == [1.0, 2.0, 3.0]
    assert soften(widths, means, 1.0, None, 0.99).policy.tolist() == [1 / 3] * 3
    fill_index(means, widths, 1.0, True, False, index, eliminated)
    assert index.tolist() == [1.0, 1.0, 1.0], "w_i + w_1 - |m_1 - m_i|"


def test_all_arms_cannot_be_eliminated_unless_eliminations_are_kept():
    index, eliminated = np.empty(2), np.zeros(2, dtype=bool)
    widths, colds = np.full(2, 0.1), coldnesses(0.99, 2)
    assert fill_index(np.array([1.0, 0.0]), widths, 1.0, False, True, index, eliminated) == (0.2, 1)
    largest, count = fill_index(np.array([0.0, 1.0]), widths, 1.0, False, True, index, eliminated)
    assert (largest, count, eliminated.tolist()) == (0.2, 2, [True, True])
    assert coldness(count, largest, colds, 0, 0.0) == pytest.approx(math.log(198) / 0.2)
    assert fill_index(np.array([0.0, 1.0]), widths, 1.0, False, False, index, eliminated) == (0.2, 1)
    assert eliminated.tolist() == [True, False]


def test_the_absolute_gap_differs_above_the_best_lower_bound_only():
    index, absolute, eliminated = np.empty(3), np.empty(3), np.zeros(3, dtype=bool)
    means, widths = np.array([0.5, 0.7, -0.9]), np.array([0.1, 0.5, 0.2])
    fill_index(means, widths, 1.0, False, False, index, eliminated)
    assert eliminated.tolist() == [False, False, True]
    fill_index(means, widths, 1.0, True, False, absolute, eliminated)
    assert eliminated.tolist() == [False, False, True]
    np.testing.assert_allclose(index - absolute, [0, 0.4, 0], **CLOSE)


def test_one_arm():
    found = soften(np.ones(1), np.array([0.3]), 2.0, None, 0.99)
    assert found == Softened(found.indices, found.policy, 0.0, 0.0)
    assert (found.indices.tolist(), found.policy.tolist()) == ([4.0], [1.0])


def test_an_arm_is_picked_by_the_cumulated_policy():
    policy = np.array([0.25, 0.0, 0.5, 0.25])
    chosen = [pick(policy, u) for u in (1e-17, 0.2, 0.25, 0.7, 0.75, 1 - 2.0**-53)]
    assert chosen == [0, 0, 2, 2, 3, 3]
    assert pick(np.array([0.1] * 10) * (1 - 1e-15), 1 - 2.0**-53) == 9, "rounding leaves none"


def test_nonsense_is_refused_in_one_sentence():
    for changed in ({"delta": 0.0}, {"delta": 1.0}, {"beta": -0.1}, {"beta": math.nan}, {"empty": "two"}):
        with pytest.raises(ValueError, match="write 0 < delta < 1, numbers of at least 0, and one of"):
            soften(WIDE, ESTIMATES, **{"beta": 1.0, "gamma": None, "delta": 0.9, "empty": "uniform", **changed})
