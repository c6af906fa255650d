"""Judge every claim of the papers by the tidy tables of their exhibits."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import audit


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, files out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--papers", required=True, help="paper keys, separated by commas")
    line.add_argument("--claims", type=Path, default=Path("config/claims"), help="folder of the claims")
    line.add_argument("--results", type=Path, required=True)
    line.add_argument("--output", type=Path, required=True)
    line.add_argument("--summary", type=Path, required=True)
    line.add_argument("--complete", type=Path, required=True)
    options = line.parse_args(arguments)
    papers = options.papers.split(",")
    table = audit.audit(papers, options.results, {paper: options.claims / f"{paper}.yaml" for paper in papers})
    audit.write(table, options.output, options.summary, options.complete)


if __name__ == "__main__":
    _setup.run(main)
