"""What DEBORA is compared with: against plain loops, and all mean regrets and violations against an independent computation."""

import math

import numpy as np
import pytest
from debora_runs import A3, B5, debora_once, generator, pairs, soft_once

from banditpapers.algorithms import doubling_ucb, optimistic_lp, ucb1
from banditpapers.algorithms._constrained import calls_at_most
from banditpapers.algorithms.batched_elimination import BatchedElimination
from banditpapers.algorithms.debora import Debora
from banditpapers.algorithms.debora_hard import DeboraHard
from banditpapers.algorithms.debora_soft import DeboraSoft
from banditpapers.algorithms.doubling_ucb import DoublingUcb
from banditpapers.algorithms.optimistic_lp import OptimisticLp
from banditpapers.algorithms.pessimistic_lp import PessimisticLp
from banditpapers.algorithms.phased_elimination import PhasedElimination
from banditpapers.environments.constrained_arms import ConstrainedArms

RHO = (0.3,)
HORIZONS = (10**4, 10**6, 10**8, 10**10, 10**12)
CONSTRAINED = (10**4, 10**6, 10**8, 10**10, 10**12, 10**14)
REGRET = [  # K, algorithm, mean regret at the horizons, two digits of 1000 pairs with gap .2 and rho .3
    (2, Debora(HORIZONS, RHO), (1.2e3, 1.0e5, 3.4e6, 7.9e6, 1.1e7)),
    (2, Debora(HORIZONS, RHO, grid="sharp"), (8.6e2, 1.1e4, 2.3e4, 4.1e4, 5.6e4)),
    (2, BatchedElimination(HORIZONS, RHO, 1), (1.5e3, 1.1e5, 5.2e6, 4.6e7, 7.6e7)),
    (2, BatchedElimination(HORIZONS, RHO, 2), (9.2e2, 4.8e4, 6.0e5, 6.4e5, 7.6e5)),
    (2, PhasedElimination(HORIZONS, RHO), (1.2e3, 1.5e5, 1.0e6, 1.1e6, 1.1e6)),
    (2, DoublingUcb(HORIZONS), (23, 28, 33, 30, 32)),
    (5, Debora(HORIZONS, RHO), (1.6e3, 1.7e5, 1.5e7, 1.9e8, 3.2e8)),
    (5, Debora(HORIZONS, RHO, grid="sharp"), (1.6e3, 1.3e5, 5.9e5, 9.6e5, 1.3e6)),
    (5, BatchedElimination(HORIZONS, RHO, 1), (1.8e3, 1.6e5, 1.5e7, 9.0e8, 1.9e9)),
    (5, BatchedElimination(HORIZONS, RHO, 2), (2.0e3, 6.3e4, 2.5e6, 2.6e6, 3.1e6)),
    (5, PhasedElimination(HORIZONS, RHO), (1.8e3, 1.9e5, 9.2e6, 9.2e6, 9.2e6)),
    (10, Debora(HORIZONS, RHO), (1.8e3, 1.9e5, 1.8e7, 1.3e9, 3.0e9)),
    (10, BatchedElimination(HORIZONS, RHO, 2), (2.0e3, 1.4e5, 5.6e6, 5.9e6, 7.0e6)),
]
LAZY = {"grid": "sharp", "calls": "lazy"}
PER_ROUND = [  # instance, quantity, algorithm, quantity / T of 60 runs
    (A3, "violation", DeboraSoft(CONSTRAINED, RHO), (0.243, 0.261, 0.203, 0.282, 0.061, 0.0074)),
    (A3, "violation", DeboraSoft(CONSTRAINED, RHO, calls="lazy"), (0.243, 0.251, 0.274, 0.134, 0.019, 0.0022)),
    (A3, "violation", DeboraSoft(CONSTRAINED, RHO, **LAZY), (0.236, 0.311, 0.077, 0.0105, 0.0012, 1.4e-4)),
    (A3, "violation", OptimisticLp(CONSTRAINED), (0.084, 0.0090, 9.2e-4, 9.3e-5, 9.2e-6, 9.3e-7)),
    (A3, "regret", DeboraHard(CONSTRAINED, RHO, clip=True), (0.069, 0.067, 0.075, 0.057, 0.024, 0.0039)),
    (A3, "regret", DeboraHard(CONSTRAINED, RHO, **LAZY, clip=True), (0.070, 0.059, 0.033, 0.0063, 8.7e-4, 9.9e-5)),
    # at 10^4 that computation has 0.031: it cuts pessimistic costs at 1, which the reconstruction here does not
    (A3, "regret", PessimisticLp(CONSTRAINED), (None, 0.0040, 4.2e-4, 4.3e-5, 4.2e-6, 4.3e-7)),
    (B5, "violation", DeboraSoft(CONSTRAINED, RHO), (0.082, 0.105, 0.126, 0.086, 0.142, 0.030)),
    (B5, "regret", DeboraHard(CONSTRAINED, RHO, clip=True), (0.272, 0.283, 0.274, 0.278, 0.226, 0.042)),
]


def near(sample, expected, its_count):
    """Within four standard errors of both, and the rounding to two digits."""
    error = np.std(sample, ddof=1) * math.sqrt(1 / len(sample) + 1 / its_count)
    return abs(np.mean(sample) - expected) <= 4 * error + 0.055 * expected


@pytest.mark.parametrize(("arms", "algorithm", "expected"), REGRET, ids=lambda value: type(value).__name__)
def test_mean_regret_is_that_of_an_independent_computation(arms, algorithm, expected):
    found = pairs(algorithm, ConstrainedArms(arms, gap=0.2), 250)
    regret = (found["regret"] + found["second_regret"])[..., 0].T / 2
    for i, value in enumerate(expected):
        assert near(regret[i], value, 1000), (HORIZONS[i], regret[i].mean())


@pytest.mark.parametrize(("world", "quantity", "algorithm", "expected"), PER_ROUND, ids=lambda value: getattr(value, "calls", ""))
def test_violation_and_regret_are_those_of_an_independent_computation(world, quantity, algorithm, expected):
    found = pairs(algorithm, world, 100)
    for i, value in enumerate(expected):
        assert value is None or near(found[quantity][:, i, 0] / CONSTRAINED[i], value, 60), (
            CONSTRAINED[i],
            found[quantity][:, i, 0].mean() / CONSTRAINED[i],
        )


def test_the_order_of_the_algorithms():
    """DEBORA beats algorithm 1 of Esfandiari et al. by about 7 and loses to their algorithm 2 by 15 for two arms and 105 for five."""
    for arms, lead, behind in ((2, 7, 15), (5, 6, 105)):
        world = ConstrainedArms(arms, gap=0.2)
        means = [
            pairs(algorithm, world, 250)["regret"][:, -1].mean()
            for algorithm in (Debora(HORIZONS, RHO), BatchedElimination(HORIZONS, RHO, 1), BatchedElimination(HORIZONS, RHO, 2))
        ]
        assert means[1] / means[0] == pytest.approx(lead, rel=0.25)
        assert means[0] / means[2] == pytest.approx(behind, rel=0.25)


def test_ucb1_is_the_plain_loop():
    r, horizons = np.array([0.5, 0.45, 0.55]), np.array([1, 2, 50, 5000])
    for seed in range(8):
        found, rng = ucb1._play(r, horizons, generator(seed)), generator(seed)
        plays, sums, expected = np.zeros(3, dtype=np.int64), np.zeros(3), []
        for t in range(1, 5001):
            arm = t - 1 if t <= 3 else int(np.argmax(sums / plays + np.sqrt(2 * math.log(t) / plays)))
            sums[arm] += rng.random() < r[arm]
            plays[arm] += 1
            if t in (1, 2, 50, 5000):
                expected.append(plays.tolist())
        assert found.tolist() == expected


def test_ucb_in_doubling_epochs_is_debora_on_a_grid_without_end():
    r = np.array([0.5, 0.4, 0.7])
    for horizon in (1, 2, 1000, 10**7):
        plain = doubling_ucb.play_once(r, horizon, 1.3, generator(2, horizon))
        offsets = np.full(200, 0.5)
        other = debora_once(ConstrainedArms(3, rewards=tuple(r)), horizon, 1e-9, 1.3, offsets, generator(2, horizon))
        assert np.array_equal(plain[0], other[0])
        assert np.array_equal(plain[1], other[1])


@pytest.mark.parametrize("world", [A3, B5], ids=["A3", "B5"])
def test_the_optimistic_program_is_debora_s_without_a_grid(world):
    told = np.vstack([world.r, world.g])
    for horizon in (1, 2, 1000, 10**7):
        plain = optimistic_lp.play_once(told, world.alpha, horizon, 0.8, False, generator(3), generator(4, horizon))
        offsets = np.zeros(calls_at_most(world.arms, len(world.g), horizon))
        other = soft_once(world, horizon, 0.0, 0.8, offsets, generator(3), generator(4, horizon))
        assert np.array_equal(plain[0], other[0])
        assert np.array_equal(plain[1], other[1])


@pytest.mark.parametrize(("kind", "quantity"), [(OptimisticLp, "violation"), (PessimisticLp, "regret")])
def test_doubling_epochs_cost_little_against_rounds(kind, quantity):
    """6 to 34 per cent more."""
    each, doubling = (pairs(kind((10**4,), epochs=epochs), A3, 40)[quantity] for epochs in ("rounds", "doubling"))
    assert 1.0 < doubling.mean() / each.mean() < 1.5
