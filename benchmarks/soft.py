"""SoftUCB, LinUCB, LinTS and epsilon-greedy on fixed arms: microseconds per round, compiled and as the NumPy loops of tests/dense_soft.py.

Both play the same arms, noise and coin flips, which are not counted, for one value of the parameter that is tuned. The NumPy loops update
their inverse by rank one; that of LinTS has its normals for nothing and factorises in every round.
"""

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import dense_soft as plain
import numpy as np

from banditpapers.algorithms._soft import coins
from banditpapers.algorithms.epsilon_greedy import EpsilonGreedy
from banditpapers.algorithms.fixed_arms_thompson import FixedArmsThompson
from banditpapers.algorithms.linear_ucb import LinearUcb
from banditpapers.algorithms.soft_ucb import SoftUcb, trajectory_of
from banditpapers.algorithms.soft_ucb_online import SoftUcbOnline
from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.kernels.philox import DRAW, fill_normals
from banditpapers.seeding import Streams, streams

SETTINGS = ((50, 10), (50, 20), (20, 5))
ROUNDS, REPEATS = 2048, 25
VARIANCE, BETA, EPSILON = 0.1, 0.5, 0.1
NAMES = ("SoftUCB", "SoftUCB online", "LinUCB", "LinTS", "epsilon-greedy")


def microseconds(work: Callable[[], Any], repeats: int) -> float:
    """The least CPU time of a call, per round."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return 1e6 * min(times) / ROUNDS


def pair(name: str, world: FixedArms, keys: Streams) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The compiled algorithm and its NumPy loop."""
    arms, noise = world.instance(keys.environment_words), world.noise(keys.environment_words, 0, ROUNDS)
    known: Any = SimpleNamespace(instance=lambda _: arms, noise=lambda *_: noise)
    u, chosen = (coins(keys.algorithm_words, which, ROUNDS) for which in (0, 1))
    x, mu, end, rank_one = np.ascontiguousarray(arms.columns.T), arms.means, (ROUNDS,), plain.RankOne
    match name:
        case "SoftUCB":
            reading = SoftUcb(rounds=end, beta=(BETA,)).reading
            return (
                lambda: trajectory_of(arms, noise, u, BETA, reading),
                lambda: plain.soft(x, mu, noise, u, BETA, design=rank_one),
            )
        case "SoftUCB online":
            online = SoftUcbOnline(rounds=end, eta=(0.1,))
            return lambda: online.play(known, keys), lambda: plain.online(x, mu, noise, u, 1.0, 0.5, 0.1, design=rank_one)
        case "LinUCB":
            ucb, bounds = LinearUcb(end, (BETA,)), np.full(ROUNDS, BETA)
            return lambda: ucb.play(known, keys), lambda: plain.values(x, mu, noise, plain.linear_ucb(bounds), design=rank_one)
        case "LinTS":
            lints, scales, normals = FixedArmsThompson(end, (1.0,)), np.ones(ROUNDS), np.empty((ROUNDS, world.dimension))
            for t in range(ROUNDS):
                fill_normals(normals[t], keys.algorithm_words.seed, DRAW, t, keys.algorithm_words.lane, 0)
            return lambda: lints.play(known, keys), lambda: plain.thompson(x, mu, noise, scales, normals)
        case _:
            greedy, explores = EpsilonGreedy(end, (EPSILON,)), plain.epsilon_greedy(u < EPSILON, (chosen * len(x)).astype(int))
            return lambda: greedy.play(known, keys), lambda: plain.values(x, mu, noise, explores, design=rank_one)


def soft() -> dict[str, Any]:
    """Microseconds per round and ratios, per algorithm and setting (K, d); the least ratio of each algorithm."""
    table: dict[str, dict[str, dict[str, float]]] = {}
    for arms, d in SETTINGS:
        keys = streams(1, "softucb", {"benchmark": "soft", "arms": arms, "dimension": d}, {"name": "benchmark"}, 0)
        for name in NAMES:
            fast, slow = pair(name, FixedArms(arms, d, VARIANCE), keys)
            fast()  # compiled from here on
            ours, theirs = microseconds(fast, REPEATS), microseconds(slow, 3)
            row = {"us": round(ours, 3), "numpy_us": round(theirs, 1), "ratio": round(theirs / ours, 1)}
            table.setdefault(name, {})[f"{arms},{d}"] = row
            print(f"({arms}, {d}) {name}: {row}", flush=True)
    found: dict[str, Any] = {f"softucb.microseconds.{name}": table[name]["50,10"]["us"] for name in NAMES}
    found |= {f"softucb.least_ratio_to_numpy.{name}": min(row["ratio"] for row in table[name].values()) for name in NAMES}
    return {**found, "softucb.microseconds_per_round": table}
