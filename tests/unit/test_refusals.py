"""What a well-formed configuration may still ask for in vain: folders, more than a machine can hold, targets that there are not."""

import os
from pathlib import Path

import pytest

from banditpapers import refusals
from banditpapers.cells import files, span
from banditpapers.configuration import load, shipped
from banditpapers.planning import Plan

ROOT = Path(__file__).parents[2]


@pytest.fixture
def plan(monkeypatch):
    """The plan of the shipped configuration with overrides."""
    monkeypatch.chdir(ROOT)
    return lambda **overrides: Plan(load(shipped(ROOT), overrides))


def test_the_shipped_configuration_passes(plan):
    refusals.refuse(plan(), ["--cores", "2", "lp2s", "drts_figure1", "figures/README.md", "lp2s=1"])


@pytest.mark.parametrize("key", ["results", "figures"])
def test_a_folder_that_cannot_be_written_into_is_named(plan, tmp_path, monkeypatch, key):
    asked = []
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append((str(path), mode)) or str(path) != "locked")
    found = plan(**{key: "locked/deep"})
    monkeypatch.chdir(tmp_path)
    Path("locked").mkdir()
    with pytest.raises(
        ValueError, match=r"^locked cannot be written into, but locked/deep is to be filled; correct its permissions or write"
    ):
        refusals.folders(found)
    assert ("locked", os.W_OK) in asked


@pytest.mark.parametrize("key", ["results", "figures"])
def test_a_file_in_the_place_of_a_folder_is_named(plan, tmp_path, monkeypatch, key):
    found = plan(**{key: "taken/deep"})
    monkeypatch.chdir(tmp_path)
    Path("taken").touch()
    with pytest.raises(ValueError, match=r"^taken is a file, but taken/deep is to be a folder; move the file or write another folder$"):
        refusals.folders(found)


def test_what_no_command_could_name_is_refused(plan):
    many = [0.001 + i / 123456789 for i in range(6000)]
    with pytest.raises(ValueError, match=r"^found too many values in the grid of drts for one command to name; write fewer$"):
        refusals.sizes(plan(**{"drts.v": many}))


def test_more_blocks_than_a_workflow_can_hold_are_refused_at_once(plan):
    with pytest.raises(ValueError, match=r"^found more than 20000 blocks to simulate, with .*; write fewer replicates of lp2s$"):
        refusals.sizes(plan(**{"lp2s.realizations": 10_000_000}))


def test_a_thousand_replicates_of_everything_can_be_named(plan):
    """A summary's command names its blocks by one word per cell, however many they are."""
    found = plan(**{"drts.replicates": 1000, "lp2s.realizations": 50_000})
    refusals.refuse(found)
    assert len(found.runs("drts", "figure1")) > 1000
    assert len(found.spans("drts", "figure1")) == 12
    for paper in found.papers:
        for exhibit in found.exhibits(paper):
            assert [path for word in found.spans(paper, exhibit) for path in files(word)] == list(map(Path, found.runs(paper, exhibit)))


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ([(0, 0)], "a b/0-0.parquet"),
        ([(0, 9)], "a b/0-9.parquet"),
        ([(0, 9), (10, 19)], "a b/0-9..10-19.parquet"),
        ([(i, i) for i in range(12)], "a b/0-0..11-11.parquet"),
        ([(i, i + 49) for i in range(0, 1000, 50)], "a b/0-49..950-999.parquet"),
    ],
)
def test_a_word_for_blocks_is_read_as_it_was_written(parts, word):
    assert span("a b", parts) == word
    assert files(word) == [Path(f"a b/{first}-{last}.parquet") for first, last in parts]


@pytest.mark.parametrize("word", ["results/x.parquet", "0-9.parquet", "a..b/0-9.parquet", "a/0-9..x.parquet", "1-2..3.parquet", ""])
def test_any_other_word_is_a_file(word):
    assert files(word) == [Path(word)]


def test_a_target_that_is_a_file_is_none_of_our_business(plan, tmp_path, monkeypatch):
    found = plan()
    with pytest.raises(ValueError, match=r"^found the target lp2s_new, which there is not; write one of lp2s_figure1, "):
        refusals.targets(found, ["lp2s_new"])
    targets = found.targets()
    monkeypatch.setattr(Plan, "targets", lambda self: targets)
    monkeypatch.chdir(tmp_path)
    Path("lp2s_new").touch()
    refusals.targets(found, ["lp2s_new"])
