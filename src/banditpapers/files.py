"""Files appear whole or not at all: written beside their name, synced, then renamed."""

import json
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

PART = ".part"  # how a name ends that a file has until all of it is on the disk
STALE = 600  # seconds after which such a file has been left behind: writing one takes less than a second


def write_atomically(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Call `write` on an open file that becomes `path` only when all of it is on the disk.

    The temporary name is unique, so that two jobs that write the same file at once cannot mix their bytes. Raises OSError as it comes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep(*folders: Path) -> None:
    """Remove what killed jobs have left half-written. Younger files stay: another run may be at work beside this one."""
    for path in {path for folder in folders for path in folder.rglob(f".*{PART}")}:
        with suppress(OSError):  # gone already, or not ours to remove: nobody reads it anyway
            if time.time() - path.stat().st_mtime > STALE:
                path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8 with a newline at its end."""
    write_atomically(path, lambda file: file.write((text.rstrip("\n") + "\n").encode()))


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON with sorted keys."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False))


def file_digest(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    return sha256(path.read_bytes()).hexdigest()
