"""LinUCB with its own width, in NumPy: a linear bandit for Figure 1 of drts and Figure 2 of softucb."""

from dataclasses import dataclass

import numpy as np


@dataclass
class LinUcb:
    """Play argmax x'theta + alpha |x|_(V^-1), with V = ridge I + sum x x', and theta = V^-1 sum x y."""

    problem = "linear"

    alpha: float = 0.5
    ridge: float = 1.0

    def begin(self, arms, dimension, horizon, rng):
        self.inverse = np.eye(dimension) / self.ridge
        self.sum = np.zeros(dimension)
        self.estimate = np.zeros(dimension)

    def choose(self, contexts):
        widths = np.sqrt(np.einsum("ij,jk,ik->i", contexts, self.inverse, contexts))
        return int(np.argmax(contexts @ self.estimate + self.alpha * widths))

    def update(self, arm, context, reward):
        direction = self.inverse @ context
        self.inverse -= np.outer(direction, direction) / (1.0 + context @ direction)
        self.sum += reward * context
        self.estimate = self.inverse @ self.sum
