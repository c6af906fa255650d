"""A tree of figures is current, stale, altered or missing, exhibit by exhibit, and the reason is named."""

import contextlib
import json
import shutil
import subprocess
import sys

import published
import pytest

from banditpapers import records, verification

VERIFY = published.ROOT / "workflow" / "scripts" / "verify.py"
TABLE = "lp2s/table2"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The plan of the quick preset, and a whole and current tree at a path with a blank and an accent."""
    folder = tmp_path_factory.mktemp("made") / "les é figures"
    with contextlib.chdir(published.ROOT):
        plan = published.plan()
        published.publish(plan, folder)
    return plan, folder


@pytest.fixture
def plan(made, monkeypatch):
    """The plan."""
    monkeypatch.chdir(published.ROOT)
    return made[0]


@pytest.fixture
def figures(made, tmp_path):
    """A copy of the tree, to be altered."""
    return shutil.copytree(made[1], tmp_path / made[1].name)


def states(verdicts):
    """What is not current, and why."""
    return {verdict.exhibit: (verdict.state, verdict.reasons) for verdict in verdicts if verdict.state != "current"}


def test_what_was_just_made_is_current(plan, figures):
    verdicts = verification.verify(plan, figures)
    assert [verdict.exhibit for verdict in verdicts] == [*(f"lp2s/{name}" for name in plan.exhibits("lp2s")), "gallery", "audit"]
    assert states(verdicts) == {}


def change(figures, alter, exhibit=TABLE):
    path = figures / f"{exhibit}.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    alter(about)
    path.write_text(json.dumps(about), encoding="utf-8")


STALE = {
    "5 of 5 cells were simulated by other code": lambda about: [cell.update(code="abc, def") for cell in about["cells"]],
    "1 of 5 cells were simulated by other code": lambda about: about["cells"][3].update(code="0"),
    "1 cells are not in it": lambda about: about["cells"].pop(),
    "1 cells are no longer planned": lambda about: about["cells"].append({**about["cells"][0], "cell": "{}"}),
    "summarised by other code": lambda about: about.update(summary_code="0"),
    "drawn or laid out by other code": lambda about: about.update(exhibit_code="0"),
    "made under other claims": lambda about: about.update(claims="0"),
    "made with another master seed": lambda about: about.update(master_seed=[7]),
    "made of another number of replicates": lambda about: about.update(replicates_planned=21),
    "made with other parameters": lambda about: about["parameters"].update(setting="SRM"),
    "made under another lock file": lambda about: about.update(lock=f"{about['lock']}, {'0' * 64}"),
}


@pytest.mark.parametrize("reason", STALE)
def test_an_exhibit_made_otherwise_is_stale_and_says_so(plan, figures, reason):
    change(figures, STALE[reason])
    assert states(verification.verify(plan, figures)) == {TABLE: ("stale", (reason,))}


def test_a_sidecar_from_before_something_was_recorded_is_stale(plan, figures):
    change(figures, lambda about: [about.pop(key) for key in ("lock", "claims", "machine", "files")])
    assert states(verification.verify(plan, figures)) == {TABLE: ("stale", ("made under other claims", "made under another lock file"))}


def test_another_configuration_makes_its_exhibits_stale(plan, figures):
    found = states(verification.verify(published.plan(master_seed="7"), figures))
    assert set(found) == {f"lp2s/{name}" for name in plan.exhibits("lp2s") if plan.runs("lp2s", name)}
    assert {reasons for _, reasons in found.values()} == {("made with another master seed",)}


def test_another_lock_file_makes_everything_stale(plan, figures, tmp_path, monkeypatch):
    (tmp_path / "other.lock").write_text("numpy==1.0\n")
    monkeypatch.setattr(records, "LOCK", tmp_path / "other.lock")
    found = states(verification.verify(plan, figures))
    assert set(found.values()) == {("stale", ("made under another lock file",))}
    assert len(found) == len(plan.exhibits("lp2s"))


def flip(path):
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 1
    path.write_bytes(text)


@pytest.mark.parametrize(
    ("name", "exhibit"),
    [
        ("lp2s/figure1.svg", "lp2s/figure1"),
        ("lp2s/table2.csv", TABLE),
        ("lp2s/table2.tex", TABLE),
        ("README.md", "gallery"),
        ("audit/claims.csv", "audit"),
    ],
)
def test_one_flipped_bit_is_found_and_its_file_named(plan, figures, name, exhibit):
    flip(figures / name)
    assert states(verification.verify(plan, figures)) == {exhibit: ("altered", (f"{name} has other bytes than the manifest names",))}
    (figures / name).unlink()
    assert states(verification.verify(plan, figures)) == {exhibit: ("missing", (f"{name} is missing",))}


def test_an_alteration_with_a_new_manifest_is_found_by_the_sidecar(plan, figures):
    flip(figures / "lp2s/table2.csv")
    published.seal(figures)
    reason = "lp2s/table2.csv has other bytes than its sidecar names"
    assert states(verification.verify(plan, figures)) == {TABLE: ("altered", (reason,))}


@pytest.mark.parametrize("text", ["", "[1, 2", "[1]", '{"cells": 3}', "null", '{"cells": [{}]}', "\ud800".encode("utf-8", "surrogatepass")])
def test_a_sidecar_that_is_none_is_altered(plan, figures, text):
    (figures / f"{TABLE}.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert states(verification.verify(plan, figures)) == {TABLE: ("altered", (f"{TABLE}.json is no sidecar",))}


def test_a_missing_sidecar_is_missing(plan, figures):
    (figures / f"{TABLE}.json").unlink()
    assert states(verification.verify(plan, figures)) == {TABLE: ("missing", (f"{TABLE}.json is missing",))}


def test_a_file_beside_the_manifest_is_found(plan, figures):
    (figures / "lp2s/figure9 é.svg").write_text("smuggled")
    reasons = ("lp2s/figure9 é.svg is not in the manifest", "lp2s/figure9 é.svg belongs to no exhibit of this configuration")
    assert states(verification.verify(plan, figures)) == {"other files": ("altered", reasons)}
    published.seal(figures)
    assert states(verification.verify(plan, figures)) == {"other files": ("stale", reasons[1:])}


@pytest.mark.parametrize(
    "line", ["abc  lp2s/table2.csv", f"{'0' * 64} lp2s/table2.csv", f"{'0' * 64}  ../secret", f"{'0' * 64}  /etc/hostname", "\ufffd"]
)
def test_a_manifest_that_is_none_is_refused(plan, figures, line):
    (figures / "MANIFEST.sha256").write_text(f"{'0' * 64}  README.md\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"MANIFEST\.sha256, line 2: .* is not a SHA-256 and a path below this folder; run snakemake"):
        verification.verify(plan, figures)


def verify(*arguments, cwd=published.ROOT):
    process = subprocess.run(
        [sys.executable, str(VERIFY), *map(str, arguments)], cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return process.returncode, process.stdout.splitlines(), process.stderr


def test_the_command_says_it_by_exit_codes_and_sentences(plan, figures, tmp_path):
    options = ["--configfile", published.ROOT / "config/quick.yaml", "--config", "papers=[lp2s]"]
    change(figures, STALE["made under other claims"])
    code, lines, said = verify(figures.name, *options, cwd=tmp_path)  # a relative folder, from another place
    assert (code, lines[-1]) == (0, "11 current, 1 stale, 0 altered, 0 missing")
    assert f"stale    {TABLE}: made under other claims" in lines
    assert said == "warning: some figures are stale: other code, configuration or lock file made them; run snakemake --cores all\n"
    code, _, said = verify(figures, *options, "--strict")
    assert (code, said.startswith("verify.py: some figures are stale"), said.count("\n")) == (1, True, 1)
    flip(figures / "lp2s/figure1.svg")
    code, lines, said = verify(figures, *options, "--json")
    assert (code, json.loads("\n".join(lines))["counts"]) == (1, {"current": 10, "stale": 1, "altered": 1, "missing": 0})
    assert (said.startswith("verify.py: figures are altered or missing"), said.count("\n")) == (True, 1)


def test_the_command_without_a_manifest_ends_in_one_sentence(tmp_path):
    code, lines, said = verify(tmp_path)
    assert (code, lines, said.count("\n")) == (1, [], 1)
    assert "MANIFEST.sha256 does not exist; write a folder of figures, or make one: snakemake --cores all" in said
