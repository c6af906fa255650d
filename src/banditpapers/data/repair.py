"""The known alterations of MovieLens' u.data in public copies, undone: the hash of what comes out decides whether that was right.

an added header line       (of names, with or without types)
extra rows of user 0       (that user does not exist: ids begin with 1)
the last row, or only its newline, lost
"""

from hashlib import sha256
from typing import NamedTuple

NOBODY = b"0\t"  # how a row of user 0 begins


class Repaired(NamedTuple):
    """The content as it was published, and what had been altered."""

    content: bytes
    alterations: tuple[str, ...]


def repair(content: bytes, digest: str, last_row: bytes) -> Repaired | None:
    """The published content of an altered copy; None where no known alteration explains the difference.

    digest, last_row: the SHA-256 and the last row, with its newline, of what was published.
    """
    found = []
    if content[:1].isalpha():
        header, _, content = content.partition(b"\n")
        found.append(f"an added header line ({header.decode('utf-8', 'replace')[:60]!r})")
    rows = content.splitlines(keepends=True)
    kept = [row for row in rows if not row.startswith(NOBODY)]
    if len(kept) < len(rows):
        found.append(f"{len(rows) - len(kept)} extra rows of user 0")
        content = b"".join(kept)
    if content and not content.endswith(b"\n"):
        content += b"\n"
        found.append("the last newline lost")
    for added, lost in ((b"", ()), (last_row, ("the last row lost",))):
        if sha256(content + added).hexdigest() == digest:
            return Repaired(content + added, (*found, *lost))
    return None
