"""From grids to cells, and from cells to blocks.

A cell is one point of a grid: environment x algorithm x hyper-parameters. Its canonical JSON is its identity; its id, a readable slug
and the first 10 hex digits of that JSON's SHA-256, names its files. A block is a run of consecutive replicates that one job simulates.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from banditpapers.canonical import canonical, normal

LONGEST_ID = 79
SIZES = (1, 2, 5)  # block sizes are 1, 2 or 5 times a power of ten, so that they divide round numbers of replicates


@dataclass(frozen=True)
class Cell:
    """One point of a grid.

    environment, algorithm: mappings with a `name` (the file in `environments/` or `algorithms/`) and that class's parameters. They are held
    in their canonical form, so that equal cells build the same objects. Raises ValueError or TypeError for what can be no cell.
    """

    paper: str
    environment: Mapping[str, Any]
    algorithm: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.paper, str):
            raise ValueError(f"the paper of a cell is {self.paper!r}; write its key")
        for part in ("environment", "algorithm"):
            known = normal(getattr(self, part))
            if not isinstance(known, dict) or not isinstance(known.get("name"), str):
                raise ValueError(f"the {part} of a cell is {known!r}; write a mapping with a name")
            object.__setattr__(self, part, known)

    @cached_property
    def json(self) -> str:
        """The identity: canonical JSON."""
        return canonical({"paper": self.paper, "environment": self.environment, "algorithm": self.algorithm})

    @cached_property
    def id(self) -> str:
        """Fewer than 80 characters of letters, digits, '.', '_' and '-', unique to the cell."""
        words = [self.algorithm["name"], *(f"{key}{value}" for key, value in self.environment.items() if key != "name")]
        slug = "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word).strip("_") for word in words)
        return f"{slug[: LONGEST_ID - 11].rstrip('-_')}-{self.digest.hex()[:10]}"

    @classmethod
    def from_json(cls, text: str) -> "Cell":
        """The cell of a canonical JSON text. Raises ValueError when the text is not a cell."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise ValueError(f"not a cell: {text[:80]!r}; write the JSON of a cell with paper, environment and algorithm") from error

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the identity."""
        return sha256(self.json.encode()).digest()

    def __hash__(self) -> int:
        return int.from_bytes(self.digest[:8], "big")

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


def span(folder: str, parts: Sequence[tuple[int, int]]) -> str:
    """The files of consecutive blocks as one word, `folder/0-9..90-99.parquet`: no command line could name thousands of them."""
    ends = parts[:1] if len(parts) == 1 else (parts[0], parts[-1])
    return f"{folder}/{'..'.join(f'{first}-{last}' for first, last in ends)}.parquet"


def files(word: str) -> list[Path]:
    """The files of a span's word; any other word is a file's path."""
    found = re.fullmatch(r"(.*)/(\d+)-(\d+)\.\.(\d+)-(\d+)\.parquet", word, re.DOTALL)
    if not found:
        return [Path(word)]
    folder, (start, stop, _, end) = found[1], map(int, found.groups()[1:])
    size = stop - start + 1
    return [Path(f"{folder}/{first}-{first + size - 1}.parquet") for first in range(start, end + 1, size)]
