"""Stage 1 of LP2S as a finished policy: the LP is solved, the mixture of its columns becomes thresholds, and the result is certified."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from banditpapers.kernels.deficits import SETTINGS, beta_binomial, deficit
from banditpapers.kernels.threshold_lp import generate
from banditpapers.kernels.threshold_policy import Thresholds, Vector, best_survivors, forward

SMALLEST = 0.5  # of a smaller Beta parameter, too much mass lies closer to 0 or 1 than numbers do
ROUNDING = 1e-11  # relative: a delta0 this close to the smallest feasible one is the smallest feasible one
NEGLIGIBLE = 1e-12  # a probability this close to 0 or 1 is 0 or 1


@dataclass(frozen=True, eq=False)
class Policy:
    """An optimal stage 1: an arm with s successes in r pulls gets another pull iff s > s*(r), or with probability theta(r) if s = s*(r)."""

    setting: str
    prior: tuple[float, float]
    arms: int
    rounds: int
    survivors: float
    delta0: float
    mu0: float | None
    smallest_delta0: float
    cost: float  # f*: expected stage-1 pulls of one arm
    gap: float  # cost minus the dual lower bound: what could at most be saved
    thresholds: Thresholds  # s*(r), shape (R,), r = 0..R-1
    tie_probabilities: Vector  # theta(r), shape (R,)
    pulled: Vector  # sum_s x(r, s), shape (R,): the probability that an arm is pulled in round r + 1
    last_pulls: Vector  # x(R-1, s), shape (R,): the masses that get the last pull of stage 1


@dataclass(frozen=True, eq=False)
class Terminal:
    """The last state of stage 1: its deficits, and the best survivors that any policy can have (the top states up to the share L/K)."""

    deficits: Vector
    share: float
    state: int  # the lowest state of which mass survives
    full: bool  # all of its mass survives
    smallest_delta0: float


def solve(
    setting: str, prior: tuple[float, float], arms: int, rounds: int, survivors: float, delta0: float, mu0: float | None = None
) -> Policy:
    """The optimal stage 1 of LP-PAC, LP-SRM or LP-FC for K arms, R rounds, L expected survivors and quality delta0."""
    refuse_nonsense(setting, rounds, survivors, mu0)
    _refuse_instance(prior, arms, survivors)
    return _solve(
        setting, (float(prior[0]), float(prior[1])), arms, rounds, float(survivors), float(delta0) + 0.0, mu0
    )  # + 0.0: no negative zero


def smallest_delta0(setting: str, prior: tuple[float, float], arms: int, rounds: int, survivors: float, mu0: float | None = None) -> float:
    """The smallest delta0 for which the LP is feasible, in closed form."""
    refuse_nonsense(setting, rounds, survivors, mu0)
    _refuse_instance(prior, arms, survivors)
    return _terminal(setting, (float(prior[0]), float(prior[1])), arms, rounds, float(survivors), mu0).smallest_delta0


def literal_survivors(policy: Policy) -> float:
    """E J if Algorithm 1 is taken literally: round r applies a*(r, s), thresholds meant for an arm that has been pulled r times already.

    a*(R, .) does not exist, so the last round pulls every arm that is left.
    """
    thresholds = np.append(policy.thresholds[1:], 0)
    ties = np.append(policy.tie_probabilities[1:], 1.0)
    pulled, _, _ = forward(thresholds, ties, thresholds, *policy.prior)
    return float(policy.arms * pulled[-1])


def refuse_nonsense(setting: str, rounds: int, survivors: float, mu0: float | None) -> None:
    """Raise a ValueError, one sentence, for parameters that no instance has."""
    if setting not in SETTINGS:
        raise ValueError(f'setting is {setting!r}; write "PAC", "SRM" or "FC"')
    if rounds < 1:
        raise ValueError(f"rounds is {rounds}; write an integer of at least 1")
    if not survivors > 0:
        raise ValueError(f"survivors is {survivors}; write a number above 0 and at most the number of arms")
    if mu0 is None and setting == "PAC":
        raise ValueError("mu0 is missing; write a number between 0 and 1, the mean from which PAC calls an arm good")
    if mu0 is not None and not 0 < mu0 < 1:
        raise ValueError(f"mu0 is {mu0}; write a number between 0 and 1, the mean from which PAC calls an arm good")


def _refuse_instance(prior: tuple[float, float], arms: int, survivors: float) -> None:
    if len(prior) != 2 or not all(SMALLEST <= parameter < np.inf for parameter in prior):
        raise ValueError(f"prior is {tuple(prior)}; write two numbers of at least {SMALLEST}, the (a, b) of the Beta prior")
    if arms < 2:
        raise ValueError(f"arms is {arms}; write an integer of at least 2")
    if survivors > arms:
        raise ValueError(f"survivors is {survivors}; write a number above 0 and at most {arms}, the number of arms")


@lru_cache(maxsize=64)
def _terminal(setting: str, prior: tuple[float, float], arms: int, rounds: int, survivors: float, mu0: float | None) -> Terminal:
    deficits = deficit(setting, prior, arms, rounds, mu0)
    mass = beta_binomial(prior, rounds - 1)
    share = survivors / arms
    from_top = np.append(np.cumsum(mass[::-1])[::-1], 0.0)
    state = max(int(np.count_nonzero(from_top[:-1] >= share)) - 1, 0)
    missing = share - float(from_top[state + 1])  # what of the share is left for `state`
    if missing <= max(1e-10 * float(mass[state]), 1e-14 * share):  # L/K falls on a boundary between states
        state, missing = state + 1, float(mass[state + 1])
    full = float(mass[state]) - missing <= max(1e-10 * float(mass[state]), 1e-14 * share)
    kept = mass[state:].copy()
    if not full:
        kept[0] = missing
    return Terminal(deficits, share, state, full, float(np.sum(kept * deficits[state:]) / np.sum(kept)))


@lru_cache(maxsize=256)
def _solve(setting: str, prior: tuple[float, float], arms: int, rounds: int, survivors: float, delta0: float, mu0: float | None) -> Policy:
    end = _terminal(setting, prior, arms, rounds, survivors, mu0)
    smallest = end.smallest_delta0
    if not smallest - ROUNDING * abs(smallest) <= delta0 < np.inf:
        raise ValueError(f"delta0 is {delta0}; write a number of at least {smallest:.12g}, the smallest feasible one")
    if delta0 <= smallest + ROUNDING * abs(smallest):
        thresholds, ties, bound = best_survivors(*prior, end.share, end.state, end.full, rounds)
    else:
        scale = max(abs(delta0), abs(smallest))
        mixture = generate(end.deficits, delta0, scale, end.share, end.state, end.full, prior)
        thresholds, ties = _mixed(np.array(mixture.weights), np.array(mixture.policies), *prior)
        bound = mixture.bound
    pulled, last, _ = forward(thresholds, ties, thresholds, *prior)
    cost = float(pulled.sum())
    for array in (thresholds, ties, pulled, last):
        array.setflags(write=False)
    return Policy(setting, prior, arms, rounds, survivors, delta0, mu0, smallest, cost, cost - bound, thresholds, ties, pulled, last)


def _mixed(weights: Vector, columns: NDArray[np.int64], a: float, b: float) -> tuple[Thresholds, Vector]:
    """The one policy with the masses of a mixture: pull with probability x(r, s) / P(r, s), fractional in at most one state per round.

    A survivor of round r has at least s*(r) successes afterwards, so a column's threshold is raised to its earlier ones; then its lowest
    state is one that it reaches and pulls, and the mixture's threshold is the lowest of those.
    """
    alive = weights > NEGLIGIBLE / 1000.0
    weights, columns = weights[alive], np.maximum.accumulate(columns[alive], axis=1)
    dead = np.maximum.accumulate(columns > np.arange(columns.shape[1]), axis=1)  # nobody can have that many successes
    columns[dead] = columns.shape[1]
    lowest = columns.min(axis=0)
    ones = np.ones(lowest.size)
    reached = np.array([weight * forward(column, ones, lowest, a, b)[2] for weight, column in zip(weights, columns, strict=True)])
    ties = np.sum(reached * (columns == lowest), axis=0) / np.sum(reached, axis=0)
    thresholds = np.maximum.accumulate(np.where(ties < NEGLIGIBLE, lowest + 1, lowest))
    return thresholds, np.where((thresholds > lowest) | (ties > 1.0 - NEGLIGIBLE), 1.0, ties)


def forget() -> None:
    """Drop all remembered solutions: for measuring."""
    _solve.cache_clear()
    _terminal.cache_clear()
