"""A finished run as a Workflow Run RO-Crate 0.5: `ro-crate-metadata.json` at the top of the checkout, below which its files must lie.

One CreateAction, whose instrument is the Snakefile, turned the configuration into the published figures. Every file stands with its bytes.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from banditpapers import codecheck
from banditpapers.canonical import canonical
from banditpapers.files import file_digest, write_json, write_text
from banditpapers.planning import Plan
from banditpapers.publication import README, WORKFLOW, author_name, circumstances, citation, ended, inputs, orcid, results, sources, titles

Entity = dict[str, Any]
CONTEXT = ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"]
CRATE, WORKFLOW_CRATE = "https://w3id.org/ro/crate/1.1", "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
}
SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
FOLDERS = {"src/": "The package of algorithms, environments, summaries and exhibits", "workflow/": "The rules, scripts and profiles"}
FORMATS = {
    ".svg": "image/svg+xml", ".png": "image/png", ".csv": "text/csv", ".json": "application/json", ".md": "text/markdown",
    ".html": "text/html", ".tex": "application/x-tex", ".yaml": "application/yaml", ".yml": "application/yaml", ".cff": "application/yaml",
}  # fmt: skip


def write(plan: Plan, last: Path, crate: Path, check: Path) -> None:
    """Write the crate and the CODECHECK manifest of the run that `last` ended, from the checkout in the working folder.

    Raises OSError when a file of the run is missing, ValueError when a file cannot be described; then nothing is written.
    """
    found, text = metadata(plan, last), codecheck.text(plan, last)
    write_json(crate, found)
    write_text(check, text)


def metadata(plan: Plan, last: Path) -> Entity:
    """The crate's JSON-LD, flat: the descriptor, the checkout as a dataset, the workflow, its run, and what went in and came out."""
    cite, made = citation(), results(plan)
    licence = f"https://spdx.org/licenses/{cite['license']}"
    authors = [_author(author, i) for i, author in enumerate(cite["authors"], 1)]
    shared = {"license": _id(licence), "author": _ids(authors)}
    values = [_value(name, value) for name, value in _configuration(plan).items()]
    parameters = [_parameter(value["name"], "Text", "a section of the configuration, as canonical JSON") for value in values]
    exhibits = [
        _parameter(target, "File", "the files of a named target") for target in dict.fromkeys(target for target, _ in made.values())
    ]
    versions, machine = circumstances(path for path, (target, _) in made.items() if path.endswith(".json") and target != "all")
    software = [_package(name, number) for name, numbers in versions.items() for number in numbers if name != "banditpapers"]
    workflow = _file(WORKFLOW, str(cite["title"])) | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "version": str(cite["version"]),
        "programmingLanguage": _id(SNAKEMAKE),
        "input": _ids(parameters),
        "output": _ids(exhibits),
        "softwareRequirements": _ids(software),
        **shared,
    }
    read = [_file(path, path) | ({"about": _id("./")} if path == README else {}) for path in sources(plan.papers) if path != WORKFLOW]
    written = [_file(path, what) | {"exampleOfWork": _id(f"#{target}")} for path, (target, what) in made.items()]
    folders = [{"@id": path, "@type": "Dataset", "name": name} for path, name in FOLDERS.items()]
    run = {
        "@id": f"#run-{file_digest(Path(plan.settings.figures) / 'MANIFEST.sha256')[:16]}",
        "@type": "CreateAction",
        "name": f"All exhibits at {plan.settings.scale} scale",
        "description": f"snakemake --cores all; simulated with {'; '.join(' and '.join(values) for values in machine.values())}",
        "endTime": ended(last).isoformat(),
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "instrument": _id(WORKFLOW),
        "agent": _ids(authors),
        "object": [*map(_id, map(_uri, inputs(plan.papers))), *_ids(values)],
        "result": _ids(written),
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": str(cite["title"]),
        "description": f"Regenerated and audited: {'; '.join(titles(plan))}",
        "datePublished": str(cite["date-released"]),
        "conformsTo": [_id(profile) for profile in PROFILES],
        "mainEntity": _id(WORKFLOW),
        "mentions": _ids([run]),
        "hasPart": _ids([workflow, *read, *written, *folders]),
        **shared,
    }
    described = [*_terms(licence, cite), *authors, *software, *parameters, *values, *exhibits]
    return {"@context": CONTEXT, "@graph": [_descriptor(), root, workflow, run, *described, *read, *written, *folders]}


def _descriptor() -> Entity:
    about = {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": _id("./")}
    return about | {"conformsTo": [_id(CRATE), _id(WORKFLOW_CRATE)]}


def _terms(licence: str, cite: Mapping[str, Any]) -> list[Entity]:
    """What the other entities refer to: the profiles, the licence, the workflow's language."""
    profiles = [{"@id": uri, "@type": "CreativeWork", "name": name, "version": number} for uri, (name, number) in PROFILES.items()]
    described = f"The licence in the file LICENSE; its SPDX identifier is {cite['license']}"
    return [
        *profiles,
        {"@id": licence, "@type": "CreativeWork", "name": str(cite["license"]), "description": described},
        {
            "@id": SNAKEMAKE,
            "@type": "ComputerLanguage",
            "name": "Snakemake",
            "identifier": "https://doi.org/10.1093/bioinformatics/bts480",
            "url": "https://snakemake.readthedocs.io",
            "version": version("snakemake"),
        },
    ]


def _configuration(plan: Plan) -> dict[str, str]:
    """The merged configuration, section by section, so that a run with a file of one's own is described as well."""
    settings = plan.settings
    common = {name: canonical(value) for name, value in settings.model_dump(mode="json", exclude={"grids"}).items()}
    return common | {paper: canonical(grid.model_dump(mode="json", exclude_none=True)) for paper, grid in settings.grids.items()}


def _file(path: str, name: str) -> Entity:
    found = {"@id": _uri(path), "@type": "File", "name": name, "encodingFormat": FORMATS.get(Path(path).suffix, "text/plain")}
    return found | {"contentSize": str(Path(path).stat().st_size), "sha256": file_digest(Path(path))}


def _author(author: Mapping[str, Any], number: int) -> Entity:
    kind = "Organization" if "name" in author else "Person"
    return {
        "@id": f"https://orcid.org/{orcid(author)}" if orcid(author) else f"#author-{number}",
        "@type": kind,
        "name": author_name(author),
    }


def _parameter(name: str, kind: str, described: str) -> Entity:
    return {"@id": f"#{name}", "@type": "FormalParameter", "name": name, "additionalType": kind, "description": described}


def _value(name: str, value: str) -> Entity:
    return {"@id": f"#{name}-value", "@type": "PropertyValue", "name": name, "value": value, "exampleOfWork": _id(f"#{name}")}


def _package(name: str, number: str) -> Entity:
    # A package URL names the release without naming the registry that a site installs from.
    place = f"pkg:pypi/{name}@{number}" if name != "python" else f"https://www.python.org/downloads/release/python-{number}/"
    return {"@id": place, "@type": "SoftwareApplication", "name": name, "softwareVersion": number, "url": place}


def _uri(path: str) -> str:
    """A path as a URI reference: letters of any alphabet stand as they are, what is special is escaped."""
    return re.sub(r"[^\w./~-]", lambda letter: "".join(f"%{byte:02X}" for byte in letter[0].encode()), path)


def _id(name: str) -> Entity:
    return {"@id": name}


def _ids(entities: Iterable[Entity]) -> list[Entity]:
    return [_id(entity["@id"]) for entity in entities]
