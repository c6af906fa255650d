"""How CPU time and memory of a replicate grow with N or K, d, T and R, for every algorithm: fitted exponents beside the expected ones.

A replicate is played as a job plays it: environment and algorithm, from streams made beforehand; compilation is not counted. Time is the least
CPU time of three plays. Memory is by how much the resident set of a forked process grows during one play, at its highest; below a quarter of a
megabyte it is nothing but the allocator's. The exponent is the slope of least squares in logarithms over the upper half of the points, where
the leading term has the most to say.
"""

import csv
import json
import math
import os
import resource
import time
from io import StringIO
from typing import Any

import _setup
import numpy as np
from cost_cases import CASES, Case

from banditpapers.algorithms.lp2s import solve
from banditpapers.files import write_text
from banditpapers.kernels import elimination_policy
from banditpapers.plotting import look, log_scale, new_figure, save
from banditpapers.plugins import build
from banditpapers.seeding import streams

POINTS, FIGURE = _setup.ROOT / "benchmarks" / "costs.csv", _setup.ROOT / "docs" / "images" / "costs.png"
PAGE = _setup.ROOT / "docs" / "scaling.md"
BEGIN, END = "<!-- exponents: written by benchmarks/run.py -->", "<!-- end of exponents -->"
REPEATS, ENOUGH, LEAST = 3, 0.02, 0.25  # plays; seconds after which a play is timed alone; megabytes
SLACK = 0.3  # what a fit over a factor of 4 may be above the exponent of the leading term
Row = dict[str, Any]


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
    """By how much the largest resident set of a process grows in one play."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        once()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(writing, str(grown / 1024).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        return float(told.read())


def points() -> list[Row]:
    """One row per algorithm, letter and value."""
    rows: list[Row] = []
    for name, case in CASES.items():
        for letter, axis in case.axes.items():
            for value in axis.values:
                once = play(name, case, {**case.sizes, letter: value})
                rows.append({"algorithm": name, "letter": letter, "value": value, "seconds": seconds(once), "megabytes": megabytes(once)})
            print(name, letter, [f"{row['seconds']:.2g}" for row in rows[-len(axis.values) :]], flush=True)
    return rows


def solver() -> list[Row]:
    """LP2S spends its time in its program, which a cell solves once: the same rows for that alone."""
    rows = []
    for rounds in CASES["lp2s"].axes["R"].values:

        def once(rounds: int = rounds) -> None:
            elimination_policy.forget()
            solve("SRM", (1.0, 1.0), 1000, rounds, 10.0, 0.05, None)

        rows.append({"algorithm": "lp2s: the program", "letter": "R", "value": rounds, "seconds": seconds(once), "megabytes": megabytes(once)})
    return rows


def slope(values: list[float], costs: list[float]) -> float:
    """The exponent over the upper half of the points."""
    half = len(values) // 2
    return float(np.polyfit(np.log(values[half:]), np.log(costs[half:]), 1)[0])


def exponents(rows: list[Row]) -> list[Row]:
    """Fitted and expected, per algorithm and letter; memory is None where the largest play takes less than can be told."""
    found = []
    for name, letter in dict.fromkeys((row["algorithm"], row["letter"]) for row in rows):
        axis = CASES[name.split(":")[0]].axes[letter]
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


def draw(rows: list[Row]) -> None:
    """Milliseconds per replicate against each letter, one panel per letter and problem class."""
    panels = [
        ("T", ("linear_thompson", "balanced_thompson", "doubly_robust_thompson", "linear_ucb", "soft_ucb", "ucb1"), "T, rounds"),
        ("d", ("linear_thompson", "balanced_thompson", "doubly_robust_thompson", "linear_ucb", "soft_ucb"), "d, dimension"),
        ("K", ("batch_racing", "batched_thompson", "two_stage_exploration", "lp2s"), "K, arms of best-arm identification"),
        ("R", ("batch_racing", "lp2s", "lp2s: the program"), "R, batches"),
        ("K", ("debora", "debora_soft", "debora_hard", "doubling_ucb", "batched_elimination"), "K, arms of a pair of runs"),
        ("T", ("debora", "debora_soft", "debora_hard", "doubling_ucb", "batched_elimination"), "T, horizon of a pair of runs"),
    ]
    figure, axes = new_figure(2, 3, (2.7, 2.3))
    for panel, (letter, names, label) in zip(axes, panels, strict=True):
        for name in names:
            own = [row for row in rows if row["algorithm"] == name and row["letter"] == letter]
            shown = look(name.split(":")[0])
            dashed = {"color": "#777777", "label": "its linear program, once per cell"} if ":" in name else {"color": shown.colour, "label": shown.name}
            milliseconds = [1e3 * float(row["seconds"]) for row in own]
            panel.plot([float(row["value"]) for row in own], milliseconds, shown.line, marker=shown.marker, **dashed)
        for which in ("x", "y"):
            log_scale(panel, which)
        panel.set(xlabel=label, ylabel="CPU milliseconds")
        panel.legend(fontsize=6)
    FIGURE.parent.mkdir(exist_ok=True)
    save(figure, FIGURE)


def table(found: list[Row]) -> str:
    """The exponents as Markdown."""
    lines = ["| algorithm | letter | from | to | time: fitted | expected | memory: fitted | expected | why |", "|---|---|---|---|---|---|---|---|---|"]
    for row in found:
        memory = "nothing to tell" if row["memory"] is None else f"{row['memory']:g}"
        numbers = [row["letter"], f"{row['from']:g}", f"{row['to']:g}", f"{row['time']:g}", f"{row['time_expected']:g}", memory]
        lines.append(f"| `{row['algorithm']}` | {' | '.join(numbers)} | {row['memory_expected']:g} | {row['reason']} |")
    return "\n".join(lines)


def costs() -> dict[str, Any]:
    """Measure, write the CSV, the figure and the page's table; the keys say how far fits go beyond what is expected."""
    rows = points() + solver()
    for row in rows:
        row["seconds"], row["megabytes"] = f"{row['seconds']:.4g}", f"{row['megabytes']:.2f}"
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(POINTS, text.getvalue())
    found = exponents(rows)
    draw(rows)
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    write_text(PAGE, f"{before}{BEGIN}\n{table(found)}\n{END}{rest.split(END)[1]}")
    excess = [row["time"] - row["time_expected"] for row in found]
    print(json.dumps([row for row in found if row["time"] > row["time_expected"] + SLACK], indent=1))
    return {"costs.fits": len(found), "costs.largest_excess_of_a_time_exponent": round(max(excess), 2)}
