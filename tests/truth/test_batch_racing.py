"""BatchRacing against a plain simulator that plays every pull, against independent reference values, and on cases known exactly."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from banditpapers.algorithms.batch_racing import BatchRacing, margins
from banditpapers.environments.beta_bernoulli import OUTCOME, BetaBernoulli, draw_means
from banditpapers.seeding import Streams, streams

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "batch_racing.json").read_text())
UNLIMITED = 10**9


def streams_of(environment: BetaBernoulli, replicate: int) -> Streams:
    instance = {"prior": list(environment.prior), "arms": environment.arms}
    return streams(20, "test", instance, {"name": "batch_racing"}, replicate)


def played(racing: BatchRacing, environment: BetaBernoulli, replicates: int) -> np.ndarray:
    """Outcomes, shape (replicates, checkpoints, 5)."""
    return np.array([racing.play(environment, streams_of(environment, i))[:, 0, :] for i in range(replicates)])


def race(environment, delta, batches, budget, replicates, rng):
    """The oracle: one run per replicate that stops at its own budget, every pull a Bernoulli draw. Outcomes, shape (replicates, 5)."""
    K = environment.arms
    means = rng.beta(*environment.prior, (replicates, K))
    wins, pulls, alive = np.zeros((replicates, K)), np.zeros((replicates, K)), np.ones((replicates, K), bool)
    rounds, running = np.zeros(replicates), np.ones(replicates, bool)
    for r in range(1, batches + 1):
        room = budget - pulls.sum(axis=1)
        running &= (alive.sum(axis=1) > 1) & (room > 0)
        place = np.where(alive, rng.random((replicates, K)), 2.0).argsort(axis=1).argsort(axis=1)
        pulled = alive & running[:, None] & (place < room[:, None])
        wins += pulled & (rng.random((replicates, K)) < means)
        pulls += pulled
        rounds += running
        whole = running & (pulled.sum(axis=1) == alive.sum(axis=1))
        D = math.sqrt(4 * math.log(math.log2(2 * r) / math.sqrt(delta / (6 * K))) / r)
        mean = np.where(alive, wins / r, -np.inf)
        leader, runner_up = np.sort(mean, axis=1)[:, :-3:-1].T
        rejected = mean + D < leader[:, None] - D
        accepted = leader - D > runner_up + D
        kept = np.where(accepted[:, None], mean == leader[:, None], ~rejected)
        alive &= kept | ~whole[:, None]
    mean = np.where(alive & (pulls > 0), wins / np.maximum(pulls, 1), -1.0)
    tied = mean == mean.max(axis=1, keepdims=True)
    chosen = np.where(tied, rng.random((replicates, K)), -1.0).argmax(axis=1)
    recommended = means[np.arange(replicates), chosen]
    best = means.max(axis=1)
    return np.stack([pulls.sum(axis=1), rounds, alive.sum(axis=1), best - recommended, recommended == best], axis=1)


def assert_same_law(ours, truth):
    """Means of two samples, shape (replicates, 5) each, within 4 standard errors of their difference."""
    error = np.sqrt(ours.var(axis=0, ddof=1) / len(ours) + truth.var(axis=0, ddof=1) / len(truth))
    for name, gap, se in zip(OUTCOME, ours.mean(axis=0) - truth.mean(axis=0), error, strict=True):
        assert abs(gap) <= 4 * se + 1e-12, (name, gap, se)


# budgets below K, inside batches before and after the first rejection (batch 60 of the first cell), beyond the cap and beyond the end
CELLS = [
    ((1.0, 1.0), 4, 0.9, 110, (3, 6, 50, 238, 301, 397, 5000), 1.0),
    ((0.3, 0.3), 3, 0.5, 130, (2, 100, 205, 305, 333), 1.4),
    ((1.0, 3.0), 7, 0.99, 120, (6, 11, 801, 845, 1000), 1.5),
]


@pytest.mark.parametrize(("prior", "arms", "delta", "batches", "budgets", "beyond"), CELLS)
def test_each_checkpoint_has_the_law_of_a_run_of_its_own(prior, arms, delta, batches, budgets, beyond):
    environment, rng = BetaBernoulli(prior, arms), np.random.default_rng(arms)
    racing = BatchRacing(delta, batches, budgets, beyond=beyond)
    outcomes = played(racing, environment, 3000)
    assert racing.checkpoints == (*map(str, budgets), "cap")
    assert outcomes[:, -1, 2].mean() < arms - 0.2, "the cell must see rejections"
    for k, budget in enumerate(budgets):
        assert_same_law(outcomes[:, k], race(environment, delta, int(beyond * batches), budget, 3000, rng))
    assert_same_law(outcomes[:, -1], race(environment, delta, batches, UNLIMITED, 3000, rng))


def test_a_trace_records_every_batch():
    environment, rng = BetaBernoulli((1.0, 1.0), 5), np.random.default_rng(1)
    racing = BatchRacing(0.9, 100, trace=True)
    outcomes = played(racing, environment, 3000)
    assert racing.checkpoints == tuple(str(r) for r in range(1, 101))
    assert (np.diff(outcomes[:, :, 2], axis=1) <= 0).all(), "arms never come back"
    for batch in (1, 40, 70, 85, 100):
        assert_same_law(outcomes[:, batch - 1], race(environment, 0.9, batch, UNLIMITED, 3000, rng))


@pytest.mark.parametrize("cell", REFERENCE["budgets"], ids=lambda cell: f"{cell['prior']}-{cell['arms']}-{cell['budget']}")
def test_simple_regret_at_a_budget_agrees_with_the_reference(cell):
    environment, budget, n = BetaBernoulli(tuple(cell["prior"]), cell["arms"]), cell["budget"], 400
    outcomes = played(BatchRacing(0.05, budget // cell["arms"] + 1, (budget,)), environment, n)[:, 0]
    regret = outcomes[:, 3]
    assert abs(regret.mean() - cell["simple_regret"]) < 4 * math.hypot(regret.std(ddof=1) / math.sqrt(n), cell["simple_regret_se"])
    p = (n * outcomes[:, 4].mean() + cell["replicates"] * cell["best"]) / (n + cell["replicates"])
    assert abs(outcomes[:, 4].mean() - cell["best"]) <= 4 * math.sqrt(p * (1 - p) * (1 / n + 1 / cell["replicates"]))
    assert (outcomes[:, 0] == budget).all()


@pytest.mark.parametrize("cell", REFERENCE["survivors"], ids=lambda cell: f"{cell['prior']}-{cell['delta']}")
def test_survivors_of_figure_2_agree_with_the_reference(cell):
    n, table = 200, margins(cell["delta"], cell["arms"], 300)
    assert np.flatnonzero(table < np.arange(301))[0] == cell["first_possible_elimination"]
    kept = played(BatchRacing(cell["delta"], 300, trace=True), BetaBernoulli(tuple(cell["prior"]), cell["arms"]), n)[:, :, 2]
    assert (kept[:, : cell["first_possible_elimination"] - 1] == cell["arms"]).all()
    for batch, mean in cell["survivors"].items():
        column = kept[:, int(batch) - 1]
        # rejections so rare that the sample may hold none have about a Poisson variance: their mean
        variance = max(column.var(ddof=1), min(cell["arms"] - mean, 1.0))
        assert abs(column.mean() - mean) <= 4 * math.sqrt(variance * (1 / n + 1 / cell["replicates"])), batch
    share, pooled = (kept[:, 119] == cell["arms"]).mean(), cell["replicates"] + n
    p = (n * share + cell["replicates"] * cell["all_kept_after_120"]) / pooled
    assert abs(share - cell["all_kept_after_120"]) <= 4 * math.sqrt(p * (1 - p) * (1 / n + 1 / cell["replicates"]))


@pytest.mark.parametrize("cell", REFERENCE["cap"], ids=lambda cell: f"{cell['prior']}-{cell['arms']}")
def test_pulls_at_the_cap_agree_with_the_reference_and_the_paper(cell):
    outcomes = played(BatchRacing(0.05, cell["batches"]), BetaBernoulli(tuple(cell["prior"]), cell["arms"]), 10)
    assert outcomes[:, 0, 0].mean() == pytest.approx(cell["pulls"], rel=0.005)
    assert outcomes[:, 0, 0].mean() == pytest.approx(cell["pulls_printed"], rel=0.005)


def test_arms_of_one_and_of_two_pulls_are_compared_by_their_means():
    """K = 2, Beta(1,1), T = 3: arm i has one pull, arm j two, its count c in {0, 1, 2} equally likely. Posterior means of the choice:

    s_i = 1: 2/3 for c = 0 and c = 1, (2/3 + 3/4)/2 for the tie at c = 2;  s_i = 0: (1/3 + 1/4)/2 for the tie at c = 0, 1/2, 3/4.
    """
    regret = played(BatchRacing(0.05, 1, (3,), beyond=2.0), BetaBernoulli((1.0, 1.0), 2), 20000)[:, 0, 3]
    expected = 2 / 3 - (2 / 3 + 2 / 3 + 17 / 24 + 7 / 24 + 1 / 2 + 3 / 4) / 6
    assert abs(regret.mean() - expected) < 4 * regret.std(ddof=1) / math.sqrt(20000)


def test_two_arms_that_cannot_err_part_at_the_first_batch_that_can_reject():
    environment, racing, parted = BetaBernoulli((0.01, 0.01), 2), BatchRacing(0.05, 300, (100, 1000)), 0
    first = int(np.flatnonzero(margins(0.05, 2, 300) < np.arange(301))[0])
    for replicate in range(40):
        means = np.sort(draw_means(0.01, 0.01, 2, streams_of(environment, replicate).environment))
        if means[0] < 1e-9 and means[1] > 1 - 1e-9:
            parted += 1
            outcomes = racing.play(environment, streams_of(environment, replicate))[:, 0, :]
            assert outcomes[0].tolist() == [100, 50, 2, 0.0, 1.0]
            # the run is over: the larger budget is not used up
            assert outcomes[1].tolist() == outcomes[2].tolist() == [2 * first, first, 1, 0.0, 1.0]
    assert parted > 5


def test_ties_are_broken_uniformly():
    environment, racing, n = BetaBernoulli((1.0, 1e9), 5), BatchRacing(0.05, 4, (3, 12)), 1500  # every reward is 0
    chosen = np.zeros((3, 5))
    for replicate in range(n):
        means = draw_means(1.0, 1e9, 5, streams_of(environment, replicate).environment)
        regret = racing.play(environment, streams_of(environment, replicate))[:, 0, 3]
        for k in range(3):
            chosen[k, np.flatnonzero(means.max() - means == regret[k])] += 1
    assert (chosen.sum(axis=1) == n).all()
    for counts in chosen:
        assert stats.chisquare(counts).pvalue > 1e-4, counts


def test_a_replicate_is_a_function_of_its_streams():
    environment, racing = BetaBernoulli((1.0, 1.0), 20), BatchRacing(0.5, 150, (333, 2001))
    assert np.array_equal(played(racing, environment, 3), played(racing, environment, 3))


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"delta": 0.0, "batches": 5}, "delta is 0.0; write a number between 0 and 1"),
        ({"delta": 1.0, "batches": 5}, "delta is 1.0; write a number between 0 and 1"),
        ({"delta": math.nan, "batches": 5}, "delta is nan; write a number between 0 and 1"),
        ({"delta": 0.05, "batches": 0}, "batches is 0; write an integer of at least 1"),
        ({"delta": 0.05, "batches": 5, "budgets": (10, 10)}, "each larger than the one before"),
        ({"delta": 0.05, "batches": 5, "budgets": (0, 10)}, "integers of at least 1"),
        ({"delta": 0.05, "batches": 5, "beyond": 0.9}, "beyond is 0.9; write a finite factor of at least 1"),
        ({"delta": 0.05, "batches": 5, "beyond": math.inf}, "beyond is inf; write a finite factor"),
        ({"delta": 0.05, "batches": 5, "budgets": (10,), "trace": True}, "leave out budgets and beyond"),
        ({"delta": 0.05, "batches": 5, "beyond": 1.4, "trace": True}, "leave out budgets and beyond"),
    ],
)
def test_refuses_nonsense_and_says_what_to_write(parameters, complaint):
    with pytest.raises(ValueError, match=complaint):
        BatchRacing(**parameters)
