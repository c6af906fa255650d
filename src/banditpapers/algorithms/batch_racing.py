"""BatchRacing (BR) for the best of K Bernoulli arms, in (K, 1) batches: a batch pulls every surviving arm once.

Source: Jun, Jamieson, Nowak and Zhu, Top arm identification in multi-armed bandits with batch arm pulls (AISTATS 2016), with k = 1.

    omega = sqrt(delta / (6 K)),    D(r) = sqrt(4 ln(log2(2 r) / omega) / r)
    after batch r, on the survivors' success counts s_1 >= s_2 >= ...:
        accept the leader        if s_1/r - D(r) > s_2/r + D(r)
        reject arm j             if s_j/r + D(r) < s_1/r - D(r)
    stop at one arm, at the cap of R batches or at the budget of T pulls; recommend the largest empirical mean, ties uniformly.

With k = 1, accepting the leader is the same event as rejecting all others, so the loop only rejects. A budget that ends inside a batch
pulls a uniformly random subset of the survivors once more and decides nothing. Exact shortcuts: no arm can fall while 2 D(r) >= 1, so
those batches are binomial draws from one checkpoint to the next; and all budgets are read off one run, the part of a batch that a
budget still affords being drawn aside. So each checkpoint has exactly the law of a run of that budget, and checkpoints are dependent.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.environments.beta_bernoulli import BetaBernoulli, account, draw_means
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class BatchRacing:
    """Parameters of BatchRacing.

    delta: error probability of the confidence bounds, in (0, 1). batches: R, the cap of the checkpoint "cap", which has no budget.
    budgets: numbers of pulls T, increasing; one that the run does not use up is recorded at the run's end (`pulls` are those played).
    trace: the checkpoints are the batches "1" to "R" instead. beyond: for the sake of budgets the run goes on to int(beyond * batches)
    batches; what "cap" records is not affected.
    """

    rules: ClassVar[tuple[str, ...]] = ("mean",)
    COMMON: ClassVar[tuple[str, ...]] = ("budgets",)  # says what is recorded: the coin flips are common to all values

    delta: float
    batches: int
    budgets: tuple[int, ...] = ()
    trace: bool = False
    beyond: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise ValueError(f"batch_racing: delta is {self.delta}; write a number between 0 and 1, both excluded")
        if self.batches < 1:
            raise ValueError(f"batch_racing: batches is {self.batches}; write an integer of at least 1")
        if not 1 <= self.beyond < math.inf:
            raise ValueError(f"batch_racing: beyond is {self.beyond}; write a finite factor of at least 1")
        if any(later <= earlier for earlier, later in zip((0, *self.budgets), self.budgets, strict=False)):
            raise ValueError(f"batch_racing: budgets is {self.budgets}; write integers of at least 1, each larger than the one before")
        if self.trace and (self.budgets or self.beyond > 1):
            raise ValueError("batch_racing: trace records every batch up to the cap; leave out budgets and beyond, or write trace: false")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: budgets, then "cap"; or the batches "1" to "R" of a trace."""
        if self.trace:
            return tuple(str(batch) for batch in range(1, self.batches + 1))
        return (*map(str, self.budgets), "cap")

    def play(self, environment: BetaBernoulli, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (checkpoints, 1 rule, 5), the last axis as in beta_bernoulli.OUTCOME."""
        a, b = environment.prior
        return _play(  # type: ignore[no-any-return]
            float(a),
            float(b),
            environment.arms,
            margins(self.delta, environment.arms, int(self.beyond * self.batches)),
            np.array(self.budgets, dtype=np.int64),
            np.arange(1 if self.trace else self.batches, self.batches + 1),
            streams.environment,
            streams.algorithm,
        )


@lru_cache(maxsize=64)
def margins(delta: float, arms: int, batches: int) -> NDArray[np.float64]:
    """2 r D(r), in successes, for r = 0..batches: an arm that lags the leader by more falls. Batch r can reject only if it is below r.

    Shape (batches + 1,).
    """
    omega = math.sqrt(delta / (6 * arms))
    table = np.array([0.0, *(2 * math.sqrt(4 * r * math.log(math.log2(2 * r) / omega)) for r in range(1, batches + 1))])
    table.flags.writeable = False  # shared by all replicates
    return table


@njit(cache=True)
def _play(a, b, arms, margin, budgets, marks, environment, algorithm):  # type: ignore[no-untyped-def]
    means = draw_means(a, b, arms, environment)  # its first `kept` entries are the survivors', as in `successes`
    best = means.max()
    successes = np.zeros(arms, np.int64)
    outcomes = np.empty((budgets.size + marks.size, 1, 5))
    last = margin.size - 1
    decisive = 1  # the first batch that can reject an arm
    while decisive <= last and margin[decisive] >= decisive:
        decisive += 1
    kept, r, used, budget, mark = arms, 0, 0, 0, 0
    while True:
        over = kept == 1 or r == last
        while budget < budgets.size and (over or budgets[budget] < used + kept):  # it ends before the next batch does
            extra = 0 if over else budgets[budget] - used
            recommended = _recommend(means, successes, kept, r, extra, environment, algorithm)
            account(outcomes[budget, 0], used + extra, r + (extra > 0), kept, recommended, best)
            budget += 1
        while mark < marks.size and (over or marks[mark] == r):
            recommended = _recommend(means, successes, kept, r, 0, environment, algorithm)
            account(outcomes[budgets.size + mark, 0], used, r, kept, recommended, best)
            mark += 1
        if over or (budget == budgets.size and mark == marks.size):
            return outcomes
        step = 1
        if r + 1 < decisive:  # nothing to decide before: go on to the next checkpoint at once
            step = min(decisive - 1, last) - r
            if budget < budgets.size:
                step = min(step, (budgets[budget] - used) // kept)
            if mark < marks.size:
                step = min(step, marks[mark] - r)
        r += step
        used += step * kept
        leader = 0
        for i in range(kept):
            if step == 1:
                successes[i] += environment.random() < means[i]
            else:
                successes[i] += environment.binomial(step, means[i])
            leader = max(leader, successes[i])
        if r >= decisive:
            floor = leader - margin[r]
            survivors = 0
            for i in range(kept):
                if successes[i] >= floor:
                    successes[survivors], means[survivors] = successes[i], means[i]
                    survivors += 1
            kept = survivors


@njit(cache=True)
def _recommend(means, successes, kept, pulls, extra, environment, algorithm):  # type: ignore[no-untyped-def]
    """The true mean of the survivor with the largest empirical mean, once `extra` random survivors have been pulled once more."""
    top, recommended, ties = -2.0, 0.0, 0
    for i in range(kept):
        won, tried = successes[i], pulls
        # selection sampling: each subset of `extra` survivors is equally likely
        if extra > 0 and algorithm.random() * (kept - i) < extra:
            extra -= 1
            won, tried = won + (environment.random() < means[i]), tried + 1
        mean = won / tried if tried > 0 else -1.0  # an arm never pulled has no mean
        if mean > top:
            top, recommended, ties = mean, means[i], 1
        elif mean == top:
            ties += 1
            if algorithm.random() * ties < 1.0:
                recommended = means[i]
    return recommended
