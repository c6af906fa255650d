"""Holm's steps by hand, the noise of two runs, and the deviation that would have been seen, checked by drawing."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from banditpapers.equivalence import FAMILY, Comparison, comparison, holm
from banditpapers.statistics import Z95, Estimate
from banditpapers.tidy import NAN, row


def z(level):
    """The two-sided critical value."""
    return float(norm.isf(level / 2))


def test_holm_by_hand():
    """0.001 <= 0.05 / 4 and 0.01 <= 0.05 / 3; 0.03 > 0.05 / 2 stops, and 0.04 stays at that step although it is below 0.05."""
    found = holm([0.04, 0.001, 0.03, 0.01])
    assert found == pytest.approx([z(FAMILY / 2), z(FAMILY / 4), z(FAMILY / 2), z(FAMILY / 3)])
    assert holm([]) == []
    assert holm([0.5]) == pytest.approx([Z95])


def test_a_number_is_different_where_its_p_value_is_at_its_step():
    """What `holm` returns as a critical z and what Holm's procedure says of p-values are the same, ties and order included."""
    generator = np.random.default_rng(7)
    for _ in range(200):
        scores = np.abs(generator.normal(0, 2.5, size=12))
        p_values = 2 * norm.sf(scores)
        order = np.argsort(p_values)
        steps = p_values[order] <= FAMILY / np.arange(12, 0, -1)
        rejected = np.zeros(12, bool)
        rejected[order[: 12 if steps.all() else int(np.argmin(steps))]] = True
        assert [bool(score >= critical) for score, critical in zip(scores, holm(list(p_values)), strict=True)] == rejected.tolist()


def test_both_runs_have_noise():
    counts = {"planned": 1000, "finished": 1000, "failed": 0}
    ours = row(Estimate(100.0, 1.0, 100 - 2 * Z95, 100 + Z95, "normal 95%"), counts)
    both = comparison(103.0, 0.5, ours, 500)
    assert (both.below, both.above) == pytest.approx((2 * math.sqrt(3), math.sqrt(3)))
    assert both.p == pytest.approx(2 * norm.sf(2.5 / math.sqrt(3)))
    assert both.interval(2.0) == pytest.approx((100 - 4 * math.sqrt(3), 100 + 2 * math.sqrt(3)))
    assert comparison(100.4, 0.5, ours, 500).p == 1.0, "within the rounding"


def test_what_is_computed_has_no_noise_and_sees_all_but_rounding():
    exact = comparison(2.56, 0.01, row(2.565), 20)
    assert (exact.p, exact.detectable(3.0), exact.interval(3.0)) == (1.0, 0.01, (2.565, 2.565))
    assert comparison(2.56, 0.001, row(2.565), 20).p == 0.0


def test_an_open_side_sees_nothing():
    half = comparison(5.0, 0.0, row(Estimate(4.0, NAN, 3.0, NAN, "band 95%"), {"planned": 9, "finished": 9, "failed": 0}), 9)
    assert half.detectable(2.0) == math.inf
    assert half.p == 1.0


def test_a_detectable_deviation_is_seen_with_the_stated_chance():
    """100,000 pairs of runs whose means differ by it: 80% of the printed numbers fall outside, give or take 5 standard errors."""
    both = Comparison(0.0, 0.0, 0.0, 1.0, 1.0)
    deviations = both.detectable(2.8) + np.random.default_rng(11).normal(size=100_000)
    seen = np.mean(deviations > 2.8)
    assert abs(seen - 0.80) < 5 * math.sqrt(0.8 * 0.2 / 100_000)
