"""The column generation against a general LP solver (HiGHS) that knows nothing of threshold policies."""

import pytest
from highs import highs

from banditpapers.algorithms.lp2s import smallest_delta0, solve

SMALL = [
    ("PAC", (1, 1), 50, 20, 5, 0.02, 0.7),
    ("PAC", (5, 1), 50, 20, 5, 0.05, 0.8),
    ("PAC", (1, 3), 50, 20, 5, 0.2, 0.5),
    ("SRM", (1, 1), 50, 20, 5, 0.1, None),
    ("SRM", (5, 1), 50, 20, 5, 0.06, None),
    ("SRM", (1, 3), 80, 17, 3, 0.35, None),
    ("FC", (1, 1), 50, 20, 5, 0.88, None),
    ("FC", (5, 1), 50, 20, 5, 0.93, None),
    ("FC", (1, 3), 30, 15, 4, 0.8, None),
    ("PAC", (1, 1), 10, 4, 1, 0.26, 0.7),
    ("PAC", (0.5, 2), 20, 12, 3, 0.7, 0.6),
    ("SRM", (1, 1), 100, 60, 8, 0.1, None),
]


@pytest.mark.parametrize("arguments", SMALL, ids=lambda arguments: "-".join(map(str, arguments)))
def test_optimal_value_and_policy(arguments):
    policy = solve(*arguments)
    value, masses = highs(*arguments)
    assert policy.cost == pytest.approx(value, rel=1e-9)
    assert policy.pulled == pytest.approx([mass.sum() for mass in masses], abs=1e-8)
    assert policy.last_pulls == pytest.approx(masses[-1], abs=1e-8)


@pytest.mark.parametrize("prior", [(1, 1), (5, 1), (1, 3)])
def test_the_smallest_delta0_is_the_end_of_feasibility(prior):
    """Just above the smallest delta0 the program is feasible and as expensive as the closed form says; a little below it is infeasible."""
    shared = ("SRM", prior, 50, 12, 5)
    smallest = smallest_delta0(*shared)
    value, _ = highs(*shared, smallest * (1 + 1e-7), None)
    assert solve(*shared, smallest).cost == pytest.approx(value, rel=1e-4)
    assert solve(*shared, smallest * (1 + 1e-7)).cost == pytest.approx(value, rel=1e-6)
    with pytest.raises(AssertionError, match="infeasible"):
        highs(*shared, smallest * 0.999, None)
