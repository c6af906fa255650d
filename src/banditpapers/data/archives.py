"""One member out of a zip archive (a wheel is one), by its exact name and into memory: nothing is extracted, nothing is run."""

import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath

LARGEST = 64 * 2**20  # bytes of a member: more than twice the largest that is known


def member(archive: bytes, name: str, called: str) -> bytes:
    """The content of the member `name` of an archive that messages call `called`.

    Raises ValueError when the bytes are no archive, when any member's name would lead out of a folder, or when there is no such member.
    """
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            for info in opened.infolist():
                if leaves(info.orig_filename):
                    raise ValueError(
                        f"{called} has a member {info.orig_filename!r}, which would leave its folder; take an archive without it"
                    )
            found = [info for info in opened.infolist() if info.filename == name]
            if len(found) != 1:
                raise ValueError(f"{called} has {len(found)} members {name}; take an archive with one")
            if found[0].file_size > LARGEST:
                raise ValueError(f"{called} has {found[0].file_size:,} bytes as {name}, which are no ratings; take another archive")
            with opened.open(found[0]) as file:
                return file.read(LARGEST + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise ValueError(f"{called} is no archive that can be read ({error}); take another one") from error


def names(archive: bytes) -> list[str]:
    """The names of all members; none where the bytes are no archive."""
    try:
        with zipfile.ZipFile(BytesIO(archive)) as opened:
            return opened.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return []


def leaves(name: str) -> bool:
    """Whether a member's name could lead out of the folder that an archive is unpacked into."""
    path = PurePosixPath(name.replace("\\", "/"))
    return "\\" in name or "\0" in name or path.is_absolute() or ".." in path.parts or ":" in name.split("/", maxsplit=1)[0]
