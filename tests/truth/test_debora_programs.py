"""Linear programs over the simplex: against a general solver (HiGHS), and their ties against exact fractions."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from banditpapers.kernels.simplex_lp import first_combination, next_combination, solve_simplex

CASES = json.loads((Path(__file__).parents[1] / "data" / "debora_cases.json").read_text())


def solve(c, costs, limits):
    """The solution, or None."""
    c, limits = np.array(c, dtype=np.float64), np.array(limits, dtype=np.float64)
    x = np.full(len(c), np.nan)
    return x if solve_simplex(c, np.array(costs, dtype=np.float64).reshape(len(limits), len(c)), limits, x) else None


def highs(c, costs, limits):
    found = linprog(-c, A_ub=costs, b_ub=limits, A_eq=np.ones((1, len(c))), b_eq=[1.0], method="highs")
    assert found.status in (0, 2), found.message
    return None if found.status == 2 else -found.fun


def equation(matrix, right):
    """The solution of a square system in fractions; None where there is not exactly one."""
    rows, n = [[*row, value] for row, value in zip(matrix, right, strict=True)], len(matrix)
    for s in range(n):
        pivot = next((r for r in range(s, n) if rows[r][s] != 0), None)
        if pivot is None:
            return None
        rows[s], rows[pivot] = rows[pivot], rows[s]
        rows[s] = [entry / rows[s][s] for entry in rows[s]]
        for r in range(n):
            if r != s:
                rows[r] = [entry - rows[r][s] * known for entry, known in zip(rows[r], rows[s], strict=True)]
    return [row[-1] for row in rows]


def exactly(c, costs, limits):
    """The first best vertex in fractions: supports from small to large, each size in lexicographic order. How many are as good, too."""
    vertices = []
    for size in range(1, min(len(limits) + 1, len(c)) + 1):
        for support in combinations(range(len(c)), size):
            for tight in combinations(range(len(limits)), size - 1):
                rows = [[Fraction(1)] * size, *([Fraction(costs[i][a]) for a in support] for i in tight)]
                weights = equation(rows, [Fraction(1), *(Fraction(limits[i]) for i in tight)])
                if weights is None or min(weights) < 0:
                    continue
                x = [Fraction(0)] * len(c)
                for a, weight in zip(support, weights, strict=True):
                    x[a] = weight
                spent = [sum(cost * share for cost, share in zip(row, x, strict=True)) for row in costs]
                if all(one <= limit for one, limit in zip(spent, limits, strict=True)):
                    vertices.append((sum(value * share for value, share in zip(c, x, strict=True)), x))
    if not vertices:
        return None, 0
    best = max(value for value, _ in vertices)
    winners = [x for value, x in vertices if value == best]
    return [float(share) for share in winners[0]], len({tuple(x) for x in winners})


@pytest.mark.parametrize("case", CASES["lp"], ids=lambda case: case["label"])
def test_fixed_programs(case):
    x = solve(case["c"], case["G"], case["alpha"])
    assert (x is not None) == case["feasible"]
    if case["feasible"]:
        np.testing.assert_allclose(x, case["x"], rtol=1e-9, atol=1e-15)
        assert x @ case["c"] == pytest.approx(case["obj"], rel=1e-12)


def test_300_programs_against_highs():
    rng, infeasible, mixed = np.random.default_rng(6), 0, 0
    for k in range(300):
        arms, m = int(rng.integers(1, 11)), int(rng.integers(1, 4))
        # as of an algorithm: some with widths far above 1, some with what is known exactly
        scale = (0.0, 0.1, 30.0)[k % 3] * rng.random(arms)
        c, costs, limits = rng.random(arms) + scale, rng.random((m, arms)) - scale, rng.uniform(0.1, 0.6, m)
        x, value = solve(c, costs, limits), highs(c, costs, limits)
        assert (x is None) == (value is None)
        if x is None:
            infeasible += 1
            continue
        mixed += (x > 0).sum() > 1
        assert abs(x @ c - value) <= 1e-10 * max(1.0, abs(value))
        assert x.min() >= 0
        assert x.sum() == pytest.approx(1.0, abs=1e-12)
        assert (costs @ x - limits).max() <= 1e-12 * max(1.0, abs(costs).max())
        assert (x > 0).sum() <= m + 1
        again = solve(c, costs, limits)
        assert x.tobytes() == again.tobytes()
    assert infeasible > 20
    assert mixed > 50


def test_ties_go_to_the_smallest_support_and_the_smallest_labels():
    """Programs of small whole numbers, of which many have several best vertices: as in exact arithmetic."""
    rng, tied, infeasible = np.random.default_rng(7), 0, 0
    for _ in range(300):
        arms, m = int(rng.integers(2, 6)), int(rng.integers(1, 3))
        c, costs, limits = rng.integers(0, 3, arms).tolist(), rng.integers(0, 4, (m, arms)).tolist(), rng.integers(0, 3, m).tolist()
        expected, winners = exactly(c, costs, limits)
        found = solve(c, costs, limits)
        assert (found is None) == (expected is None)
        infeasible += expected is None
        tied += winners > 1
        if expected is not None:
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    assert tied > 50
    assert infeasible > 20


def test_arms_that_are_alike_are_told_apart_by_their_labels():
    for arms in (2, 5, 10):
        assert solve(np.ones(arms), np.zeros((2, arms)), np.ones(2)).tolist() == [1.0, *[0.0] * (arms - 1)]
    x = solve([0.9, 0.9, 0.3, 0.3], [[0.9, 0.9, 0.1, 0.1]], [0.5])
    np.testing.assert_allclose(x, [0.5, 0, 0.5, 0])


def test_without_constraints_the_best_arm_is_played():
    assert solve([0.2, 0.7, 0.7], [], []).tolist() == [0, 1, 0]


def test_an_infeasible_program_leaves_the_solution_as_it_was():
    x = np.array([0.25, 0.75])
    assert not solve_simplex(np.array([0.8, 0.6]), np.array([[0.7, 0.2]]), np.array([0.1]), x)
    assert x.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(("n", "size"), [(5, 0), (5, 1), (5, 3), (5, 5), (1, 1)])
def test_combinations_come_in_lexicographic_order(n, size):
    chosen, found = np.empty(max(size, 1), dtype=np.int64), []
    first_combination(chosen, size)
    while True:
        found.append(tuple(chosen[:size].tolist()))
        if not next_combination(chosen, size, n):
            break
    assert found == list(combinations(range(n), size))
