"""Bad configuration files by kind of mistake, each refused in one sentence: file, line, key path, what was found, what to write.

`test_configuration.py` and `test_drts_refusals.py` hold a hundred and thirty more; here are the kinds that are thin there, and what a file
does to Snakemake, which reads it before the workflow does.
"""

import os
import re
import sys
from pathlib import Path

import pytest
import yaml
import yte
from bad_inputs import REFUSED

from banditpapers.configuration import ConfigurationError, load, refuse_files, shipped

ROOT = Path(__file__).parents[2]
REMEDY = r"; (write|keep|leave|save|correct|add|did you mean) "

CASES = [(kind, *case) for kind, cases in REFUSED.items() for case in cases]
# what cannot be read as it should, or could make Snakemake run or ask for something, is refused before Snakemake sees it
FIRST = [case for case in CASES if case[0] in ("syntax", "duplicate keys", "encodings") or "__use_yte__" in str(case[1])]
FIRST = [case for case in FIRST if not case[3].endswith("write a label in lower case *")]  # a value is refused by the workflow itself


def fits(pattern, text):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path("mine.yaml")


def written(file, content):
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize(("kind", "content", "place", "sentence"), CASES, ids=[f"{kind}: {content[:40]!r}" for kind, content, *_ in CASES])
def test_is_refused_with_file_line_key_and_remedy(mine, kind, content, place, sentence):
    with pytest.raises(ConfigurationError) as caught:
        load([*shipped(ROOT), written(mine, content)])
    found = str(caught.value)
    # a contradiction may have a second fault that follows from the first
    first = found.split("\n", maxsplit=1)[0]
    assert fits(f"{place if 'yaml' in place else f'mine.yaml, {place}'}: {sentence}", first), found
    assert re.search(REMEDY, first), found
    assert kind == "contradictions" or "\n" not in found, found


def test_every_kind_has_its_share():
    assert len(CASES) >= 100
    assert min(map(len, REFUSED.values())) >= 5


@pytest.mark.parametrize(("kind", "content", "place", "sentence"), FIRST, ids=[f"{kind}: {content[:40]!r}" for kind, content, *_ in FIRST])
def test_snakemake_is_stopped_before_it_reads_the_file(mine, monkeypatch, capsys, kind, content, place, sentence):
    """The default profile's own lines are run as Snakemake runs them, with the command line that Snakemake has."""
    profile = yaml.safe_load((ROOT / "workflow/profiles/default/config.yaml").read_text(encoding="utf-8"))
    arguments = ["snakemake", "-s", str(ROOT / "Snakefile"), "--cores", "2", "--configfile", str(written(mine, content)), "--config", "a=1"]
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (code,) = profile["__definitions__"]
    with pytest.raises(SystemExit) as caught:
        exec(code, {})
    assert fits(f"the configuration is refused:\nmine.yaml, {place}: {sentence}", str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("absent.yaml", "No such file or directory"),
        ("absent/mine.yaml", "No such file or directory"),
        (".", "a folder or a device, not a file"),
        ("/dev/zero", "a folder or a device, not a file"),
        ("pipe", "a folder or a device, not a file"),
        ("loop.yaml", "Too many levels of symbolic links"),
        ("a" * 300, "File name too long"),
        ("nul\0.yaml", "*null byte*"),
    ],
)
def test_a_file_that_is_none_is_named(mine, name, reason):
    os.mkfifo("pipe")
    os.symlink("loop.yaml", "loop.yaml")
    with pytest.raises(ConfigurationError) as caught:
        refuse_files([Path(name)])
    assert fits(f"{name}: the file cannot be read ({reason}); write the path of a YAML file", str(caught.value)), str(caught.value)


def test_ten_megabytes_are_refused_unread(mine):
    with mine.open("wb") as file:
        file.write(b"scale: quick\n")
        file.truncate(10_000_000)
    with pytest.raises(ConfigurationError) as caught:
        refuse_files([mine])
    assert str(caught.value) == "mine.yaml: found more than 400000 bytes, which is no configuration; write the path of a smaller YAML file"


def test_what_is_well_written_passes_the_first_look(mine):
    refuse_files([*shipped(ROOT), ROOT / "config/quick.yaml", written(mine, b"\xef\xbb\xbfscale: quick\r\nblock:\r\n  largest: 2\r\n")])
    assert load([*shipped(ROOT), mine]).block.largest == 2


def test_the_profile_leaves_other_command_lines_alone(mine, monkeypatch):
    (code,) = yaml.safe_load((ROOT / "workflow/profiles/default/config.yaml").read_text(encoding="utf-8"))["__definitions__"]
    monkeypatch.setattr(sys, "path", list(sys.path))
    written(mine, "scale: quick")
    for arguments in (
        [],
        ["lp2s"],
        ["--configfile"],
        ["--configfile=mine.yaml"],
        ["--configfiles", "mine.yaml", "mine.yaml", "--config", "scale=b"],
    ):
        monkeypatch.setattr(sys, "argv", ["snakemake", f"--snakefile={ROOT / 'Snakefile'}", *arguments])
        exec(code, {})


def test_the_profile_still_sets_what_it_sets(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["snakemake"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(ROOT)
    found = yte.process_yaml((ROOT / "workflow/profiles/default/config.yaml").read_text(encoding="utf-8"), require_use_yte=True)
    settings = {"cores": "all", "scheduler": "greedy", "rerun-incomplete": True, "keep-going": True, "show-failed-logs": True}
    assert found == settings | {"quiet": ["host", "reason"]}
