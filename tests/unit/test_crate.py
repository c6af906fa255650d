"""The RO-Crate and the CODECHECK manifest of a run: they follow the MUST rules of their specifications and say what was run."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import codecheck_rules
import crate_rules
import published
import pytest
import yaml

from banditpapers import crate, publication, records

ENDED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A checkout with a finished run, at a path with a blank and an accent."""
    return published.bundle(tmp_path_factory.mktemp("made") / "mon été", ENDED)


@pytest.fixture
def bundle(made, tmp_path, monkeypatch):
    """A copy of it, the working folder; its plan, and the file that was written last."""
    root = shutil.copytree(made[0], tmp_path / "mon été")
    monkeypatch.chdir(root)
    return root, *made[1:]


def written(bundle):
    """The crate and the CODECHECK manifest, written."""
    root, plan, last = bundle
    crate.write(plan, last, root / "ro-crate-metadata.json", root / "codecheck.yml")
    return json.loads((root / "ro-crate-metadata.json").read_text(encoding="utf-8")), (root / "codecheck.yml").read_text(encoding="utf-8")


def by_id(found):
    return {entity["@id"]: entity for entity in found["@graph"]}


def test_all_rules_hold(bundle):
    written(bundle)
    assert crate_rules.faults(bundle[0]) == []
    assert codecheck_rules.faults(bundle[0]) == []


def test_the_crate_names_every_published_file_and_what_went_in(bundle):
    root, plan, _ = bundle
    entities = by_id(written(bundle)[0])
    (run,) = (entity for entity in entities.values() if entity["@type"] == "CreateAction")
    results = {part["@id"] for part in run["result"]}
    assert results == {path.relative_to(root).as_posix() for path in (root / plan.settings.figures).rglob("*") if path.is_file()}
    assert "results/quick/été-figures/lp2s/table2.csv" in results, "letters stand as they are"
    assert run["endTime"] == "2026-01-02T03:04:05+00:00"
    objects = {part["@id"] for part in run["object"]}
    assert {"config/config.yaml", "config/lp2s.yaml", "config/claims/lp2s.yaml", "requirements.lock", "#master_seed-value"} <= objects
    assert entities["#master_seed-value"]["value"] == str(plan.settings.master_seed)
    assert json.loads(entities["#lp2s-value"]["value"])["realizations"] == 20
    assert entities["results/quick/été-figures/lp2s/table2.csv"]["exampleOfWork"] == {"@id": "#lp2s_table2"}
    assert all(word in run["description"] for word in records.machine().values())


def test_the_bytes_are_the_same_each_time_and_no_clock_is_read(bundle, monkeypatch):
    root = bundle[0]
    written(bundle)
    first = [(root / name).read_bytes() for name in ("ro-crate-metadata.json", "codecheck.yml")]
    assert str(root).encode() not in first[0] + first[1]
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    written(bundle)
    assert first == [(root / name).read_bytes() for name in ("ro-crate-metadata.json", "codecheck.yml")]


def test_the_manifest_of_codecheck_is_what_every_run_makes_again(bundle):
    root, plan, _ = bundle
    found = yaml.safe_load(written(bundle)[1])
    listed = {item["file"] for item in found["manifest"]}
    figures = Path(plan.settings.figures)
    sealed = {line.split("  ")[1] for line in (root / figures / "MANIFEST.sha256").read_text(encoding="utf-8").splitlines()}
    assert listed == {str(figures / name) for name in sealed}
    assert all(item["comment"] for item in found["manifest"])
    assert found["check_time"] == "2026-01-02 03:04:05"
    assert found["codechecker"] == [{"name": "The workflow itself; no independent codechecker has run it yet"}]
    assert (root / found["report"]).is_file()


@pytest.mark.parametrize("name", ["results/quick/été-figures/lp2s/table2.csv", "LICENSE", "results/quick/été-figures/MANIFEST.sha256"])
def test_a_missing_file_is_named_and_nothing_is_written(bundle, name):
    (bundle[0] / name).unlink()
    with pytest.raises(FileNotFoundError, match=Path(name).name):
        written(bundle)
    assert not (bundle[0] / "codecheck.yml").exists()
    assert not (bundle[0] / "ro-crate-metadata.json").exists()


@pytest.mark.parametrize("key", publication.CITED)
def test_a_citation_without_a_key_is_refused(bundle, key):
    cite = yaml.safe_load((bundle[0] / "CITATION.cff").read_text(encoding="utf-8"))
    del cite[key]
    (bundle[0] / "CITATION.cff").write_text(yaml.safe_dump(cite))
    with pytest.raises(ValueError, match=f"CITATION.cff has no {key}; write the keys title, authors"):
        written(bundle)


@pytest.mark.parametrize("text", ["a: [", "- a", "", "!!python/object/apply:os.system [touch pwned]"])
def test_a_citation_that_is_none_is_refused(bundle, text):
    (bundle[0] / "CITATION.cff").write_text(text)
    with pytest.raises(ValueError, match=r"CITATION\.cff (is not YAML|has no title)"):
        written(bundle)
    assert not (bundle[0] / "pwned").exists()


def test_people_are_cited_with_their_identifiers(bundle):
    cite = yaml.safe_load((bundle[0] / "CITATION.cff").read_text(encoding="utf-8"))
    cite["authors"] = [
        {"given-names": "Zoë", "family-names": "Ångström", "orcid": "https://orcid.org/0000-0002-1825-0097"},
        {"name": "A group"},
    ]
    (bundle[0] / "CITATION.cff").write_text(yaml.safe_dump(cite, allow_unicode=True), encoding="utf-8")
    found, text = written(bundle)
    assert by_id(found)["https://orcid.org/0000-0002-1825-0097"] == {
        "@id": "https://orcid.org/0000-0002-1825-0097", "@type": "Person", "name": "Zoë Ångström",
    }  # fmt: skip
    assert by_id(found)["#author-2"]["@type"] == "Organization"
    assert yaml.safe_load(text)["paper"]["authors"] == [{"name": "Zoë Ångström", "ORCID": "0000-0002-1825-0097"}, {"name": "A group"}]
    assert crate_rules.faults(bundle[0]) == codecheck_rules.faults(bundle[0]) == []


def test_mixed_machines_and_versions_show(bundle):
    root, plan, _ = bundle
    path = root / plan.settings.figures / "lp2s/table2.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    about["machine"]["processor"], about["versions"]["numpy"] = "aarch64, riscv64", "9.9.9"
    path.write_text(json.dumps(about), encoding="utf-8")
    entities = by_id(written(bundle)[0])
    assert "pkg:pypi/numpy@9.9.9" in entities
    assert sum(name.startswith("pkg:pypi/numpy@") for name in entities) == 2
    assert any("aarch64 and riscv64" in str(entity.get("description")) for entity in entities.values())


def test_special_letters_of_a_path_are_escaped():
    assert crate._uri("a b/50%/été_1.csv") == "a%20b/50%25/été_1.csv"
