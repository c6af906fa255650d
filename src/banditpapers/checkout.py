"""Where the files are that come with the workflow: in the checkout, whose folder need not be the one in which the run takes place."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]


def shipped_file(name: str) -> str:
    """A file of the checkout as a path from the working folder: `config/claims/lp2s.yaml`, or `banditpapers/config/...` from above it.

    name: relative to the checkout. Returns the same text where the checkout is the working folder, so that a run there knows its files
    again.
    """
    return os.path.relpath(ROOT / name)
