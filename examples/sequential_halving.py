"""Sequential halving: Karnin, Koren and Somekh, Almost optimal exploration in multi-armed bandits (ICML 2013)."""

from dataclasses import dataclass

import numpy as np


@dataclass
class SequentialHalving:
    """In each of log_factor K rounds, the arms left share a part of the budget equally, and the better part of them stays."""

    problem = "best-arm"

    factor: int = 2

    def begin(self, arms, prior, budget, rng):
        self.rounds = max(1, int(np.ceil(np.log(arms) / np.log(self.factor))))
        self.left, self.share = np.arange(arms), budget // self.rounds
        self.successes, self.rng, self.arms = np.zeros(arms), rng, arms

    def pull(self):
        pulls = np.zeros(self.arms, dtype=np.int64)
        if len(self.left) > 1:
            # a share that is too small for one pull each goes to some of the arms, drawn at random
            pulls[self.rng.permutation(self.left)[: self.share % len(self.left)]] += self.share < len(self.left)
            pulls[self.left] += self.share // len(self.left)
        return pulls

    def update(self, pulls, successes):
        means = successes[self.left] / np.maximum(pulls[self.left], 1)
        order = np.lexsort((self.rng.random(len(self.left)), -means))  # ties at random
        self.left = self.left[order[: max(1, -(-len(self.left) // self.factor))]]

    def recommend(self):
        return int(self.left[0])
