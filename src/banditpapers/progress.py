"""How far a run is: a plan written when it starts, and one line per finished block.

The clock is used here, and in `files.py` to tell leftovers of killed jobs from files at work, and for nothing else.
"""

import json
import time
from pathlib import Path
from typing import Any

from banditpapers.files import write_text


def begin(path: Path, forecast: str, workflow: Any) -> None:
    """Note the start, the cores and the blocks that are to be simulated: those of the running workflow's job graph that must run."""
    seconds: dict[str, float] = json.loads(forecast)
    dag = getattr(getattr(workflow, "persistence", None), "dag", None)
    if dag is not None:
        needed = {str(output) for job in dag.needrun_jobs() for output in job.output}
        seconds = {file: cost for file, cost in seconds.items() if file in needed}
    if seconds:  # a forecast, or a redrawn figure, leaves alone what another run has noted
        cores = getattr(getattr(workflow, "resource_settings", None), "cores", None) or 1
        write_text(path, json.dumps({"started": time.time(), "cores": cores, "seconds": seconds}))


def line(path: Path, finished: Path) -> str | None:
    """`12 of 90 blocks, 31% of the work, about 4.2 min left`; None when there is no plan or the block is not in it."""
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
        started, seconds = float(plan["started"]), dict(plan["seconds"])
        begun = path.stat().st_mtime
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a block simulated by hand, outside a run
    if str(finished) not in seconds:
        return None
    # a file from before the run is one that must be made again; both times are the file system's, whose clock may be another
    done = {file for file in seconds if _written(Path(file)) >= begun}
    work, total = sum(seconds[file] for file in done), sum(seconds.values())
    if not work > 0:  # forecasts of next to nothing are rounded to 0
        return f"simulated {len(done)} of {len(seconds)} blocks"
    left = (time.time() - started) * max(total - work, 0.0) / work / 60
    return f"simulated {len(done)} of {len(seconds)} blocks, {work / total:.0%} of the work, about {left:.1f} min left"


def _written(path: Path) -> float:
    """When a file was written; long ago where there is none (Snakemake removes outdated files meanwhile)."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
