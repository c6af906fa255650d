"""Single runs and pairs of DEBORA, DEBORA-S, DEBORA-H and OPB for the tests, with a generator for each kind of randomness."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from banditpapers.algorithms import debora, debora_hard, debora_soft, pessimistic_lp
from banditpapers.environments.constrained_arms import OUTCOME, ConstrainedArms
from banditpapers.seeding import streams

Generator = np.random.Generator
Array = NDArray[np.float64]
A3 = ConstrainedArms(3, rewards=(0.9, 0.6, 0.3), costs=((0.9, 0.5, 0.1),), limits=(0.4,))
B5 = ConstrainedArms(5, rewards=(0.9, 0.8, 0.5, 0.4, 0.2), costs=((0.9, 0.3, 0.5, 0.2, 0.1), (0.2, 0.9, 0.4, 0.1, 0.2)), limits=(0.5, 0.5))
C10 = ConstrainedArms(
    10,
    rewards=(0.39, 0.26, 0.17, 0.62, 0.47, 0.89, 0.78, 0.77, 0.14, 0.54),
    costs=(
        (0.47, 0.1, 0.3, 0.4, 0.28, 0.77, 0.52, 0.33, 0.24, 0.7),
        (0.34, 0.18, 0.07, 0.5, 0.53, 0.56, 0.76, 0.57, 0.47, 0.5),
        (0.45, 0.31, 0.1, 0.61, 0.64, 0.73, 0.52, 0.33, 0.13, 0.49),
    ),
    limits=(0.4, 0.4, 0.4),
)


def generator(*name: int) -> Generator:
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(name)))


def debora_once(
    world: ConstrainedArms, horizon: int, cell: float, width: float, offsets: Array, env: Generator, every: bool = False
) -> Any:
    """One run of DEBORA: (strategies, rounds, calls, outputs, missed)."""
    return debora.play_once(world.r, horizon, cell, width, every, offsets, env)


def soft_once(
    world: ConstrainedArms, horizon: int, cell: float, width: float, offsets: Array, xi: Generator, env: Generator, lazy: bool = False
) -> Any:
    return debora_soft.play_once(np.vstack([world.r, world.g]), world.alpha, horizon, cell, width, lazy, offsets, xi, env)


def hard_once(
    world: ConstrainedArms,
    horizon: int,
    cell: float,
    width: float,
    offsets: Array,
    xi: Generator,
    env: Generator,
    lazy: bool = False,
    clip: bool = True,
) -> Any:
    told = np.vstack([world.r, world.g])
    return debora_hard.play_once(told, world.alpha, *world.safest, clip, horizon, cell, width, lazy, offsets, xi, env)


def pessimistic_once(world: ConstrainedArms, horizon: int, width: float, xi: Generator, env: Generator) -> Any:
    return pessimistic_lp.play_once(np.vstack([world.r, world.g]), world.alpha, *world.safest, horizon, width, False, xi, env)


@cache
def pairs(algorithm: Any, world: ConstrainedArms, count: int, first: int = 0) -> dict[str, Array]:
    """What is recorded of so many pairs, by quantity: each of shape (count, horizons, rules)."""
    instance = {"arms": world.arms, "gap": world.gap, "rewards": list(world.rewards)}
    played = [
        algorithm.play(world, streams(17, "debora", instance, {"name": type(algorithm).__name__}, i)) for i in range(first, first + count)
    ]
    return dict(zip(OUTCOME, np.moveaxis(np.array(played), -1, 0), strict=True))


def at_most(events: float, count: int, confidence: float = 0.975) -> float:
    """The upper Clopper-Pearson limit of a probability."""
    return 1.0 if events == count else float(betaincinv(events + 1, count - events, confidence))


def at_least(events: float, count: int, confidence: float = 0.975) -> float:
    """The lower one."""
    return 0.0 if events == 0 else float(betaincinv(events, count - events + 1, 1 - confidence))
