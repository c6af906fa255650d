"""What the choices inside LinTS, BLTS and DRTS do to the regret after T rounds, each variant with its best rule."""

from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.drts.tuned import BLTS, DRTS, LINTS, Tuned, best, counts, paired, spelled
from banditpapers.runs import Runs
from banditpapers.statistics import student
from banditpapers.tidy import NAN, row

VARIANTS: dict[str, dict[str, dict[str, str]]] = {  # the text's choice of each algorithm first
    LINTS: {"one draw per arm": {"draw": "independent"}, "one draw for all arms": {"draw": "shared"}},
    BLTS: {
        "exact propensity, v² B⁻¹": {"propensity": "exact", "variance": "plain"},
        "exact propensity, v² RSS B⁻¹": {"propensity": "exact", "variance": "RSS"},
        "exact propensity, v² RSS/Σw B⁻¹": {"propensity": "exact", "variance": "mean RSS"},
        "constant weight, v² RSS B⁻¹ (released)": {"propensity": "constant", "variance": "RSS"},
    },
    DRTS: {"exact propensity": {"propensity": "exact"}, "stale widths, 200 nodes (released)": {"propensity": "released"}},
}


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per variant; one more for its difference to the first variant of its algorithm, paired by replicate."""
    arms, dimension = parameters["variants"]["setting"]
    keys = {"arms": arms, "dimension": dimension, "horizon": parameters["horizon"]}
    rows = []
    for method, variants in VARIANTS.items():
        first: Tuned | None = None
        for variant, what in variants.items():
            one = best(runs.one(method, arms=arms, dimension=dimension, ridge=parameters["ridge"][method], **what))
            sample = one.at("regret", one.rounds[-1])
            about = {**keys, "method": method, "variant": variant, "rule": spelled(one.rule)}
            sd = float(np.std(sample, ddof=1)) if sample.size > 1 else NAN
            rows.append(row(student(sample), one.runs.counts, **about, quantity="R(T)", sd=sd))
            if first is not None:
                excess = paired(one, sample, first, first.at("regret", first.rounds[-1]))
                rows.append(row(excess, counts(one, first), **about, quantity="R(T) minus that of the first variant", sd=NAN))
            first = first or one
    leading = ["arms", "dimension", "horizon", "method", "variant", "rule", "quantity", "measured", "sd"]
    table = pd.DataFrame(rows)
    return table[[*leading, *table.columns.difference(leading, sort=False)]]
