"""Print jobs and CPU minutes of a configuration, before anything runs."""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import _setup

from banditpapers.configuration import Settings
from banditpapers.planning import RATINGS, SHOW, START, Plan


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, a table on standard output."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--settings", required=True, help="the configuration as JSON")
    options = line.parse_args(arguments)
    plan = Plan(Settings.from_json(options.settings))
    rows: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0, 0.0, 0.0])
    for path, block in plan.blocks.items():
        row = rows[block.cell.paper, block.cell.algorithm["name"]]
        row[0] += 1
        row[2] += (block.seconds + START) / 60
        if Path(path).exists():
            row[1] += 1
            row[3] += (block.seconds + START) / 60
    for paper in plan.papers:
        made = [[plan.summary(paper, name)] for name in plan.exhibits(paper)] + [plan.files(paper, name) for name in plan.exhibits(paper)]
        there = sum(all(Path(path).exists() for path in files) for files in made)
        rows[paper, "exhibits"] = [len(made), there, len(made) * SHOW / 60, there * SHOW / 60]
    for paper in plan.papers:
        rows[paper, "together"] = _sum(row for (of, _), row in rows.items() if of == paper)
    if plan.ratings:
        there = sum(Path(plan.ratings_file(name)).exists() for name in plan.ratings)
        rows["data", "together"] = [len(plan.ratings), there, len(plan.ratings) * RATINGS / 60, there * RATINGS / 60]
    rows["", "together"] = _sum(row for (_, what), row in rows.items() if what == "together")
    print(f"{'paper':8} {'what':30} {'jobs':>5} {'exist':>6} {'CPU minutes':>12} {'left':>7}")
    for paper, what in sorted(rows, key=lambda row: (row[0] == "", row[0], row[1] == "together", row[1])):
        jobs, exist, minutes, spent = rows[paper, what]
        print(f"{paper:8} {what:30} {jobs:5.0f} {exist:6.0f} {minutes:12.1f} {minutes - spent:7.1f}")
    left = minutes - spent
    print(f"on 2 cores about {left / 2:.0f} minutes, on 8 about {left / 8:.0f}; files that exist may still be outdated")


def _sum(rows: Iterable[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


if __name__ == "__main__":
    _setup.run(main)
