"""K arms that pay 0 or 1: choose(), update(arm, reward), round after round; pairs of runs with the same coin flips and other rewards."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.own._loop import Outcomes, Played, arm_of
from banditpapers.seeding import Streams, stream


@dataclass(frozen=True)
class Loop(Played):
    """See problems.py. Each horizon has runs of its own; in a round, the number that decides a reward is the same whatever is played."""

    quantities: ClassVar[tuple[str, ...]] = ("regret", "second_regret", "replicated")

    def steps(self, environment: ConstrainedArms, streams: Streams) -> Iterator[Outcomes | None]:
        """Shape (horizons, 1, 3): regret of either run, and 1 where both play the same arms throughout."""
        means, gaps = environment.r.tolist(), environment.optimum[1] - environment.r
        outcomes = np.empty((len(self.records), 1, 3))
        for row, horizon in zip(outcomes[:, 0], self.records, strict=True):
            played = np.empty((2, horizon), dtype=np.int64)
            for run in range(2):
                rewards = stream(words=streams.environment_words, horizon=horizon, run=run)
                player: Any = self.make()
                player.begin(environment.arms, horizon, stream(words=streams.algorithm_words, horizon=horizon))
                for t in range(horizon):
                    arm = arm_of(player.choose(), environment.arms, "choose")
                    player.update(arm, int(rewards.random() < means[arm]))
                    played[run, t] = arm
                    yield None
                # cumsum adds in order: the same bits on every machine
                row[run] = np.cumsum(np.bincount(played[run], minlength=environment.arms) * gaps)[-1]
            row[2] = np.array_equal(*played)
        yield outcomes
