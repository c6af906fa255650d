"""Measure the project and write benchmarks/latest.json (and benchmarks/lp_scaling.csv, which the exhibit `scaling` shows).

    python benchmarks/run.py solver      LP-PAC, LP-SRM and LP-FC against HiGHS, and R up to 10,000         (about 5 minutes)
    python benchmarks/run.py linear      LinTS, BLTS and DRTS against NumPy loops, microseconds per round    (about 2 minutes)
    python benchmarks/run.py soft        SoftUCB, LinUCB, LinTS, epsilon-greedy, the same on fixed arms      (about 10 seconds)
    python benchmarks/run.py replicable  DEBORA, DEBORA-S and DEBORA-H: time per pair of runs                 (about 20 seconds)
    python benchmarks/run.py peers       UCB1, LinUCB and LinTS beside five libraries of bandits    (about 2 minutes, and 1 to install them)
    python benchmarks/run.py costs       CPU time and memory against N, d, K, T and R, with exponents        (about 5 minutes)
    python benchmarks/run.py large       config/large.yaml on 100 and 1000 cores, simulated from its forecast  (about 10 seconds)
    python benchmarks/run.py workflow    the whole paper-scale run of a fresh clone of the last commit, two cores, paper by paper
    python benchmarks/run.py slurm       the same, then through a private SLURM; as root, with slurm-wlm and make cluster
    python benchmarks/run.py slurm --targets softucb [--configfile FILE ...]    ... of less: printed only, latest.json stays as it is

Each part updates its own keys and keeps the others; without a name all run but `slurm`.
Ratios are of processes on the same machine in the same run.
"""

import argparse
import csv
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from math import log, sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

import _setup
import costs
from highs import program
from large import large
from linear import linear
from peers.page import write_page
from peers.side_by_side import peers
from replicable import replicable
from scheduled import scheduled
from scipy.optimize import linprog
from soft import soft

from banditpapers import configuration, records
from banditpapers.algorithms.lp2s import Policy, solve
from banditpapers.files import write_json, write_text
from banditpapers.kernels import elimination_policy
from banditpapers.planning import Plan

LATEST, SCALING = _setup.ROOT / "benchmarks" / "latest.json", _setup.ROOT / "benchmarks" / "lp_scaling.csv"
Problem = tuple[str, tuple[float, float], int, int, float, float, float | None]
PAPER: tuple[Problem, ...] = (
    ("PAC", (1.0, 1.0), 1000, 207, 3 * log(1000), 0.01, 0.7),
    ("SRM", (1.0, 1.0), 5000, 255, 3 * log(5000), 0.05, None),
    ("FC", (1.0, 1.0), 200, 300, 5.0, 0.93, None),
)
LENGTHS = (100, 300, 1000, 3000, 10000)
HIGHS_UP_TO = 300  # it takes a minute there, and grows like R^4


def seconds(work: Callable[[], Any], repeats: int) -> float:
    """The median CPU seconds of a call."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return sorted(times)[len(times) // 2]


def ours(problem: Problem) -> Policy:
    """Solve with nothing remembered from an earlier call."""
    elimination_policy.forget()
    return solve(*problem)


def highs(problem: Problem) -> float:
    """CPU seconds of HiGHS on the same program; building its matrix is not counted."""
    arguments = program(*problem)[0]
    return seconds(lambda: linprog(**arguments), 1)


def solver() -> dict[str, float]:
    """Column generation against HiGHS on the paper's programs, then for growing R."""
    ours(PAPER[0])  # compiled from here on
    fast = [seconds(partial(ours, problem), 9) for problem in PAPER]
    slow = [highs(problem) for problem in PAPER]
    for problem, a, b in zip(PAPER, fast, slow, strict=True):
        print(f"LP-{problem[0]}, R = {problem[3]}: {1000 * a:.2f} ms, HiGHS {b:.2f} s, ratio {b / a:.0f}", flush=True)
    rows = []
    for rounds in LENGTHS:
        growing: Problem = ("SRM", (1.0, 1.0), 1000, rounds, 3 * log(1000), 0.05, None)
        took = seconds(partial(ours, growing), 3)
        rows.append((rounds, f"{took:.3g}", f"{highs(growing):.3g}" if rounds <= HIGHS_UP_TO else ""))
        print(f"R = {rounds}: {took:.4f} s", flush=True)
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([("rounds", "seconds", "highs_seconds"), *rows])
    write_text(SCALING, text.getvalue())
    return {
        "lp2s.lp_ratio_to_highs": round(min(b / a for a, b in zip(fast, slow, strict=True)), 1),
        "lp2s.lp_milliseconds": round(1000 * max(fast), 3),
        "lp2s.lp_seconds_r_10000": float(rows[-1][1]),
    }


def workflow() -> dict[str, float]:
    """Each paper, then what is left, on two cores in a fresh clone, with no compiled code from before."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(_setup.ROOT), str(clone)], check=True)
        plan = Plan(configuration.load(configuration.shipped(clone), {}))
        dry = _dry_run(clone)
        walls = {target: _minutes(clone, target) for target in (*plan.papers, "all")}
        agreement = json.loads((clone / "results" / "audit.json").read_text(encoding="utf-8"))["agreement"]
        computing = {path: float(records.read(clone / path)[1]["cpu_seconds"]) for path in plan.blocks}
        occupied = sum(_seconds_of_job(path) for path in (clone / "results").glob("benchmarks/*/*/*-*.tsv"))
        figure1 = sum(computing[path] for path in plan.runs("drts", "figure1"))
    wall, found = 60 * sum(walls.values()), {}
    for paper in plan.papers:
        own = [seconds for path, seconds in computing.items() if plan.blocks[path].cell.paper == paper]
        found[f"{paper}.wall_minutes_two_cores"] = round(walls[paper], 2)
        found[f"{paper}.simulation_jobs"] = len(own)
        found[f"{paper}.simulation_cpu_minutes"] = round(sum(own) / 60, 2)
    return {
        **found,
        "drts.figure1_cpu_seconds": round(figure1, 1),
        "whole.wall_minutes_two_cores": round(wall / 60, 2),
        "overhead.dry_run_cpu_seconds": round(dry, 2),
        # of the two cores' time, what no simulation job had; and what no simulator had, that is with the start of each job counted, too
        "overhead.share_of_wall": round(1 - occupied / (2 * wall), 3),
        "overhead.share_of_wall_with_job_starts": round(1 - sum(computing.values()) / (2 * wall), 3),
        **{f"lp2s.rms_z.{method}": _pooled(agreement, method) for method in ("batch_racing", "batched_thompson")},
    }


def _dry_run(clone: Path) -> float:
    """CPU seconds of a dry run of everything."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "snakemake", "--dry-run"], cwd=clone, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _minutes(clone: Path, target: str) -> float:
    """Wall minutes of a target on two cores."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", "snakemake", "--cores", "2", target], cwd=clone, check=True, env=environment)
    return (time.monotonic() - started) / 60


def _seconds_of_job(path: Path) -> float:
    """Wall seconds of one job, from Snakemake's benchmark file."""
    with path.open(encoding="utf-8") as lines:
        return sum(float(row["s"]) for row in csv.DictReader(lines, delimiter="\t"))


def _pooled(agreement: dict[str, dict[str, float]], method: str) -> float:
    """Root mean square z of a method over Tables 2 and 3."""
    parts = [agreement[f"lp2s/{table} {method}"] for table in ("table2", "table3")]
    return round(sqrt(sum(part["means"] * part["rms_z"] ** 2 for part in parts) / sum(part["means"] for part in parts)), 3)


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "solver": solver,
    "linear": linear,
    "soft": soft,
    "replicable": replicable,
    "peers": peers,
    "costs": costs.costs,
    "large": large,
    "slurm": scheduled,
    "workflow": workflow,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the named parts and merge their keys into latest.json."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("parts", nargs="*", default=[part for part in PARTS if part != "slurm"], choices=list(PARTS))
    line.add_argument("--targets", nargs="+", default=[], help="with the part slurm: measure these instead of everything")
    line.add_argument("--configfile", nargs="+", default=[], help="with the part slurm: lay these files over the configuration")
    options = line.parse_args(arguments)
    if options.targets or options.configfile:
        if options.parts != ["slurm"]:
            line.error("--targets and --configfile go with the part slurm alone")
        scheduled(options.targets, [str(Path(file).resolve()) for file in options.configfile])
        return
    known: dict[str, Any] = json.loads(LATEST.read_text(encoding="utf-8")) if LATEST.exists() else {}
    for part in options.parts:
        known |= PARTS[part]()
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=_setup.ROOT, check=True, capture_output=True, text=True).stdout.strip()
    machine = {"processor": platform.machine(), "cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()}
    write_json(LATEST, {**known, "machine": machine, "date": datetime.now(UTC).date().isoformat(), "commit": commit})
    if {"peers.rows", "lp2s.lp_milliseconds"} <= known.keys():
        write_page(known)
    if "costs.fits" in known:
        costs.write_page()


if __name__ == "__main__":
    main()
