"""Figure 2: regret along the rounds of all algorithms, on synthetic arms and on ratings.

Rows: dimension, ratings, reward, source (where the ratings come from), method, variant, rule, round; quantity "regret". The variant is ""
for the paper's own algorithms, "tuned" for LinUCB and SoftUCB with the constant bound that is best on held-out arms, and else the
parameter that differs, such as "eta = 0.3".
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.softucb.contenders import by_world
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per world, algorithm and recorded round."""
    rows = []
    for world, players in by_world(runs, parameters["grid"]):
        for one in players:
            keys = {**world, "method": one.method, "variant": one.variant, "rule": one.rule, "tuned_on": one.tuned_on}
            for t, sample in zip(one.rounds, one.path().T, strict=True):
                rows.append(row(student(sample), one.runs.counts, **keys, round=t, quantity="regret"))
    leading = ["dimension", "variance", "ratings", "reward", "source", "method", "variant", "rule", "round", "quantity", "measured"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]
