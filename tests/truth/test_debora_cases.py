"""RepMean, its constants, the mixing weight, the instances and the batches of Esfandiari et al. against an independent computation."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from plain_debora import rep_mean

from banditpapers.algorithms._constrained import widths
from banditpapers.algorithms._pairs import doublings
from banditpapers.algorithms.batched_elimination import batches
from banditpapers.algorithms.debora_hard import mixing_weight
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.replicable_mean import precision, replicable_mean, zeta

CASES = json.loads((Path(__file__).parents[1] / "data" / "debora_cases.json").read_text())
CLOSE = {"rtol": 1e-12, "atol": 0}


def close(value):
    return pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize("case", CASES["params"], ids=lambda case: f"K={case['K']} T={case['T']:g} m={case['m']} rho={case['rho']}")
def test_parameters(case):
    arms, horizon, m, rho, delta = (case[key] for key in ("K", "T", "m", "rho", "delta"))
    assert doublings(horizon) == case["ceil_log2_T"]
    assert arms * doublings(horizon) == case["epoch_bound"]
    calls = case["M"]
    paper, sharp = precision(rho / calls, delta / calls), precision(rho / calls, delta / calls, "sharp")
    assert (rho / calls, delta / calls) == (close(case["rho_p"]), close(case["delta_p"]))
    assert paper == (close(case["cell_coef_paper"]), close(case["C"]))
    assert sharp == (close(case["cell_coef_sharp"]), close(case["width_coef_sharp"]))
    assert paper.width == close(calls * math.sqrt(2 * math.log(2 * calls / delta)) / (rho - 2 * delta)), "the form of the theorems"
    if m:
        world = ConstrainedArms(arms, costs=((0.0,) * arms,) * m, limits=(0.5,) * m)
        assert widths(world, horizon, rho, delta, "paper", "union", 1.0) == paper
        lazy = case["M_lazy"]
        assert widths(world, horizon, rho, delta, "sharp", "lazy", 0.5).width == close(
            precision(rho / lazy, delta / lazy, "sharp").width / 2
        )
        assert lazy * arms == calls


@pytest.mark.parametrize("case", CASES["zeta"], ids=lambda case: f"n={case['n']} {case['rho_p']}")
def test_zeta(case):
    assert zeta(case["n"], case["rho_p"], case["delta_p"]) == close(case["zeta"])
    cell = precision(case["rho_p"], case["delta_p"]).cell / math.sqrt(max(case["n"], 1))
    assert cell == close(case["cell_paper"])


@pytest.mark.parametrize("case", CASES["rep_mean"], ids=lambda case: f"{case['mean']} {case['alpha']} {case['u']}")
def test_rep_mean(case):
    mean, alpha, u = case["mean"], case["alpha"], case["u"]
    assert replicable_mean(mean, 1, alpha, u) == close(case["output"])
    assert rep_mean(mean, alpha, u) == close(case["output"])
    assert case["lo"] <= mean <= case["hi"]
    inside = np.nextafter(case["lo"], 1), (case["lo"] + case["hi"]) / 2, np.nextafter(case["hi"], 0)
    assert len({replicable_mean(value, 1, alpha, u) for value in inside}) == 1, "equal to the bit for all of a cell"


@pytest.mark.parametrize("case", CASES["rep_mean_full"], ids=lambda case: f"n={case['n']} {case['rho_p']} {case['u']}")
def test_rep_mean_of_samples(case):
    found, root = precision(case["rho_p"], case["delta_p"]), math.sqrt(case["n"])
    assert found.cell / root == close(case["alpha"])
    assert found.width / root == close(case["zeta"])
    assert replicable_mean(case["successes"], case["n"], found.cell / root, case["u"]) == close(case["output"])


@njit
def rounded(totals, n, alpha, offsets):
    found = np.empty(totals.size)
    for k in range(totals.size):
        found[k] = replicable_mean(totals[k], n, alpha, offsets[k])
    return found


@pytest.mark.parametrize("case", CASES["split_probability"], ids=lambda case: f"n={case['n']}")
def test_split_probability(case):
    n, p, alpha, pairs = case["n"], case["p"], case["alpha"], 400_000
    assert 2 * math.sqrt(p * (1 - p)) / (math.sqrt(math.pi * n) * alpha) == close(case["approx"])
    assert 1 / (alpha * math.sqrt(2 * n)) == close(case["bound"])
    rng = np.random.default_rng(1)
    totals, u = rng.binomial(n, p, (2, pairs)), rng.random(pairs)
    split = np.mean(rounded(totals[0], n, alpha, u) != rounded(totals[1], n, alpha, u))
    error = math.sqrt(split * (1 - split) / pairs)
    assert abs(split - case["approx"]) < 5 * error
    assert split + 5 * error < case["bound"]


@pytest.mark.parametrize("grid", ["paper", "whole", "sharp"])
@pytest.mark.parametrize(("rho", "delta"), [(0.3, 0.03), (0.05, 0.005)])
def test_lemma_2_5(grid, rho, delta):
    """A call errs by more than zeta with probability delta' and splits with probability rho' at most."""
    n, pairs, rng = 1000, 400_000, np.random.default_rng(2)
    found = precision(rho, delta, grid)
    alpha, width = found.cell / math.sqrt(n), found.width / math.sqrt(n)
    for p in (0.5, 0.03):
        totals, u = rng.binomial(n, p, (2, pairs)), rng.random(pairs)
        first, second = rounded(totals[0], n, alpha, u), rounded(totals[1], n, alpha, u)
        split = np.mean(first != second)
        expected = 2 * math.sqrt(p * (1 - p) / (math.pi * n)) / alpha
        assert split + 5 * math.sqrt(split / pairs) < rho
        assert abs(split - expected) < 5 * math.sqrt(split / pairs) + 0.02 * expected
        assert np.mean(np.abs(first - p) > width) <= delta
        assert first.min() >= 0
        assert first.max() <= 1


def test_a_grid_that_is_too_fine_errs_and_splits_more():
    """What the lemma's test would say of a width, or of a cell, ten times too small."""
    n, pairs, rng = 1000, 100_000, np.random.default_rng(3)
    found, totals, u = precision(0.3, 0.03, "sharp"), rng.binomial(n, 0.5, (2, pairs)), rng.random(pairs)
    alpha, width = found.cell / math.sqrt(n), found.width / math.sqrt(n)
    assert np.mean(np.abs(rounded(totals[0], n, alpha, u) - 0.5) > width / 10) > 0.03
    assert np.mean(rounded(totals[0], n, alpha / 10, u) != rounded(totals[1], n, alpha / 10, u)) > 0.3


@pytest.mark.parametrize("case", CASES["mixing"], ids=lambda case: case["label"])
def test_mixing_weight(case):
    x, g, limits, lambdas = (np.array(case[key]) for key in ("x_tilde", "g_hat", "alpha", "lam"))
    estimates, bounds = np.vstack([np.zeros(len(x)), g]), np.array(case["zeta"])
    weight, excess = mixing_weight(x, estimates, bounds, limits, lambdas, case["clip"])
    assert weight == close(case["gamma"])
    assert excess == close(max(cost - limit for cost, limit in zip(case["pess_cost"], limits, strict=True)))
    np.testing.assert_allclose(weight * x + (1 - weight) * np.array(case["x_diamond"]), case["x"], **CLOSE)
    assert (weight < 1) == bool(case["V"])


@pytest.mark.parametrize("case", CASES["instances"].values(), ids=lambda case: case["name"])
def test_instances(case):
    world = ConstrainedArms(len(case["r"]), rewards=tuple(case["r"]), costs=tuple(map(tuple, case["g"])), limits=tuple(case["al"]))
    assert world.optimum[1] == close(case["rstar"])
    np.testing.assert_allclose(world.optimum[0], case["xstar"], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(world.safest[0], case["xd"], rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(world.safest[1], case["lam"], **CLOSE)
    assert (world.alpha - world.safest[1]).min() == close(case["lmin"])


@pytest.mark.parametrize("case", CASES["esfandiari"], ids=lambda case: f"K={case['K']} T={case['T']:g}")
def test_batches(case):
    """Where q^i is a whole number, as for T = 10^12 and B = 27 with i = 18, floats have it just below, and the counts are one too small."""
    lengths, log = batches(case["K"], case["T"])
    counts, off = np.cumsum(lengths), int(case["T"] == 10**12)
    assert len(lengths) + 1 == case["B"]
    assert (counts - case["c"]).tolist() == [int(off and i >= 18) for i in range(1, case["B"])]
    assert round(10 ** (12 * 18 / 27)) == 10**8 == batches(10, 10**12)[0][17]
    np.testing.assert_allclose(np.sqrt(2 * log / np.array(case["c"])), case["U"], **CLOSE)
    np.testing.assert_allclose(np.sqrt(2 * log / (case["beta"] * np.array(case["c"]))), case["U_tilde"], **CLOSE)
    np.testing.assert_allclose(np.sqrt(2 * log / counts), case["U"], rtol=1e-8)
    assert int(max(case["K"] ** 2 / case["rho"] ** 2, 2304)) == case["beta"]
    assert case["rho"] / (case["K"] * case["B"]) == close(case["alg1_rho_p"])
    assert math.exp(-log) == close(case["alg1_delta_p"])
