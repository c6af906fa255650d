"""Describe a finished run as a Workflow Run RO-Crate and as a CODECHECK manifest."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import crate
from banditpapers.configuration import Settings
from banditpapers.planning import Plan


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, files out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--settings", required=True, help="the configuration as JSON")
    line.add_argument("--last", type=Path, required=True, help="the file that the workflow wrote last")
    line.add_argument("--crate", type=Path, required=True)
    line.add_argument("--codecheck", type=Path, required=True)
    options = line.parse_args(arguments)
    crate.write(Plan(Settings.from_json(options.settings)), options.last, options.crate, options.codecheck)


if __name__ == "__main__":
    _setup.run(main)
