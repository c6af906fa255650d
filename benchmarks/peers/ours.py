"""Play our UCB1, LinUCB and LinTS on the world of the peers and print what play.py prints of them.

    python benchmarks/peers/ours.py world.npz SEED

What is counted is a whole `play` or `histories`: for UCB1 that is with the drawing of rewards, which the peers get for nothing. Compilation
is not counted (it happens once per checkout), as the start of the peers is not.
"""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "workflow" / "scripts"))

import _setup  # noqa: F401
import numpy as np
from peers.libraries import ALPHA, V
from peers.play import timed

from banditpapers import __version__
from banditpapers.algorithms import linear_ucb, ucb1
from banditpapers.algorithms.linear_thompson import LinearThompson
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.environments.fixed_arms import Arms
from banditpapers.environments.linear_contexts import World
from banditpapers.seeding import streams


def linear_ucb_actions(columns: Any, means: Any, noise: Any, alpha: float) -> list[int]:
    """The arms that LinUCB plays. columns: features, shape (d, K). means: shape (K,). noise: shape (T,). alpha: the constant width."""
    bounds = np.full(len(noise), alpha)
    return [int(arm) for arm in linear_ucb._play(np.ascontiguousarray(columns), means, noise, bounds, 1.0)]


def ucb1_actions(means: Any, horizon: int, generator: Any) -> list[int]:
    """The arms that UCB1 plays, from the counts after each round."""
    counts = ucb1._play(means, np.arange(1, horizon + 1), generator)
    return [int(arm) for arm in np.diff(counts, axis=0, prepend=0).argmax(axis=1)]


def main(path: str, seed: str) -> None:
    """Play and print."""
    world = dict(np.load(path))
    keys = streams(int(seed), "softucb", {"benchmark": "peers"}, {"name": "benchmark"}, 0)
    columns = np.ascontiguousarray(world["fixed"][0].T)
    arms = Arms(columns, world["theta"] @ columns)
    lengths, none = np.sqrt((world["contexts"] ** 2).sum(axis=2)), np.zeros_like(world["rewards"])
    bernoulli = ConstrainedArms(len(world["means"]), rewards=tuple(world["means"].tolist()))

    def ucb(horizon: int) -> list[int]:
        ucb1.Ucb1((horizon,)).play(bernoulli, keys)
        return []

    def linear(horizon: int) -> list[int]:
        known: Any = SimpleNamespace(instance=lambda _: arms, noise=lambda *_: world["noise"][:horizon])
        linear_ucb.LinearUcb((horizon,), (ALPHA,)).play(known, keys)
        return []

    def thompson(horizon: int) -> list[int]:
        shown = World(world["contexts"][:horizon], lengths[:horizon], world["rewards"][:horizon], none[:horizon], world["theta"])
        return [int(arm) for arm in LinearThompson((horizon,), (V,)).histories(shown, keys.algorithm_words)[0].actions]

    found = {
        "UCB1": {"compiled": timed(ucb, len(world["coins"]))},
        "LinUCB": {"compiled": timed(linear, len(world["noise"]))},
        "LinTS": {"compiled": timed(thompson, len(world["rewards"]))},
    }
    again = streams(int(seed), "softucb", {"benchmark": "peers"}, {"name": "benchmark"}, 0).environment
    found["UCB1"]["compiled"]["actions"] = ucb1_actions(world["means"], len(world["coins"]), again)
    found["LinUCB"]["compiled"]["actions"] = linear_ucb_actions(columns, arms.means, world["noise"], ALPHA)
    json.dump({"version": __version__, "numpy": np.__version__, "played": found}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
