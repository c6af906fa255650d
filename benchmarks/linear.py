"""LinTS, BLTS and DRTS: microseconds per round, compiled and as the careful NumPy loops of tests/numpy_bandits.py, in the same process.

Contexts and rewards are the same arrays for both and are not counted; the NumPy loops get their normals for nothing. A replicate is played
to the paper's horizon for all its values of v, as a cell plays it, and the time is divided by rounds and values: the compiled DRTS shares
among them what does not depend on the arms played.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy_bandits as plain

from banditpapers.algorithms.balanced_thompson import BalancedThompson
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.algorithms.linear_thompson import LinearThompson
from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms
from banditpapers.seeding import words

SETTINGS = ((10, 20), (10, 30), (20, 20), (20, 30))
V = (0.001, 0.01, 0.1, 1.0)
ROUNDS, REPEATS, FLOOR = 20000, 3, 0.05
NAMES = ("LinTS", "LinTS, sqrt t", "BLTS", "BLTS, as released", "DRTS", "DRTS, as released")


def microseconds(work: Callable[[], Any], repeats: int) -> float:
    """The least CPU time of a call, per round."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return 1e6 * min(times) / ROUNDS


def pair(name: str, world: Any, key: Any, normals: Any, first: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The compiled algorithm and its NumPy loops, each for all v on one world."""
    x, r, arms, end = world.contexts, world.rewards, world.rewards.shape[1], (ROUNDS,)
    released = name.endswith("released")
    match name.split(",", maxsplit=1)[0]:
        case "LinTS":
            growing = name != "LinTS"
            lints = LinearThompson(end, V, ridge="sqrt t" if growing else 1.0)
            return (
                lambda: lints.histories(world, key),
                lambda: [plain.linear_thompson(x, r, normals, v, growing) for v in V],
            )
        case "BLTS":
            variance, propensity = ("RSS", "constant") if released else ("plain", "exact")
            blts = BalancedThompson(end, V, (FLOOR,), variance=variance, propensity=propensity)
            floor = max(FLOOR, 1 / arms) if released else FLOOR
            return (
                lambda: blts.histories(world, key),
                lambda: [plain.balanced_thompson(x, r, normals, first, v, floor, variance, not released) for v in V],
            )
        case _:
            drts = DoublyRobustThompson(end, V, propensity="released" if released else "exact")

            def draws(t: int, draw: int) -> Any:
                return normals[t] if draw == 0 else np.random.default_rng(draw).standard_normal(arms)

            return (
                lambda: drts.histories(world, key),
                lambda: [plain.doubly_robust_thompson(x, r, draws, first, v, released=released) for v in V],
            )


def linear() -> dict[str, Any]:
    """Microseconds per round and ratios, per algorithm and setting; the least ratio of each algorithm."""
    table: dict[str, dict[str, dict[str, float]]] = {}
    for arms, d in SETTINGS:
        key = words(benchmark="linear", arms=arms, dimension=d)
        world = LinearContexts(arms, d).world(key, ROUNDS)
        normals, start = np.empty((ROUNDS, arms)), np.empty(1)
        for t in range(ROUNDS):
            fill_normals(normals[t], key.seed, DRAW, t, key.lane, 0)
        fill_uniforms(start, key.seed, FIRST, 0, key.lane, 0)
        made = microseconds(partial(LinearContexts(arms, d).world, key, ROUNDS), REPEATS)
        table.setdefault("contexts, rewards and gaps, once for all v", {})[f"{arms},{d}"] = {"us": round(float(made), 2)}
        print(f"({arms}, {d}) contexts, rewards, gaps: {made:.2f} us per round", flush=True)
        for name in NAMES:
            fast, slow = pair(name, world, key, normals, int(start[0] * arms))
            fast()  # compiled from here on
            ours, theirs = microseconds(fast, REPEATS) / len(V), microseconds(slow, 1) / len(V)
            row = {"us": round(ours, 2), "numpy_us": round(theirs, 1), "ratio": round(theirs / ours, 1)}
            table.setdefault(name, {})[f"{arms},{d}"] = row
            print(f"({arms}, {d}) {name}: {row}", flush=True)
    least = {f"drts.least_ratio_to_numpy.{name}": min(row["ratio"] for row in table[name].values()) for name in NAMES}
    return {**least, "drts.per_round": table}
