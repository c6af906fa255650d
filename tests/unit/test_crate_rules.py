"""The MUST rules that the crate and the CODECHECK manifest are held against can be broken, each by a file that breaks it."""

import contextlib
import copy
import json
from datetime import UTC, datetime
from hashlib import sha256

import codecheck_rules
import crate_rules
import published
import pytest

from banditpapers import codecheck, crate


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """A checkout with a finished run, and what is rightly said of it."""
    root, plan, last = published.bundle(tmp_path_factory.mktemp("made") / "mon été", datetime(2026, 1, 2, tzinfo=UTC))
    with contextlib.chdir(root):
        return root, crate.metadata(plan, last), codecheck.text(plan, last)


TABLE = "results/quick/été-figures/lp2s/table2.csv"
RUN = "#run"
BROKEN = {
    "the context is not RO-Crate 1.1's": lambda found, entity: found.update({"@context": "https://schema.org"}),
    "an @id stands twice": lambda found, entity: found["@graph"].append(copy.deepcopy(entity("./"))),
    "LICENSE has no @type": lambda found, entity: entity("LICENSE").pop("@type"),
    "./.license is not flat": lambda found, entity: entity("./").update(license={"@id": "LICENSE", "name": "MIT"}),
    "./.author refers to #nobody, which is not described": lambda found, entity: entity("./").update(author={"@id": "#nobody"}),
    "the descriptor is no CreativeWork": lambda found, entity: entity("ro-crate-metadata.json").update({"@type": "File"}),
    "the descriptor does not conform to RO-Crate 1.1": lambda found, entity: entity("ro-crate-metadata.json").pop("conformsTo"),
    "the root is no Dataset whose @id ends with /": lambda found, entity: entity("./").update({"@type": "Thing"}),
    "the root has no description": lambda found, entity: entity("./").pop("description"),
    "datePublished is no ISO 8601 date": lambda found, entity: entity("./").update(datePublished="30 November"),
    "the root does not conform to https://w3id.org/ro/wfrun/workflow/0.5": lambda found, entity: entity("./")["conformsTo"].pop(1),
    f"{TABLE} is not linked from the root by hasPart": lambda found, entity: entity("./")["hasPart"].remove({"@id": TABLE}),
    f"{TABLE} has another size or hash": lambda found, entity: entity(TABLE).update(sha256=sha256(b"").hexdigest()),
    "../x is no URI path below the root": lambda found, entity: entity("LICENSE").update({"@id": "../x"}),
    "a b is no URI path below the root": lambda found, entity: entity("LICENSE").update({"@id": "a b"}),
    "gone.csv does not exist": lambda found, entity: entity(TABLE).update({"@id": "gone.csv"}),
    "gone/ is no folder": lambda found, entity: entity("src/").update({"@id": "gone/"}),
    "mainEntity is no ComputationalWorkflow": lambda found, entity: entity("Snakefile").update({"@type": "File"}),
    "the workflow has no programmingLanguage": lambda found, entity: entity("Snakefile").pop("programmingLanguage"),
    "the language has no version": lambda found, entity: entity(crate.SNAKEMAKE).pop("version"),
    "#scale is no FormalParameter with an additionalType": lambda found, entity: entity("#scale").pop("additionalType"),
    "no action has the main workflow as its instrument": lambda found, entity: entity(RUN).update(instrument={"@id": crate.SNAKEMAKE}),
    "has no instrument that is a tool": lambda found, entity: entity(RUN).pop("instrument"),
    "is not mentioned by the root": lambda found, entity: entity("./").pop("mentions"),
    "has no endTime in ISO 8601": lambda found, entity: entity(RUN).update(endTime="2026"),
    "has no agent": lambda found, entity: entity(RUN).update(agent=[]),
    "has no result": lambda found, entity: entity(RUN).update(result=[]),
    "which is no parameter of the workflow": lambda found, entity: entity("config/config.yaml").update(exampleOfWork={"@id": "#author-1"}),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_rule_of_ro_crate_is_found(bundle, fault):
    found = copy.deepcopy(bundle[1])

    def entity(name):
        return next(entity for entity in found["@graph"] if entity["@id"] == name or (name == RUN and entity["@id"].startswith("#run-")))

    BROKEN[fault](found, entity)
    (bundle[0] / "ro-crate-metadata.json").write_text(json.dumps(found), encoding="utf-8")
    assert any(fault in said for said in crate_rules.faults(bundle[0]))


MISTAKEN = {
    "CC-CFG-001": lambda text: text + "\n:\t- {",
    "CC-CFG-002": lambda text: text.removeprefix("---\n"),
    "CC-CFG-004": lambda text: text.replace("manifest:", "files:"),
    "CC-CFG-005": lambda text: text.replace("- file: ", "- path: ", 1),
    "CC-CFG-006": lambda text: text.replace("- file: ", "- file: /", 1),
    "CC-CFG-008": lambda text: text.replace("codechecker:", "checker:"),
    "CC-CFG-009": lambda text: text.replace("- name: The workflow", "- who: The workflow"),
    "CC-CFG-011": lambda text: text.replace("report:", "reports:"),
    "CC-CFG-015": lambda text: text.replace("config/1.0/", "config/3.0/"),
    "CC-CFG-016": lambda text: text.replace("paper:", "article:"),
    "CC-CFG-017": lambda text: text.replace("  title:", "  titles:"),
    "CC-CFG-018": lambda text: text.replace("  authors:", "  writers:"),
    "CC-CFG-019": lambda text: text.replace("- name: The banditpapers authors", "- who: The banditpapers authors"),
    "CC-CFG-023": lambda text: text + "source: FIXME\n",
    "CC-CFG-026": lambda text: text + "certificate: soon\n",
    "CC-MET-001": lambda text: text.replace("- name: The workflow", "- ORCID: 0000-0002-1825-0098\n  name: The workflow"),
    "CC-BUN-001": lambda text: text.replace("table2.csv", "table9.csv"),
}


@pytest.mark.parametrize("rule", MISTAKEN)
def test_a_broken_rule_of_codecheck_is_found(bundle, rule):
    mistaken = MISTAKEN[rule](bundle[2])
    assert mistaken != bundle[2]
    (bundle[0] / "codecheck.yml").write_text(mistaken, encoding="utf-8")
    assert [said for said in codecheck_rules.faults(bundle[0]) if said.startswith(rule)]
