"""Intervals against published values and by their coverage; curves against curves that are known exactly."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditpapers.statistics import (
    Z95,
    Estimate,
    crossing,
    crossing_estimate,
    exact_proportion,
    mean,
    proportion,
    read_curve,
    student,
    welch,
)

COSTS = np.array([100.0, 250.0, 1000.0, 3000.0, 20000.0])


def hits(k: int, n: int) -> np.ndarray:
    return np.r_[np.ones(k), np.zeros(n - k)]


def test_mean_of_known_numbers():
    found = mean(np.array([1.0, 2.0, 3.0, 4.0]))
    se = math.sqrt(5 / 3 / 4)
    assert found == Estimate(
        2.5, pytest.approx(se), pytest.approx(2.5 - 1.96 * se, abs=1e-4), pytest.approx(2.5 + 1.96 * se, abs=1e-4), "normal 95%"
    )


def test_mean_of_too_few_numbers_has_no_interval():
    for sample, centre in ((np.array([]), math.nan), (np.array([3.0]), 3.0)):
        found = mean(sample)
        assert found.mean == pytest.approx(centre, nan_ok=True)
        assert math.isnan(found.se)
        assert math.isnan(found.low)
        assert math.isnan(found.high)


def test_mean_of_equal_numbers_and_of_nan():
    assert mean(np.full(5, 2.0)) == Estimate(2.0, 0.0, 2.0, 2.0, "normal 95%")
    assert math.isnan(mean(np.array([1.0, math.nan])).mean), "a NaN is not dropped in silence"


# Student, Biometrika 6 (1908): the extra hours of sleep by two drugs; R's documentation of t.test prints these intervals
FIRST, SECOND = (
    np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]),
    np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]),
)


def test_student_and_welch_on_the_sleep_data():
    paired = student(FIRST - SECOND)
    assert (paired.mean, paired.low, paired.high) == (
        pytest.approx(-1.58), pytest.approx(-2.4598858, abs=1e-7), pytest.approx(-0.7001142, abs=1e-7)
    )  # fmt: skip
    apart = welch(FIRST, SECOND)
    assert (apart.mean, apart.low, apart.high) == (
        pytest.approx(-1.58), pytest.approx(-3.3654832, abs=1e-7), pytest.approx(0.2054832, abs=1e-7)
    )  # fmt: skip
    assert (paired.interval, apart.interval) == ("t 95%", "welch 95%")


def test_student_and_welch_of_too_few_or_equal_numbers():
    for sample in (np.array([]), np.array([3.0])):
        assert math.isnan(student(sample).low)
        assert math.isnan(welch(FIRST, sample).high)
    assert student(np.full(4, 2.0)) == Estimate(2.0, 0.0, 2.0, 2.0, "t 95%")
    assert welch(np.full(4, 2.0), np.full(3, 5.0)) == Estimate(-3.0, 0.0, -3.0, -3.0, "welch 95%")


# Newcombe (Statistics in Medicine 17, 1998), Table I, method 3
@pytest.mark.parametrize(
    ("k", "n", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
)
def test_wilson_intervals_as_published(k, n, low, high):
    found = proportion(hits(k, n))
    assert (found.mean, found.interval) == (k / n, "wilson 95%")
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    mirrored = proportion(hits(n - k, n))
    assert (mirrored.low, mirrored.high) == (pytest.approx(1 - found.high), pytest.approx(1 - found.low))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.data())
def test_wilson_intervals_are_proper(n, data):
    k = data.draw(st.integers(0, n))
    found = proportion(hits(k, n))
    assert 0 <= found.low <= k / n + 1e-15
    assert k / n - 1e-15 <= found.high <= 1
    assert found.high - found.low > 1e-3


def test_proportion_of_nothing():
    assert all(math.isnan(value) for value in (proportion(np.array([])).mean, proportion(np.array([])).low))


def test_exact_proportion_against_closed_forms_and_a_table():
    """0 of n ends at 1 - 0.025^(1/n); 5 of 10 from a published table."""
    none, all_of_them = exact_proportion(hits(0, 10)), exact_proportion(hits(10, 10))
    assert (none.mean, none.low, none.high) == (0.0, 0.0, pytest.approx(1 - 0.025**0.1, abs=1e-12))
    assert (all_of_them.mean, all_of_them.low, all_of_them.high) == (1.0, pytest.approx(0.025**0.1, abs=1e-12), 1.0)
    half = exact_proportion(hits(5, 10))
    assert (half.low, half.high) == (pytest.approx(0.1871, abs=1e-4), pytest.approx(0.8129, abs=1e-4))
    assert half.se == pytest.approx(math.sqrt(0.025))
    assert half.interval == "clopper-pearson 95%"


@pytest.mark.parametrize("n", [1, 10, 200])
def test_exact_proportion_covers_for_every_share(n):
    """By enumeration: no share has less than 95%, and the Wilson interval, narrower, has less at some."""
    ends = [exact_proportion(hits(k, n)) for k in range(n + 1)]
    narrower = [proportion(hits(k, n)) for k in range(n + 1)]
    least = {"exact": 1.0, "wilson": 1.0}
    for p in np.linspace(0.002, 0.998, 250):
        weights = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        for name, found in (("exact", ends), ("wilson", narrower)):
            least[name] = min(least[name], sum(w for w, end in zip(weights, found, strict=True) if end.low <= p <= end.high))
    assert least["exact"] >= 0.95
    assert least["wilson"] < 0.95


def test_exact_proportion_of_nothing_and_of_nan():
    for sample in (np.array([]), np.array([1.0, math.nan])):
        found = exact_proportion(sample)
        assert math.isnan(found.mean)
        assert math.isnan(found.low)
        assert math.isnan(found.high)


def test_coverage_of_the_normal_interval():
    samples = np.random.default_rng(11).exponential(1.0, (2000, 200))
    covered = np.mean([found.low <= 1 <= found.high for found in map(mean, samples)])
    assert 0.93 < covered < 0.965  # 0.95 - skewness / sqrt(n) effects; binomial sd 0.005


@pytest.mark.parametrize(("p", "n"), [(0.5, 50), (0.05, 100), (0.01, 300)])
def test_coverage_of_the_wilson_interval(p, n):
    samples = (np.random.default_rng(12).random((2000, n)) < p).astype(float)
    covered = np.mean([found.low <= p <= found.high for found in map(proportion, samples)])
    assert 0.925 < covered < 0.99


def test_a_curve_linear_in_log_cost_is_read_exactly():
    slopes = np.array([[0.5], [-2.0], [0.0]])
    paths = 3 + slopes * np.log(COSTS)
    for cost in (100.0, 101.0, 250.0, 999.0, 1000.0, 19999.0, 20000.0):
        assert read_curve(COSTS, paths, cost) == pytest.approx(3 + slopes[:, 0] * math.log(cost), abs=1e-12)


def test_a_curve_is_its_checkpoints_at_its_checkpoints():
    paths = np.random.default_rng(1).random((6, 5))
    for i, cost in enumerate(COSTS):
        assert np.array_equal(read_curve(COSTS, paths, cost), paths[:, i])


def test_a_curve_of_one_point_is_known_there_only():
    paths = np.array([[4.0], [5.0]])
    assert read_curve(np.array([10.0]), paths, 10.0).tolist() == [4.0, 5.0]
    assert np.isnan(read_curve(np.array([10.0]), paths, 10.1)).all()


@pytest.mark.parametrize("cost", [99.999, 20000.001, math.nan, math.inf, 0.0])
def test_outside_its_curve_nothing_is_read(cost):
    assert np.isnan(read_curve(COSTS, np.ones((3, 5)), cost)).all()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.floats(0.1, 3), st.floats(0, 1))
def test_a_power_law_is_crossed_exactly(power, place):
    cost = math.exp(math.log(COSTS[0]) + place * math.log(COSTS[-1] / COSTS[0]))
    heights = 7 * COSTS**-power
    level = min(max(7 * cost**-power, heights[-1]), heights[0])
    assert crossing(COSTS, heights, level) == pytest.approx(cost, rel=1e-9)


def test_levels_at_and_beyond_the_ends():
    heights = np.array([0.5, 0.4, 0.3, 0.2, 0.1])
    assert math.isnan(crossing(COSTS, heights, 0.0999))
    assert math.isnan(crossing(COSTS, heights, 0.0))
    assert crossing(COSTS, heights, 0.1) == pytest.approx(20000)
    assert crossing(COSTS, heights, 0.3) == pytest.approx(1000)
    assert crossing(COSTS, heights, 0.5) == crossing(COSTS, heights, 9.0) == 100


def test_noise_that_goes_up_is_evened_out():
    """0.2 and 0.4 are pooled to 0.3 each: the level 0.25 lies between the third cost and the fourth."""
    found = crossing(COSTS, np.array([0.8, 0.2, 0.4, 0.1, 0.05]), 0.25)
    share = math.log(0.3 / 0.25) / math.log(0.3 / 0.1)
    assert found == pytest.approx(math.exp(math.log(1000) + share * math.log(3)))
    rising = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    assert crossing(COSTS, rising, 0.3) == 100, "a curve that only rises is flat at its mean"
    assert math.isnan(crossing(COSTS, rising, 0.29))


def test_a_curve_that_comes_down_to_zero_is_read_linearly_there():
    heights = np.array([0.4, 0.2, 0.0, 0.0, 0.0])
    assert crossing(COSTS, heights, 0.1) == pytest.approx(math.sqrt(250 * 1000))
    assert crossing(COSTS, heights, 0.2) == pytest.approx(250)
    assert crossing(COSTS, heights, 0.0) == pytest.approx(1000)
    assert crossing(COSTS, np.array([0.4, 0.2, -0.2, -0.3, -0.3]), 0.1) == pytest.approx(math.exp(math.log(250) + 0.25 * math.log(4)))


def test_a_curve_with_a_hole_has_no_crossing():
    assert math.isnan(crossing(COSTS, np.array([0.5, math.nan, 0.3, 0.2, 0.1]), 0.3))
    paths = np.tile([0.5, 0.4, 0.3, 0.2, 0.1], (3, 1))
    paths[1, 2] = math.nan
    assert math.isnan(crossing_estimate(COSTS, paths, 0.3).mean)


def test_the_crossing_of_a_mean_path():
    paths = np.array([[0.9, 0.5, 0.3, 0.2, 0.1], [0.7, 0.3, 0.1, 0.0, 0.1]])
    found = crossing_estimate(COSTS, paths, 0.4)
    assert found.mean == pytest.approx(250)
    assert found.low < found.mean < found.high
    assert found.se == pytest.approx((found.high - found.low) / (2 * Z95))
    assert found.interval == "band 95%"


def test_a_band_that_does_not_come_down_has_no_end():
    rng = np.random.default_rng(3)
    paths = 5 / np.sqrt(COSTS) * rng.lognormal(0, 1.0, (40, 5))
    level = float(paths.mean(axis=0)[-1]) * 1.001
    found = crossing_estimate(COSTS, paths, level)
    assert found.low < found.mean <= 20000
    assert math.isnan(found.high)


def test_one_replicate_has_no_band():
    found = crossing_estimate(COSTS, np.array([[0.5, 0.4, 0.3, 0.2, 0.1]]), 0.3)
    assert found.mean == pytest.approx(1000)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert math.isnan(found.se)


def test_coverage_of_the_crossing():
    """A replicate that does badly does so at every cost, as when all budgets are read off one run."""
    rng, truth, covered = np.random.default_rng(4), 1700.0, 0
    for _ in range(400):
        paths = COSTS**-0.5 * rng.gamma(1.0, 1.0, (150, 1))
        found = crossing_estimate(COSTS, paths, truth**-0.5)
        covered += found.low <= truth <= found.high
    assert 0.92 < covered / 400 < 0.98
