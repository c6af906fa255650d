"""UCB-V: confidence bounds that know the variance. Audibert, Munos and Szepesvari, Exploration-exploitation tradeoff using variance
estimates in multi-armed bandits (2009), for rewards in [0, 1] with c = 1/3 and exploration log t."""

import math
from dataclasses import dataclass


@dataclass
class UcbV:
    """Play the first arm without plays, else argmax mean + sqrt(2 variance zeta log t / n) + zeta log t / n."""

    problem = "k-armed"

    zeta: float = 1.2

    def begin(self, arms, horizon, rng):
        self.plays, self.sums, self.t = [0] * arms, [0.0] * arms, 0

    def choose(self):
        self.t += 1
        best, arm = -1.0, 0
        width = self.zeta * math.log(self.t)
        for a, (n, total) in enumerate(zip(self.plays, self.sums, strict=True)):
            if n == 0:
                return a
            mean = total / n
            variance = mean * (1.0 - mean)  # of rewards that are 0 or 1
            bound = mean + math.sqrt(2.0 * variance * width / n) + width / n
            if bound > best:
                best, arm = bound, a
        return arm

    def update(self, arm, reward):
        self.plays[arm] += 1
        self.sums[arm] += reward
