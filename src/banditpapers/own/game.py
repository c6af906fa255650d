"""A small game for a class of one's own: what it answers, round after round, with streams that depend on nothing but names."""

from collections.abc import Iterator
from traceback import extract_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.own._loop import arm_of, fixed
from banditpapers.own.best_arm import pulls_of
from banditpapers.own.constrained import strategy_of
from banditpapers.own.problems import Misplay
from banditpapers.seeding import stream

DIMENSION, LIMITS = 3, 2
PULLS = 40  # of a best-arm game's budget, for each round of the others


class Game:
    """The rounds of one object. arms, horizon: at least 1. tied: whether all arms are the same, contexts all zero.

    Iterating gives the answers, and raises Misplay with one sentence where one is none or where a method of the class ends in an error.
    """

    def __init__(self, player: Any, problem: str, arms: int, horizon: int, tied: bool = False) -> None:
        self.player, self.problem, self.arms, self.horizon = player, problem, arms, horizon
        self.means = np.full(arms, 0.5) if tied else np.linspace(0.3, 0.8, arms)
        self.world, self.scale = stream(game=problem, role="environment"), 0.0 if tied else 1.0

    def __iter__(self) -> Iterator[Any]:
        rounds: Iterator[Any] = getattr(self, f"_{self.problem.replace('-', '_')}")()
        return rounds

    def _ask(self, method: str, *given: Any) -> Any:
        kind = type(self.player).__name__
        try:
            return getattr(self.player, method)(*given)
        except Exception as error:
            line = extract_tb(error.__traceback__)[-1].lineno
            if isinstance(error, ValueError) and "read-only" in str(error):
                raise Misplay(f"{kind}.{method}, line {line}, writes into what it was given; copy it first") from error
            raise Misplay(f"{kind}.{method}, line {line}: {type(error).__name__}: {error}; correct it there") from error

    def _coins(self) -> np.random.Generator:
        return stream(game=self.problem, role="algorithm")

    def _k_armed(self) -> Iterator[int]:
        self._ask("begin", self.arms, self.horizon, self._coins())
        for _ in range(self.horizon):
            arm = arm_of(self._ask("choose"), self.arms, "choose")
            self._ask("update", arm, int(self.world.random() < self.means[arm]))
            yield arm

    def _linear(self) -> Iterator[int]:
        self._ask("begin", self.arms, DIMENSION, self.horizon, self._coins())
        for _ in range(self.horizon):
            contexts = fixed(self.scale * self.world.uniform(-1.0, 1.0, (self.arms, DIMENSION)) / DIMENSION)
            arm = arm_of(self._ask("choose", contexts), self.arms, "choose")
            reward = float(contexts[arm].sum() + 0.1 * self.world.standard_normal())
            self._ask("update", arm, contexts[arm], reward)
            yield arm

    def _constrained(self) -> Iterator[NDArray[np.float64]]:
        self._ask("begin", self.arms, fixed(np.full(LIMITS, 0.5)), self.horizon, self._coins())
        for _ in range(self.horizon):
            x = strategy_of(self._ask("choose"), self.arms)
            arm = min(int(np.searchsorted(np.cumsum(x), self.world.random(), side="right")), self.arms - 1)
            costs = fixed((self.world.random(LIMITS) < 1.0 - self.means[arm]).astype(np.float64))
            self._ask("update", arm, int(self.world.random() < self.means[arm]), costs)
            yield x

    def _best_arm(self) -> Iterator[Any]:
        budget = PULLS * self.horizon if self.horizon > 1 else 1
        self._ask("begin", self.arms, (1.0, 1.0), budget, self._coins())
        used = 0
        while used < budget and (pulls := pulls_of(self._ask("pull"), self.arms, budget - used)).any():
            self._ask("update", pulls.copy(), self.world.binomial(pulls, self.means))
            used += int(pulls.sum())
            yield pulls
        yield arm_of(self._ask("recommend"), self.arms, "recommend")
