"""codemeta.json (CodeMeta 3.0): what CITATION.cff and pyproject.toml say of the software, for indexes that read JSON-LD.

It is generated, so that a version or an author stands in one place: CITATION.cff has whom to cite, pyproject.toml what it takes to run.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banditpapers.files import write_json
from banditpapers.publication import author_name, citation, orcid

CONTEXT = "https://w3id.org/codemeta/3.0"
LANGUAGES = ("Python", "Snakemake")


def described(cite: Mapping[str, Any], project: Mapping[str, Any]) -> dict[str, Any]:
    """The description. cite: CITATION.cff as read; project: the table [project] of pyproject.toml.

    Raises ValueError when the two files disagree on version or license.
    """
    for key in ("version", "license"):
        if str(cite.get(key)) != str(project.get(key)):
            raise ValueError(f"CITATION.cff says {key} {cite.get(key)}, pyproject.toml {project.get(key)}; write the same in both")
    return {
        "@context": CONTEXT,
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "alternateName": cite["title"],
        "description": project["description"],
        "version": str(cite["version"]),
        "datePublished": str(cite["date-released"]),
        "license": f"https://spdx.org/licenses/{cite['license']}",
        "author": [_person(author) for author in cite["authors"]],
        "programmingLanguage": [{"@type": "ComputerLanguage", "name": name} for name in LANGUAGES],
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": sorted(project["dependencies"]),
        "referencePublication": [_article(reference) for reference in cite.get("references", [])],
    }


def _person(author: Mapping[str, Any]) -> dict[str, Any]:
    if "family-names" not in author:
        return {"@type": "Organization", "name": author_name(author)}
    found = {"@type": "Person", "familyName": author["family-names"], "givenName": author.get("given-names")}
    found |= {"@id": f"https://orcid.org/{orcid(author)}"} if orcid(author) else {}
    return {key: value for key, value in found.items() if value}


def _article(reference: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "@type": "ScholarlyArticle",
        "name": reference["title"],
        "author": [_person(author) for author in reference["authors"]],
        "url": reference.get("url"),
        "datePublished": str(reference["year"]) if "year" in reference else None,
        "isPartOf": {"@type": "CreativeWork", "name": reference["collection-title"]} if "collection-title" in reference else None,
    }
    return {key: value for key, value in found.items() if value}


def write(root: Path) -> None:
    """Write codemeta.json beside the two files."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    write_json(root / "codemeta.json", described(citation(root / "CITATION.cff"), project))
