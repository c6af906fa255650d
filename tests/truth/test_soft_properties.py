"""What the paper states of a round of SoftUCB, on random designs: Lemmas 1 and 2, equations 6 to 8, and equation 12 in both forms."""

from typing import NamedTuple

import numpy as np
import pytest

from banditpapers.kernels.soft_policy import COLDEST, fill_index, soften

CASES = 1500


class Round(NamedTuple):
    """widths, estimates: what is known; means: what is true; beta, delta: as asked for."""

    widths: np.ndarray
    estimates: np.ndarray
    means: np.ndarray
    beta: float
    delta: float


def random_rounds(purpose, good_event=False):
    """Rounds of all sizes after some random plays. good_event: beta is such that all means lie within their bounds."""
    rng = np.random.default_rng([2006, 3000, purpose])
    for _ in range(CASES):
        arms, d = int(rng.integers(2, 51)), int(rng.integers(1, 16))
        x = rng.normal(size=(arms, d))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        theta = rng.normal(size=d)
        theta /= np.linalg.norm(theta)
        plays = x[rng.integers(0, arms, int(rng.integers(0, 10 ** rng.uniform(0, 3.5))))]
        inverse = np.linalg.inv(np.eye(d) + plays.T @ plays)
        estimate = inverse @ (plays.T @ (plays @ theta + 0.3 * rng.normal(size=len(plays))))
        widths, estimates, means = np.sqrt(((x @ inverse) * x).sum(axis=1)), x @ estimate, x @ theta
        beta = 10 ** rng.uniform(-2, 1)
        if good_event:
            beta = (np.abs(estimates - means) / widths).max() * rng.uniform(1, 3)
        yield Round(widths, estimates, means, beta, rng.choice([0.1, 0.5, 0.6, 0.9, 0.99, 0.999]))


def test_the_index_is_the_upper_bound_less_the_largest_lower_bound():
    for w, m, _, beta, delta in random_rounds(0):
        found = soften(w, m, beta, None, delta)
        star = (m - beta * w).argmax()
        scale = max(1, beta)
        np.testing.assert_allclose(found.indices, (m + beta * w) - (m - beta * w).max(), rtol=0, atol=4e-15 * scale)
        assert found.indices[star] == 2 * beta * w[star] >= 0, "not all arms can be eliminated"


def test_it_orders_arms_as_their_upper_bounds_do():
    for w, m, _, beta, delta in random_rounds(1):
        found, upper = soften(w, m, beta, None, delta), m + beta * w
        order = found.indices.argsort()
        assert (np.diff(upper[order]) >= -4e-15 * max(1, beta)).all()
        assert (np.diff(found.policy[order]) >= 0).all(), "and so do the probabilities"


def test_lemma_1_eliminated_arms_are_not_the_best_where_bounds_hold():
    eliminated = 0
    for w, m, means, beta, delta in random_rounds(2, good_event=True):
        out = soften(w, m, beta, None, delta).indices < 0
        assert (means[out] < means.max()).all()
        eliminated += out.sum()
    assert eliminated > CASES


def test_the_best_arm_is_eliminated_where_bounds_do_not_hold():
    """The lemma's condition is needed."""
    assert any(soften(w, m, 0.1 * beta, None, 0.9).indices[mu.argmax()] < 0 for w, m, mu, beta, _ in random_rounds(2, good_event=True))


def test_lemma_2_this_round_s_gamma_leaves_delta_to_arms_not_eliminated():
    eliminating = 0
    for w, m, _, beta, delta in random_rounds(3):
        found = soften(w, m, beta, None, delta)
        assert found.policy[found.indices >= 0].sum() >= delta or found.gamma == 0
        if found.gamma == 0:  # |L| = 0, or delta |L| <= 1 - delta, where delta cannot be missed by more than rounding
            out = (found.indices < 0).sum()
            assert out == 0 or delta * out / (1 - delta) <= 1 + 1e-12
        eliminating += found.gamma > 0
    assert eliminating > CASES / 4


def test_lemma_2_does_not_cover_the_gamma_of_the_round_before():
    """Algorithm 2 plays with gamma_{t-1}: with gamma 0, say, the policy is uniform."""
    missed = 0
    for w, m, _, beta, _ in random_rounds(3):
        found = soften(w, m, beta, 0.0, 0.99)
        missed += found.policy[found.indices >= 0].sum() < 0.99
    assert missed > CASES / 4


def test_gradients_are_equation_12_and_the_centred_form_keeps_its_digits():
    worst = 0.0
    for w, m, _, beta, delta in random_rounds(4):
        for gamma in (None, 0.3, 7.5, 100.0):
            found = soften(w, m, beta, gamma, delta)
            used, p = found.gamma if gamma is None else gamma, found.policy
            equation = (p * m * (used * (w - (p * w).sum()))).sum()
            scale = max(1.0, used * np.abs(m).max() * w.max())
            worst = max(worst, abs(found.gradient - equation) / scale)
            for shift in (0.5, -3.0):  # adding a constant to all estimates changes nothing
                assert soften(w, m + shift, beta, used, delta).gradient == pytest.approx(found.gradient, abs=1e-12 * scale)
    assert worst < 4.5e-14


def test_gradients_are_the_derivative_with_gamma_estimates_and_widths_held_fixed():
    """By Richardson's difference quotient of sum_i p_i m_i, in long doubles; i* and with it L may change without changing the policy."""
    checked = 0
    for w, m, _, beta, delta in random_rounds(5):
        for gamma in (0.3, 7.5, 40.0):
            found, step = soften(w, m, beta, gamma, delta), 1e-3 / gamma
            slopes = [(value(w, m, beta + h, gamma) - value(w, m, beta - h, gamma)) / (2 * h) for h in (step, step / 2)]
            slope = (4 * slopes[1] - slopes[0]) / 3
            if abs(found.gradient) > 1e-6:
                assert found.gradient == pytest.approx(float(slope), rel=2.5e-9)
                checked += 1
    assert checked > CASES


def value(w, m, beta, gamma):
    """sum_i p_i m_i of a softmax over upper confidence bounds: the policy of equation 8, whatever i* is."""
    score = np.longdouble(gamma) * (m.astype(np.longdouble) + np.longdouble(beta) * w)
    p = np.exp(score - score.max())
    return (p * m).sum() / p.sum()


def test_the_policy_is_a_softmax_over_upper_bounds():
    for w, m, _, beta, delta in random_rounds(6):
        score = 7.5 * (m + beta * w)
        p = np.exp(score - score.max())
        np.testing.assert_allclose(soften(w, m, beta, 7.5, delta).policy, p / p.sum(), rtol=0, atol=1e-13 * max(1, beta))


def test_the_absolute_gap_eliminates_the_same_arms_but_breaks_the_order():
    broken = 0
    for w, m, _, beta, _ in random_rounds(7):
        signed, absolute, out, also = np.empty(w.size), np.empty(w.size), np.zeros(w.size, np.bool_), np.zeros(w.size, np.bool_)
        assert fill_index(m, w, beta, False, False, signed, out)[1] == fill_index(m, w, beta, True, False, absolute, also)[1]
        assert (out == also).all()
        broken += (np.diff((m + beta * w)[absolute.argsort()]) < -1e-12).any()
    assert 0 < broken < CASES / 10


def test_extremes_are_finite_and_sum_to_1():
    for w, m, _, beta, delta in random_rounds(8):
        for b, gamma in ((beta, COLDEST), (0.0, COLDEST), (0.0, None), (1e9, None), (1e9, COLDEST)):
            found = soften(w, m, b, gamma, delta)
            assert np.isfinite(found.policy).all()
            assert np.isfinite(found.gradient)
            assert found.policy.sum() == pytest.approx(1, abs=1e-14)
            if b == 0 and gamma and (m == m.max()).sum() == 1:  # arms of one dimension may look the same
                assert found.policy[m.argmax()] == 1
                assert found.gradient == 0
