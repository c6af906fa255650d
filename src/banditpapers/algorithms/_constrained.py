"""What DEBORA-S and DEBORA-H do alike: replicable estimates of rewards and costs, and the optimistic linear program over them.

Every epoch estimates 1 + m quantities of every arm that has plays. How many RepMean calls share rho is a reading:

    "union"  M = (1 + m) K K ceil(log2 T): every estimate of every epoch
    "text"   M = (1 + m) K ceil(log2 T), as section 4 has it: K times too few for the union bound
    "lazy"   the same number, and an arm is estimated anew only when its count has doubled: so it is enough
"""

import math
from collections.abc import Sequence

from numba import njit

from banditpapers.algorithms._pairs import doublings, refuse
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.normal import logarithm
from banditpapers.kernels.replicable_mean import GRIDS, Precision, precision, replicable_mean
from banditpapers.kernels.simplex_lp import solve_simplex

MEANS = "means"  # no grid: plain means, with widths sqrt(log(2/delta') / (2 n))
CALLS = ("union", "text", "lazy")
EPOCHS = ("doubling", "rounds")  # of the programs on plain means: until a count has doubled, or one round each


def refuse_constrained(
    name: str, horizons: Sequence[int], rho: Sequence[float], ratio: float, grid: str, calls: str, factor: float
) -> None:
    """Raises ValueError for parameters that mean nothing."""
    refuse(name, horizons, rho, ratio)
    if grid not in (*GRIDS, MEANS):
        raise ValueError(f"{name}: grid is {grid!r}; write one of {', '.join((*GRIDS, MEANS))}")
    if calls not in CALLS:
        raise ValueError(f"{name}: calls is {calls!r}; write one of {', '.join(CALLS)}")
    if not 0 < factor < math.inf:
        raise ValueError(f"{name}: factor is {factor}; write a number above 0")


def refuse_unsafe(name: str, environment: ConstrainedArms) -> None:
    """Raises ValueError for an instance without a strategy that is strictly safe."""
    if not environment.limits:
        raise ValueError(f"{name}: the instance has no constraints; write costs and limits")
    if not (environment.alpha - environment.safest[1]).min() > 1e-12:
        raise ValueError(f"{name}: no strategy stays strictly within the limits; write larger limits")


def widths(environment: ConstrainedArms, horizon: int, rho: float, delta: float, grid: str, calls: str, factor: float) -> Precision:
    """Coefficients of cells and widths of one RepMean call; a cell of 0 is no grid. factor scales the width: 1 keeps the guarantee."""
    m, arms = environment.g.shape
    most = (1 + m) * arms * doublings(horizon) * (arms if calls == "union" else 1)
    if grid == MEANS:
        return Precision(0.0, factor * math.sqrt(float(logarithm(2.0 * most / delta)) / 2.0))
    found = precision(rho / most, delta / most, grid)
    return Precision(found.cell, factor * found.width)


@njit(cache=True)
def calls_at_most(arms, costs, horizon):  # type: ignore[no-untyped-def]
    """Room for all RepMean calls of a run: 1 + m for each arm in each epoch."""
    length = 1
    while 2**length < horizon:
        length += 1
    return (1 + costs) * arms * (arms * (length + 1) + 1)


@njit(cache=True)
def learn(counts, sums, told, cell, width, lazy, offsets, call, estimates, bounds, at, outputs):  # type: ignore[no-untyped-def]
    """Estimate the arms anew, in order, rewards before costs. Returns the number of calls so far and how many miss their widths.

    counts: shape (K,); sums, told (true means), estimates: shape (1 + m, K), rewards first; bounds: zeta, at: count of the last estimate,
    (K,).
    """
    missed = 0
    for a in range(counts.size):
        if counts[a] > 0 and not (lazy and counts[a] < 2 * at[a] and counts[a] != 1):
            root = math.sqrt(counts[a])
            at[a], bounds[a] = counts[a], width / root
            for i in range(sums.shape[0]):
                if cell > 0.0:
                    estimates[i, a] = replicable_mean(sums[i, a], counts[a], cell / root, offsets[call])
                else:
                    estimates[i, a] = sums[i, a] / counts[a]
                missed += abs(estimates[i, a] - told[i, a]) > bounds[a]
                outputs[call] = estimates[i, a]
                call += 1
    return call, missed


@njit(cache=True)
def optimistic(estimates, bounds, limits, values, costs, x):  # type: ignore[no-untyped-def]
    """Fill `x` with the best strategy by upper bounds of rewards among those safe by lower bounds of costs.

    values, costs: work space, shape (K,) and (m, K). Where no strategy is safe, which a valid bound excludes, x is uniform.
    """
    for a in range(x.size):
        values[a] = estimates[0, a] + bounds[a]
        for i in range(limits.size):
            costs[i, a] = estimates[1 + i, a] - bounds[a]
    if not solve_simplex(values, costs, limits, x):
        x[:] = 1.0 / x.size


@njit(cache=True)
def play_epoch(generator, told, counts, sums, played):  # type: ignore[no-untyped-def]
    """Add the rewards and costs of `played` plays per arm, shape (K,), to counts and sums."""
    for a in range(counts.size):
        if played[a] > 0:
            counts[a] += played[a]
            for i in range(told.shape[0]):
                sums[i, a] += generator.binomial(played[a], told[i, a])
