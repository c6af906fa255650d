"""Linear bandit whose arms are people: the Jester and MovieLens instances of Yang and Toni, Differentiable linear bandit algorithm (2020),
section 5 and appendix G.

A replicate draws K users without replacement. A user's features are the first d principal components of his or her ratings, divided by the
largest length among the K ("largest") or each by its own ("unit"). The mean mu of an arm is the user's rating of one more joke or film,
scaled to [0, 1]: as it is ("literal"), or less its mean over all users ("centred"). The paper's model has no intercept and its features
are centred, so that "literal" rewards are far from linear in them. Noise and regret are those of fixed_arms.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditpapers.data.components import KEPT
from banditpapers.data.tables import ABOUT, Rated, of_stand_in, read
from banditpapers.environments import fixed_arms
from banditpapers.environments.fixed_arms import Arms, refuse
from banditpapers.kernels.philox import fill_uniforms
from banditpapers.seeding import Words

OUTCOME = fixed_arms.OUTCOME
SETS, STAND_IN = ("jester", "movielens", "stand-in"), "stand-in"
CHOICES = {"ratings": SETS, "reward": ("centred", "literal"), "scaling": ("largest", "unit")}
USER = 10  # purpose of counters, see kernels/philox.py


@dataclass(frozen=True)
class RatedArms:
    """An instance: `arms` is K, `dimension` is d, `variance` is sigma^2 of the noise.

    table: the file of the ratings' table. It is no part of what an instance is: the same ratings may lie anywhere.
    """

    ratings: str
    arms: int
    dimension: int
    variance: float
    reward: str = "centred"
    scaling: str = "largest"
    split: str = "evaluation"
    table: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        refuse("rated_arms", self.arms, self.dimension, self.variance, self.split)
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"rated_arms: {name} is {getattr(self, name)!r}; write one of {', '.join(known)}")
        if self.dimension > KEPT:
            raise ValueError(f"rated_arms: dimension is {self.dimension}; write at most {KEPT}, the components that there are")

    @property
    def rated(self) -> Rated:
        """The table. Raises ValueError when it is not there or has fewer users than arms."""
        if self.ratings == STAND_IN:
            found = of_stand_in()
        elif self.table is None:
            raise ValueError(f"rated_arms: the table of {self.ratings} is not named; write the path of results/data/{self.ratings}.parquet")
        else:
            found = read(Path(self.table), self.ratings)
        if self.arms > len(found.rewards):
            raise ValueError(f"rated_arms: arms is {self.arms}; write at most {len(found.rewards)}, the users of {self.ratings}")
        return found

    @property
    def data(self) -> Mapping[str, Any]:
        """What the ratings are and where they came from: goes with every result."""
        return {name: self.rated.about[name] for name in ABOUT}

    def instance(self, words: Words) -> Arms:
        """A replicate's arms."""
        rated = self.rated
        users = drawn(words, self.arms, len(rated.rewards))
        columns = np.ascontiguousarray(rated.scores[users, : self.dimension].T)
        lengths = np.sqrt(np.cumsum(columns * columns, axis=0)[-1])  # in order: the same bits on every machine
        if self.scaling == "largest":
            lengths[:] = lengths.max()
        columns /= np.where(lengths > 0, lengths, 1.0)  # a user of no length stays at the origin
        means = rated.rewards[users]
        return Arms(columns, means - math.fsum(rated.rewards) / len(rated.rewards) if self.reward == "centred" else means)

    def noise(self, words: Words, trajectory: int, horizon: int) -> NDArray[np.float64]:
        """sigma z_n1, ..., sigma z_nT of trajectory n, shape (T,); a longer horizon changes nothing in these."""
        return fixed_arms.noise(words, trajectory, horizon, self.variance)


def drawn(words: Words, arms: int, users: int) -> NDArray[np.int64]:
    """`arms` different numbers below `users`, each set and order as likely as any other; more arms keep the first ones. Shape (arms,)."""
    uniforms = np.empty(arms)
    fill_uniforms(uniforms, words.seed, USER, 0, words.lane, 0)
    # the first steps of a shuffle (Durstenfeld, CACM 7, 1964)
    order = np.arange(users)
    for i, uniform in enumerate(uniforms):
        j = i + int(uniform * (users - i))
        order[i], order[j] = order[j], order[i]
    return order[:arms].copy()
