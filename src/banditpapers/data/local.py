"""Ratings that are on this machine already: a file, an archive, or a folder of downloads, known by their bytes whatever they are called."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from banditpapers.data.archives import LARGEST, member, names
from banditpapers.data.repair import repair
from banditpapers.data.sources import File, Source


class Found(NamedTuple):
    """Ratings with the right bytes. file: what they are; content: the text of the ratings; how: where they were, in a few words."""

    file: File
    content: bytes
    how: str


def look(source: Source, path: Path) -> Found:
    """The ratings at a path. Raises ValueError with what is wrong with it."""
    if path.is_dir():
        faults = []
        for file in _there(source, path):
            try:
                return recognised(source, _content(path / file.name), str(path / file.name))
            except ValueError as error:
                faults.append(str(error))
        known = ", ".join(file.name for file in source.files)
        raise ValueError("; ".join(faults) or f"{path} holds none of {known}")
    return recognised(source, _content(path), str(path))


def _there(source: Source, folder: Path) -> Iterator[File]:
    return (file for file in source.files if (folder / file.name).is_file())


def _content(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise ValueError(f"{path} is no file" if path.exists() else f"{path} does not exist")
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{path} has {path.stat().st_size:,} bytes, which are no ratings")
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror})") from error


def recognised(source: Source, content: bytes, called: str, packed: bool = False) -> Found:
    """What the bytes are, by their hash alone. Raises ValueError where they are nothing known and no known alteration of it.

    packed: they come out of an archive already, and an archive in an archive is not opened.
    """
    digest = sha256(content).hexdigest()
    for file in source.files:
        if digest == file.sha256:
            return Found(file, member(content, file.member, called) if file.member else content, called)
    if source.alterable and (repaired := repair(content, source.alterable.sha256, source.last_row)):
        return Found(source.alterable, repaired.content, f"{called}, repaired: {' and '.join(repaired.alterations)}")
    # an archive that somebody packed again, or a package: what counts is the file in it
    plain = {file.name for file in source.files if not file.member}
    for name in () if packed else names(content):
        if name.rpartition("/")[2] in plain:
            return recognised(source, member(content, name, called), f"{name} of {called}", packed=True)
    raise ValueError(f"{called} has other bytes ({len(content):,}, SHA-256 {digest})")
