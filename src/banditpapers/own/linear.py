"""Linear bandits, contextual or with fixed arms: choose(contexts), update(arm, context, reward), round after round."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditpapers.environments import fixed_arms, linear_contexts
from banditpapers.environments.linear_contexts import History, LinearContexts
from banditpapers.own._loop import Outcomes, Played, arm_of, fixed
from banditpapers.own.problems import Misplay
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class Loop(Played):
    """See problems.py."""

    def steps(self, environment: Any, streams: Streams) -> Iterator[Outcomes | None]:
        """On contexts of each round, or on arms that stay; outcomes of shape (rounds, 1, quantities), as the environment's OUTCOME."""
        horizon = self.records[-1]
        if isinstance(environment, LinearContexts):
            world = environment.world(streams.environment_words, horizon)
            contexts, rewards = fixed(world.contexts), world.rewards
        else:
            arms = environment.instance(streams.environment_words)
            features = fixed(np.ascontiguousarray(arms.columns.T))
            contexts, rewards = (np.broadcast_to(array, (horizon, *array.shape)) for array in (features, arms.means))
            rewards = rewards + environment.noise(streams.environment_words, 0, horizon)[:, np.newaxis]
        number, dimension = contexts.shape[1:]
        player, marks = self.make(), set(self.records)
        player.begin(number, dimension, horizon, streams.algorithm)
        actions, estimates = np.empty(horizon, dtype=np.int64), []
        for t in range(horizon):
            arm = arm_of(player.choose(contexts[t]), number, "choose")
            player.update(arm, contexts[t, arm], float(rewards[t, arm]))
            actions[t] = arm
            if t + 1 in marks:
                estimates.append(_estimate(player, dimension))
            yield None
        if not isinstance(environment, LinearContexts):
            yield fixed_arms.account(arms, actions, self.records)[:, np.newaxis, np.newaxis]
            return
        known, nothing = estimates[0] is not None, np.zeros(horizon, dtype=np.int64)
        found = np.array(estimates if known else np.zeros((len(self.records), dimension)), dtype=np.float64)
        outcomes = linear_contexts.account(world, History(actions, found, nothing, nothing), self.records)
        if not known:
            outcomes[:, linear_contexts.OUTCOME.index("error")] = np.nan
        yield outcomes[:, np.newaxis]


def _estimate(player: Any, dimension: int) -> Any:
    """A copy of what the algorithm says that the coefficients are; None where it says nothing."""
    answer = getattr(player, "estimate", None)
    if answer is None:
        return None
    found = np.array(answer, dtype=np.float64)
    if found.shape != (dimension,):
        raise Misplay(f"estimate has the shape {found.shape}; write shape ({dimension},), or leave it out")
    return found
