"""LP2S as it is played: its exact law against polynomial integrals, its simulation against both the law and a plain simulator; fits."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from banditpapers.algorithms.lp2s import Lp2s, Policy, policies, smallest_delta0, solve
from banditpapers.environments.beta_bernoulli import BetaBernoulli
from banditpapers.kernels import two_stage
from banditpapers.seeding import Streams, streams

EXACT = json.loads((Path(__file__).parents[1] / "data" / "lp2s_exact.json").read_text())


@pytest.mark.parametrize("delta0", [None, 0.45, 1.0])
def test_the_law_of_two_arms_is_a_polynomial_integral(delta0):
    """K = 2 and a uniform prior: given both means, what happens is a polynomial in them, which Gauss-Legendre integrates exactly."""
    shared = ("PAC", (1, 1), 2, 4, 0.9)
    policy = solve(*shared, smallest_delta0(*shared, 0.7) if delta0 is None else delta0, 0.7)
    nodes, weights = (array / 2 for array in np.polynomial.legendre.leggauss(30))
    nodes = nodes + 0.5
    # the better mean u, the other v = u w; the density of the pair is 2 u
    u, v = nodes[:, None], nodes[:, None] * nodes[None, :]
    weight = 2 * weights[:, None] * weights[None, :] * u
    regret, best = dict.fromkeys(two_stage.RULES, 0.0), dict.fromkeys(two_stage.RULES, 0.0)
    for rule in two_stage.RULES:
        first, second = scores(policy, u + 0 * v, rule), scores(policy, v, rule)
        wins = sum(first[i] * (second[:i].sum(axis=0) + second[i] / 2) for i in range(first.shape[0]))
        best[rule] = float(np.sum(weight * wins))
        regret[rule] = float(np.sum(weight * (1 - wins) * (u - v)))
    alive = two_stage.survival(policy.prior, policy.last_pulls)
    assert two_stage.best_arm_probability(policy.prior, 2, alive) == pytest.approx(best, rel=1e-12)
    assert two_stage.simple_regret(policy.prior, 2, alive) == pytest.approx(regret, rel=1e-12)


def scores(policy: Policy, mean: np.ndarray, rule: str) -> np.ndarray:
    """P(score | mean), with score 0 for an eliminated arm and 1 + v for a survivor of score v."""
    rounds = policy.rounds
    law, out = {0: np.ones_like(mean)}, np.zeros((2 * rounds + 2, *mean.shape))
    for r in range(2 * rounds):
        for s, mass in list(law.items()):
            if r < rounds:
                at = policy.thresholds[r]
                kept = 0.0 if s < at else policy.tie_probabilities[r] if s == at else 1.0
                out[0] += (1 - kept) * mass
                law[s] = kept * mass
        if r == rounds and rule == "stage2":
            law = {0: sum(law.values())}
        law = {s: (1 - mean) * law.get(s, 0.0) + mean * law.get(s - 1, 0.0) for s in range(max(law) + 2)}
    for s, mass in law.items():
        out[1 + s] += mass
    return out


def streams_of(environment: BetaBernoulli, replicate: int) -> Streams:
    return streams(4, "test", {"prior": list(environment.prior), "arms": environment.arms}, {"name": "lp2s"}, replicate)


def play_by_round(policy: Policy, replicates: int, rng: np.random.Generator) -> np.ndarray:
    """The oracle: Algorithms 1 and 2 round by round, every pull a Bernoulli draw. Outcomes, shape (replicates, 2 rules, 5)."""
    K, R = policy.arms, policy.rounds
    out = np.empty((replicates, 2, 5))
    for i in range(replicates):
        means = rng.beta(*policy.prior, K)
        alive, s, second = np.ones(K, bool), np.zeros(K, int), np.zeros(K, int)
        pulls, batches = 0, 0
        for r in range(R):
            at = policy.thresholds[r]
            alive &= (s > at) | ((s == at) & (rng.random(K) < policy.tie_probabilities[r]))
            s += alive & (rng.random(K) < means)
            pulls, batches = pulls + alive.sum(), batches + alive.any()
        for _ in range(R):
            second += alive & (rng.random(K) < means)
            pulls, batches = pulls + alive.sum(), batches + alive.any()
        for rule, score in enumerate((s + second, second)):
            best = np.flatnonzero(alive & (score == score[alive].max())) if alive.any() else np.arange(K)
            recommended = means[rng.choice(best)]
            out[i, rule] = pulls, batches, alive.sum(), means.max() - recommended, recommended == means.max()
    return out


def test_play_has_the_exact_law_and_that_of_the_plain_simulator():
    environment = BetaBernoulli((1, 3), 30)
    lp2s = Lp2s("FC", None, 25, 3.0, ("smallest", "grid 0.05", 0.99))
    played = np.array([lp2s.play(environment, streams_of(environment, i)) for i in range(2000)])
    plain = np.stack([play_by_round(policy, 1000, np.random.default_rng(5)) for policy, _ in policies(lp2s, environment)], axis=1)
    difference = played.mean(axis=0) - plain.mean(axis=0)
    error = np.sqrt(played.var(axis=0) / 2000 + plain.var(axis=0) / 1000)
    assert (np.abs(difference) < 4 * error + 1e-12).all()
    assert ((played[..., 2] == 0) <= (played[..., 1] < 50)).all()


@pytest.mark.parametrize(
    ("prior", "arms", "lp2s"),
    [
        ((1, 1), 100, Lp2s("PAC", 0.7, 60, 8.0, ("smallest", "grid 0.05", "fit", 0.5), fit_regret=0.02)),
        ((5, 1), 40, Lp2s("SRM", None, 20, 1.0, ("smallest", "grid 0.01"))),
    ],
)
def test_simulation_agrees_with_the_exact_law(prior, arms, lp2s):
    environment, replicates = BetaBernoulli(prior, arms), 2000
    played = np.array([lp2s.play(environment, streams_of(environment, i)) for i in range(replicates)])
    facts = lp2s.facts(environment)
    for k, label in enumerate(lp2s.checkpoints):
        for i, rule in enumerate(lp2s.rules):
            for column, key in ((0, "pulls"), (3, f"simple_regret_{rule}"), (4, f"best_{rule}")):
                sample = played[:, k, i, column]
                z = (sample.mean() - facts[label][key]) / (sample.std(ddof=1) / math.sqrt(replicates))
                assert abs(z) < 4, (label, rule, key)
        assert played[:, k, 0, 2].mean() == pytest.approx(lp2s.survivors, abs=4 * math.sqrt(lp2s.survivors / replicates))


def test_a_replicate_is_a_function_of_its_streams_and_all_policies_meet_the_same_arms():
    environment = BetaBernoulli((1, 1), 50)
    lp2s = Lp2s("SRM", None, 20, 5.0, (0.1, 0.2))
    again = [lp2s.play(environment, streams_of(environment, 7)) for _ in range(2)]
    assert np.array_equal(*again)
    alone = Lp2s("SRM", None, 20, 5.0, (0.1,)).play(environment, streams_of(environment, 7))
    assert np.array_equal(again[0][:1], alone)


@pytest.mark.parametrize("case", EXACT["fit"], ids=lambda case: f"{case['kind']}-{case['a']}-{case['b']}")
def test_fit_finds_the_delta0_of_a_simple_regret(case):
    rounds, survivors = int(30 * math.log(case["K"])), 3 * math.log(case["K"])
    mu0 = {1: 0.7, 5: 0.8}[case["a"]] if case["kind"] == "PAC" else None
    lp2s = Lp2s(case["kind"], mu0, rounds, survivors, ("fit",), fit_regret=case["SR_paper"])
    facts = lp2s.facts(BetaBernoulli((case["a"], case["b"]), case["K"]))["fit"]
    assert facts["reached"] is True
    assert facts["simple_regret_combined"] == pytest.approx(case["SR_paper"], rel=1e-9)
    assert facts["delta0"] == pytest.approx(case["d0"], rel=1e-5)
    assert facts["pulls"] == pytest.approx(case["T"], rel=1e-6)


def test_an_unreachable_fit_takes_the_nearer_end_and_says_so():
    environment = BetaBernoulli((1, 1), 50)
    ends = {regret: Lp2s("SRM", None, 20, 5.0, ("fit",), fit_regret=regret).facts(environment)["fit"] for regret in (1e-6, 0.9)}
    assert not ends[1e-6]["reached"]
    assert ends[1e-6]["delta0"] == ends[1e-6]["smallest_delta0"]
    assert not ends[0.9]["reached"]
    assert ends[0.9]["delta0"] == 1.0


def test_the_grid_takes_the_smallest_feasible_multiple_above_zero():
    environment = BetaBernoulli((1, 1), 1000)
    chosen = Lp2s("SRM", None, 207, 20.7, ("smallest", "grid 0.05", "grid 0.01")).facts(environment)
    assert [chosen[label]["delta0"] for label in ("grid 0.05", "grid 0.01")] == [0.05, 0.02]
    assert chosen["smallest"]["delta0"] == pytest.approx(0.01182, abs=2e-5)
    few = Lp2s("SRM", None, 30, 0.5, ("smallest", "grid 0.05")).facts(BetaBernoulli((1, 1), 2))
    assert few["smallest"]["delta0"] < 0
    assert few["grid 0.05"]["delta0"] == 0.05
