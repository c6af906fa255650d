"""Arms with rewards and costs: choose() a strategy, update(arm, reward, costs), round after round; pairs share the coin flips."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from banditpapers.environments.constrained_arms import ConstrainedArms, account
from banditpapers.own._loop import Outcomes, Played, fixed
from banditpapers.own.problems import Misplay
from banditpapers.seeding import Streams, stream

NEAR = 1e-9  # by how much probabilities may miss 0 and a sum of 1


@dataclass(frozen=True)
class Loop(Played):
    """See problems.py. Each horizon has runs of its own. What draws an arm from a strategy belongs to the coin flips, as in the paper."""

    quantities: ClassVar[tuple[str, ...]] = ("regret", "second_regret", "violation", "second_violation", "replicated", "unsafe")

    def steps(self, environment: ConstrainedArms, streams: Streams) -> Iterator[Outcomes | None]:
        """Shape (horizons, 1, 6): regret and violation of either run, 1 where all strategies are equal, the first run's unsafe rounds."""
        r, g, alpha, value = environment.r, environment.g, environment.alpha, environment.optimum[1]
        outcomes = np.empty((len(self.records), 1, len(self.quantities)))
        for row, horizon in zip(outcomes[:, 0], self.records, strict=True):
            strategies = np.empty((2, horizon, environment.arms))
            for run in range(2):
                world = stream(words=streams.environment_words, horizon=horizon, run=run)
                coins = stream(words=streams.algorithm_words, horizon=horizon, role="strategies")
                player: Any = self.make()
                player.begin(environment.arms, fixed(alpha), horizon, stream(words=streams.algorithm_words, horizon=horizon))
                losses = np.zeros(2 + alpha.size)
                for t in range(horizon):
                    strategies[run, t] = x = strategy_of(player.choose(), environment.arms)
                    arm = min(int(np.searchsorted(np.cumsum(x), coins.random(), side="right")), environment.arms - 1)
                    reward, costs = int(world.random() < r[arm]), (world.random(alpha.size) < g[:, arm]).astype(np.float64)
                    player.update(arm, reward, costs)
                    account(r, g, alpha, value, x, 1, losses)
                    yield None
                row[run], row[2 + run] = losses[0], losses[2:].max() if alpha.size else 0.0
                if run == 0:
                    row[5] = losses[1]
            row[4] = np.array_equal(*strategies)
        yield outcomes


def strategy_of(answer: Any, arms: int) -> NDArray[np.float64]:
    """Probabilities of the arms, shape (arms,). Raises Misplay for what is none."""
    x = np.array(answer, dtype=np.float64)
    if x.shape != (arms,) or not (x >= -NEAR).all() or not abs(x.sum() - 1) <= NEAR:
        raise Misplay(f"choose answered {answer!r}; return {arms} probabilities that add up to 1")
    return np.asarray(np.clip(x, 0.0, 1.0))
