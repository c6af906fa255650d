"""Write the gallery page and the manifest of the figures."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import _setup

from banditpapers import captions, gallery
from banditpapers.files import write_text


def main(arguments: Sequence[str] | None = None) -> None:
    """Arguments in, one package call, files out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.add_argument("--papers", required=True, help="paper keys, separated by commas")
    line.add_argument("--figures", type=Path, required=True)
    line.add_argument("--scale", required=True, help="the configuration's label")
    line.add_argument("--page", type=Path, required=True)
    line.add_argument("--manifest", type=Path, required=True)
    line.add_argument("--captions", type=Path, required=True, help="the exhibits' captions for Snakemake's report")
    line.add_argument("--complete", type=Path, required=True)
    options = line.parse_args(arguments)
    papers = options.papers.split(",")
    write_text(options.captions, captions.restructured(papers))
    gallery.write(papers, options.figures, options.scale, options.page, options.manifest, options.complete)


if __name__ == "__main__":
    _setup.run(main)
