"""Figure 2: how many of K arms are pulled in each round, by BatchRacing and by the threshold policies of LP-PAC, LP-SRM and LP-FC.

Arms meet a threshold policy independently, so the number pulled in round r + 1 is Binomial(K, sum_s x(r, s)): mean and quantiles are exact.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from banditpapers.algorithms.lp2s import Lp2s, policies
from banditpapers.claims import Claims
from banditpapers.environments.beta_bernoulli import BetaBernoulli
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.runs import CellRuns, Runs
from banditpapers.tidy import EXACTLY


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per prior, method and round: mean and 5% and 95% quantiles of the number of arms pulled in that round."""
    rows: list[dict[str, Any]] = []
    for prior in parameters["priors"]:
        text = prior_text(prior)
        for program in parameters["programs"]:
            rows += _program(text, prior, program, parameters)
        for cell in runs.matching("batch_racing", prior=prior):
            rows += _raced(text, cell)
    return pd.DataFrame(rows)


def _program(text: str, prior: list[float], program: dict[str, Any], parameters: dict[str, Any]) -> Iterator[dict[str, Any]]:
    setting, arms, rounds = program["setting"], parameters["arms"], parameters["rounds"]
    mu0 = parameters["good_mean"][text] if setting == "PAC" else None
    survivors = program["survivors"] or parameters["survivors"]
    ((policy, _),) = policies(Lp2s(setting, mu0, rounds, survivors, (program["delta0"],)), BetaBernoulli((prior[0], prior[1]), arms))
    share = np.clip(policy.pulled, 0.0, 1.0)
    low, high = (np.asarray(binom.ppf(level, arms, share)) for level in (0.05, 0.95))
    for r in range(rounds):
        yield {
            "prior": text, "method": "lp2s", "variant": f"LP-{setting}", "delta": policy.delta0, "round": r + 1, "arms": arms,
            "mean": arms * share[r], "low": low[r], "high": high[r], "interval": "exact 5% to 95%", **EXACTLY,
        }  # fmt: skip


def _raced(text: str, cell: CellRuns) -> Iterator[dict[str, Any]]:
    """What is pulled in round r + 1 is what survived round r."""
    arms, delta = cell.cell.environment["arms"], cell.cell.algorithm["delta"]
    survivors = np.column_stack([np.full(cell.finished, float(arms)), cell.path("mean", "survivors")[:, :-1]])
    low, high = np.quantile(survivors, [0.05, 0.95], axis=0)
    for r in range(survivors.shape[1]):
        yield {
            "prior": text, "method": "batch_racing", "variant": f"delta = {delta:g}", "delta": delta, "round": r + 1, "arms": arms,
            "mean": survivors[:, r].mean(), "low": low[r], "high": high[r],
            "interval": "5% to 95% of replicates", **cell.counts,
        }  # fmt: skip
