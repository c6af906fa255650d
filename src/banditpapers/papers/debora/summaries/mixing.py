"""One run of DEBORA-H epoch by epoch, with pessimistic costs cut at 1 and without (clip: 1 and 0), both with the same random numbers.

Quantities, by epoch: "gamma", the weight of the optimistic strategy; "excess", its largest pessimistic cost minus the limit. `begins` is
the round at which the epoch begins. With epoch 0, over all epochs: "largest true cost above its limit" of the mixture that is played (never
positive in a safe run), and the margin "safe in every epoch", minus it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.algorithms._constrained import calls_at_most, widths
from banditpapers.algorithms._pairs import shared_offsets
from banditpapers.algorithms.debora_hard import play_once
from banditpapers.claims import Claims
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.papers.debora.constrained import Row, table
from banditpapers.plugins import tuplify
from banditpapers.runs import Runs
from banditpapers.seeding import streams
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per epoch, quantity and clip."""
    return table((entry for clip in (1, 0) for entry in _run(parameters["grid"], clip)), "clip", "epoch", "begins")


def _run(grid: Row, clip: int) -> Iterator[Row]:
    plan, rho = grid["mixing"], float(grid["rho"])
    means, horizon = grid["instances"][plan["instance"]], int(plan["horizon"])
    world = ConstrainedArms(len(means["rewards"]), **{name: tuplify(means[name]) for name in ("rewards", "costs", "limits")})
    luck = streams(0, "debora", {"exhibit": "mixing"}, {"name": "debora_hard"}, 0)
    offsets = shared_offsets(calls_at_most(world.arms, len(world.g), horizon), horizon, *luck.algorithm_words)
    coefficients = widths(world, horizon, rho, grid["ratio"] * rho, "paper", "union", 1.0)
    told = np.vstack([world.r, world.g])
    strategies, rounds, _, _, _, mixed = play_once(
        told, world.alpha, *world.safest, bool(clip), horizon, *coefficients, False, offsets, luck.algorithm, luck.environment
    )
    keys = {"instance": plan["instance"], "arms": world.arms, "rho": rho, "horizon": horizon, "method": "debora_hard", "variant": "union"}
    keys |= {"clip": clip, "reading": "pessimistic costs cut at 1" if clip else "as in the text", "default": bool(clip) == grid["clip"]}
    begins = np.concatenate([[1], 1 + np.cumsum(rounds)[:-1]])
    for epoch, (begin, (gamma, excess)) in enumerate(zip(begins.tolist(), mixed.tolist(), strict=True), start=1):
        for quantity, value in (("gamma", gamma), ("excess", excess)):
            yield row(value, **keys, epoch=epoch, begins=begin, quantity=quantity)
    # the last bits of a cost may pass a limit that it meets exactly
    largest = round(float((strategies @ world.g.T - world.alpha).max()), 12)
    keys |= {"epoch": 0, "begins": 0, "note": f"one run, {len(rounds)} epochs"}
    yield row(largest, **keys, quantity="largest true cost above its limit")
    yield row(0.0 - largest, **keys, quantity="safe in every epoch")
