"""The checkout's plan for scripts that a person calls by hand, from any folder."""

import argparse
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import _setup

from banditpapers import configuration
from banditpapers.planning import Plan


def add_arguments(line: argparse.ArgumentParser) -> None:
    """The options that name a configuration, spelled as Snakemake spells them."""
    line.add_argument("--configfile", type=Path, nargs="+", default=[], help="laid over the shipped configuration, as in the run")
    line.add_argument("--config", nargs="+", default=[], metavar="KEY=VALUE", help="laid over the files, as in the run")


@contextlib.contextmanager
def checkout(options: argparse.Namespace) -> Iterator[Plan]:
    """The plan, with the checkout as the working folder: the configuration's folders are relative to it."""
    files = [Path(os.path.relpath(file, _setup.ROOT)) for file in options.configfile]
    overrides = {}
    for pair in options.config:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"--config {pair!r} has no value; write KEY=VALUE, such as --config master_seed=7")
        overrides[key] = value
    with contextlib.chdir(_setup.ROOT):
        yield Plan(configuration.load([*configuration.shipped(Path()), *files], overrides))
