"""Simulate one block of replicates of one cell and write it as Parquet."""

import argparse
import os
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

import _setup

from banditpapers import progress, simulation
from banditpapers.cells import Cell


def parser() -> argparse.ArgumentParser:
    """The command line."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--cell", required=True, help="canonical JSON of the cell")
    line.add_argument("--first", type=int, required=True, help="first replicate")
    line.add_argument("--last", type=int, required=True, help="last replicate, included")
    line.add_argument("--master-seed", type=int, required=True)
    line.add_argument("--code", required=True, help="code key, kept with the result")
    line.add_argument("--limit", type=int, default=None, help="CPU seconds after which a replicate is ended and counts as failed")
    line.add_argument("--progress", type=Path, default=None, help="plan of the run, to say how far it is")
    line.add_argument(
        "--data", type=Path, nargs="?", default=None, help="table of the ratings that the cell plays on, where it plays on some"
    )
    line.add_argument("--output", type=Path, required=True)
    return line


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out."""
    options = parser().parse_args(arguments)
    if not 0 <= options.first <= options.last:
        raise ValueError(f"found replicates {options.first} to {options.last}; write two integers of at least 0, the first no larger")
    _setup.numba_without_blas()
    cell = Cell.from_json(options.cell)
    own = os.environ.get("BANDITPAPERS_ALGORITHMS")  # algorithms of one's own, handed over by the Snakefile
    with import_module("banditpapers.own.playing").known() if own else nullcontext():
        block = simulation.simulate(cell, options.master_seed, options.first, options.last, options.limit, options.data)
    simulation.write(options.output, block, options.master_seed, options.code)
    said = progress.line(options.progress, options.output) if options.progress else None
    if said:
        print(said, flush=True)


if __name__ == "__main__":
    _setup.run(main)
