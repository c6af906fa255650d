"""Write codemeta.json from CITATION.cff and pyproject.toml: after a change of one of them.

python workflow/scripts/codemeta.py
"""

import argparse
from collections.abc import Sequence

import _setup

from banditpapers import codemeta


def main(arguments: Sequence[str] | None = None) -> None:
    """No arguments in, one package call, one file out."""
    line = argparse.ArgumentParser(description=__doc__)
    line.parse_args(arguments)
    codemeta.write(_setup.ROOT)


if __name__ == "__main__":
    _setup.run(main)
