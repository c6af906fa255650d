"""Draw a figure, or print a table, from its tidy table."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import _setup

from banditpapers import exhibits


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, files out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--paper", required=True)
    line.add_argument("--kind", choices=("figure", "table"), required=True)
    line.add_argument("--name", required=True)
    line.add_argument("--tidy", type=Path, required=True)
    line.add_argument("--claims", type=Path, required=True)
    line.add_argument("--code", required=True, help="code key, kept in the sidecar")
    line.add_argument("--output", type=Path, required=True, help="one of the exhibit's files; the others stand beside it")
    options = line.parse_args(arguments)
    own = "own" in exhibits.tidy(options.tidy)[1]["parameters"]
    show = import_module("banditpapers.own.showing") if own else exhibits
    show.publish(options.paper, options.name, options.kind, options.tidy, options.claims, options.code, options.output.with_suffix(""))


if __name__ == "__main__":
    _setup.run(main)
