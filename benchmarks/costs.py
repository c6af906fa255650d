"""How CPU time and memory of a replicate grow with N or K, d, T and R, for every algorithm: fitted exponents beside the expected ones.

A replicate is played as a job plays it: environment and algorithm, from streams made beforehand; compilation is not counted. Time is the
least CPU time of five plays. Memory is by how much the resident set grows in one play, while the allocator gives nothing back; below a
quarter of a megabyte it is the allocator's own. The exponent is the slope of least squares in logarithms over the upper half of the
points, where the leading term has the most to say.
"""

import csv
import ctypes
import math
import os
import time
from io import StringIO
from pathlib import Path
from typing import Any

import _setup
import numpy as np
from cost_cases import CASES, PROGRAM, PROGRAM_NAME, Axis, Case
from cost_figure import draw

from banditpapers.algorithms.lp2s import solve
from banditpapers.files import write_text
from banditpapers.kernels import elimination_policy
from banditpapers.plugins import build
from banditpapers.seeding import streams

POINTS = _setup.ROOT / "benchmarks" / "costs.csv"
PAGE = _setup.ROOT / "docs" / "scaling.md"
BEGIN, END = "<!-- exponents: written by benchmarks/run.py -->", "<!-- end of exponents -->"
REPEATS, ENOUGH, LEAST = 5, 0.02, 0.25  # plays; seconds after which a play is timed alone; megabytes
SLACK = 0.3  # what a fit over a factor of 4 may be above the exponent of the leading term
Row = dict[str, Any]
MMAP_MAX, TRIM_THRESHOLD = -4, -1  # of mallopt


def play(name: str, case: Case, sizes: dict[str, int]) -> Any:
    """A call that plays one replicate."""
    world, parameters = case.grid(sizes)
    environment, algorithm = build("environments", world), build("algorithms", {"name": name, **parameters})

    def once() -> None:
        algorithm.play(environment, streams(1, "drts", {"benchmark": "costs"}, {"name": name}, 0))

    return once


def seconds(once: Any) -> float:
    """The least CPU time of a play; short ones are played many times and divided."""
    once()  # compiled, and what a cell remembers is computed, from here on
    started = time.process_time()
    once()
    count = max(1, math.ceil(ENOUGH / max(time.process_time() - started, 1e-6)))
    times = []
    for _ in range(REPEATS):
        started = time.process_time()
        for _ in range(count):
            once()
        times.append((time.process_time() - started) / count)
    return min(times)


def megabytes(once: Any) -> float:
    """By how much the resident set grows in one play; what was freed before it is given back to the system first, and nothing after.

    Linux with the C library of GNU alone.
    """
    once()  # what a cell remembers does not count
    library = ctypes.CDLL(None)
    if not library.mallopt(MMAP_MAX, 0) or not library.mallopt(TRIM_THRESHOLD, 2**31 - 1):
        raise RuntimeError("costs: the C library does not let its allocator be set; measure on Linux with the GNU C library")
    library.malloc_trim(0)
    before = _resident()
    once()
    return max(0.0, _resident() - before)


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def points() -> list[Row]:
    """One row per algorithm, letter and value. All times come first, because measuring memory changes the allocator."""
    plays = {
        (name, letter, value): play(name, case, {**case.sizes, letter: value})
        for name, case in CASES.items()
        for letter, axis in case.axes.items()
        for value in axis.values
    }
    plays |= {(PROGRAM_NAME, "R", rounds): program(rounds) for rounds in PROGRAM.values}
    times = {}
    for point, once in plays.items():
        times[point] = seconds(once)
        print(*point, f"{times[point]:.2g} s", flush=True)
    rows: list[Row] = []
    for (name, letter, value), once in plays.items():
        taken = {"seconds": f"{times[name, letter, value]:.4g}", "megabytes": f"{megabytes(once):.2f}"}
        rows.append({"algorithm": name, "letter": letter, "value": value, **taken})
    return rows


def program(rounds: int) -> Any:
    """A call that solves LP2S's program, which a cell does once."""

    def once() -> None:
        elimination_policy.forget()
        solve("SRM", (1.0, 1.0), 1000, rounds, 10.0, 0.05, None)

    return once


def slope(values: list[float], costs: list[float]) -> float:
    """The exponent over the upper half of the points."""
    half = len(values) // 2
    return float(np.polyfit(np.log(values[half:]), np.log(costs[half:]), 1)[0])


def _axis(name: str, letter: str) -> Axis:
    return PROGRAM if name == PROGRAM_NAME else CASES[name].axes[letter]


def exponents(rows: list[Row]) -> list[Row]:
    """Fitted and expected, per algorithm and letter; memory is None where the largest play takes less than can be told."""
    found = []
    for name, letter in dict.fromkeys((row["algorithm"], row["letter"]) for row in rows):
        axis = _axis(name, letter)
        own = [row for row in rows if (row["algorithm"], row["letter"]) == (name, letter)]
        values = [float(row["value"]) for row in own]
        taken = [float(row["megabytes"]) for row in own]
        told = min(taken[len(values) // 2 :]) >= LEAST
        found.append({
            "algorithm": name, "letter": letter, "from": own[0]["value"], "to": own[-1]["value"],
            "time": round(slope(values, [float(row["seconds"]) for row in own]), 2), "time_expected": axis.time,
            "memory": round(slope(values, taken), 2) if told else None, "memory_expected": axis.memory, "reason": axis.reason,
        })  # fmt: skip
    return found


def table(found: list[Row]) -> str:
    """The exponents as Markdown."""
    lines = [
        "| algorithm | letter | from | to | time: fitted | expected | memory: fitted | expected | why |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in found:
        memory = "below 0.25 MB" if row["memory"] is None else f"{row['memory'] + 0:g}"
        numbers = [row["letter"], f"{row['from']:g}", f"{row['to']:g}", f"{row['time']:g}", f"{row['time_expected']:g}", memory]
        lines.append(f"| `{row['algorithm']}` | {' | '.join(numbers)} | {row['memory_expected']:g} | {row['reason']} |")
    return "\n".join(lines)


def costs() -> dict[str, Any]:
    """Measure, write the CSV and the figure; the keys say how far fits go beyond what is expected."""
    rows = points()
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(POINTS, text.getvalue())
    draw(rows)
    found = exponents(rows)
    return {
        "costs.fits": len(found),
        "costs.largest_excess_of_a_time_exponent": largest_excess(found, "time"),
        "costs.largest_excess_of_a_memory_exponent": largest_excess(found, "memory"),
    }


def largest_excess(found: list[Row], what: str) -> float:
    """How far the worst fit of "time" or "memory" is above what is expected; below 0, none is."""
    return round(max(float(row[what] - row[f"{what}_expected"]) for row in found if row[what] is not None), 2)


def measured() -> list[Row]:
    """The rows of benchmarks/costs.csv."""
    with POINTS.open(encoding="utf-8", newline="") as lines:
        return [{**row, "value": int(row["value"])} for row in csv.DictReader(lines)]


def write_page() -> None:
    """Put the exponents of benchmarks/costs.csv between their marks in docs/scaling.md."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    write_text(PAGE, f"{before}{BEGIN}\n{table(exponents(measured()))}\n{END}{rest.split(END)[1]}")
