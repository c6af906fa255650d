"""Say that every replicate behind the exhibits finished, or end with exit code 1 and the first cell where one did not."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import audit
from banditpapers.files import write_json


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--tidy", type=Path, nargs="+", required=True, help="the tidy tables of all exhibits")
    line.add_argument("--output", type=Path, required=True)
    options = line.parse_args(arguments)
    write_json(options.output, {"replicates": audit.refuse_failures(options.tidy)})


if __name__ == "__main__":
    _setup.run(main)
