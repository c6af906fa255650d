"""Compare the audit's verdicts with the accepted ones, and end with exit code 1 and their names where they differ; or accept them."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import accepted


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--document", type=Path, default=Path("figures/audit/claims.json"))
    line.add_argument("--accepted", type=Path, default=Path("config/claims/accepted.json"))
    what = line.add_mutually_exclusive_group(required=True)
    what.add_argument("--output", type=Path, help="compare, and write this file when nothing changed")
    what.add_argument("--accept", action="store_true", help="make the verdicts of the document the accepted ones")
    options = line.parse_args(arguments)
    if options.accept:
        accepted.accept(options.document, options.accepted)
    else:
        accepted.compare(options.document, options.accepted, options.output)


if __name__ == "__main__":
    _setup.run(main)
