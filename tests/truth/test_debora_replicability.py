"""How often the two runs of a pair differ: below rho where that is promised, and not where it is not."""

import math

import numpy as np
import pytest
from debora_runs import A3, B5, at_least, at_most, debora_once, generator, hard_once, pairs, soft_once

from banditpapers.algorithms._constrained import calls_at_most, widths
from banditpapers.algorithms._pairs import compare, doublings, epochs_at_most, shared_offsets
from banditpapers.algorithms.batched_elimination import BatchedElimination
from banditpapers.algorithms.debora import Debora
from banditpapers.algorithms.debora_hard import DeboraHard
from banditpapers.algorithms.debora_soft import DeboraSoft
from banditpapers.algorithms.doubling_ucb import DoublingUcb
from banditpapers.algorithms.phased_elimination import PhasedElimination
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.replicable_mean import precision

RHO, HORIZONS = 0.3, (10**6, 10**12)
TIED = {arms: ConstrainedArms(arms, gap=0.0) for arms in (2, 5)}
APART = {arms: ConstrainedArms(arms, gap=0.2) for arms in (2, 5, 10)}
SHARP_TEXT = {"grid": "sharp", "calls": "text"}


def differ(found):
    """Pairs that differ, by horizon and rule."""
    return (1 - found["replicated"]).sum(axis=0)


def separate(kind, coins, world_seed):
    """One run of its own, of internal randomness `coins` and a world's randomness `world_seed`: as an owner of one run would have it."""
    if kind == "debora":
        world, horizon = APART[2], 10**6
        most = world.arms * doublings(horizon)
        offsets = shared_offsets(epochs_at_most(world.arms, horizon), horizon, coins, 7)
        return debora_once(world, horizon, *precision(RHO / most, 0.1 * RHO / most, "sharp"), offsets, generator(1, world_seed))
    world, horizon = A3, 10**9
    coefficients = widths(world, horizon, RHO, 0.1 * RHO, "sharp", "text", 1.0)
    offsets = shared_offsets(calls_at_most(world.arms, 1, horizon), horizon, coins, 7)
    play = soft_once if kind == "soft" else hard_once
    return play(world, horizon, *coefficients, offsets, generator(2, coins), generator(1, world_seed))[:5]


@pytest.mark.parametrize("kind", ["debora", "soft", "hard"])
def test_the_same_internal_randomness_and_the_same_world_give_the_same_run(kind):
    for coins in range(20):
        one, other = separate(kind, coins, coins), separate(kind, coins, coins)
        assert all(np.array_equal(first, second) for first, second in zip(one, other, strict=True))
        assert compare(one, other) == (True, 0)


@pytest.mark.parametrize("kind", ["debora", "soft", "hard"])
def test_other_internal_randomness_gives_another_run(kind):
    same = [compare(separate(kind, coins, coins), separate(kind, coins + 1000, coins))[0] for coins in range(100)]
    assert not any(same)


@pytest.mark.parametrize(
    ("kind", "algorithm", "world", "count"),
    [
        ("debora", Debora((10**6,), (RHO,), grid="sharp"), APART[2], 2000),
        ("soft", DeboraSoft((10**9,), (RHO,), **SHARP_TEXT), A3, 800),
        ("hard", DeboraHard((10**9,), (RHO,), **SHARP_TEXT, clip=True), A3, 800),
    ],
)
def test_two_separate_runs_behave_as_the_pair_does(kind, algorithm, world, count):
    """With equal internal randomness and streams of the world that have nothing to do with each other."""
    apart = [compare(separate(kind, coins, 2 * coins), separate(kind, coins, 2 * coins + 1)) for coins in range(count)]
    found = pairs(algorithm, world, count)
    for alone, paired in (([not same for same, _ in apart], 1 - found["replicated"]), ([splits for _, splits in apart], found["splits"])):
        error = math.sqrt((np.var(alone) + np.var(paired)) / count)
        assert abs(np.mean(alone) - np.mean(paired)) < 4 * error
        assert np.mean(alone) > 5 * error, "pairs do differ, so that there is something to compare"


@pytest.mark.parametrize(("arms", "count"), [(2, 5000), (5, 3000), (10, 1500)])
def test_debora_keeps_its_promise_with_room_to_spare(arms, count):
    """Near .03 to .055 rho, and as often as the closed form says: (calls / M) times .28 (rho - 2 delta) / sqrt(2 log(2 M / delta))."""
    algorithm = Debora(HORIZONS, (RHO, 0.9))
    found = pairs(algorithm, APART[arms], count)
    differing, splits = differ(found), found["splits"].mean(axis=0)
    assert (found["splits"] >= 1 - found["replicated"]).all(), "without a split there is no difference"
    for (i, horizon), (j, rho) in [((i, horizon), (j, rho)) for i, horizon in enumerate(HORIZONS) for j, rho in enumerate((RHO, 0.9))]:
        assert at_most(differing[i, j], count) < 0.1 * rho
        most, delta = arms * doublings(horizon), 0.1 * rho
        error = math.sqrt(splits[i, j] / count)
        assert splits[i, j] + 4 * error < 0.1 * rho
        # arms of mean 1/2 split the most; the better arm and calls that are not made save some
        each = 2 * 0.5 / math.sqrt(math.pi) / precision(rho / most, delta / most).cell
        assert each * most == pytest.approx(0.28 * (rho - 2 * delta) / math.sqrt(2 * math.log(2 * most / delta)), rel=0.03)
        expected = each * found["epochs"][:, i, j].mean()
        assert 0.6 * expected - 4 * error < splits[i, j] < 1.1 * expected + 4 * error


@pytest.mark.parametrize("arms", [2, 5])
def test_the_sharp_grid_uses_much_of_what_it_may(arms):
    """So that a test of the promise is not empty."""
    count = 2000
    found = pairs(Debora(HORIZONS, (RHO,), grid="sharp"), APART[arms], count)
    for differing, splits in zip(differ(found)[:, 0], found["splits"].mean(axis=0)[:, 0], strict=True):
        assert at_least(differing, count) > 0.05
        assert at_most(differing, count) < RHO
        assert splits < RHO


@pytest.mark.parametrize("world", [APART[5], TIED[5]], ids=["gap 0.2", "tied"])
def test_estimating_every_arm_in_every_epoch_breaks_the_promise(world):
    """Negative control: with the same rho' there are more calls than the union bound counts."""
    count = 1000
    found = pairs(Debora((10**6, 10**9), (RHO,), grid="sharp", refresh="every"), world, count)
    assert all(at_least(differing, count) > RHO for differing in differ(found)[:, 0])
    assert (found["splits"].mean(axis=0) > 2 * RHO).all()


@pytest.mark.parametrize(("arms", "expected"), [(2, 1 / 2), (5, 4 / 5)])
def test_plain_means_at_the_end_are_not_replicable(arms, expected):
    """Algorithm 2 of Esfandiari et al. as printed compares plain means of arms that are tied; by labels it keeps the promise."""
    count, early = 1000, (10**6, 10**9)
    printed = differ(pairs(BatchedElimination(early, (RHO,), 2), TIED[arms], count))
    assert all(at_least(differing, count) > 0.4 for differing in printed[:, 0])
    assert printed[:, 0] / count == pytest.approx(expected, abs=0.06)
    for kept in (
        BatchedElimination(early, (RHO,), 2, "label"), BatchedElimination(early, (RHO,), 1), PhasedElimination(early, (RHO,)),
        Debora(early, (RHO,)),
    ):  # fmt: skip
        assert all(at_most(differing, count) < 0.1 for differing in differ(pairs(kept, TIED[arms], count))[:, 0])


def test_without_shared_randomness_no_two_runs_are_the_same():
    assert (pairs(DoublingUcb((10**6, 10**9)), APART[2], 300)["replicated"] == 0).mean() > 0.99


@pytest.mark.parametrize(("kind", "horizon"), [(DeboraSoft, 10**9), (DeboraHard, 10**16)])
@pytest.mark.parametrize(("world", "count"), [(A3, 1000), (B5, 500)], ids=["A3", "B5"])
def test_constraints_are_replicable_too(kind, horizon, world, count):
    """The mean number of splits is what the union bound counts: with the text's rho' it is above rho, though few pairs differ."""
    means = {}
    for grid, calls in (("paper", "union"), ("paper", "lazy"), ("sharp", "union"), ("sharp", "lazy"), ("sharp", "text")):
        clip = {"clip": True} if kind is DeboraHard else {}
        found = pairs(kind((horizon,), (RHO,), grid=grid, calls=calls, **clip), world, count)
        assert at_most(differ(found)[0, 0], count) < (RHO / 10 if grid == "paper" else RHO)
        assert (found["splits"] >= 1 - found["replicated"]).all()
        means[grid, calls] = found["splits"].mean(), 4 * found["splits"].std() / math.sqrt(count)
    for (grid, calls), (mean, error) in means.items():
        if calls != "text":
            assert mean + error < RHO
        assert (mean > 10 * means["paper", "union"][0]) == (grid == "sharp")
    mean, error = means["sharp", "text"]
    if kind is DeboraSoft:
        assert mean - error > RHO
    assert mean - error > means["sharp", "union"][0] + means["sharp", "union"][1]
