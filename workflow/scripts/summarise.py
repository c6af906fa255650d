"""Make the tidy table of one exhibit from its runs."""

import argparse
import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import _setup

from banditpapers import exhibits
from banditpapers.cells import files


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--paper", required=True)
    line.add_argument("--summary", required=True, help="module of the paper's summaries")
    line.add_argument("--replicates", type=int, required=True, help="n planned")
    line.add_argument("--parameters", type=json.loads, required=True, help="JSON of what the summary must know besides its runs")
    line.add_argument("--claims", type=Path, required=True)
    line.add_argument("--code", required=True, help="code key, kept with the result")
    line.add_argument("--output", type=Path, required=True)
    line.add_argument("--runs", nargs="*", default=[], help="files of blocks; FOLDER/0-9..90-99.parquet is ten of them")
    options = line.parse_args(arguments)
    runs = [path for word in options.runs for path in files(word)]
    make = import_module("banditpapers.own.showing") if "own" in options.parameters else exhibits
    make.summarise(
        options.paper, options.summary, runs, options.replicates, options.parameters, options.claims, options.code, options.output
    )


if __name__ == "__main__":
    _setup.run(main)
