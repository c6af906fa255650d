"""A made-up finished run: every file that the plan publishes, with sidecars as the workflow writes them, and no simulation."""

import contextlib
import json
import os
import shutil
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from banditpapers import configuration, crate, exhibits, gallery, publication, records
from banditpapers.planning import Plan

ROOT = Path(__file__).parents[1]


def plan(**overrides) -> Plan:
    """The plan of the quick preset, for the papers that are quickly planned; the checkout must be the working folder."""
    files = [*configuration.shipped(Path()), Path("config/quick.yaml")]
    return Plan(configuration.load(files, {"papers": ["lp2s"], **overrides}))


def sidecar(plan: Plan, paper: str, name: str, files: dict[str, bytes]) -> dict:
    """What the workflow says of an exhibit that it has just made."""
    cells = sorted({plan.blocks[path].cell for path in plan.runs(paper, name)}, key=lambda cell: cell.id)
    planned = plan.replicates(paper, name)
    counts = {"planned": planned, "finished": planned, "failed": 0}
    about = {
        "exhibit": f"{paper}/{name}",
        "caption": "",
        "cells": [{"id": cell.id, "cell": cell.json, "code": plan.simulation_code(cell), **counts} for cell in cells],
        "replicates": {word: count * len(cells) for word, count in counts.items()},
        "replicates_planned": planned,
        "master_seed": [plan.settings.master_seed] if cells else [],
        "parameters": json.loads(plan.parameters(paper, name)),
        "claims": plan.claims_key(paper),
        "summary_code": plan.summary_code(paper, name),
        "exhibit_code": plan.exhibit_code(paper, name),
        "cpu_seconds": 1.5,
        "files": {name: sha256(text).hexdigest() for name, text in files.items()},
        **records.made_with(),
    }
    assert about.keys() == set(exhibits.PROVENANCE)
    return about


def publish(plan: Plan, figures: Path) -> None:
    """Write all exhibits, the gallery, the audit and the manifest."""
    for paper in plan.papers:
        (figures / paper).mkdir(parents=True)
        for name, exhibit in plan.exhibits(paper).items():
            files = {f"{name}.{suffix}": f"{paper} {name} {suffix}\n".encode() for suffix in exhibits.SHOWN[exhibit.kind]}
            for file, text in files.items():
                (figures / paper / file).write_bytes(text)
            (figures / paper / f"{name}.json").write_text(json.dumps(sidecar(plan, paper, name, files)), encoding="utf-8")
    (figures / "audit").mkdir()
    for page in (name for name in publication.PAGES if name != "MANIFEST.sha256"):
        (figures / page).write_text(page, encoding="utf-8")
    seal(figures)


def seal(figures: Path) -> None:
    """Write the manifest of what is there now."""
    (figures / "MANIFEST.sha256").write_text(gallery.manifest(figures) + "\n", encoding="utf-8")


def bundle(root: Path, ended: datetime) -> tuple[Path, Plan, Path]:
    """A checkout with what a crate describes and a finished run; its plan, and the file that was written last, below it."""
    for name in [*publication.sources(configuration.PAPERS), "config/quick.yaml"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for folder in crate.FOLDERS:
        (root / folder).mkdir()
    last = Path("results/quick/complete.json")
    with contextlib.chdir(root):
        made = plan(figures="results/quick/été-figures")
        publish(made, Path(made.settings.figures))
        last.write_text("{}")
        os.utime(last, (ended.timestamp(), ended.timestamp()))
    return root, made, last
