"""Two-stage exploration against a plain simulator that plays every pull, against independent reference values, and on exact cases."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from banditpapers.algorithms.two_stage_exploration import TwoStageExploration
from banditpapers.environments.beta_bernoulli import OUTCOME, BetaBernoulli, draw_means
from banditpapers.seeding import Streams, streams

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "two_stage_exploration.json").read_text())


def streams_of(environment: BetaBernoulli, replicate: int) -> Streams:
    instance = {"prior": list(environment.prior), "arms": environment.arms}
    return streams(20, "test", instance, {"name": "two_stage_exploration"}, replicate)


def played(exploration: TwoStageExploration, environment: BetaBernoulli, replicates: int) -> np.ndarray:
    """Outcomes, shape (replicates, budgets, 5)."""
    return np.array([exploration.play(environment, streams_of(environment, i))[:, 0, :] for i in range(replicates)])


def explore(environment, q, T, replicates, rng):
    """The oracle: both stages round by round, every pull a Bernoulli draw. Outcomes, shape (replicates, 5)."""
    K = environment.arms
    means = rng.beta(*environment.prior, (replicates, K))
    wins, pulls, kept = np.zeros((replicates, K)), np.zeros((replicates, K)), np.ones((replicates, K), bool)
    rounds = np.zeros(replicates)
    for _ in range(math.floor(q * T / K)):
        wins += rng.random((replicates, K)) < means
        pulls += 1
        rounds += 1
    if q * T >= K:
        mean, rho = wins / pulls, math.sqrt(K * math.log(T) / (q * T))
        kept = mean + rho >= mean.max(axis=1, keepdims=True) - rho
    while (room := T - pulls.sum(axis=1)).any():
        # the arms of one round in random order, so that the last, partial round meets a random subset
        place = np.where(kept, rng.random((replicates, K)), 2.0).argsort(axis=1).argsort(axis=1)
        pulled = kept & (place < room[:, None])
        wins += pulled & (rng.random((replicates, K)) < means)
        pulls += pulled
        rounds += room > 0
    mean = np.where(kept & (pulls > 0), wins / np.maximum(pulls, 1), -1.0)
    tied = mean == mean.max(axis=1, keepdims=True)
    chosen = np.where(tied, rng.random((replicates, K)), -1.0).argmax(axis=1)
    recommended = means[np.arange(replicates), chosen]
    best = means.max(axis=1)
    return np.stack([pulls.sum(axis=1), rounds, kept.sum(axis=1), best - recommended, recommended == best], axis=1)


# budgets below K, below K/q, too small to drop an arm, just large enough (rho < 1/2), and large
CELLS = [
    ((1.0, 1.0), 4, 0.5, (3, 7, 9, 161, 233, 402, 1206)),
    ((1.0, 3.0), 6, 0.3, (5, 19, 100, 602, 1515)),
    ((0.5, 0.5), 3, 0.8, (1, 4, 150, 333)),
]


@pytest.mark.parametrize(("prior", "arms", "share", "budgets"), CELLS)
def test_each_budget_has_the_law_of_the_round_by_round_simulator(prior, arms, share, budgets):
    environment, rng = BetaBernoulli(prior, arms), np.random.default_rng(arms)
    exploration = TwoStageExploration(budgets, share)
    outcomes = played(exploration, environment, 4000)
    assert exploration.checkpoints == tuple(map(str, budgets))
    assert outcomes[:, -1, 2].mean() < arms - 0.2, "the cell must drop arms"
    for k, budget in enumerate(budgets):
        ours, truth = outcomes[:, k], explore(environment, share, budget, 4000, rng)
        error = np.sqrt((ours.var(axis=0, ddof=1) + truth.var(axis=0, ddof=1)) / 4000)
        for name, gap, se in zip(OUTCOME, ours.mean(axis=0) - truth.mean(axis=0), error, strict=True):
            assert abs(gap) <= 4 * se + 1e-12, (budget, name, gap, se)


@pytest.mark.parametrize(("prior", "arms", "share", "budgets"), CELLS)
def test_pulls_and_batches_are_exact(prior, arms, share, budgets):
    outcomes = played(TwoStageExploration(budgets, share), BetaBernoulli(prior, arms), 200)
    for k, T in enumerate(budgets):
        first = math.floor(share * T / arms)
        assert (outcomes[:, k, 0] == T).all()
        assert (outcomes[:, k, 1] == first + np.ceil((T - arms * first) / outcomes[:, k, 2])).all()
        if 4 * arms * math.log(T) >= share * T:
            assert (outcomes[:, k, 2] == arms).all()


@pytest.mark.parametrize("cell", REFERENCE["budgets"], ids=lambda cell: f"{cell['prior']}-{cell['arms']}-{cell['budget']}")
def test_simple_regret_at_a_budget_agrees_with_the_reference(cell):
    n = 400
    outcomes = played(TwoStageExploration((cell["budget"],)), BetaBernoulli(tuple(cell["prior"]), cell["arms"]), n)[:, 0]
    regret = outcomes[:, 3]
    assert abs(regret.mean() - cell["simple_regret"]) < 4 * math.hypot(regret.std(ddof=1) / math.sqrt(n), cell["simple_regret_se"])
    p = (n * outcomes[:, 4].mean() + cell["replicates"] * cell["best"]) / (n + cell["replicates"])
    assert abs(outcomes[:, 4].mean() - cell["best"]) <= 4 * math.sqrt(p * (1 - p) * (1 / n + 1 / cell["replicates"]))


@pytest.mark.parametrize("cell", REFERENCE["kept"], ids=lambda cell: f"{cell['prior']}-{cell['arms']}-{cell['budget']}")
def test_kept_arms_and_simple_regret_of_large_budgets_agree_with_the_reference(cell):
    n = 200
    outcomes = played(TwoStageExploration((cell["budget"],)), BetaBernoulli(tuple(cell["prior"]), cell["arms"]), n)[:, 0]
    kept, regret = outcomes[:, 2], outcomes[:, 3]
    assert abs(kept.mean() - cell["kept"]) < 4 * kept.std(ddof=1) * math.sqrt(1 / n + 1 / cell["replicates"])
    assert abs(regret.mean() - cell["simple_regret"]) < 4 * math.hypot(regret.std(ddof=1) / math.sqrt(n), cell["simple_regret_se"])


def test_a_budget_does_not_see_the_larger_ones():
    environment = BetaBernoulli((1.0, 1.0), 30)
    alone, together = TwoStageExploration((900,)), TwoStageExploration((900, 2000))
    assert np.array_equal(played(alone, environment, 20)[:, 0], played(together, environment, 20)[:, 0])


def test_ties_are_broken_uniformly():
    budgets, n = (3, 12, 400), 1500
    environment, exploration = BetaBernoulli((1.0, 1e9), 5), TwoStageExploration(budgets)  # every reward is 0
    chosen = np.zeros((len(budgets), 5))
    for replicate in range(n):
        means = draw_means(1.0, 1e9, 5, streams_of(environment, replicate).environment)
        regret = exploration.play(environment, streams_of(environment, replicate))[:, 0, 3]
        for k in range(len(budgets)):
            chosen[k, np.flatnonzero(means.max() - means == regret[k])] += 1
    assert (chosen.sum(axis=1) == n).all()
    for counts in chosen:
        assert stats.chisquare(counts).pvalue > 1e-4, counts


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"budgets": (10,), "share": 0.0}, "share is 0.0; write a number between 0 and 1"),
        ({"budgets": (10,), "share": 1.0}, "share is 1.0; write a number between 0 and 1"),
        ({"budgets": (10,), "share": math.nan}, "share is nan; write a number between 0 and 1"),
        ({"budgets": ()}, r"budgets is \(\); write integers of at least 1"),
        ({"budgets": (0,)}, "integers of at least 1"),
        ({"budgets": (20, 10)}, "each larger than the one before"),
    ],
)
def test_refuses_nonsense_and_says_what_to_write(parameters, complaint):
    with pytest.raises(ValueError, match=complaint):
        TwoStageExploration(**parameters)
