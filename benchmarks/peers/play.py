"""Play UCB1, LinUCB and LinTS of one library, round by round, and print microseconds per round and the actions as JSON.

    python benchmarks/peers/play.py mabwiser world.npz SEED

Runs in the environment of the peers, where our package is not installed. The world's arrays are made beforehand; a round is a choice and an
update. What is counted is CPU time of a game, with the construction of the algorithm; imports and a first short game (caches, lazy
imports) are not.
"""

import contextlib
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from peers.batches import BATCH, BATCHED, IN_BATCHES, MakeBatches
from peers.libraries import PEERS, Make, whole_games_of_pymab

WARM_UP = 50  # rounds that are not counted


def rewards(world: Any, name: str) -> list[list[float]]:
    """What each arm would pay in each round, as Python's numbers."""
    match name:
        case "UCB1":
            table = (world["coins"] < world["means"]).astype(float)
        case "LinUCB":
            table = world["fixed"] @ world["theta"] + world["noise"][:, np.newaxis]
        case _:
            table = world["rewards"]
    found: list[list[float]] = table.tolist()
    return found


def game(make: Make, seed: int, table: list[list[float]], horizon: int) -> list[int]:
    """The actions of `horizon` rounds."""
    choose, update = make(seed)
    actions = []
    for t in range(horizon):
        arm = choose(t)
        update(t, arm, table[t][arm])
        actions.append(arm)
    return actions


def game_in_batches(make: MakeBatches, seed: int, table: list[list[float]], horizon: int) -> list[int]:
    """The same, told of its rewards after every `BATCH` rounds alone."""
    choose, update = make(seed)
    actions: list[int] = []
    for first in range(0, horizon, BATCH):
        last = min(first + BATCH, horizon)
        arms = choose(first, last)
        update(first, last, arms, [table[first + i][arm] for i, arm in enumerate(arms)])
        actions += arms
    return actions


def timed(play: Callable[[int], list[int]], horizon: int) -> dict[str, Any]:
    """Microseconds of CPU per round, and the actions."""
    play(WARM_UP)
    started = time.process_time()
    actions = play(horizon)
    return {"microseconds": 1e6 * (time.process_time() - started) / horizon, "actions": actions}


def played(peer: str, path: str, seed: int) -> dict[str, dict[str, Any]]:
    """By algorithm and mode: microseconds and actions."""
    world = dict(np.load(path))
    found: dict[str, dict[str, Any]] = {}
    for name, modes in PEERS[peer](world).items():
        table = rewards(world, name)
        for mode, make in modes.items():
            found.setdefault(name, {})[mode] = timed(partial(game, make, seed, table), len(table))
    if peer in IN_BATCHES:
        for name, batches in IN_BATCHES[peer](world).items():
            table = rewards(world, name)
            found[name][BATCHED] = timed(partial(game_in_batches, batches, seed, table), len(table))
    if peer == "pymab":
        for name, (mode, play) in whole_games_of_pymab(world, seed).items():
            found[name][mode] = timed(play, len(rewards(world, name)))
    return found


def main(peer: str, path: str, seed: str) -> None:
    """Play all that this peer has and print it."""
    with contextlib.redirect_stdout(sys.stderr):  # SMPyBandits prints when it is imported
        found = played(peer, path, int(seed))
    json.dump({"version": version(peer), "numpy": np.__version__, "played": found}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
