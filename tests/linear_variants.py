"""Every variant of LinTS, BLTS and DRTS by name, as the package plays it and as the NumPy loops do, on one world and the same normals."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np
import numpy_bandits as plain

from banditpapers.algorithms.balanced_thompson import BalancedThompson
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.algorithms.linear_thompson import LinearThompson
from banditpapers.environments.linear_contexts import History, LinearContexts, World
from banditpapers.kernels.philox import DRAW, FIRST, fill_normals, fill_uniforms
from banditpapers.seeding import Words

GAMMA = 0.05  # BLTS
VARIANTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "LinTS": (LinearThompson, {}),
    "LinTS, sqrt t": (LinearThompson, {"ridge": "sqrt t"}),
    "LinTS, shared": (LinearThompson, {"draw": "shared"}),
    "LinTS, shared, sqrt t": (LinearThompson, {"draw": "shared", "ridge": "sqrt t"}),
    "BLTS": (BalancedThompson, {}),
    "BLTS, RSS": (BalancedThompson, {"variance": "RSS"}),
    "BLTS, mean RSS": (BalancedThompson, {"variance": "mean RSS"}),
    "BLTS, as released": (BalancedThompson, {"variance": "RSS", "propensity": "constant"}),
    "DRTS": (DoublyRobustThompson, {}),
    "DRTS, as released": (DoublyRobustThompson, {"propensity": "released"}),
    "DRTS, lambda 1": (DoublyRobustThompson, {"ridge": 1.0}),
}


def player(variant: str, rounds: tuple[int, ...], v: tuple[float, ...] = (0.1,), **changed: Any) -> Any:
    """The package's algorithm; BLTS has one floor unless told otherwise."""
    kind, parameters = VARIANTS[variant]
    floors = {"gamma": (GAMMA,)} if kind is BalancedThompson else {}
    return kind(rounds, v, **{**floors, **parameters, **changed})


def history(variant: str, world: World, words: Words, rounds: tuple[int, ...], v: float = 0.1) -> History:
    """What the package's algorithm does with one v."""
    (found,) = player(variant, rounds, (v,)).histories(world, words)
    return found


def normals(words: Words, t: int, draw: int, size: int) -> np.ndarray:
    """An algorithm's normals of a round."""
    z = np.empty(size)
    fill_normals(z, words.seed, DRAW, t, words.lane, draw)
    return z


def first_arm(words: Words, arms: int) -> int:
    """The arm that BLTS and DRTS play in round 1."""
    u = np.empty(1)
    fill_uniforms(u, words.seed, FIRST, 0, words.lane, 0)
    return int(u[0] * arms)


def oracle(variant: str, world: World, words: Words, v: float) -> tuple[np.ndarray, np.ndarray]:
    """Actions and the last estimate of the NumPy loop."""
    horizon, arms, d = world.contexts.shape
    parameters, x, r, first = VARIANTS[variant][1], world.contexts, world.rewards, first_arm(words, arms)
    shared = parameters.get("draw") == "shared"
    z = np.array([normals(words, t, 0, d if shared else arms) for t in range(horizon)])
    if variant.startswith("LinTS"):
        return plain.linear_thompson(x, r, z, v, parameters.get("ridge") == "sqrt t", shared)
    if variant.startswith("BLTS"):
        exact = parameters.get("propensity") != "constant"
        floor = GAMMA if exact else max(GAMMA, 1 / arms)
        return plain.balanced_thompson(x, r, z, first, v, floor, parameters.get("variance", "plain"), exact)

    def draws(t: int, draw: int) -> np.ndarray:
        return z[t] if draw == 0 else normals(words, t, draw, arms)

    growing, released = "ridge" not in parameters, parameters.get("propensity") == "released"
    return plain.doubly_robust_thompson(x, r, draws, first, v, growing, released=released)


def digest(arms: int, dimension: int, horizon: int, variants: Iterable[str]) -> str:
    """SHA-256 of a world and of all that happens to these variants in it, to the last bit."""
    words = Words(20211206, 3)
    world = LinearContexts(arms, dimension, coefficients="fresh").world(words, horizon)
    parts = [*world]
    for variant in variants:
        for found in player(variant, (1, horizon // 2, horizon), (0.01, 1.0)).histories(world, words):
            parts += found
    return sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()
