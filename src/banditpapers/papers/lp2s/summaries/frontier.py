"""Expected cost against expected simple regret of LP2S as delta_0 moves, computed exactly, with the paper's points."""

from typing import Any

import numpy as np
import pandas as pd

from banditpapers.algorithms.lp2s import Lp2s, policies
from banditpapers.claims import Claims
from banditpapers.environments.beta_bernoulli import BetaBernoulli
from banditpapers.kernels import two_stage
from banditpapers.kernels.deficits import beta_binomial, deficit
from banditpapers.papers.lp2s.names import prior_text
from banditpapers.runs import Runs

TABLES = {"PAC": "table2", "SRM": "table3"}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting, prior, K and delta_0, from the smallest feasible value to the prior's mean deficit, where delta_0 is idle."""
    rows = []
    factor = parameters["readings"][parameters["default_reading"]["stage"]]["rounds_factor"]
    for entry in parameters["priors"]:
        prior, text = (float(entry["prior"][0]), float(entry["prior"][1])), prior_text(entry["prior"])
        for arms in parameters["arms"]:
            rounds, survivors = int(factor * np.log(arms)), parameters["survivors_factor"] * np.log(arms)
            for setting, table in TABLES.items():
                mu0 = entry["good_mean"] if setting == "PAC" else None
                idle = float(beta_binomial(prior, rounds - 1) @ deficit(setting, prior, arms, rounds, mu0))
                world = BetaBernoulli(prior, arms)
                ((cheapest, _),) = policies(Lp2s(setting, mu0, rounds, survivors, ("smallest",)), world)
                values = np.geomspace(cheapest.smallest_delta0, idle, parameters["frontier"]["points"])[1:]
                others = policies(Lp2s(setting, mu0, rounds, survivors, tuple(values.tolist())), world)
                keys: dict[str, Any] = {"prior": text, "arms": arms, "matched_on": "T", "budget": "paper", "method": "lp2s"}
                stated = {name: claims.value(table, **keys, quantity=name) for name in ("T", "SR")}
                for policy in [cheapest, *(policy for policy, _ in others)]:
                    alive = two_stage.survival(policy.prior, policy.last_pulls)
                    rows.append(
                        {
                            "setting": setting,
                            "prior": text,
                            "arms": arms,
                            "delta0": policy.delta0,
                            "cost": policy.cost,
                            "pulls": two_stage.expected_pulls(arms, rounds, policy.cost, survivors),
                            "simple_regret": two_stage.simple_regret(policy.prior, arms, alive)["combined"],
                            "floor": 2 * survivors * rounds,
                            "paper_pulls": np.nan if stated["T"] is None else stated["T"],
                            "paper_regret": np.nan if stated["SR"] is None else stated["SR"],
                        }
                    )
    return pd.DataFrame(rows)
