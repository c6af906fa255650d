"""Write the audit as one page that needs no network."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import page


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, file out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--claims", type=Path, required=True, help="claims.json of the audit")
    line.add_argument("--main", type=Path, required=True, help="the main claims of each paper")
    line.add_argument("--output", type=Path, required=True, help="the page, which stands beside claims.json")
    options = line.parse_args(arguments)
    page.write(options.claims, options.main, options.output)


if __name__ == "__main__":
    _setup.run(main)
