"""What the theorems promise of epochs, regret, violation and safety, on runs; each with a control that breaks the promise."""

import math

import numpy as np
import pytest
from debora_runs import A3, B5, C10, debora_once, generator, hard_once, pairs, soft_once

from banditpapers.algorithms import debora_hard, debora_soft
from banditpapers.algorithms._constrained import calls_at_most, widths
from banditpapers.algorithms._pairs import doublings, epochs_at_most
from banditpapers.algorithms.debora import Debora
from banditpapers.algorithms.debora_hard import DeboraHard
from banditpapers.algorithms.debora_soft import DeboraSoft
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.replicable_mean import precision

RHO = 0.3
HORIZONS = (10**6, 10**9, 10**12, 10**15)
LATE = (10**14, 10**15, 10**16)
VARIANTS = [("paper", "union"), ("sharp", "lazy")]
INSTANCES = {"A3": (A3, 60), "B5": (B5, 60), "C10": (C10, 20)}
SMALL = [*range(2, 70), *(2**k + more for k in range(7, 11) for more in (-1, 0, 1))]


def epochs(world, horizon, cell, width, rng):
    """Of one run of DEBORA."""
    return len(debora_once(world, horizon, cell, width, rng.random(epochs_at_most(world.arms, horizon)), rng)[1])


# ---- epochs


@pytest.mark.parametrize("arms", [2, 3, 4, 5])
def test_debora_has_at_most_k_ceil_log2_t_epochs(arms):
    world, rng, most = ConstrainedArms(arms, gap=0.0), generator(arms), 0.0
    for horizon in SMALL:
        for cell, width in ((0.3, 0.5), (1.5, 1.9), (1000.0, 500.0)):
            share = epochs(world, horizon, cell, width, rng) / (arms * doublings(horizon))
            assert share <= 1, horizon
            most = max(most, share)
    assert most == 1 if arms == 2 else most > 0.7, "the bound is reached, or nearly so"


@pytest.mark.parametrize("name", ["soft", "hard"])
def test_under_constraints_there_are_no_more(name):
    rng = generator(2)
    for world, horizons in ((A3, SMALL[::3]), (B5, (100, 1000, 4096, 4097))):
        for horizon in horizons:
            offsets = rng.random(calls_at_most(world.arms, len(world.g), horizon))
            found = (soft_once if name == "soft" else hard_once)(world, horizon, 0.6, 0.8, offsets, generator(3, horizon), rng)
            assert len(found[1]) <= world.arms * doublings(horizon)


def test_one_arm_or_one_round_is_one_epoch_more_than_that():
    for horizon in (2, 4, 1000, 1024, 1025):
        assert epochs(ConstrainedArms(1), horizon, 1.0, 1.0, generator(4)) == 1 + math.ceil(math.log2(horizon))
    assert epochs(ConstrainedArms(3), 1, 1.0, 1.0, generator(4)) == 1 > 3 * math.log2(1)


# ---- regret of DEBORA


@pytest.mark.parametrize("arms", [2, 5])
@pytest.mark.parametrize(("gap", "low", "high"), [(0.05, 0.55, 0.9), (0.2, 1.0, 1.5), (0.4, 1.4, 1.9)])
def test_regret_is_in_units_of_the_bound(arms, gap, low, high):
    """In every run at most sum 8 C^2 / gap + gap; on average c sum C^2 / gap, where c depends on the gap alone, if T > 100 K (C/gap)^2."""
    algorithm = Debora(HORIZONS, (RHO, 0.9))
    found = pairs(algorithm, ConstrainedArms(arms, gap=gap), 400)
    shown = 0
    for i, horizon in enumerate(HORIZONS):
        for j, rho in enumerate(algorithm.rho):
            calls = arms * doublings(horizon)
            C = precision(rho / calls, 0.1 * rho / calls).width
            regret = np.concatenate([found[name][:, i, j] for name in ("regret", "second_regret")])
            unit, onset = (arms - 1) * C**2 / gap, arms * (C / gap) ** 2
            assert regret.max() <= 8 * unit + (arms - 1) * gap
            assert regret.min() > 0
            if horizon > 100 * onset:
                assert low < regret.mean() / unit < high
                shown += 1
            if horizon < onset / 20:
                assert regret.mean() > 0.9 * horizon * gap * (1 - 1 / arms), "nothing has been learnt"
    assert shown >= 2
    assert found["missed"].sum() == 0


def test_widths_that_are_too_narrow_break_the_bound():
    """Negative control: the same bound with C of a width a tenth as large."""
    world, rng, horizon = ConstrainedArms(2, gap=0.2), generator(5), 10**9
    cell, width = precision(RHO / 60, 0.1 * RHO / 60)
    bound = 8 * (width / 10) ** 2 / 0.2 + 0.2
    over = []
    for _ in range(50):
        strategies, rounds = debora_once(world, horizon, cell, width / 10, rng.random(epochs_at_most(2, horizon)), rng)[:2]
        over.append(0.2 * rounds @ strategies[:, 0] > bound)
    assert np.mean(over) > 0.1


# ---- violation of DEBORA-S and regret of DEBORA-H


@pytest.mark.parametrize("instance", INSTANCES)
@pytest.mark.parametrize(("kind", "quantity", "low", "high"), [(DeboraSoft, "violation", 1.5, 3.0), (DeboraHard, "regret", 1.4, 4.5)])
def test_violation_and_regret_are_in_units_of_c_sqrt_kt(instance, kind, quantity, low, high):
    world, count = INSTANCES[instance]
    for grid, calls in VARIANTS:
        clip = {"clip": True} if kind is DeboraHard else {}
        found = pairs(kind(LATE, (RHO,), grid=grid, calls=calls, **clip), world, count)
        values = np.concatenate([found[quantity], found[f"second_{quantity}"]])[..., 0]
        units = [widths(world, horizon, RHO, 0.1 * RHO, grid, calls, 1.0).width * math.sqrt(world.arms * horizon) for horizon in LATE]
        shares = values / units
        assert low < shares[:, -1].mean() < high
        if kind is DeboraSoft:
            assert shares.max() <= 2 * (math.sqrt(2) + 1), "in every run, as doubling has it"
        else:
            assert (found["violation"] == 0).all()
            assert (found["second_violation"] == 0).all()
            assert (found["unsafe"] == 0).all()
        assert (found["missed"] == 0).all(), "every estimate lies within its width, so that the best safe strategy is never excluded"
        if instance == "A3":
            slopes = np.diff(np.log10(values.mean(axis=0)))
            assert ((slopes > 0.45) & (slopes < 0.62)).all()


def test_the_regret_of_debora_s_is_negative_where_unsafe_strategies_are_better():
    assert (pairs(DeboraSoft(LATE, (RHO,)), A3, 60)["regret"] < 0).all()


@pytest.mark.parametrize("world", [A3, B5], ids=["A3", "B5"])
def test_narrower_widths_are_unsafe(world):
    """Plain means with the width of theory never play an unsafe round, with .3 of it many runs do."""
    unsafe = {
        factor: (pairs(DeboraHard((10**8,), (RHO,), grid="means", factor=factor, clip=True), world, 300)["unsafe"] > 0).mean()
        for factor in (1.0, 0.5, 0.3, 0.1)
    }
    assert unsafe[1.0] == 0
    assert 0 < unsafe[0.5] < unsafe[0.3] < unsafe[0.1]
    assert unsafe[0.3] > 0.2
    assert unsafe[0.1] > 0.9


@pytest.mark.parametrize("world", [A3, B5], ids=["A3", "B5"])
@pytest.mark.parametrize("module", [debora_soft, debora_hard], ids=["soft", "hard"])
def test_the_best_safe_strategy_is_always_within_the_optimistic_set(world, module, monkeypatch):
    """X* in X_h: in every epoch lower bounds of costs are below the costs. And what DEBORA-H plays is safe by upper bounds, too."""
    horizon, sets, plays = 10**9, [], []
    coefficients = widths(world, horizon, RHO, 0.1 * RHO, "sharp", "lazy", 1.0)

    def optimistic(estimates, bounds, limits, values, costs, x):
        compiled(estimates, bounds, limits, values, costs, x)
        sets.append((estimates[1:] - bounds, estimates[1:] + bounds))

    def draw_epoch(xi, x, *others):
        plays.append(x.copy())
        return draw(xi, x, *others)

    compiled, draw = module.optimistic, module.draw_epoch
    monkeypatch.setattr(module, "optimistic", optimistic)
    monkeypatch.setattr(module, "draw_epoch", draw_epoch)
    monkeypatch.setattr(module, "play_once", getattr(module.play_once, "py_func", module.play_once))
    play = soft_once if module is debora_soft else hard_once
    for seed in range(10):
        offsets = generator(7, seed).random(calls_at_most(world.arms, len(world.g), horizon))
        play(world, horizon, *coefficients, offsets, generator(8, seed), generator(9, seed), True)
    assert len(sets) == len(plays) > 300
    for low, _ in sets:
        assert (low <= world.g).all()
        assert (low @ world.optimum[0] <= world.alpha + 1e-12).all()
    over = [max(world.g @ x - world.alpha) for x in plays]
    assert (max(over) > 0.1) if module is debora_soft else (max(over) <= 1e-12)
