"""DEBORA, DEBORA-S, DEBORA-H and OPB round by round, as plain loops: the oracle of the epochs that the package draws at once.

They share nothing with the package but the solver of the linear programs, which has an oracle of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import floor, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.kernels.simplex_lp import solve_simplex

Array = NDArray[np.float64]
Law = dict[tuple[int, ...], float]
Choice = Callable[[Array, Array], Array]


class Run(NamedTuple):
    """strategies: shape (H, K); rounds: of each epoch, (H,)."""

    strategies: Array
    rounds: NDArray[np.int64]


def rep_mean(mean: float, alpha: float, u: float) -> float:
    """The middle of the cell of a mean; of an edge cell that of the part in [0, 1]."""
    low = u * alpha + floor((mean - u * alpha) / alpha) * alpha
    return (max(low, 0.0) + min(low + alpha, 1.0)) / 2


def epoch_law(x: Sequence[float], need: Sequence[int], remaining: int) -> Law:
    """The probabilities of the counts of one epoch, exactly: round by round over all that can have happened."""
    running: Law = {(0,) * len(x): 1.0}
    ended: Law = {}
    for t in range(1, remaining + 1):
        after: Law = {}
        for (counts, mass), arm in product(running.items(), range(len(x))):
            new = tuple(count + (a == arm) for a, count in enumerate(counts))
            where = ended if new[arm] == need[arm] or t == remaining else after
            where[new] = where.get(new, 0.0) + mass * x[arm]
        running = after
    return {counts: mass for counts, mass in ended.items() if mass > 0}


def epoch(x: Array, need: Sequence[int], uniforms: Iterator[float]) -> list[int]:
    """The counts of one epoch whose rounds take their arms from what is left of `uniforms` by inverse CDF."""
    counts, upper = [0] * len(x), np.cumsum(x).tolist()
    upper[max(a for a in range(len(x)) if x[a] > 0)] = inf
    for u in uniforms:
        arm = 0
        while u >= upper[arm]:
            arm += 1
        counts[arm] += 1
        if counts[arm] == need[arm]:
            break
    return counts


def debora(r: Array, horizon: int, cell: float, width: float, rng: np.random.Generator) -> Run:
    """DEBORA with fresh shifts, one reward at a time."""
    plays, sums = np.zeros(len(r), dtype=np.int64), np.zeros(len(r))
    means, bounds, epochs, t = np.full(len(r), 0.5), np.full(len(r), inf), [], 0
    while t < horizon:
        b = int(np.argmax(means + bounds))
        n = min(max(int(plays[b]), 1), horizon - t)
        for _ in range(n):
            sums[b] += rng.random() < r[b]
            plays[b] += 1
            t += 1
        means[b], bounds[b] = rep_mean(sums[b] / plays[b], cell / sqrt(plays[b]), rng.random()), width / sqrt(plays[b])
        epochs.append((np.eye(len(r))[b], n))
    return _run(epochs)


def constrained(
    told: Array, horizon: int, cell: float, width: float, choose: Choice, rng: np.random.Generator, later: int = 0, lazy: bool = False
) -> Run:
    """What chooses a strategy by estimates and widths, with fresh shifts; a cell of 0 is plain means.

    told: mean rewards, then mean costs, shape (1 + m, K). later: an epoch lasts so many plays too long, for a negative control.
    """
    rows, arms = told.shape
    plays, at, sums = np.zeros(arms, dtype=np.int64), np.zeros(arms, dtype=np.int64), np.zeros(told.shape)
    estimates, bounds, epochs, t = np.full(told.shape, 0.5), np.full(arms, width), [], 0
    uniforms = iter(rng.random(horizon).tolist())
    while t < horizon:
        x = choose(estimates, bounds)
        counts = epoch(x, [max(int(n), 1) + later for n in plays], uniforms)
        for arm, count in enumerate(counts):
            sums[:, arm] += (rng.random((rows, count)) < told[:, [arm]]).sum(axis=1)
        plays += counts
        t += sum(counts)
        for arm in np.flatnonzero(plays):
            if not lazy or plays[arm] == 1 or plays[arm] >= 2 * at[arm]:
                at[arm], bounds[arm] = plays[arm], width / sqrt(plays[arm])
                for i in range(rows):
                    mean = sums[i, arm] / plays[arm]
                    estimates[i, arm] = rep_mean(mean, cell / sqrt(plays[arm]), rng.random()) if cell else mean
        epochs.append((x, sum(counts)))
    return _run(epochs)


def soft(limits: Array) -> Choice:
    """Optimistic in rewards and costs."""

    def choose(estimates: Array, bounds: Array) -> Array:
        x = np.zeros(len(bounds))
        return x if solve_simplex(estimates[0] + bounds, estimates[1:] - bounds, limits, x) else np.full(len(bounds), 1 / len(bounds))

    return choose


def hard(limits: Array, safe: Array, lambdas: Array, clip: bool) -> Choice:
    """The same, mixed with a safe strategy by the largest weight in [0, 1] that keeps pessimistic costs within the limits."""

    def choose(estimates: Array, bounds: Array) -> Array:
        x = soft(limits)(estimates, bounds)
        high = estimates[1:] + bounds
        costs = (np.minimum(high, 1.0) if clip else high) @ x
        weights = [(limits[i] - lambdas[i]) / (cost - lambdas[i]) for i, cost in enumerate(costs) if cost > limits[i]]
        weight = min([1.0, *weights])
        return weight * x + (1 - weight) * safe

    return choose


def pessimistic(limits: Array, safe: Array, lambdas: Array) -> Choice:
    """OPB: the safe strategy is one more arm with known costs, other costs are taken for as high as they may be."""
    eager = 1 + 2 / float(np.min(limits - lambdas))

    def choose(estimates: Array, bounds: Array) -> Array:
        values, weights = estimates[0] + eager * bounds, np.zeros(len(bounds) + 1)
        costs = np.column_stack([estimates[1:] + bounds, lambdas])
        solve_simplex(np.append(values, safe @ values), costs, limits, weights)
        return weights[:-1] + weights[-1] * safe

    return choose


def _run(epochs: list[tuple[Array, int]]) -> Run:
    return Run(np.array([x for x, _ in epochs]), np.array([n for _, n in epochs]))
