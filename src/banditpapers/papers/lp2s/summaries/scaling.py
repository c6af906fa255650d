"""The optimum of LP-SRM for growing R, and the seconds to solve it as the benchmarks measured them."""

from typing import Any

import pandas as pd

from banditpapers.algorithms.lp2s import solve
from banditpapers.claims import Claims
from banditpapers.runs import Runs


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per R. Seconds are data, measured once by benchmarks/run.py, so that this table is the same on every run."""
    (a, b), setting = parameters["prior"], parameters["setting"]
    rows = []
    for rounds in parameters["rounds"]:
        policy = solve(setting, (a, b), parameters["arms"], rounds, parameters["survivors"], parameters["delta0"])
        rows.append({"rounds": rounds, "variables": rounds * (rounds + 1) // 2, "cost": policy.cost, "gap": abs(policy.gap)})
    timed = pd.DataFrame(parameters["timings"], columns=["rounds", "seconds", "highs_seconds"]).apply(pd.to_numeric)
    return pd.DataFrame(rows).merge(timed, on="rounds", how="left").astype({"seconds": float, "highs_seconds": float})
