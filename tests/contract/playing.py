"""Playing an algorithm of the contract suite, by name: on its environment, with the streams that the workflow would give it."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
from contract.parameters import PARAMETERS, Case

from banditpapers.plugins import build, names
from banditpapers.seeding import Streams, streams

NAMES = names("algorithms")
REPLICATES = 12


def case(name: str) -> Case:
    assert name in PARAMETERS, f"{name} has no entry in src/banditpapers/samples.yaml; give it small parameters there"
    return PARAMETERS[name]


def sized(chosen: list[str]) -> list[tuple[str, int]]:
    """Each algorithm with each of its numbers of arms; one without an entry stands there too, and fails."""
    return [(name, arms) for name in chosen for arms in (PARAMETERS[name].sizes if name in PARAMETERS else (2,))]


def of(environment: str) -> list[str]:
    """The algorithms with an entry for an environment."""
    return [name for name in NAMES if name in PARAMETERS and PARAMETERS[name].environment["name"] == environment]


def middle(name: str) -> int:
    """The number of arms where only one is tried."""
    sizes = case(name).sizes
    return sizes[len(sizes) // 2]


def world(name: str, arms: int | None = None, **changed: Any) -> dict[str, Any]:
    """The environment as a grid writes it."""
    return {**case(name).environment, "arms": arms or middle(name), **changed}


def environment(name: str, arms: int | None = None, **changed: Any) -> Any:
    return build("environments", world(name, arms, **changed))


def algorithm(name: str, which: str = "parameters") -> Any:
    return build("algorithms", {"name": name, **getattr(case(name), which)})


def streams_of(name: str, arms: int, replicate: int, **changed: Any) -> Streams:
    return streams(11, "contract", world(name, arms, **changed), {"name": name}, replicate)


def play(name: str, replicate: int = 0, arms: int | None = None, which: str = "parameters", **changed: Any) -> np.ndarray:
    size = arms or middle(name)
    return algorithm(name, which).play(environment(name, size, **changed), streams_of(name, size, replicate, **changed))


def quantities(found: Any, described: Mapping[str, Any]) -> tuple[str, ...]:
    """What is recorded: the environment's outcome, unless the algorithm has quantities of its own."""
    return getattr(found, "quantities", import_module(f"banditpapers.environments.{described['name']}").OUTCOME)
