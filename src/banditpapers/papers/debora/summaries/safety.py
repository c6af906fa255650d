"""DEBORA-H on plain means with its widths times a factor, and DEBORA-H itself: how often a run has an unsafe round.

Quantities: "unsafe runs", the share of first runs, with the exact interval of Clopper and Pearson; factor is 1 for DEBORA-H itself (variant
"union"). For it "never unsafe": minus the number of unsafe runs, exactly. "negative control": the share at the smallest factor, positive
where narrow widths show what wide ones prevent.
"""

from typing import Any

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.papers.debora import shown
from banditpapers.papers.debora.constrained import Row, keyed, table
from banditpapers.runs import Runs
from banditpapers.statistics import exact_proportion
from banditpapers.tidy import row


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per instance, variant and quantity. `default` marks DEBORA-H itself, and the negative control."""
    grid = parameters["grid"]
    least, rows = min(grid["safety"]["factors"]), list[Row]()
    for one in shown.settings(runs, "debora_hard"):
        factor, itself = float(one.runs.cell.algorithm.get("factor", 1.0)), one.variant == "union"
        keys = {**keyed(one, grid), "factor": factor, "delta": grid["ratio"] * one.rho}
        keys |= {"reading": "" if itself else f"plain means, widths times {factor:g}"}
        unsafe, counts = (one.of("unsafe") > 0).astype(float), one.runs.counts
        share = exact_proportion(unsafe)
        rows.append(row(share, counts, **keys, quantity="unsafe runs"))
        if itself:
            note = f"{unsafe.sum():.0f} of {unsafe.size} runs have an unsafe round"
            rows.append(row(0.0 - share.mean, counts, **keys, quantity="never unsafe", note=note))
        elif factor == least:
            rows.append(row(share, counts, **{**keys, "default": True}, quantity="negative control"))
    return table(rows, "factor")
