"""Measure the project and write benchmarks/latest.json (and benchmarks/lp_scaling.csv, which the exhibit `scaling` shows).

    python benchmarks/run.py solver      LP-PAC, LP-SRM and LP-FC against HiGHS, and R up to 10,000        (about 5 minutes)
    python benchmarks/run.py workflow    the whole paper-scale run from an empty results folder, two cores  (about 10 minutes)

Each part updates its own keys and keeps the others. Ratios are of processes on the same machine in the same run.
"""

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import StringIO
from math import log
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
os.environ.setdefault("OMP_NUM_THREADS", "1")

from banditpapers.algorithms.lp2s import Policy, solve  # noqa: E402
from banditpapers.files import write_json, write_text  # noqa: E402
from banditpapers.kernels import elimination_policy  # noqa: E402

LATEST, SCALING = ROOT / "benchmarks" / "latest.json", ROOT / "benchmarks" / "lp_scaling.csv"
PAPER_LPS: tuple[tuple[str, tuple[float, float], int, int, float, float, float | None], ...] = (
    ("PAC", (1.0, 1.0), 1000, 207, 3 * log(1000), 0.01, 0.7),
    ("SRM", (1.0, 1.0), 5000, 255, 3 * log(5000), 0.05, None),
    ("FC", (1.0, 1.0), 200, 300, 5.0, 0.93, None),
)
LENGTHS = (100, 300, 1000, 3000, 10000)
HIGHS_UP_TO = 300


def seconds(work: Callable[[], Any], repeats: int) -> float:
    """The median CPU seconds of a call."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return sorted(times)[len(times) // 2]


def ours(*problem: Any) -> Policy:
    """Solve with nothing remembered from an earlier call."""
    elimination_policy._solve.cache_clear()
    elimination_policy._terminal.cache_clear()
    return solve(*problem)


def solver() -> dict[str, float]:
    """Column generation against HiGHS on the paper's LPs, then alone for growing R."""
    sys.path.insert(0, str(ROOT / "tests"))
    from highs import program  # noqa: PLC0415
    from scipy.optimize import linprog  # noqa: PLC0415

    ratios, milliseconds = [], []
    for problem in PAPER_LPS:
        ours(*problem)
        fast = seconds(lambda problem=problem: ours(*problem), 9)
        arguments, _, _ = program(*problem)  # building it is not counted
        slow = seconds(lambda arguments=arguments: linprog(**arguments), 1)
        milliseconds.append(1000 * fast)
        ratios.append(slow / fast)
        print(f"LP-{problem[0]} R = {problem[3]}: {1000 * fast:.2f} ms, HiGHS {slow:.2f} s, ratio {slow / fast:.0f}", flush=True)
    rows = []
    for rounds in LENGTHS:
        problem = ("SRM", (1.0, 1.0), 1000, rounds, 3 * log(1000), 0.05, None)
        fast = seconds(lambda problem=problem: ours(*problem), 3)
        slow = ""
        if rounds <= HIGHS_UP_TO:
            arguments, _, _ = program(*problem)
            slow = f"{seconds(lambda arguments=arguments: linprog(**arguments), 1):.3g}"
        rows.append((rounds, f"{fast:.3g}", slow))
        print(f"R = {rounds}: {fast:.4f} s", flush=True)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("rounds", "seconds", "highs_seconds"), *rows])
    write_text(SCALING, text.getvalue())
    return {
        "lp2s.lp_ratio_to_highs": round(min(ratios), 1),
        "lp2s.lp_milliseconds": round(max(milliseconds), 3),
        "lp2s.lp_seconds_r_10000": float(rows[-1][1]),
    }


def workflow() -> dict[str, float]:
    """The default target on two cores in a fresh copy of the checkout, compiled code included."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        started = time.monotonic()
        command = [sys.executable, "-m", "snakemake", "--cores", "2"]
        subprocess.run(command, cwd=copy, check=True, env={**os.environ, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")})
        wall = time.monotonic() - started
        runs = json.loads((copy / "results" / "audit.json").read_text(encoding="utf-8"))
        simulated = _simulated(copy / "results")
    return {
        "lp2s.wall_minutes_two_cores": round(wall / 60, 2),
        "lp2s.simulation_cpu_minutes": round(simulated / 60, 2),
        "overhead.share_of_wall": round(1 - simulated / (2 * wall), 3),
        **{f"lp2s.rms_z.{name}": value for name, value in runs["rms_z"].items()},
    }


def _simulated(results: Path) -> float:
    """CPU seconds inside the simulators, as each block recorded them."""
    from banditpapers import records  # noqa: PLC0415

    return sum(float(records.read(path)[1]["cpu_seconds"]) for path in results.rglob("runs/*/*.parquet"))


PARTS: dict[str, Callable[[], dict[str, float]]] = {"solver": solver, "workflow": workflow}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the named parts and merge their keys into latest.json."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    options = line.parse_args(arguments)
    known: dict[str, Any] = json.loads(LATEST.read_text(encoding="utf-8")) if LATEST.exists() else {}
    for part in options.parts:
        known |= PARTS[part]()
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    machine = {"processor": platform.machine(), "cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()}
    write_json(LATEST, {**known, "machine": machine, "date": datetime.now(UTC).date().isoformat(), "commit": commit})


if __name__ == "__main__":
    main()
