"""Batched Thompson sampling (BTS) for the best of K Bernoulli arms.

Source: Kalkanli and Ozgur, Batched Thompson sampling (NeurIPS 2021), as used in arXiv 2312.13875; growth alpha, first batch c_0.

    repeat until the budget of T pulls is used:
        freeze the posterior Beta(a + successes_i, b + failures_i) of every arm, and N_i, its number of pulls
        pull argmax_i theta_i, with a fresh theta_i ~ posterior of every arm for every pull,
            until some arm i has max(c_0, alpha N_i) pulls in total
        reveal the outcomes of the batch
    recommend  "empirical_mean": max_i successes_i / pulls_i over the arms pulled,    ties uniformly
               "posterior_mean": max_i (a + successes_i) / (a + b + pulls_i),         ties uniformly

The prior Beta(a, b) is the one that the means are drawn from. A budget that ends inside a batch reveals what has been pulled by then.

Within a batch, pulls are independent draws of an arm i with probability p_i = P(theta_i is the maximum). So, instead of K Beta draws per
pull, p is computed once per batch (kernels/maximum_of_arms.py; total variation error below 1e-4) and pulls are drawn from it; an arm with
more than half of it is pulled in runs of geometric length. All budgets are read off one run: they do not change how it goes on, so each
checkpoint has exactly the law of a run of that budget, and checkpoints are dependent.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.environments.beta_bernoulli import BetaBernoulli, account, draw_means
from banditpapers.kernels.arm_groups import group_arms, regroup
from banditpapers.kernels.maximum_of_arms import first_groups, maximum_of_arms, window
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class BatchedThompson:
    """Parameters of BTS.

    budgets: numbers of pulls T, increasing. growth: alpha > 1, the factor of an arm's pulls that ends a batch. first_batch: c_0, the number
    of pulls of a new arm that ends a batch.
    """

    rules: ClassVar[tuple[str, ...]] = ("empirical_mean", "posterior_mean")
    COMMON: ClassVar[tuple[str, ...]] = ("budgets",)  # says what is recorded: the coin flips are common to all values

    budgets: tuple[int, ...]
    growth: float = 2.0
    first_batch: int = 2

    def __post_init__(self) -> None:
        if not self.budgets or any(later <= earlier for earlier, later in zip((0, *self.budgets), self.budgets, strict=False)):
            raise ValueError(f"batched_thompson: budgets is {self.budgets}; write integers of at least 1, each larger than the one before")
        if not 1 < self.growth < math.inf:
            raise ValueError(f"batched_thompson: growth is {self.growth}; write a finite factor above 1")
        if self.first_batch < 1:
            raise ValueError(f"batched_thompson: first_batch is {self.first_batch}; write an integer of at least 1")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the budgets."""
        return tuple(map(str, self.budgets))

    def play(self, environment: BetaBernoulli, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (budgets, 2 rules, 5), the last axis as in beta_bernoulli.OUTCOME."""
        a, b = environment.prior
        low, high = window((float(a), float(b)), environment.arms)
        budgets = np.array(self.budgets, dtype=np.int64)
        return _play(  # type: ignore[no-any-return]
            float(a),
            float(b),
            environment.arms,
            low,
            high,
            float(self.growth),
            self.first_batch,
            budgets,
            streams.environment,
            streams.algorithm,
        )


@njit(cache=True)
def _play(a, b, arms, low, high, growth, first_batch, budgets, environment, algorithm):  # type: ignore[no-untyped-def]
    means = draw_means(a, b, arms, environment)
    best = means.max()
    outcomes = np.empty((budgets.size, 2, 5))
    successes, pulls = np.zeros(arms, np.int64), np.zeros(arms, np.int64)  # revealed
    hidden = np.zeros(arms, np.int64)  # pulls whose outcomes are not drawn yet
    batch = np.empty(arms, np.int64)  # the arms pulled in this batch
    frozen = np.zeros(arms, np.int64)  # N_i
    grid, groups = first_groups(a, b, arms, low, high)
    used, batches, mark = 0, 0, 0
    while True:
        # freeze the posterior
        grid, groups, chance = maximum_of_arms(a, b, low, high, successes, pulls, grid, groups)
        # pull until an arm doubles
        batches += 1
        size = 0
        doubled = False
        while not doubled:
            left = budgets[mark] - used
            size, played, doubled = _pull(chance, groups, pulls, hidden, frozen, batch, size, left, growth, first_batch, algorithm)
            used += played
            if played == left:
                _reveal(batch[:size], hidden, pulls, successes, means, environment)
                for rule in range(2):
                    prior = (0.0, 0.0) if rule == 0 else (a, b)
                    recommended = _recommend(prior, successes, pulls, means, algorithm)
                    account(outcomes[mark, rule], used, batches, arms, recommended, best)
                mark += 1
                if mark == budgets.size:
                    return outcomes
        # reveal
        _reveal(batch[:size], hidden, pulls, successes, means, environment)
        for arm in batch[:size]:
            frozen[arm] = pulls[arm]
        if not regroup(a, b, batch[:size], successes, pulls, groups, grid):
            groups = group_arms(a, b, successes, pulls, grid)


@njit(cache=True)
def _pull(chance, groups, pulls, hidden, frozen, batch, size, budget, growth, first_batch, algorithm):  # type: ignore[no-untyped-def]
    """Pull until an arm doubles or the budget is used. Returns the batch's size in arms, the number of pulls, whether an arm doubled."""
    members, door, taken = groups.members, groups.door, groups.taken
    seats, waiting, following = groups.seat, groups.waiting, groups.following
    favourite = chance.argmax()
    stay = chance[favourite]
    runs = members[favourite] == 1 and stay > 0.5  # if so: a run of the favourite, another arm, a run, ...; a run may be empty
    cumulative = np.empty(chance.size)  # over the groups that are not pulled in runs
    total = 0.0
    for g in range(chance.size):
        total += 0.0 if runs and g == favourite else chance[g]
        cumulative[g] = total
    played, turn = 0, runs
    while True:
        g = favourite if turn else np.searchsorted(cumulative, algorithm.random() * total, side="right")
        seat = door[g]
        if members[g] > 1:
            seat += int(algorithm.random() * members[g])
        arm = taken[seat]
        if arm < 0:
            arm = waiting[g]
            waiting[g] = following[arm]
            taken[seat], seats[arm] = arm, seat
            batch[size] = arm
            size += 1
        left = max(first_batch, math.ceil(growth * frozen[arm] - 1e-9)) - pulls[arm] - hidden[arm]
        run = 1
        if turn:
            run = min(left, budget - played)
            if stay < 1.0:
                run = int(min(float(run), math.log(1.0 - algorithm.random()) / math.log(stay)))
        turn = runs and not turn
        hidden[arm] += run
        played += run
        if run == left or played == budget:
            return size, played, run == left


@njit(cache=True)
def _reveal(batch, hidden, pulls, successes, means, environment):  # type: ignore[no-untyped-def]
    """Draw the outcomes of the batch's hidden pulls."""
    for arm in batch:
        successes[arm] += environment.binomial(hidden[arm], means[arm])
        pulls[arm] += hidden[arm]
        hidden[arm] = 0


@njit(cache=True)
def _recommend(prior, successes, pulls, means, algorithm):  # type: ignore[no-untyped-def]
    """The true mean of the arm with the largest posterior mean under Beta(prior); under (0, 0) this is the empirical mean."""
    a, b = prior
    top, recommended, ties = -1.0, 0.0, 0
    for arm in range(means.size):
        evidence = a + b + pulls[arm]
        if evidence > 0:
            mean = (a + successes[arm]) / evidence
            if mean > top:
                top, recommended, ties = mean, means[arm], 1
            elif mean == top:
                ties += 1
                if algorithm.random() * ties < 1.0:
                    recommended = means[arm]
    return recommended
