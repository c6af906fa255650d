"""Lemma 1, Lemma 2 and equation 12 on random rounds that anybody can make again."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.kernels.fixed_design import total
from banditpapers.kernels.soft_policy import Softened, fill_index, soften
from banditpapers.seeding import stream

STEP = 1e-5  # of central differences
SMALL = 1e-3  # a gradient below this is compared with it: there is nothing to be relative to


class Round(NamedTuple):
    """What a round looks at. means, estimates, widths: mu, m and w, shape (K,)."""

    means: NDArray[np.float64]
    estimates: NDArray[np.float64]
    widths: NDArray[np.float64]
    beta: float


def random_rounds(count: int) -> Iterator[Round]:
    """Rounds on the good event, |m_i - mu_i| <= beta w_i for all arms."""
    rng = stream(paper="softucb", role="statistics", check="lemmas")
    for _ in range(count):
        arms, beta = int(rng.integers(2, 13)), float(rng.uniform(0.02, 2.0))
        means, widths, off = rng.uniform(-1, 1, arms), rng.uniform(0.02, 0.6, arms), rng.uniform(-1, 1, arms)
        yield Round(means, means + beta * widths * off, widths, beta)


def softened(one: Round, delta: float = 0.99, gamma: float | None = None) -> Softened:
    """Index, policy and gradient of a round; with its own gamma unless one is given."""
    return soften(one.widths, one.estimates, one.beta, gamma, delta)


def least_eliminated_gap(one: Round) -> float:
    """The least mu* - mu_i of an arm with S_i < 0: Lemma 1 says that it is positive. Infinite where no arm is eliminated."""
    gaps = (one.means.max() - one.means)[softened(one).indices < 0]
    return float(gaps.min()) if gaps.size else float("inf")


def off_ucb(one: Round) -> float:
    """The largest |S_i - (UCB_i - max_j LCB_j)|: where it is 0, S and UCB have the same order."""
    upper, lower = one.estimates + one.beta * one.widths, one.estimates - one.beta * one.widths
    return float(np.abs(softened(one).indices - (upper - lower.max())).max())


def spared(one: Round, delta: float) -> float:
    """Lemma 2: p(U) - delta under the round's own gamma. Infinite where no arm is eliminated."""
    found = softened(one, delta)
    inside = found.indices >= 0
    return float(total(found.policy[inside]) - delta) if not inside.all() else float("inf")


def absolute_gap(one: Round) -> tuple[bool, bool]:
    """Of the published program's index, with |m_i* - m_i|: does it break the order of UCB among arms with S >= 0, and does L differ?"""
    found = []
    for absolute in (False, True):
        index, eliminated = np.empty(len(one.means)), np.zeros(len(one.means), dtype=np.bool_)
        fill_index(one.estimates, one.widths, one.beta, absolute, False, index, eliminated)
        found.append((index, eliminated))
    (_, usual), (index, eliminated) = found
    kept, upper = ~eliminated, one.estimates + one.beta * one.widths
    above = index[kept, None] > index[kept]
    broken = above & (upper[kept, None] < upper[kept] - 1e-12)  # a tie is no break
    return bool(broken.any()), bool((usual != eliminated).any())


def reward(one: Round, delta: float, gamma: float | None) -> float:
    """sum_i p_i m_i, with the round's own gamma unless one is given."""
    return float(total(softened(one, delta, gamma).policy * one.estimates))


def slope(one: Round, delta: float, gamma: float | None) -> float:
    """d/dbeta of `reward`, by a central difference: with gamma held fixed, or moving with beta as equation 9 says."""
    above, below = (reward(one._replace(beta=one.beta + step), delta, gamma) for step in (STEP, -STEP))
    return (above - below) / (2 * STEP)


def off_slope(one: Round, delta: float) -> float:
    """The relative error of equation 12 against the difference with gamma held fixed."""
    own = softened(one, delta)
    gamma = min(own.gamma, 100.0)  # a colder policy is one arm's, and has no slope that a difference could see
    gradient = softened(one, delta, gamma).gradient
    return abs(slope(one, delta, gamma) - gradient) / max(abs(gradient), SMALL)
