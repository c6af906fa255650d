"""Play every arm equally often, then the best strategy that keeps to the limits by the means seen, from SciPy's linear programs."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog


@dataclass
class ExploreThenProgram:
    """Exploration takes (arms^2 horizon)^(2/3) rounds, at most half of all; the program is solved once."""

    problem = "constrained"
    knows_horizon = True

    share: float = 1.0

    def begin(self, arms, limits, horizon, rng):
        self.arms, self.limits, self.t, self.strategy = arms, limits, 0, None
        self.exploration = min(horizon // 2, max(arms, int(self.share * (arms**2 * horizon) ** (2 / 3))))
        self.plays, self.rewards, self.costs = np.zeros(arms), np.zeros(arms), np.zeros((len(limits), arms))

    def choose(self):
        self.t += 1
        if self.t <= self.exploration:
            return np.eye(self.arms)[(self.t - 1) % self.arms]
        if self.strategy is None:
            self.strategy = self._solved()
        return self.strategy

    def update(self, arm, reward, costs):
        self.plays[arm] += 1
        self.rewards[arm] += reward
        self.costs[:, arm] += costs

    def _solved(self):
        n, uniform = np.maximum(self.plays, 1), np.full(self.arms, 1.0 / self.arms)
        found = linprog(-self.rewards / n, self.costs / n, self.limits, np.ones((1, self.arms)), [1.0])
        return np.clip(found.x, 0, 1) / np.clip(found.x, 0, 1).sum() if found.success else uniform
