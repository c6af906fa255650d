"""What Theorem 5 says at the parameters of Table 4, against numbers that follow from them by hand."""

from math import exp

import pytest

from banditpapers.papers.lp2s.theorem5 import Theorem5, theorem5

TABLE4 = Theorem5(arms=200, rounds=300, survivors=5, delta0=0.93)
LONG = Theorem5(arms=200, rounds=4 * 10 * 200**4, survivors=5, delta0=0.85)


def margins(stated: Theorem5) -> dict[str, float]:
    return {found["check"]: found["measured"] for found in theorem5(stated, 0.5, {"prior": "(1, 1)", "arms": stated.arms})}


def test_at_the_parameters_of_table_4_the_bound_says_nothing():
    assert TABLE4.exponent == pytest.approx(300 / 200**4 / 4, rel=1e-14)
    assert TABLE4.least == pytest.approx(1 - 0.07 * 5 + exp(-5) + 5, rel=1e-7)
    found = margins(TABLE4)
    assert found["theorem5_informs"] == pytest.approx(1 - TABLE4.least)
    assert found["theorem5_rounds"] == pytest.approx(-0.5, abs=1e-7)
    assert found["theorem5_sign"] == pytest.approx(-2 * TABLE4.exponent, rel=1e-9)


def test_with_enough_rounds_the_bound_says_something():
    assert LONG.exponent == pytest.approx(10)
    found = margins(LONG)
    assert found["theorem5_informs"] == pytest.approx(0.75 - exp(-5) - 5 * exp(-10))
    assert found["theorem5_rounds"] == pytest.approx(0.5 - exp(-10))


@pytest.mark.parametrize("c", [2.01, 2.5, 4.0])
def test_no_c_that_is_allowed_has_a_smaller_bound(c: float):
    last = TABLE4.survivors * exp(-TABLE4.rounds * TABLE4.arms ** (-2 * c) / 4)
    assert 1 - (1 - TABLE4.delta0) * TABLE4.survivors + exp(-TABLE4.survivors) + last >= TABLE4.least
