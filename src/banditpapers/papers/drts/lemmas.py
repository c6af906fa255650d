"""Lemma 2, the law of resampling and the pseudo-reward, on instances that anybody can make again."""

import itertools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.resampling import selection_probability
from banditpapers.seeding import stream

DIMENSION, INSTANCES = 5, 400
RATIOS = (0.01, 0.25, 0.5, 1.0, 2.0, 4.0)


class Instance(NamedTuple):
    """What Lemma 2 looks at in a round: X_i' b and |X_i| in the norm of V^-1 per arm, and which arms are super-unsaturated."""

    means: NDArray[np.float64]
    widths: NDArray[np.float64]
    inside: NDArray[np.bool_]


def v_star(arms: int, gamma: float) -> float:
    """The exploration parameter of Lemma 2."""
    return 1 / math.sqrt(2 * math.log(arms / (1 - gamma * arms)))


def random_instances(arms: int) -> Iterator[Instance]:
    """Rounds with contexts in the unit ball, |beta| <= 1, an estimate at a distance between 1e-4 and 1, and V between I and 1e4 I.

    V is diagonal, which is no restriction: contexts, beta and the error have directions without preference.
    """
    rng = stream(paper="drts", role="statistics", check="lemma 2", arms=arms)
    for _ in range(INSTANCES):
        contexts = np.array([_in_ball(rng) for _ in range(arms)])
        beta, distance = _in_ball(rng), 10 ** rng.uniform(-4, 0)
        error = _in_ball(rng)
        error *= distance / math.sqrt(float((error**2).sum()))
        widths = np.sqrt((contexts**2 / 10 ** rng.uniform(0, 4, DIMENSION)).sum(axis=1))
        rewards = (contexts * beta).sum(axis=1)
        best = int(rewards.argmax())
        bar = 2 * distance + np.hypot(widths[best], widths)
        yield Instance((contexts * (beta + error)).sum(axis=1), widths, rewards[best] - rewards <= bar)


def _in_ball(rng: np.random.Generator) -> NDArray[np.float64]:
    direction = rng.standard_normal(DIMENSION)
    return np.asarray(direction / math.sqrt(float((direction**2).sum())) * rng.uniform() ** (1 / DIMENSION))


def boundary_instances(arms: int) -> Iterator[Instance]:
    """The worst: only the best arm is inside, the others are just outside (and, in the last, all but one of them far outside).

    Their gap to the best arm is hypot of the two widths; a wrong estimate is no worse, since the bar rises with twice its distance.
    """
    inside = np.arange(arms) == 0
    for ratio in RATIOS:  # width of the best arm over that of the others
        widths = np.where(inside, ratio, 1.0)
        yield Instance(np.where(inside, 0.0, -math.hypot(ratio, 1.0)), widths, inside)
    one = np.full(arms, -1e3)
    one[:2] = 0.0, -math.sqrt(2)
    yield Instance(one, np.ones(arms), inside)


def inside_probability(instance: Instance, v: float) -> float:
    """P(the candidate arm is super-unsaturated)."""
    return float(argmax_probabilities(instance.means, v * instance.widths)[instance.inside].sum())


def likeliest_outside(instance: Instance, v: float) -> float:
    """The largest probability of a candidate that is not super-unsaturated; 0 where there is none."""
    outside = argmax_probabilities(instance.means, v * instance.widths)[~instance.inside]
    return float(outside.max()) if outside.size else 0.0


def law_by_enumeration(candidate: NDArray[np.float64], gamma: float, most: int) -> NDArray[np.float64]:
    """P(arm is played), from all sequences of `most` candidates: the first above gamma is played, else the last. Shapes (arms,)."""
    law = np.zeros(candidate.size)
    for drawn in itertools.product(range(candidate.size), repeat=most):
        played = next((arm for arm in drawn if candidate[arm] > gamma), drawn[-1])
        law[played] += math.prod(candidate[arm] for arm in drawn)
    return law


def law_by_formula(candidate: NDArray[np.float64], gamma: float, most: float) -> NDArray[np.float64]:
    """The same by the supplement's (15) and (16); `most` may be infinite. Shapes (arms,)."""
    return np.array([selection_probability(candidate, gamma, most, arm) for arm in range(candidate.size)])


def bias(
    law: NDArray[np.float64], weights: NDArray[np.float64], rewards: NDArray[np.float64], imputed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """E[Y^DR_i] - X_i' beta per arm, over the arm that is played; an arm that is never played has its imputed reward.

    law: P(arm is played). weights: what an observed deviation is divided by. rewards: X_i' beta. imputed: X_i' c. All of shape (arms,).
    """
    scaled = np.divide(law, weights, out=np.zeros_like(law), where=law > 0)
    return np.asarray((1 - scaled) * (imputed - rewards))
