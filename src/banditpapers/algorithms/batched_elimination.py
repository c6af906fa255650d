"""Replicable elimination in geometric batches: the two algorithms of Esfandiari et al.

Source: Esfandiari, Kalavasis, Karbasi, Krause, Mirrokni and Velegkas, Replicable bandits (ICLR 2023), Algorithms 1 and 2.

    B = floor(log T),  q = T^(1/B),  A = all arms,  c_0 = 0
    for i = 1, ..., B - 1:
        leave if the batch has more rounds than are left, or one arm is left
        play each arm of A another beta floor(q^i) times;  c_i = c_{i-1} + floor(q^i)
        algorithm 1 (beta = 1): m_a = RepMean with rho' = rho / (K B) and 1 / (2 K T B); drop a if m_a < max m - 2 zeta
        algorithm 2 (beta = floor(max(K^2 / rho^2, 2304))): with U = sqrt(2 log(2 K T B) / c_i), U~ = sqrt(2 log(2 K T B) / (beta c_i))
            and U' uniform in [U / 2, U], shared by both runs: drop a if its mean + U~ < max mean - U'
    play for the rest the arm of A with the largest mean           ("means", as printed), or the first arm of A ("label")

Algorithm 1's printed radius lacks the 1/rho' of the proposition that it rests on; here it is the width of RepMean. Algorithm 2's last line
compares plain means: where two arms are left that differs between two runs as often as not.
"""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banditpapers.algorithms._pairs import refuse, settle, shared_offsets
from banditpapers.environments.constrained_arms import ConstrainedArms, pull
from banditpapers.kernels.replicable_mean import precision, replicable_mean
from banditpapers.seeding import Streams

COMMITS = ("means", "label")


@dataclass(frozen=True)
class BatchedElimination:
    """Parameters.

    horizons: T of each pair, increasing. rho: the probabilities with which the runs of a pair may differ, one rule each. which: algorithm 1
    or 2. commit: "means" or "label".
    """

    horizons: tuple[int, ...]
    rho: tuple[float, ...]
    which: int
    commit: str = "means"

    def __post_init__(self) -> None:
        refuse("batched_elimination", self.horizons, self.rho, 0.1)
        if self.which not in (1, 2):
            raise ValueError(f"batched_elimination: which is {self.which}; write 1 or 2")
        if self.commit not in COMMITS:
            raise ValueError(f"batched_elimination: commit is {self.commit!r}; write one of {', '.join(COMMITS)}")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Labels of what is recorded: the horizons, each a pair of its own."""
        return tuple(map(str, self.horizons))

    @property
    def rules(self) -> tuple[str, ...]:
        """One per rho."""
        return tuple(f"rho={float(rho)!r}" for rho in self.rho)

    def play(self, environment: ConstrainedArms, streams: Streams) -> NDArray[np.float64]:
        """Play one pair for each horizon and rho. Returns shape (horizons, rules, 9), the last axis as in constrained_arms.OUTCOME."""
        r, value = environment.r, environment.optimum[1]
        found = np.zeros((len(self.horizons), len(self.rho), 9))
        for (i, horizon), (j, rho) in product(enumerate(self.horizons), enumerate(self.rho)):
            lengths, log = batches(len(r), horizon)
            shared = shared_offsets(len(lengths) * len(r) + 1, horizon, *streams.algorithm_words)
            if self.which == 1:
                budget = rho / (len(r) * (len(lengths) + 1))
                # a horizon below 10 / rho has too large a 1 / (2 K T B) for any grid
                cell, width = precision(budget, min(math.exp(-log), budget / 20))
                plan = 1, 0.0, cell, width
            else:
                plan = int(max(len(r) ** 2 / rho**2, 2304)), math.sqrt(2 * log), 0.0, 0.0
            told = r, horizon, lengths, *plan, self.commit == "label", shared, streams.environment
            settle(r, environment.g, environment.alpha, value, play_once(*told), play_once(*told), found[i, j])
        return found


def batches(arms: int, horizon: int) -> tuple[NDArray[np.int64], float]:
    """floor(q), floor(q^2), ..., floor(q^(B-1)), and log(2 K T B). The first: shape (B - 1,), rounds of an arm."""
    count = max(int(math.log(horizon)), 1)
    lengths = [_floor_of_power(horizon, i, count) for i in range(1, count)]
    return np.array(lengths, dtype=np.int64), math.log(2 * arms * horizon * count)


def _floor_of_power(horizon: int, i: int, count: int) -> int:
    """The largest n with n^B <= T^i, in whole numbers: q^i may be one itself, and its floating-point value just below."""
    n = round(math.exp(i / count * math.log(horizon)))
    return n if n**count <= horizon**i else n - 1


@njit(cache=True)
def play_once(r, horizon, lengths, beta, radius, cell, width, by_label, shared, generator):  # type: ignore[no-untyped-def]
    """One run. Returns (strategies, rounds, calls by the end of each epoch, outputs of the calls, missed), see _pairs.compare.

    radius: sqrt(2 log(2 K T B)) of algorithm 2; cell, width: of algorithm 1's RepMean, else 0.

    Shapes: r (K,), lengths (B - 1,), shared (calls,).
    """
    arms, most = r.size, (lengths.size + 1) * r.size + 1
    active, sums, means, count = np.ones(arms, np.bool_), np.zeros(arms), np.zeros(arms), 0
    strategies, rounds, calls = np.zeros((most, arms)), np.empty(most, np.int64), np.zeros(most, np.int64)
    outputs, t, h, call, missed = np.empty(shared.size), 0, 0, 0, 0
    for i in range(lengths.size):
        left = active.sum()
        if left == 1 or beta * lengths[i] * left > horizon - t:
            break
        count += lengths[i]
        root = math.sqrt(count)
        for a in range(arms):
            if active[a]:
                strategies[h, a], rounds[h] = 1.0, beta * lengths[i]
                sums[a] += pull(generator, r, a, rounds[h])
                t += rounds[h]
                means[a] = sums[a] / (beta * count)
                if cell > 0.0:
                    means[a] = replicable_mean(sums[a], count, cell / root, shared[call])
                    outputs[call] = means[a]
                    missed += abs(means[a] - r[a]) > width / root
                    call += 1
                calls[h] = call
                h += 1
        top = -np.inf
        for a in range(arms):
            top = max(top, means[a]) if active[a] else top
        bound = top - 2.0 * width / root
        if cell == 0.0:
            bound = top - 0.5 * (1.0 + shared[i]) * radius / root - radius / math.sqrt(beta * count)
        for a in range(arms):
            active[a] &= means[a] >= bound
    arm = -1
    for a in range(arms):
        if active[a] and (arm < 0 or (means[a] > means[arm] and not by_label)):
            arm = a
    if t < horizon:
        strategies[h, arm], rounds[h], calls[h] = 1.0, horizon - t, call
        h += 1
    return strategies[:h], rounds[:h], calls[:h], outputs[:call], missed
