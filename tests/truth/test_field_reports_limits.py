"""Limits, programs, priors and known regret: faults that people reported of bandit simulations, numbers 13 to 16 of docs/reliability.md."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from banditpapers.configuration import ConfigurationError, load, shipped
from banditpapers.environments import linear_contexts
from banditpapers.environments.beta_bernoulli import BetaBernoulli, account, draw_means
from banditpapers.environments.linear_contexts import History, LinearContexts
from banditpapers.kernels.elimination_policy import solve
from banditpapers.plugins import build, names
from banditpapers.seeding import Words, stream, streams
from banditpapers.selftest import samples

ROOT = Path(__file__).parents[2]


# ---- 13: what is no instance


@pytest.mark.parametrize(
    ("snippet", "key"),
    [
        ("drts: {ridge: {linear_thompson: 0}}", "drts.ridge.linear_thompson"),
        ("drts: {ridge: {balanced_thompson: 0}}", "drts.ridge.balanced_thompson"),
        ("drts: {ridge: {doubly_robust_thompson: 0.0}}", "drts.ridge.doubly_robust_thompson"),
        ("drts: {ablation: {ridges: [1, 0]}}", "drts.ablation.ridges[1]"),
        ("drts: {horizon: 0}", "drts.horizon"),
        ("drts: {longer: {horizon: 0}}", "drts.longer.horizon"),
        ("drts: {replicates: 0}", "drts.replicates"),
        ("drts: {settings: [[1, 20]]}", "drts.settings[0][0]"),
        ("drts: {settings: [[10, 0]]}", "drts.settings[0][1]"),
        ("drts: {v: [0]}", "drts.v[0]"),
        ("drts: {gamma: [0]}", "drts.gamma[0]"),
        ("lp2s: {realizations: 0}", "lp2s.realizations"),
        ("lp2s: {arms: [1]}", "lp2s.arms[0]"),
        ("lp2s: {batch_racing: {delta: 0}}", "lp2s.batch_racing.delta"),
        ("lp2s: {batch_racing: {delta: 1}}", "lp2s.batch_racing.delta"),
        ("lp2s: {figure1: {rounds: 0}}", "lp2s.figure1.rounds"),
        ("lp2s: {figure2: {arms: 1}}", "lp2s.figure2.arms"),
    ],
)
def test_13_is_refused_with_its_key(tmp_path, snippet, key):
    mine = tmp_path / "mine.yaml"
    mine.write_text(snippet, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=re.escape(f"mine.yaml, line 1, {key}: found ") + ".*; write ") as caught:
        load([*shipped(ROOT), mine])
    assert "\n" not in str(caught.value)


# ---- 14: linear programs


def test_14_three_equal_arms_are_exchangeable():
    """One policy for all arms; what is kept of ties is a stated probability, and the mass that survives is L."""
    for setting, survivors in (("SRM", 1.0), ("FC", 1.5), ("PAC", 3.0)):
        policy = solve(setting, (1, 1), 3, 5, survivors, solve_smallest(setting, survivors), 0.7)
        assert 3 * policy.last_pulls.sum() == pytest.approx(survivors, rel=1e-12)
        assert abs(policy.gap) < 1e-12
        assert (np.diff(policy.thresholds) >= 0).all()
        assert ((policy.tie_probabilities > 0) & (policy.tie_probabilities <= 1)).all()


def solve_smallest(setting, survivors):
    return solve(setting, (1, 1), 3, 5, survivors, 1.0, 0.7).smallest_delta0


@pytest.mark.parametrize("short", [1e-7, 1e-9, 1e-3])
def test_14_an_infeasible_program_is_refused_with_what_is_feasible(short):
    """delta0 just below what any policy can give; 1e-11 below it is rounding, and taken for it."""
    smallest = solve_smallest("SRM", 1.0)
    with pytest.raises(ValueError, match=f"write a number of at least {smallest:.12g}, the smallest feasible one"):
        solve("SRM", (1, 1), 3, 5, 1.0, smallest - short)
    assert solve("SRM", (1, 1), 3, 5, 1.0, smallest - 1e-14).cost == solve("SRM", (1, 1), 3, 5, 1.0, smallest).cost


@pytest.mark.parametrize("delta0", [math.inf, math.nan, -math.inf])
def test_14_a_delta0_that_is_no_number_is_refused(delta0):
    with pytest.raises(ValueError, match="the smallest feasible one"):
        solve("SRM", (1, 1), 3, 5, 1.0, delta0)


def test_14_an_objective_that_does_not_matter_costs_what_survival_costs():
    """All arms survive: nothing is to be chosen. And with delta0 beyond every deficit, quality costs nothing."""
    assert solve("SRM", (1, 1), 3, 5, 3.0, 0.9).cost == 5.0
    loose = [solve("SRM", (1, 1), 3, 5, 1.0, delta0) for delta0 in (0.9, 0.95, 1e300)]
    assert [policy.cost for policy in loose] == pytest.approx([5 / 3] * 3, rel=1e-14)


def test_14_no_negative_zero_is_printed():
    """delta0 = -0.0 is 0, and so is every other zero of the printed policy."""
    line = ["--setting", "SRM", "--prior", "1", "1", "--arms", "3", "--rounds", "5", "--survivors", "1", "--delta0", "-0.0"]
    done = subprocess.run([sys.executable, ROOT / "workflow/scripts/solve_lp.py", *line], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["delta0"] == 0
    assert not re.search(r"-0(\.0*)?(?![.0-9])", done.stdout)


def test_14_no_committed_number_is_a_negative_zero():
    for path in sorted((ROOT / "figures").rglob("*")):
        if path.suffix in (".csv", ".md", ".tex", ".json"):
            found = re.search(r"(?<![\w.\-+])-0(\.0*)?(?![.\w])", path.read_text(encoding="utf-8"))
            assert not found, f"{path}: {found}"


# ---- 15: extreme priors


@pytest.mark.parametrize("shape", [1e-3, 1e-4, 1e-2])
def test_15_tiny_shapes_give_numbers(shape):
    means = draw_means(shape, shape, 100_000, stream(name="tiny", shape=shape))
    assert ((means >= 0) & (means <= 1)).all()
    assert (means > 0.5).mean() == pytest.approx(0.5, abs=0.01)
    assert {0.0, 1.0} <= set(means), "exact zeros and ones"


@pytest.mark.parametrize("shape", [1e-310, 0.0, -1.0, math.nan, math.inf, 9e-5])
def test_15_shapes_that_cannot_be_drawn_are_refused(shape):
    with pytest.raises(ValueError, match=r"write two numbers of at least 0\.0001"):
        BetaBernoulli((shape, shape), 5)
    with pytest.raises(ValueError, match=r"write two numbers of at least 0\.5"):
        solve("FC", (shape, shape), 5, 4, 1.0, 0.9)


@pytest.mark.parametrize("name", ["batch_racing", "two_stage_exploration"])
def test_15_arms_of_mean_0_and_1_tie_as_the_best(name):
    """Nearly all means are exactly 0 or 1: whoever recommends one of those with mean 1 recommends the best."""
    algorithm, environment = build("algorithms", {"name": name, **samples()[name]["parameters"]}), BetaBernoulli((1e-4, 1e-4), 6)
    for replicate in range(100):
        outcome = algorithm.play(environment, streams(1, "p", {"x": 1}, {"name": name}, replicate))
        assert np.isfinite(outcome).all()
        assert np.array_equal(outcome[..., 4] == 1, outcome[..., 3] == 0)
        assert (outcome[-1, :, 4] == 1).all()


@pytest.mark.parametrize(("name", "least"), [("batched_thompson", 0.1), ("lp2s", 0.5)])
def test_15_who_reckons_with_the_prior_says_what_it_can_resolve(name, least):
    algorithm = build("algorithms", {"name": name, **samples()[name]["parameters"]})
    played = [streams(1, "p", {"x": 1}, {"name": name}, 0) for _ in range(2)]
    with pytest.raises(ValueError, match=f"at least {least}"):
        algorithm.play(BetaBernoulli((1.0, 0.9 * least), 6), played[0])
    assert np.isfinite(algorithm.play(BetaBernoulli((least, least), 6), played[1])).all()


# ---- 16: known regret


def test_16_an_oracle_has_no_regret_and_uniform_play_the_known_slope():
    """d = 1 and 2 arms: contexts -u and u', u and u' uniform, but for their signs; |x_1 - x_2| has mean 1, or 1/3 if the signs agree."""
    environment, rounds = LinearContexts(2, 1), 40_000
    world, marks = environment.world(Words(4, 5), rounds), (1, rounds // 2, rounds)
    none, estimates = np.zeros(rounds, np.int64), np.zeros((3, 1))
    oracle = linear_contexts.account(world, History(world.gaps.argmin(axis=1), estimates, none, none), marks)
    assert (np.abs(oracle[:, 0]) <= 1e-12).all()
    coins = stream(name="uniform play").integers(0, 2, rounds)
    played = linear_contexts.account(world, History(coins, estimates, none, none), marks)
    both = stats.multivariate_normal([-2.0, 2.0], [[1.0, 0.5], [0.5, 1.0]])
    agree = 1 - stats.norm.cdf(2.0) - stats.norm.cdf(-2.0) + 2 * both.cdf([0.0, 0.0])
    slope = abs(world.coefficients[0]) / 2 * (1 - agree + agree / 3)
    assert played[-1, 0] / rounds == pytest.approx(slope, abs=4 * abs(world.coefficients[0]) / math.sqrt(rounds))


@pytest.mark.parametrize("reading", ["radial", "projection", "clip", "global", "truncated"])
def test_16_uniform_play_has_the_mean_gap_as_slope(reading):
    rounds = 1000
    world = LinearContexts(6, 5, contexts=reading, coefficients="fresh").world(Words(4, 5), rounds)
    none, coins = np.zeros(rounds, np.int64), stream(name="uniform", reading=reading).integers(0, 6, rounds)
    regret = linear_contexts.account(world, History(coins, np.zeros((1, 5)), none, none), (rounds,))[0, 0]
    noise = math.sqrt(world.gaps.var(axis=1).sum())
    assert abs(regret - world.gaps.mean(axis=1).sum()) < 4 * noise


def test_16_best_arm_identification_has_the_known_regrets():
    """K uniform means: the best recommendation has none, a random one K / (K + 1) - 1 / 2."""
    oracle, random = np.empty((4000, 5)), np.empty((4000, 5))
    for replicate in range(4000):
        means = draw_means(1.0, 1.0, 9, stream(name="world", replicate=replicate))
        account(oracle[replicate], 0, 0, 9, means[means.argmax()], means.max())
        account(random[replicate], 0, 0, 9, means[replicate % 9], means.max())
    assert (oracle[:, 3] == 0).all()
    assert (oracle[:, 4] == 1).all()
    assert random[:, 3].mean() == pytest.approx(0.4, abs=4 * random[:, 3].std() / math.sqrt(4000))
    assert random[:, 4].mean() == pytest.approx(1 / 9, abs=0.02)


def test_16_every_recommendation_of_the_best_has_no_regret():
    for name in names("algorithms"):
        sample = samples()[name]
        if sample["environment"]["name"] == "beta_bernoulli":
            environment = BetaBernoulli((1.0, 1.0), 6)
            outcome = build("algorithms", {"name": name, **sample["parameters"]}).play(environment, streams(1, "p", {}, {"name": name}, 0))
            assert np.array_equal(outcome[..., 4] == 1, outcome[..., 3] == 0)
