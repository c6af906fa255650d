"""Random streams with names instead of numbers.

A stream is named by {master seed, paper, instance, replicate, role} and, for an algorithm's own stream, the algorithm. The SHA-256 of
the name's canonical JSON seeds a `numpy.random.SeedSequence`, which seeds a PCG64DXSM. So a replicate's numbers depend on its name
alone: not on the block it is simulated in, the order, the number of cores, the host or how many other replicates there are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.canonical import digest


class Words(NamedTuple):
    """The key of a counter-based stream: two words of 32 bits."""

    seed: int
    lane: int


@dataclass(frozen=True)
class Streams:
    """The two streams of one replicate, each as a generator and as the words of a counter-based one.

    environment: what the world does; the same for all algorithms that meet this instance.
    algorithm: the algorithm's own coin flips (its internal randomness).
    """

    environment: np.random.Generator
    algorithm: np.random.Generator
    environment_words: Words
    algorithm_words: Words


def stream(**name: Any) -> np.random.Generator:
    """The generator of a name: a function of the name alone."""
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(_hashed(name))))


def words(**name: Any) -> Words:
    """The key of a name's counter-based stream: a function of the name alone."""
    return Words(*_hashed(name)[:2])


def published_uniforms(seed: int, size: int) -> NDArray[np.float64]:
    """The numbers in [0, 1) that a published program drew with NumPy's legacy generator: constants, no randomness of ours.

    Shape (size,).
    """
    return np.random.RandomState(seed).random_sample(size)


def _hashed(name: Mapping[str, Any]) -> list[int]:
    return [int(word) for word in np.frombuffer(digest(name), dtype="<u4")]


def streams(master_seed: int, paper: str, instance: Mapping[str, Any], algorithm: Mapping[str, Any], replicate: int) -> Streams:
    """The streams of one replicate of one cell."""
    name = {"master_seed": master_seed, "paper": paper, "instance": instance, "replicate": replicate}
    world, player = {**name, "role": "environment"}, {**name, "role": "algorithm", "algorithm": algorithm}
    return Streams(stream(**world), stream(**player), words(**world), words(**player))
