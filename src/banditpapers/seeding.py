"""Random streams with names instead of numbers.

A stream is named by {master seed, paper, instance, replicate, role} and, for an algorithm's own stream, the algorithm. The SHA-256 of
the name's canonical JSON seeds a `numpy.random.SeedSequence`, which seeds a PCG64DXSM. So a replicate's numbers depend on its name
alone: not on the block it is simulated in, the order, the number of cores, the host or how many other replicates there are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditpapers.canonical import digest


@dataclass(frozen=True)
class Streams:
    """The two streams of one replicate.

    environment: what the world does; the same for all algorithms that meet this instance.
    algorithm: the algorithm's own coin flips (its internal randomness).
    """

    environment: np.random.Generator
    algorithm: np.random.Generator


def stream(**name: Any) -> np.random.Generator:
    """The generator of a name: a function of the name alone."""
    words = np.frombuffer(digest(name), dtype="<u4").tolist()
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(words)))


def streams(master_seed: int, paper: str, instance: Mapping[str, Any], algorithm: Mapping[str, Any], replicate: int) -> Streams:
    """The streams of one replicate of one cell."""
    name = {"master_seed": master_seed, "paper": paper, "instance": instance, "replicate": replicate}
    return Streams(
        environment=stream(**name, role="environment"),
        algorithm=stream(**name, role="algorithm", algorithm=algorithm),
    )
