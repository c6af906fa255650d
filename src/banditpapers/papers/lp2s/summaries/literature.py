"""Table 1: the literature on batched bandits, which is data and not a measurement."""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.runs import Runs

LITERATURE = (
    ("Perchet et al. (2016)", "no", "static", "no", "UCB type"),
    ("Gao et al. (2019)", "no", "static/adaptive", "no", "UCB type"),
    ("Jin et al. (2021a, b)", "no", "static", "no", "UCB type"),
    ("Esfandiari et al. (2021)", "no", "adaptive", "no", "UCB type"),
    ("Kalkanli and Özgür (2021, 2023)", "no", "adaptive", "yes", "Thompson"),
    ("Karbasi et al. (2021)", "no", "adaptive", "yes", "Thompson"),
    ("Jun et al. (2016)", "yes", "adaptive", "no", "UCB type"),
    ("Agarwal et al. (2017)", "yes", "adaptive", "no", "sample mean based"),
    ("Komiyama et al. (2023)", "yes", "adaptive", "yes", "UCB type"),
    ("This paper", "yes", "adaptive", "yes", "novel"),
)


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per article."""
    return pd.DataFrame(LITERATURE, columns=["article", "best arm identification", "batch grid", "Bayesian bandit", "algorithm"])
