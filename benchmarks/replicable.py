"""DEBORA, DEBORA-S and DEBORA-H: time per pair of runs, which does not depend on the horizon.

A pair is played as the workflow plays it: the streams are made beforehand, all else is counted. T goes from 10^6 to 10^12 for the ratio.
"""

import time
from typing import Any

from debora_runs import A3, B5, C10

from banditpapers.algorithms.debora import Debora
from banditpapers.algorithms.debora_hard import DeboraHard
from banditpapers.algorithms.debora_soft import DeboraSoft
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.seeding import streams

ARMS, GAP, RHO = (2, 5, 10), 0.2, 0.3
INSTANCES = {"A3": A3, "B5": B5, "C10": C10}
EARLY, LATE = 10**6, 10**12
PAIRS, CONSTRAINED_PAIRS, REPEATS = 2000, 100, 3


def seconds(algorithm: Any, world: ConstrainedArms, pairs: int) -> float:
    """The least CPU seconds of a pair."""
    times = []
    for repeat in range(-1, REPEATS):  # before the first it is compiled
        keys = [streams(1, "debora", {"benchmark": "replicable", "arms": world.arms}, {"name": "benchmark"}, i) for i in range(pairs)]
        started = time.process_time()
        for key in keys if repeat >= 0 else keys[:1]:
            algorithm.play(world, key)
        times += [(time.process_time() - started) / pairs] if repeat >= 0 else []
    return min(times)


def replicable() -> dict[str, Any]:
    """Microseconds per pair of DEBORA by K, the ratio of a pair with T = 10^12 to one with T = 10^6, milliseconds of -S and -H by instance.

    The ratio is the largest over K; -S and -H are played with T = 10^16.
    """
    microseconds: dict[str, float] = {}
    milliseconds: dict[str, dict[str, float]] = {}
    ratios: list[float] = []
    for arms in ARMS:
        world = ConstrainedArms(arms, gap=GAP)
        early, late = (1e6 * seconds(Debora((horizon,), (RHO,)), world, PAIRS) for horizon in (EARLY, LATE))
        ratios.append(late / early)
        microseconds[str(arms)] = round(late, 1)
        print(f"DEBORA, K = {arms}: {early:.1f} us at 1e6, {late:.1f} us at 1e12", flush=True)
    for label, world in INSTANCES.items():
        for name, algorithm in (("DEBORA-S", DeboraSoft((10**16,), (RHO,))), ("DEBORA-H", DeboraHard((10**16,), (RHO,), clip=True))):
            milliseconds.setdefault(name, {})[label] = round(1e3 * seconds(algorithm, world, CONSTRAINED_PAIRS), 2)
        print(label, {name: row[label] for name, row in milliseconds.items()}, flush=True)
    return {
        "debora.pair_time_ratio_1e12_to_1e6": round(max(ratios), 2),
        "debora.microseconds_per_pair": microseconds,
        "debora.milliseconds_per_constrained_pair": milliseconds,
    }
