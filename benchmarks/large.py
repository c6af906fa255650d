"""A simulated run of the large preset on many cores, from the forecasts: what keeps cores busy, and for how long."""

from typing import Any

import _setup

from banditpapers import configuration
from banditpapers.planning import Plan
from banditpapers.submission import simulated

CORES = (100, 1000)


def large() -> dict[str, Any]:
    """Share of the cores that compute until the last 10% of the work is left, and minutes of wall time."""
    files = [*configuration.shipped(_setup.ROOT), _setup.ROOT / "config" / "large.yaml"]
    found = simulated(Plan(configuration.load(files, {})), CORES)
    keys: dict[str, Any] = {"large.cpu_hours": round(found["cpu_hours"], 1), "large.blocks": found["blocks"]}
    keys |= {"large.submissions": found["submissions"], "large.gigabytes": round(found["gigabytes"], 2)}
    for run in found["runs"]:
        keys[f"large.busy_share_{run['cores']}_cores"] = round(run["busy_share"], 3)
        keys[f"large.wall_minutes_{run['cores']}_cores"] = round(run["wall_minutes"], 1)
        print(f"{run['cores']} cores: {run['wall_minutes']:.1f} minutes, {run['busy_share']:.1%} busy", flush=True)
    return keys
