"""Linear bandit with a fixed set of arms: the instances of Yang and Toni, Differentiable linear bandit algorithm (2020), section 5.

    x_i uniform in [-1, 1]^d ("uniform") or normal ("gaussian"), then divided by its length;   theta a random unit vector
    mu_i = x_i' theta,   a play of arm i in round t of trajectory n pays mu_i + sigma z_nt,   z ~ N(0, 1) whatever the arm

Regret is max_j mu_j - mu_i: without noise. A replicate is one set of arms with its theta; an algorithm may play several trajectories on it,
each with noise of its own. `split` is "evaluation" or, for choosing parameters, "tuning": other arms and other noise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.kernels.philox import NOISE, fill_normals, fill_uniforms
from banditpapers.seeding import Words

OUTCOME = ("regret",)  # what is recorded of an algorithm at a round
FEATURES = ("uniform", "gaussian")
SPLITS = ("evaluation", "tuning")
ARM, COEFFICIENT = 8, 9  # purposes of counters, see kernels/philox.py


class Arms(NamedTuple):
    """A set of arms. columns: the features, one column per arm, shape (d, K), C order. means: mu, shape (K,)."""

    columns: NDArray[np.float64]
    means: NDArray[np.float64]

    @property
    def gaps(self) -> NDArray[np.float64]:
        """max_j mu_j - mu_i, shape (K,)."""
        return np.asarray(self.means.max() - self.means)


@dataclass(frozen=True)
class FixedArms:
    """An instance: `arms` is K, `dimension` is d, `variance` is sigma^2 of the noise."""

    arms: int
    dimension: int
    variance: float
    features: str = "uniform"
    split: str = "evaluation"

    def __post_init__(self) -> None:
        refuse("fixed_arms", self.arms, self.dimension, self.variance, self.split)
        if self.features not in FEATURES:
            raise ValueError(f"fixed_arms: features is {self.features!r}; write one of {', '.join(FEATURES)}")

    def instance(self, words: Words) -> Arms:
        """A replicate's arms."""
        columns, theta = np.empty((self.dimension, self.arms)), np.empty(self.dimension)
        _fill(columns, theta, self.features == "gaussian", words.seed, words.lane)
        means = np.zeros(self.arms)
        for coefficient, column in zip(theta, columns, strict=True):
            means += coefficient * column
        return Arms(columns, means)

    def noise(self, words: Words, trajectory: int, horizon: int) -> NDArray[np.float64]:
        """sigma z_n1, ..., sigma z_nT of trajectory n, shape (T,); a longer horizon changes nothing in these."""
        return noise(words, trajectory, horizon, self.variance)


def refuse(name: str, arms: int, dimension: int, variance: float, split: str) -> None:
    """Raises ValueError, with one sentence, for an instance that means nothing."""
    for key, value, least in (("arms", arms, 1), ("dimension", dimension, 1)):
        if not value >= least or value != int(value):
            raise ValueError(f"{name}: {key} is {value}; write an integer of at least {least}")
    if not 0 <= variance < math.inf:
        raise ValueError(f"{name}: variance is {variance}; write a number of at least 0")
    if split not in SPLITS:
        raise ValueError(f"{name}: split is {split!r}; write one of {', '.join(SPLITS)}")


def noise(words: Words, trajectory: int, horizon: int, variance: float) -> NDArray[np.float64]:
    """Normal noise of a trajectory, shape (T,)."""
    found = np.empty(horizon)
    fill_normals(found, words.seed, NOISE, 0, words.lane, trajectory)
    return np.asarray(math.sqrt(variance) * found)


def account(arms: Arms, actions: NDArray[np.int64], marks: Sequence[int]) -> NDArray[np.float64]:
    """Cumulative regret after the rounds `marks` (counted from 1, increasing), shape (marks,). actions: the arms played, shape (T,)."""
    # cumsum adds in order, so that the last bits do not depend on how a sum is grouped
    return np.asarray(np.cumsum(arms.gaps[actions])[np.asarray(marks) - 1])


@njit(cache=True)
def _fill(columns, theta, gaussian, seed, lane):  # type: ignore[no-untyped-def]
    d, arms = columns.shape
    x = np.empty(d)
    for i in range(arms):
        if gaussian:
            fill_normals(x, seed, ARM, i, lane, 0)
        else:
            fill_uniforms(x, seed, ARM, i, lane, 0)
        square = 0.0
        for k in range(d):
            x[k] = x[k] if gaussian else 2.0 * x[k] - 1.0
            square += x[k] * x[k]
        for k in range(d):
            columns[k, i] = x[k] / math.sqrt(square)
    fill_normals(theta, seed, COEFFICIENT, 0, lane, 0)
    square = 0.0
    for k in range(d):
        square += theta[k] * theta[k]
    for k in range(d):
        theta[k] /= math.sqrt(square)
