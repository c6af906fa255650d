"""From grids to cells, and from cells to blocks.

A cell is one point of a grid: environment x algorithm x hyper-parameters. Its canonical JSON is its identity; its id, a readable slug
and the first 10 hex digits of that JSON's SHA-256, names its files. A block is a run of consecutive replicates that one job simulates.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from banditpapers.canonical import canonical, digest

LONGEST_ID = 80
SIZES = (1, 2, 5)  # block sizes are 1, 2 or 5 times a power of ten, so that they divide round numbers of replicates


@dataclass(frozen=True)
class Cell:
    """One point of a grid.

    environment, algorithm: mappings with a `name` (the file in `environments/` or `algorithms/`) and that class's parameters.
    """

    paper: str
    environment: Mapping[str, Any]
    algorithm: Mapping[str, Any]

    @cached_property
    def json(self) -> str:
        """The identity: canonical JSON."""
        return canonical({"paper": self.paper, "environment": self.environment, "algorithm": self.algorithm})

    @cached_property
    def id(self) -> str:
        """At most 80 characters of letters, digits, '.', '_' and '-', unique to the cell."""
        known = json.loads(self.json)  # numbers in their one spelling
        words = [known["algorithm"]["name"], *(f"{key}{value}" for key, value in known["environment"].items() if key != "name")]
        slug = "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word).strip("_") for word in words)
        return f"{slug[: LONGEST_ID - 11]}-{digest(known).hex()[:10]}"

    @classmethod
    def from_json(cls, text: str) -> "Cell":
        """The cell of a canonical JSON text. Raises ValueError when the text is not a cell."""
        try:
            found = json.loads(text)
            return cls(paper=found["paper"], environment=found["environment"], algorithm=found["algorithm"])
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"not a cell: {text[:80]!r}; write the JSON of a cell with paper, environment and algorithm") from error

    def __hash__(self) -> int:
        return int.from_bytes(digest(json.loads(self.json))[:8], "big")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.json == other.json


def block_size(seconds_per_replicate: float, largest: int, seconds: float) -> int:
    """The largest round size (1, 2 or 5 times a power of ten, at most `largest`) whose work is forecast to take at most `seconds`.

    It depends on the cell and the configuration alone, never on the number of replicates: so more replicates keep all old files.
    """
    size, best = 1, 1
    while size <= largest:
        for factor in SIZES:
            if factor * size <= largest and factor * size * seconds_per_replicate <= seconds:
                best = factor * size
        size *= 10
    return best


def blocks(replicates: int, size: int) -> list[tuple[int, int]]:
    """The (first, last) replicates of each block that n replicates need; the last block is always a whole one.

    A whole last block costs at most a block's work and means that raising n later reruns nothing; a summary leaves out what lies beyond n.
    """
    return [(first, first + size - 1) for first in range(0, replicates, size)]
