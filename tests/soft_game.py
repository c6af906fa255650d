"""One game on fixed arms for the compiled algorithms and for the NumPy loops of dense_soft.py: the same arms, noise and uniforms."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from banditpapers.algorithms._soft import coins
from banditpapers.environments.fixed_arms import FixedArms, account
from banditpapers.seeding import streams

Array = NDArray[np.float64]
STREAMS = streams(20200603, "softucb", {"name": "loops"}, {"name": "oracle"}, 0)
WORLD, HORIZON = FixedArms(50, 10, 0.1), 2048
SMALL = ((FixedArms(1, 1, 0.1), 40), (FixedArms(2, 1, 0.1), 60), (FixedArms(3, 2, 0), 60), (FixedArms(7, 3, 1.0, "gaussian"), 200))
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


@lru_cache
def game(world: FixedArms, horizon: int, trajectory: int = 0) -> tuple[Array, Array, Array, Array]:
    """Arms as rows, their means, noise and uniforms: what the compiled loops draw for themselves."""
    arms = world.instance(STREAMS.environment_words)
    noise = world.noise(STREAMS.environment_words, trajectory, horizon)
    return np.ascontiguousarray(arms.columns.T), arms.means, noise, coins(STREAMS.algorithm_words, trajectory, horizon)


def regrets(world: FixedArms, actions: NDArray[np.int64]) -> Array:
    """Regret after every round."""
    return account(world.instance(STREAMS.environment_words), actions, range(1, len(actions) + 1))
