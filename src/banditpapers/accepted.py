"""The verdicts that are committed, and where an audit differs from them.

They are kept apart from what the audit writes: otherwise a second run would compare the changed verdicts with themselves and find nothing.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from banditpapers.files import write_json
from banditpapers.verdicts import Word


class Accepted(BaseModel):
    """What is committed: the scale, and the verdict on each claim by paper."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scale: str
    verdicts: dict[str, dict[str, Word]]


SHOWN = 10  # changes that a message names


def verdicts(document: Mapping[str, Any]) -> dict[str, Any]:
    """The part of an audit's document that is committed: its scale, and the verdict on each claim by paper."""
    found: dict[str, dict[str, str]] = {paper["key"]: {} for paper in document["papers"]}
    for claim in document["claims"]:
        found[claim["paper"]][claim["id"]] = claim["verdict"]
    return {"scale": document["scale"], "verdicts": found}


def changes(document: Mapping[str, Any], accepted: Mapping[str, Any]) -> list[str]:
    """A sentence for each verdict of the document's papers that differs from the accepted one; nothing where the scales differ."""
    if document["scale"] != accepted["scale"]:
        return []
    found = []
    for paper, now in verdicts(document)["verdicts"].items():
        before = accepted["verdicts"].get(paper, {})
        for name in [*now, *(name for name in before if name not in now)]:
            if now.get(name) != before.get(name):
                found.append(f"{paper} {name} was {before.get(name, 'not there')!r} and is {now.get(name, 'not there')!r}")
    return found


def read(path: Path) -> dict[str, Any]:
    """The accepted verdicts. Raises ValueError when the file holds none."""
    try:
        return Accepted.model_validate_json(path.read_bytes()).model_dump()
    except ValidationError as error:
        raise ValueError(f"{path} does not hold accepted verdicts; restore it, or write it anew: {how(path)}") from error


def compare(document: Path, accepted: Path, output: Path) -> None:
    """Write how many verdicts agree with the accepted ones. Raises ValueError that names those that do not, and how to accept them."""
    audited = json.loads(document.read_text(encoding="utf-8"))
    found = changes(audited, read(accepted))
    if found:
        more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise ValueError(
            f"{len(found)} verdict{'s' * (len(found) > 1)} changed against {accepted}: {'; '.join(found[:SHOWN])}{more}. "
            f"The new ones are in {document}; if they are meant: {how(accepted)}"
        )
    write_json(output, {"scale": audited["scale"], "accepted": read(accepted)["scale"], "claims": len(audited["claims"])})


def accept(document: Path, accepted: Path) -> None:
    """Make the document's verdicts the accepted ones; those of papers that are not in it stay.

    Raises ValueError where their scales differ.
    """
    now = verdicts(json.loads(document.read_text(encoding="utf-8")))
    before = read(accepted) if accepted.exists() else {"scale": now["scale"], "verdicts": {}}
    if before["scale"] != now["scale"]:
        raise ValueError(f"{accepted} is at {before['scale']} scale, and {document} at {now['scale']} scale; nothing was written")
    write_json(accepted, {**now, "verdicts": {**before["verdicts"], **now["verdicts"]}})


def how(path: Path) -> str:
    """What to do for new verdicts to be the accepted ones."""
    return f"python workflow/scripts/verdicts.py --accept, and commit {path}"
