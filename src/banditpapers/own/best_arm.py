"""The best of K arms in batches: pull() how often, update(pulls, successes), recommend() an arm; a run of its own for each budget."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.environments.beta_bernoulli import OUTCOME, BetaBernoulli, account, draw_means
from banditpapers.own._loop import Outcomes, Played, arm_of
from banditpapers.own.problems import Misplay
from banditpapers.seeding import Streams, stream


@dataclass(frozen=True)
class Loop(Played):
    """See problems.py. `survivors` are the arms pulled in the last batch."""

    def steps(self, environment: BetaBernoulli, streams: Streams) -> Iterator[Outcomes | None]:
        """Outcomes: shape (budgets, 1, 5), the last axis as in beta_bernoulli.OUTCOME."""
        arms = environment.arms
        means = draw_means(*map(float, environment.prior), arms, streams.environment)  # type: ignore[call-arg]
        outcomes = np.empty((len(self.records), 1, len(OUTCOME)))
        for row, budget in zip(outcomes[:, 0], self.records, strict=True):
            world = stream(words=streams.environment_words, budget=budget)
            player: Any = self.make()
            player.begin(arms, tuple(map(float, environment.prior)), budget, stream(words=streams.algorithm_words, budget=budget))
            used, batches, survivors = 0, 0, arms
            while used < budget and (pulls := pulls_of(player.pull(), arms, budget - used)).any():
                player.update(pulls, world.binomial(pulls, means))
                used, batches, survivors = used + int(pulls.sum()), batches + 1, int(np.count_nonzero(pulls))
                yield None
            recommended = means[arm_of(player.recommend(), arms, "recommend")]
            account(row, used, batches, survivors, recommended, means.max())
        yield outcomes


def pulls_of(answer: Any, arms: int, left: int) -> NDArray[np.int64]:
    """How often each arm is pulled, shape (arms,). Raises Misplay for what is no such answer."""
    found = np.asarray(answer)
    if found.shape != (arms,) or found.dtype.kind not in "iu" or (found < 0).any():
        raise Misplay(f"pull answered {answer!r}; return {arms} integers of at least 0")
    if found.sum() > left:
        raise Misplay(f"pull answered {int(found.sum())} pulls, but {left} of the budget are left; return at most those")
    return found.astype(np.int64)
