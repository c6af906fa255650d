"""The data that DRTS learns from, round by round and arm by arm: what Table 1 shades.

Source: Kim, Kim and Paik, Doubly robust Thompson sampling with linear payoffs (NeurIPS 2021), Table 1 and (1).

Plays DRTS (doubly_robust_thompson.py) and records, instead of regret, each arm's context, whether it was played, its reward if so, the
pseudo-reward Y^DR that DRTS gives it, and the probability pi with which the arm played was selected. Complete-record analysis uses the
rows that were played and their rewards; DRTS uses all rows and their pseudo-rewards.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson, impute
from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.kernels.factor import add_arms, factorise, solve_rest, squares, widths_by_factor
from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.resampling import selection_probability
from banditpapers.kernels.ridge import absorb, schedule, scores
from banditpapers.seeding import Streams


@dataclass(frozen=True)
class DoublyRobustData:
    """Parameters: `rounds` is the number of rounds, `v` DRTS's exploration parameter, `arms` the environment's N, `dimension` its d."""

    COMMON: ClassVar[tuple[str, ...]] = ("rounds",)  # more rounds leave the first as they are

    rounds: int
    v: float
    arms: int
    dimension: int

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"doubly_robust_data: rounds is {self.rounds}; write an integer of at least 1")
        if not self.v > 0:
            raise ValueError(f"doubly_robust_data: v is {self.v}; write a number above 0")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Every round, from 1."""
        return tuple(str(t + 1) for t in range(self.rounds))

    @property
    def rules(self) -> tuple[str, ...]:
        """Every arm, from 1."""
        return tuple(f"arm {i + 1}" for i in range(self.arms))

    @property
    def quantities(self) -> tuple[str, ...]:
        """What is recorded of an arm in a round; of an arm that was not played, reward and selection probability are NaN."""
        return (*(f"context_{k + 1}" for k in range(self.dimension)), "played", "reward", "pseudo_reward", "selection_probability")

    def play(self, environment: LinearContexts, streams: Streams) -> NDArray[np.float64]:
        """Play one replicate. Returns shape (rounds, arms, d + 4), the last axis as in `quantities`.

        Raises ValueError for another environment's arms or dimension.
        """
        if (environment.arms, environment.dimension) != (self.arms, self.dimension):
            raise ValueError("doubly_robust_data: arms and dimension are not the environment's; write the same numbers")
        arms, d = self.arms, self.dimension
        player = DoublyRobustThompson(tuple(range(1, self.rounds + 1)), (self.v,))
        world = environment.world(streams.environment_words, self.rounds)
        actions = player.histories(world, streams.algorithm_words)[0].actions
        lambdas, gamma = schedule(player.ridge, self.rounds), player.threshold(arms)
        gram, factor, moment, b, w = squares(1, d)[0], squares(1, d)[0], np.zeros((1, d)), np.zeros(d), np.empty((1, d))
        inverse, imputation, work = np.eye(d), np.zeros(d), np.empty((2, d, arms))
        means, widths = np.empty(arms), np.empty(arms)
        found = np.full((self.rounds, arms, d + 4), np.nan)
        for t, arm in enumerate(actions):
            contexts, reward, chance, pseudo = world.contexts[t], world.rewards[t, arm], 1 / arms, np.empty(arms)
            if t > 0:
                scores(contexts, b, means)
                widths_by_factor(factor, contexts, np.arange(arms), work, widths)
                candidate = argmax_probabilities(means, self.v * widths)
                chance = selection_probability(candidate, gamma, float(player.draws), arm)
            impute(contexts, reward, arm, chance, pseudo, moment[0], imputation)
            absorb(inverse, imputation, contexts[arm], reward, 1.0, np.empty(d))
            add_arms(gram, contexts)
            factorise(gram, lambdas[t + 1], moment, factor, w)
            solve_rest(factor, w[0], b)
            found[t, :, :d], found[t, :, d], found[t, :, d + 2] = contexts, np.arange(arms) == arm, pseudo
            found[t, arm, d + 1], found[t, arm, d + 3] = reward, chance
        return found
