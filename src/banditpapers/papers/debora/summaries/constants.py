"""The constants of the widths: computed, without runs.

Quantities: "L", ceil(log2 T), at least 1; "M", the number of RepMean calls that share rho; "rho'" and "delta'", rho / M and delta / M;
"C", the width's coefficient, zeta = C / sqrt(n); "cell", the cell's, alpha = cell / sqrt(n). For DEBORA by K, T and rho; for DEBORA-S and
-H by instance and by which calls share rho.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from banditpapers.algorithms._pairs import doublings
from banditpapers.claims import Claims
from banditpapers.papers.debora.calls import most_calls, shared_precision
from banditpapers.runs import Runs
from banditpapers.tidy import row

GRIDS = {"": "paper", "sharp": "sharp"}
CALLS = ("union", "text", "lazy")


def summarise(runs: Runs, parameters: dict[str, Any], claims: Claims) -> pd.DataFrame:
    """One row per setting and constant."""
    grid = parameters["grid"]
    rows: list[dict[str, Any]] = []
    for arms in grid["regret"]["arms"]:
        for horizon in shown(grid["regret"]["horizons"]):
            for rho in grid["regret"]["rho"]:
                for variant, name in GRIDS.items():
                    keys = {"instance": "", "arms": arms, "horizon": horizon, "rho": rho, "method": "debora", "variant": variant}
                    rows += _constants(keys, grid, most_calls(arms, 0, horizon, "union"), name)
    for label, instance in grid["instances"].items():
        arms, costs = len(instance["rewards"]), len(instance["costs"])
        for horizon in shown(grid["growth"]["horizons"]):
            for prefix, calls in ((prefix, calls) for prefix in GRIDS for calls in CALLS):
                variant = prefix if prefix and calls == "union" else f"{prefix} {calls}".strip()
                keys = {
                    "instance": label,
                    "arms": arms,
                    "horizon": horizon,
                    "rho": grid["rho"],
                    "method": "debora_soft",
                    "variant": variant,
                }
                rows += _constants(keys, grid, most_calls(arms, costs, horizon, calls), GRIDS[prefix])
    return pd.DataFrame(rows)


def shown(horizons: list[int]) -> list[int]:
    """Every third horizon from the last: the constants grow slowly."""
    return horizons[::-1][::3][::-1]


def _constants(keys: dict[str, Any], grid: dict[str, Any], most: int, name: str) -> Iterator[dict[str, Any]]:
    rho, found = keys["rho"], shared_precision(most, keys["rho"], grid["ratio"], name)
    values = {"L": doublings(keys["horizon"]), "M": most, "rho'": rho / most, "delta'": grid["ratio"] * rho / most}
    told = {"gap": 0.0, "reading": f"rho = {rho:g}", "default": rho == grid["rho"]}
    for quantity, value in {**values, "C": found.width, "cell": found.cell}.items():
        yield row(value, **keys, **told, quantity=quantity)
