"""What a finished run hands out: its files with what they are, where they came from, who is cited, and when it ended."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from banditpapers.planning import Plan

WORKFLOW, README, CITATION = "Snakefile", "README.md", "CITATION.cff"
CITED = ("title", "authors", "version", "license", "date-released")
PAGES = {  # among the figures, beside the exhibits
    "README.md": "The gallery of all exhibits",
    "MANIFEST.sha256": "The SHA-256 of every file that is the same on every run",
    "audit/index.html": "The audit as a page: every claim with its measurement, its readings and its verdict",
    "audit/claims.csv": "Every claim of the papers with its measurement and verdict",
    "audit/summary.md": "The verdicts, counted",
    "audit/claims.json": "The same for other programs, with every reading and the rule of each verdict",
    "audit/claims.schema.json": "The JSON Schema of that file",
    "audit/differences.md": "Where paper and measurement differ, and the readings side by side",
}


def sources(papers: Sequence[str]) -> list[str]:
    """The files of the checkout that a run is described by: the workflow, its environment and its configuration."""
    return [WORKFLOW, README, CITATION, "LICENSE", "environment.yml", *inputs(papers)]


def inputs(papers: Sequence[str]) -> list[str]:
    """Those that a run reads from places of their own."""
    return [
        "requirements.lock",
        "config/config.yaml",
        *(f"config/{paper}.yaml" for paper in papers),
        *(f"config/claims/{paper}.yaml" for paper in papers),
        Plan.main_claims,
        *(f"config/findings/{paper}.yaml" for paper in papers),
    ]


def results(plan: Plan) -> dict[str, tuple[str, str]]:
    """Every published file: the target that makes it, and what it is."""
    found: dict[str, tuple[str, str]] = {}
    for paper in plan.papers:
        for name, exhibit in plan.exhibits(paper).items():
            found |= dict.fromkeys(plan.files(paper, name), (f"{paper}_{name}", exhibit.title))
    return found | {f"{plan.settings.figures}/{page}": ("all", what) for page, what in PAGES.items()}


def titles(plan: Plan) -> list[str]:
    """The titles of the papers."""
    return [str(plan.experiment(paper).TITLE) for paper in plan.papers]


def citation(path: Path = Path(CITATION)) -> dict[str, Any]:
    """Who is cited for the workflow. Raises ValueError when a key is missing."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML ({' '.join(str(error).split())}); correct it") from error
    missing = [key for key in CITED if not isinstance(found, dict) or not found.get(key)]
    if missing:
        raise ValueError(f"{path} has no {missing[0]}; write the keys {', '.join(CITED)}")
    return dict(found)


def author_name(author: Mapping[str, Any]) -> str:
    """A person's or an organisation's name, from an author of CITATION.cff."""
    return str(author.get("name") or " ".join(str(author[key]) for key in ("given-names", "family-names") if key in author))


def orcid(author: Mapping[str, Any]) -> str:
    """The plain identifier, or nothing."""
    return str(author.get("orcid", "")).rsplit("/", 1)[-1]


def ended(path: Path) -> datetime:
    """When the workflow wrote its last file: the end of the run, with no clock read here."""
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)


def circumstances(sidecars: Iterable[str]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The versions of all packages and the machines that are behind sidecars, each with all its values."""
    together: dict[str, dict[str, set[str]]] = {"versions": {}, "machine": {}}
    for path in sidecars:
        about = json.loads(Path(path).read_text(encoding="utf-8"))
        for part, names in together.items():
            for name, value in about[part].items():
                names.setdefault(name, set()).update(str(value).split(", "))
    versions, machine = ({name: sorted(values) for name, values in sorted(names.items())} for names in together.values())
    return versions, machine
