"""Simulate one replicate of one cell again, print its rows, and say whether they are the stored ones bit for bit.

python workflow/scripts/replay.py lp2s_table2                                                    lists the cells
python workflow/scripts/replay.py lp2s_table2 --cell batch_racing-arms1000-prior_1_1 --replicate 17
"""

import argparse
import json
from collections.abc import Sequence

import _plan
import _setup

from banditpapers import replay


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, rows on standard output; exit code 1 when stored rows differ."""
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("target", help="an exhibit (lp2s_table2) or a paper (lp2s)")
    line.add_argument("--cell", help="the cell's id, or a part of it that no other cell has")
    line.add_argument("--replicate", help="its number, from 0")
    line.add_argument("--json", action="store_true", help="print one JSON object")
    _plan.add_arguments(line)
    options = line.parse_args(arguments)
    number = None if options.replicate is None else replay.number(options.replicate)
    with _plan.checkout(options) as plan:
        cells = replay.cells_of(plan, options.target)
        if options.cell is None and number is None:
            listed = [{"cell": cell.id, "replicates": planned} for cell, planned in cells.items()]
            print(
                json.dumps(listed, indent=1) if options.json else "\n".join(f"{entry['replicates']:7} {entry['cell']}" for entry in listed)
            )
            return
        cell = replay.find(list(cells), options.cell or "", options.target)
        if number is None:
            raise ValueError(f"which replicate of {cell.id}? write --replicate with a number from 0 to {cells[cell] - 1}")
        found = replay.replay(plan, cell, number)
    _print_json(found, options.target, plan.settings.master_seed) if options.json else _print(found)
    for path, difference in found.stored.items():
        if difference:
            raise ValueError(f"replicate {number} of {cell.id} is not the stored one of {path}: {difference}")


def _print_json(found: replay.Replay, target: str, seed: int) -> None:
    stored = [{"path": path, "equal": not difference} for path, difference in found.stored.items()]
    about = {"target": target, "cell": found.cell.id, "identity": json.loads(found.cell.json), "replicate": found.replicate}
    result = {"master_seed": seed, "rows": [replay.plain(row) for row in found.rows], "failure": found.failure, "stored": stored}
    print(json.dumps(about | result, indent=1))


def _print(found: replay.Replay) -> None:
    table = [list(found.rows[0]), *([str(value) for value in row.values()] for row in found.rows)] if found.rows else []
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    if found.failure:
        print(f"replicate {found.replicate} fails: {found.failure}")
    for path, difference in found.stored.items():
        if not difference:
            print(f"equal, bit for bit, to the stored rows of {path}")
    if not found.stored:
        print("no stored block has this replicate")


if __name__ == "__main__":
    _setup.run(main)
