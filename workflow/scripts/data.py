"""Find the ratings of a set, check their bytes, and write the table of arms that is made of them."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers.data import making


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out; each step is a line of standard error."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--set", required=True, help="movielens or jester")
    line.add_argument("--local", type=Path, nargs="?", default=None, help="a file, an archive or a folder of downloads")
    line.add_argument("--folder", type=Path, required=True, help="where downloads are kept")
    line.add_argument("--allow-synthetic", action="store_true", help="make the stand-in where nothing else is to be had")
    line.add_argument("--output", type=Path, required=True)
    options = line.parse_args(arguments)
    making.make(options.set, options.local, options.folder, options.allow_synthetic, options.output)


if __name__ == "__main__":
    _setup.run(main)
