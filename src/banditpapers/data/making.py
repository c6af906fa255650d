"""From a set's name to its table: what the workflow's rule does."""

from pathlib import Path

from banditpapers.data import ratings, tables
from banditpapers.data.fetch import find
from banditpapers.data.sources import SOURCES


def make(name: str, local: Path | None, folder: Path, allow_synthetic: bool, output: Path) -> None:
    """Find the ratings of a set and write its table. Raises ValueError where they are not to be had."""
    if name not in SOURCES:
        raise ValueError(f"there are no ratings {name!r}; write one of {', '.join(SOURCES)}")
    found = find(SOURCES[name], local, folder, allow_synthetic)
    if found is None:
        tables.write(output, tables.of_stand_in(name))
    else:
        given = ratings.read(found.content, found.file.form)
        tables.write(output, tables.make(name, given, found.file.source, found.file.sha256))
