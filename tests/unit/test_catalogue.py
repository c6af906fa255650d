"""Rules of the catalogue of Snakemake workflows (standardized usage), of CITATION.cff 1.2.0 and of codemeta.json."""

import copy
import datetime
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import banditpapers
from banditpapers import codemeta

ROOT = Path(__file__).parents[2]
CITE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CATALOGUE = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))
REQUIRED = {"cff-version", "message", "title", "authors"}
OPTIONAL = {  # of the 1.2.0 schema
    "abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license", "license-url", "preferred-citation",
    "references", "repository", "repository-artifact", "repository-code", "type", "url", "version",
}  # fmt: skip
PERSON = {
    "address",
    "affiliation",
    "alias",
    "city",
    "country",
    "email",
    "family-names",
    "fax",
    "given-names",
    "name-particle",
    "name-suffix",
}
PERSON |= {"orcid", "post-code", "region", "tel", "website"}
REFERENCES = {"article", "book", "conference-paper", "dataset", "preprint", "report", "software", "thesis"}  # those that may be wanted here


def faults_of_citation(cite):
    """What the schema would refuse, as sentences."""
    found = [f"no {key}" for key in sorted(REQUIRED - set(cite))] + [f"unknown {key}" for key in sorted(set(cite) - REQUIRED - OPTIONAL)]
    if cite.get("cff-version") != "1.2.0":
        found.append("cff-version")
    if cite.get("type", "software") not in ("software", "dataset"):
        found.append("type")
    if "date-released" in cite and not re.fullmatch(r"\d{4}-\d\d-\d\d", str(cite["date-released"])):
        found.append("date-released")
    for place in [cite, *cite.get("references", [])]:
        if not place.get("authors"):
            found.append(f"no authors of {place.get('title')}")
        for author in place.get("authors", []):
            if "name" not in author and not (author and set(author) <= PERSON):
                found.append(f"neither a person nor an entity: {author}")
    for reference in cite.get("references", []):
        if not {"authors", "title", "type"} <= set(reference) or reference["type"] not in REFERENCES:
            found.append(f"reference {reference.get('title')}")
        if not isinstance(reference.get("year", 2000), int):
            found.append(f"year of {reference.get('title')}")
    return found


def test_citation_keeps_the_rules_of_its_format():
    assert faults_of_citation(CITE) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda cite: cite.pop("message"), "no message"),
        (lambda cite: cite.update(colour="red"), "unknown colour"),
        (lambda cite: cite.update({"cff-version": "1.1.0"}), "cff-version"),
        (lambda cite: cite.update({"date-released": "30.11.2026"}), "date-released"),
        (lambda cite: cite.update(authors=[{"surname": "A"}]), "neither a person"),
        (lambda cite: cite["references"][0].update(type="paper"), "reference"),
        (lambda cite: cite["references"][1].update(year="2021"), "year of"),
    ],
)
def test_a_broken_citation_is_told(broken, said):
    cite = copy.deepcopy(CITE)
    broken(cite)
    assert any(fault.startswith(said) for fault in faults_of_citation(cite))


def test_one_version_everywhere():
    assert str(CITE["version"]) == PROJECT["version"] == banditpapers.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", PROJECT["version"])
    assert datetime.date.fromisoformat(str(CITE["date-released"]))


def test_codemeta_is_what_the_two_files_say():
    """Otherwise: python workflow/scripts/codemeta.py."""
    assert json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8")) == codemeta.described(CITE, PROJECT)


def test_codemeta_has_people_and_organisations_and_every_paper():
    found = codemeta.described(CITE | {"authors": [{"family-names": "A", "given-names": "B", "orcid": "https://orcid.org/0-1"}]}, PROJECT)
    assert found["author"] == [{"@type": "Person", "familyName": "A", "givenName": "B", "@id": "https://orcid.org/0-1"}]
    assert [paper["name"] for paper in found["referencePublication"]] == [reference["title"] for reference in CITE["references"]]


def test_files_that_disagree_are_refused():
    with pytest.raises(ValueError, match="write the same in both"):
        codemeta.described(CITE | {"version": "9.9.9"}, PROJECT)


def test_the_catalogue_finds_what_it_looks_for():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (ROOT / "config" / "README.md").stat().st_size > 0
    assert list((ROOT / "workflow" / "rules").glob("*.smk"))
    assert (ROOT / "workflow" / "Snakefile").is_file()


def test_the_catalogue_s_settings_have_its_keys():
    usage = CATALOGUE["usage"]
    assert set(CATALOGUE) == {"usage"}
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["mandatory-flags"]) == {"desc", "flags"}
    assert isinstance(usage["mandatory-flags"]["flags"], str | list)
    deployment = usage["software-stack-deployment"]
    assert set(deployment) == {"conda", "apptainer", "apptainer+conda", "report"}
    assert all(isinstance(value, bool) for value in deployment.values())
    assert usage["report"] is deployment["report"] is True  # tests/workflow/test_report.py makes one


def test_no_deployment_is_promised_while_snakemake_itself_imports_the_package():
    """--sdm installs what jobs need; here Snakemake needs it before there is a job."""
    common = (ROOT / "workflow" / "rules" / "common.smk").read_text(encoding="utf-8")
    deployment = CATALOGUE["usage"]["software-stack-deployment"]
    if re.search(r"^from banditpapers import", common, re.MULTILINE):
        assert not any(deployment[way] for way in ("conda", "apptainer", "apptainer+conda"))
    assert "requirements.lock" in CATALOGUE["usage"]["mandatory-flags"]["desc"]


def test_both_snakefiles_plan_the_same_jobs():
    def planned(snakefile):
        options = [
            "--snakefile",
            snakefile,
            "--configfile",
            "config/quick.yaml",
            "--dry-run",
            "--forceall",
            "--quiet",
            "rules",
            "--cores",
            "1",
        ]
        done = subprocess.run([sys.executable, "-m", "snakemake", *options], check=False, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        return dict(re.findall(r"^(\w+) +(\d+)$", done.stdout + done.stderr, re.MULTILINE))

    jobs = planned("Snakefile")
    assert int(jobs["simulate"]) > 10
    assert jobs.pop("all") == "1"
    assert planned("workflow/Snakefile") == jobs | {"everything": "1"}
