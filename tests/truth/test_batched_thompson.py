"""Batched Thompson sampling against a simulator that draws every theta and plays every pull, reference values and cases known exactly."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from banditpapers.algorithms.batched_thompson import BatchedThompson
from banditpapers.environments.beta_bernoulli import OUTCOME, BetaBernoulli, draw_means
from banditpapers.seeding import Streams, streams

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "batched_thompson.json").read_text())


def streams_of(environment: BetaBernoulli, replicate: int) -> Streams:
    instance = {"prior": list(environment.prior), "arms": environment.arms}
    return streams(21, "test", instance, {"name": "batched_thompson"}, replicate)


def played(thompson: BatchedThompson, environment: BetaBernoulli, replicates: int) -> np.ndarray:
    """Outcomes, shape (replicates, budgets, 2 rules, 5)."""
    return np.array([thompson.play(environment, streams_of(environment, i)) for i in range(replicates)])


def recommended(score, means, rng):
    """The mean of the arm of the largest score in each row, ties uniformly."""
    tied = score == score.max(axis=1, keepdims=True)
    chosen = np.where(tied, rng.random(score.shape), -1.0).argmax(axis=1)
    return means[np.arange(len(means)), chosen]


def sample(environment, thompson, replicates, rng):
    """The oracle: K Beta draws per pull, a Bernoulli draw per outcome. Outcomes, shape (replicates, budgets, 2, 5)."""
    (a, b), K = environment.prior, environment.arms
    means = rng.beta(a, b, (replicates, K))
    best, rows = means.max(axis=1), np.arange(replicates)
    wins, pulls = np.zeros((replicates, K)), np.zeros((replicates, K))
    seen_wins, seen_pulls = wins.copy(), pulls.copy()  # the frozen posterior
    ended, batches = np.ones(replicates, bool), np.zeros(replicates)
    outcomes = []
    for t in range(1, thompson.budgets[-1] + 1):
        seen_wins[ended], seen_pulls[ended] = wins[ended], pulls[ended]
        batches += ended
        arm = rng.beta(a + seen_wins, b + seen_pulls - seen_wins).argmax(axis=1)
        pulls[rows, arm] += 1
        wins[rows, arm] += rng.random(replicates) < means[rows, arm]
        ended = pulls[rows, arm] >= np.maximum(thompson.first_batch, thompson.growth * seen_pulls[rows, arm])
        if t in thompson.budgets:
            scores = np.where(pulls > 0, wins / np.maximum(pulls, 1), -1.0), (a + wins) / (a + b + pulls)
            chosen = [recommended(score, means, rng) for score in scores]
            rules = [[np.full(replicates, t), batches.copy(), np.full(replicates, K), best - mean, mean == best] for mean in chosen]
            outcomes.append(rules)
    return np.moveaxis(np.array(outcomes, dtype=float), -1, 0)


def assert_same_law(ours, truth):
    """Means of two samples, shape (replicates, ..., 5) each, within 4 standard errors of their difference."""
    error = np.sqrt(ours.var(axis=0, ddof=1) / len(ours) + truth.var(axis=0, ddof=1) / len(truth))
    gap = np.abs(ours.mean(axis=0) - truth.mean(axis=0))
    for place in np.argwhere(gap > 4 * error + 1e-12):
        raise AssertionError((*place[:-1], OUTCOME[place[-1]], gap[tuple(place)], error[tuple(place)]))


# the second sees batches of one pull; the third arms too sharp for the first grid, favourites pulled in runs and records above 128
CELLS = [
    ((1.0, 3.0), 30, (1, 2, 37, 200), 2.0, 2),
    ((5.0, 1.0), 20, (3, 40, 150), 1.5, 1),
    ((2.0, 5.0), 4, (10, 300, 1500), 2.0, 3),
    ((0.5, 0.5), 30, (1, 90, 200), 2.0, 2),
]


@pytest.mark.parametrize(("prior", "arms", "budgets", "growth", "first_batch"), CELLS)
def test_each_checkpoint_has_the_law_of_plain_batched_thompson_sampling(prior, arms, budgets, growth, first_batch):
    environment, thompson = BetaBernoulli(prior, arms), BatchedThompson(budgets, growth, first_batch)
    ours = played(thompson, environment, 2000)
    assert thompson.checkpoints == tuple(map(str, budgets))
    assert (ours[..., 0] == np.array(budgets)[:, None]).all()
    assert (ours[..., 2] == arms).all()
    assert_same_law(ours, sample(environment, thompson, 1000, np.random.default_rng(arms)))


@pytest.mark.parametrize("cell", REFERENCE["cells"], ids=lambda cell: f"{cell['prior']}-{cell['arms']}-{cell['first_batch']}")
def test_regret_and_batches_agree_with_the_reference(cell):
    n = 300 if cell["arms"] <= 200 else 60
    thompson = BatchedThompson((cell["budget"],), first_batch=cell["first_batch"])
    outcomes = played(thompson, BetaBernoulli(tuple(cell["prior"]), cell["arms"]), n)[:, 0]
    for rule in range(2):
        regret, best = outcomes[:, rule, 3], outcomes[:, rule, 4].mean()
        error = math.hypot(regret.std(ddof=1) / math.sqrt(n), cell["simple_regret_se"][rule])
        assert abs(regret.mean() - cell["simple_regret"][rule]) < 4 * error
        p = (n * best + cell["replicates"] * cell["best"][rule]) / (n + cell["replicates"])
        assert abs(best - cell["best"][rule]) <= 4 * math.sqrt(p * (1 - p) * (1 / n + 1 / cell["replicates"])) + 1 / n
    batches = outcomes[:, 0, 1]
    assert abs(batches.mean() - cell["batches"]) < 4 * batches.std(ddof=1) * math.sqrt(1 / n + 1 / cell["replicates"])


def test_the_first_pulls_of_two_arms_are_as_computed_by_hand():
    """K = 2, Beta(1, 1), E mu* = 2/3. Means of the recommended arm:

    T = 1: the arm pulled, 1/2; by posterior mean, max(2/3, 1/2) or max(1/3, 1/2), on average 7/12.
    T = 2: half of the time both pulls are of one arm: 1/2; by posterior mean, (1/2 + 1/2 + 3/4)/3 = 7/12. Else both arms are pulled, and
    both rules get (2/3 + 2/3 + 2/3 + 1/3)/4 = 7/12. The first batch ends with the second or, half of the time, with the third pull.
    """
    outcomes = played(BatchedThompson((1, 2, 3)), BetaBernoulli((1.0, 1.0), 2), 4000)
    error = 4 * outcomes.std(axis=0, ddof=1) / math.sqrt(4000)
    expected = 2 / 3 - np.array([[1 / 2, 7 / 12], [(1 / 2 + 7 / 12) / 2, 7 / 12]])
    assert (np.abs(outcomes.mean(axis=0)[:2, :, 3] - expected) < error[:2, :, 3]).all()
    assert (outcomes[:, :2, :, 1] == 1).all()
    assert abs(outcomes[:, 2, 0, 1].mean() - 1.5) < error[2, 0, 1]
    np.testing.assert_array_equal(outcomes[:, :, 0, :2], outcomes[:, :, 1, :2])


def test_two_arms_that_hardly_err_are_told_apart_by_their_first_pulls():
    environment, parted = BetaBernoulli((0.1, 0.1), 2), 0
    for replicate in range(300):
        means = np.sort(draw_means(0.1, 0.1, 2, streams_of(environment, replicate).environment))
        if means[0] < 1e-5 and means[1] > 1 - 1e-5:
            parted += 1
            outcomes = BatchedThompson((1, 64)).play(environment, streams_of(environment, replicate))
            assert outcomes[0, 1, 4] == 1.0, "one failure is enough for the posterior mean to prefer the other arm"
            assert outcomes[1, :, 4].tolist() == [1.0, 1.0]
    assert parted > 3


def test_a_larger_budget_changes_nothing_before_it():
    environment = BetaBernoulli((1.0, 3.0), 50)
    short, long = BatchedThompson((7, 300)), BatchedThompson((7, 300, 301, 20000))
    for replicate in range(5):
        ours, longer = (thompson.play(environment, streams_of(environment, replicate)) for thompson in (short, long))
        assert ours.tobytes() == longer[:2].tobytes()


def test_the_means_are_the_first_numbers_of_the_environment_stream():
    environment = BetaBernoulli((1.0, 1.0), 40)
    outcomes = BatchedThompson((500,)).play(environment, streams_of(environment, 1))
    means = draw_means(1.0, 1.0, 40, streams_of(environment, 1).environment)
    assert np.isclose(means.max() - outcomes[0, :, 3], means[:, None], rtol=0, atol=1e-15).any(axis=0).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"budgets": ()}, "budgets"),
        ({"budgets": (0, 5)}, "budgets"),
        ({"budgets": (5, 5)}, "budgets"),
        ({"budgets": (5,), "growth": 1.0}, "growth"),
        ({"budgets": (5,), "growth": math.inf}, "growth"),
        ({"budgets": (5,), "growth": math.nan}, "growth"),
        ({"budgets": (5,), "first_batch": 0}, "first_batch"),
    ],
)
def test_refuses_nonsense_and_says_what_to_write(parameters, message):
    with pytest.raises(ValueError, match=f"batched_thompson: {message} is .*; write "):
        BatchedThompson(**parameters)
