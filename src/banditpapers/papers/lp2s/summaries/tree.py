"""Figure 1: the nodes of the binomial tree, with the optimum of a small LP-PAC in them."""

from typing import Any

import numpy as np
import pandas as pd

from banditpapers.algorithms.lp2s import solve
from banditpapers.claims import Claims
from banditpapers.runs import Runs


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per node (r, s), r = 0..R: P(r, s), the probability a(r, s) of the next pull (NaN for r = R), posterior mean q, threshold."""
    (a, b), rounds = parameters["prior"], parameters["rounds"]
    policy = solve("PAC", (a, b), parameters["arms"], rounds, parameters["survivors"], parameters["delta0"], parameters["good_mean"])
    mass = np.array([1.0])
    rows = []
    for r in range(rounds + 1):
        successes = np.arange(r + 1)
        q = (a + successes) / (a + b + r)
        threshold = int(policy.thresholds[r]) if r < rounds else -1
        pull = np.where(successes > threshold, 1.0, 0.0) if r < rounds else np.full(r + 1, np.nan)
        if r < rounds and threshold <= r:
            pull[threshold] = policy.tie_probabilities[r]
        rows += [
            {"round": r, "successes": s, "probability": mass[s], "pull": pull[s], "posterior_mean": q[s], "threshold": threshold}
            for s in successes.tolist()
        ]
        if r < rounds:
            pulled = mass * pull
            mass = np.append(pulled * (1 - q), 0.0)
            mass[1:] += pulled * q
    table = pd.DataFrame(rows)
    return table.assign(
        cost=policy.cost, gap=abs(policy.gap), delta0=policy.delta0, arms=parameters["arms"], survivors=parameters["survivors"]
    )
