"""Whether a tree of figures is what this checkout and configuration make: its bytes against the manifest, its sidecars against the plan.

An exhibit is
  current   its files have the bytes that the manifest and its sidecar name, and the sidecar's cells, seed, claims, code keys and lock file
            are those of the plan;
  stale     whole, but made by other code, from other cells, claims or parameters, or under another lock file;
  altered   a file has other bytes than were written, or its sidecar cannot be read;
  missing   a file is not there.
The gallery, the audit and what is nobody's are judged by the manifest alone.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from banditpapers import records
from banditpapers.canonical import canonical
from banditpapers.files import file_digest
from banditpapers.gallery import COMPARED, compared
from banditpapers.planning import Plan

MANIFEST = "MANIFEST.sha256"
STATES = ("current", "stale", "altered", "missing")


class Verdict(NamedTuple):
    """The state of one exhibit, and why it is not current."""

    exhibit: str
    state: str
    reasons: tuple[str, ...] = ()


def verify(plan: Plan, figures: Path) -> list[Verdict]:
    """One verdict per exhibit of the plan, then those of the gallery, the audit and other files. Raises ValueError without a manifest."""
    manifest = read_manifest(figures)
    verdicts, claimed = [], set()
    for paper in plan.papers:
        for exhibit in plan.exhibits(paper):
            names = [f"{paper}/{Path(path).name}" for path in plan.files(paper, exhibit)]
            claimed |= set(names)
            verdicts.append(_exhibit(plan, paper, exhibit, names, figures, manifest))
    there = {path.relative_to(figures).as_posix() for path in figures.rglob("*") if compared(path) and path.is_file()}
    rest = sorted((set(manifest) | there) - claimed)
    for group, names in (
        ("gallery", [name for name in rest if "/" not in name]),
        ("audit", [name for name in rest if name.startswith("audit/")]),
        ("other files", [name for name in rest if "/" in name and not name.startswith("audit/")]),
    ):
        missing, altered = _against(names, figures, manifest)
        stale = [f"{name} belongs to no exhibit of this configuration" for name in names] if group == "other files" else []
        if names or group != "other files":
            verdicts.append(_verdict(group, missing, altered, stale))
    return verdicts


def read_manifest(figures: Path) -> dict[str, str]:
    """Path to SHA-256. Raises ValueError when there is none, or a line is none of `sha256sum`, or a path leads out of the folder."""
    path = figures / MANIFEST
    if not path.is_file():
        raise ValueError(f"{path} does not exist; write a folder of figures, or make one: snakemake --cores all")
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ValueError(
                f"{path}, line {number}: {line[:100]!r} is not a SHA-256 and a path below this folder; run snakemake --cores all"
            )
        found[name] = digest
    return found


def _exhibit(plan: Plan, paper: str, exhibit: str, names: Sequence[str], figures: Path, manifest: Mapping[str, str]) -> Verdict:
    shown = [name for name in names if Path(name).suffix in COMPARED]
    missing, altered = _against(shown, figures, manifest)
    sidecar = figures / paper / f"{exhibit}.json"
    if not sidecar.is_file():
        return _verdict(f"{paper}/{exhibit}", [*missing, f"{paper}/{sidecar.name}"], altered, [])
    try:
        about = dict(json.loads(sidecar.read_text(encoding="utf-8")))
        stale = list(outdated(plan, paper, exhibit, about))
        written = dict(about.get("files", {}))
    except (ValueError, TypeError, KeyError, AttributeError):
        return _verdict(f"{paper}/{exhibit}", missing, [*altered, f"{paper}/{sidecar.name} is no sidecar"], [])
    for name in shown:
        kept = written.get(Path(name).name, manifest.get(name))
        if manifest.get(name) not in (None, kept):
            altered.append(f"{name} has other bytes than its sidecar names")
    return _verdict(f"{paper}/{exhibit}", missing, altered, stale)


def _against(names: Iterable[str], figures: Path, manifest: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What is missing and what is altered among files, by the manifest."""
    missing, altered = [], []
    for name in names:
        if not (figures / name).is_file():
            missing.append(name)
        elif name not in manifest:
            altered += [] if name == MANIFEST else [f"{name} is not in the manifest"]
        elif file_digest(figures / name) != manifest[name]:
            altered.append(f"{name} has other bytes than the manifest names")
    return missing, altered


def outdated(plan: Plan, paper: str, exhibit: str, about: Mapping[str, Any]) -> Iterable[str]:
    """What a sidecar says that the plan does not, in words."""
    cells = {cell.json: plan.simulation_code(cell) for cell in {plan.blocks[path].cell for path in plan.runs(paper, exhibit)}}
    made = {entry["cell"]: entry["code"] for entry in about["cells"]}
    for count, words in (
        (len(cells.keys() - made.keys()), "cells are not in it"),
        (len(made.keys() - cells.keys()), "cells are no longer planned"),
    ):
        if count:
            yield f"{count} {words}"
    other = sum(made[cell] != code for cell, code in cells.items() if cell in made)
    if other:
        yield f"{other} of {len(cells)} cells were simulated by other code"
    wanted = {
        "summary_code": ("summarised by other code", plan.summary_code(paper, exhibit)),
        "exhibit_code": ("drawn or laid out by other code", plan.exhibit_code(paper, exhibit)),
        "claims": ("made under other claims", plan.claims_key(paper)),
        "master_seed": ("made with another master seed", [plan.settings.master_seed] if cells else []),
        "replicates_planned": ("made of another number of replicates", plan.replicates(paper, exhibit)),
        "lock": ("made under another lock file", records.lock()),
    }
    for key, (words, value) in wanted.items():
        if about.get(key) != value:
            yield words
    if canonical(about.get("parameters")) != plan.parameters(paper, exhibit):
        yield "made with other parameters"


def _verdict(exhibit: str, missing: Sequence[str], altered: Sequence[str], stale: Sequence[str]) -> Verdict:
    reasons = [*(f"{name} is missing" for name in missing), *altered, *stale]
    state = "missing" if missing else "altered" if altered else "stale" if stale else "current"
    return Verdict(exhibit, state, tuple(reasons))
