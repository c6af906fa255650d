"""LinTS, BLTS and DRTS as careful NumPy loops: the oracle of the compiled ones, and what the benchmarks compare them with.

They share no code with the package. Contexts, rewards, the arm of round 1 and the normals come in as arrays: both play the same game.
"""

from collections.abc import Callable

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Array = NDArray[np.float64]
Played = tuple[NDArray[np.int64], Array]
NODES, WEIGHTS = leggauss(10)
REACH = 8.0  # standard deviations beyond which nothing is expected


def probabilities_of_maximum(means: Array, sds: Array) -> Array:
    """P(Y_i is the largest) of independent Y_i ~ N(means_i, sds_i^2), by Gauss-Legendre between all points means_i +- 8 sds_i."""
    low, high = (means - REACH * sds).max(), (means + REACH * sds).max()
    found = np.zeros(means.size)
    relevant = np.flatnonzero(means + REACH * sds > low)
    if relevant.size == 1:
        found[relevant] = 1.0
        return found
    m, s = means[relevant], sds[relevant]
    cuts = np.unique(np.clip(np.concatenate([m - REACH * s, m + REACH * s, [low, high]]), low, high))
    left, right = cuts[:-1], cuts[1:]
    active = np.abs((left + right)[:, None] / 2 - m) < REACH * s
    panels = ((right - left) * np.sqrt((active / s**2).sum(axis=1)) / 2).astype(int) + 1
    width = np.repeat((right - left) / panels, panels)
    first = np.repeat(left, panels) + width * (np.arange(panels.sum()) - np.repeat(np.cumsum(panels) - panels, panels))
    y = (first[:, None] + width[:, None] * (NODES + 1) / 2).ravel()
    weight = (width[:, None] * WEIGHTS / 2).ravel()
    z = (y[:, None] - m) / s
    below = ndtr(z)
    before = np.ones_like(below)
    before[:, 1:] = np.cumprod(below, axis=1)[:, :-1]
    after = np.ones_like(below)
    after[:, :-1] = np.cumprod(below[:, ::-1], axis=1)[:, ::-1][:, 1:]
    density = np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * s)
    found[relevant] = weight @ (density * before * after)
    return found


def linear_thompson(contexts: Array, rewards: Array, normals: Array, v: float, growing: bool, shared: bool = False) -> Played:
    """LinTS with lambda_t = sqrt(t) (growing) or 1. normals: shape (T, N), or (T, d) for a shared draw. Returns actions and the last b."""
    horizon, _, d = contexts.shape
    gram, f, b, inverse = np.zeros((d, d)), np.zeros(d), np.zeros(d), np.eye(d)
    actions = np.empty(horizon, dtype=int)
    for t in range(horizon):
        x = contexts[t]
        if shared:
            lower = np.linalg.cholesky(np.linalg.inv(inverse))
            scores = x @ (b + v * np.linalg.solve(lower.T, normals[t]))
        else:
            scores = x @ b + v * np.sqrt(((x @ inverse) * x).sum(axis=1)) * normals[t]
        arm = actions[t] = scores.argmax()
        f += rewards[t, arm] * x[arm]
        if growing:
            gram += np.outer(x[arm], x[arm])
            inverse = np.linalg.inv(gram + np.sqrt(t + 1) * np.eye(d))
        else:
            image = inverse @ x[arm]
            inverse -= np.outer(image, image) / (1 + x[arm] @ image)
        b = inverse @ f
    return actions, b


def balanced_thompson(
    contexts: Array, rewards: Array, normals: Array, first: int, v: float, gamma: float, variance: str = "plain", exact: bool = True
) -> Played:
    """BLTS. normals: shape (T, N); first: the arm of round 1. Returns actions and the last b."""
    horizon, arms, d = contexts.shape
    inverse, f, b, squares, weights, scale = np.eye(d), np.zeros(d), np.zeros(d), 0.0, 0.0, v
    actions = np.empty(horizon, dtype=int)
    for t in range(horizon):
        x, chance = contexts[t], 1 / arms
        if t == 0:
            arm = first
        else:
            means, sds = x @ b, scale * np.sqrt(((x @ inverse) * x).sum(axis=1))
            arm = (means + sds * normals[t]).argmax()
            if exact:
                chance = probabilities_of_maximum(means, sds)[arm]
        actions[t] = arm
        weight = 1 / max(chance, gamma)
        image = inverse @ x[arm]
        inverse -= np.outer(image, image) * (weight / (1 + weight * x[arm] @ image))
        f += weight * rewards[t, arm] * x[arm]
        b = inverse @ f
        squares += weight * (rewards[t, arm] - x[arm] @ b) ** 2
        weights += weight
        scale = v * {"plain": 1.0, "RSS": np.sqrt(squares), "mean RSS": np.sqrt(squares / weights)}[variance]
    return actions, b


def quasi_probabilities_of_maximum(means: Array, sds: Array) -> Array:
    """The released approximation: 200 quasi-random nodes of each arm's own normal."""
    order = np.arange(1, 201)
    gray = order ^ (order >> 1)
    points = sum(((gray >> bit) & 1) * 2.0 ** -(bit + 1) for bit in range(8))
    y = means[:, None] + sds[:, None] * ndtri(points)
    below = ndtr((y[:, :, None] - means) / sds)
    arms = np.arange(means.size)
    below[arms, :, arms] = 1.0
    found: Array = below.prod(axis=2).mean(axis=1)
    return found


def doubly_robust_thompson(
    contexts: Array,
    rewards: Array,
    normals: Callable[[int, int], Array],
    first: int,
    v: float,
    growing: bool = True,
    most: int = 200,
    released: bool = False,
) -> Played:
    """DRTS with gamma = 1/(N + 1). normals(t, draw): shape (N,). Returns actions and the last b."""
    horizon, arms, d = contexts.shape
    gram, moment, b, v_inverse = np.zeros((d, d)), np.zeros(d), np.zeros(d), np.eye(d)
    inverse, response, imputation = np.eye(d), np.zeros(d), np.zeros(d)
    gamma = 1 / (arms + 1)
    actions = np.empty(horizon, dtype=int)
    for t in range(horizon):
        x = contexts[t]
        if t == 0:
            arm, chance = first, 1 / arms
        else:
            means, sds = x @ b, v * np.sqrt(((x @ v_inverse) * x).sum(axis=1))
            if released:
                before = contexts[t - 1]
                stale = v * np.sqrt(((before @ v_inverse) * before).sum(axis=1))
                candidate = quasi_probabilities_of_maximum(means, stale)
            else:
                candidate = probabilities_of_maximum(means, sds)
            inside = candidate > gamma
            for draw in range(most):
                arm = (means + sds * normals(t, draw)).argmax()
                if inside[arm]:
                    break
            total = candidate[inside].sum()
            found, refused = (1 - (1 - total) ** most) / total, (1 - total) ** (most - 1)
            chance = candidate[arm] * (found if inside[arm] else refused)
        actions[t] = arm
        pseudo = x @ imputation
        pseudo[arm] += (rewards[t, arm] - pseudo[arm]) / chance
        gram += x.T @ x
        moment += x.T @ pseudo
        v_inverse = np.linalg.inv(gram + (np.sqrt(t + 1) if growing else 1.0) * np.eye(d))
        b = v_inverse @ moment
        image = inverse @ x[arm]
        inverse -= np.outer(image, image) / (1 + x[arm] @ image)
        response += rewards[t, arm] * x[arm]
        imputation = inverse @ response
    return actions, b
