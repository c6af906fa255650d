"""The key `algorithms`: what is found, what is refused in one sentence, and what a file's code key depends on."""

import shutil
from pathlib import Path

import pytest

from banditpapers.outside import OwnAlgorithm
from banditpapers.own.entries import entries
from banditpapers.own.keys import own_key

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path):
    """The examples, outside of the package."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "mine", ignore=shutil.ignore_patterns("__pycache__")))


def written(path, **more):
    return OwnAlgorithm.model_validate({"file": str(path), **more})


def test_a_folder_holds_one_per_file(folder):
    (folder / "_shared.py").write_text("raise SystemExit\n", encoding="utf-8")
    found = entries([written(folder)])
    assert [one.name for one in found] == sorted(path.stem for path in EXAMPLES.glob("*.py"))
    assert {one.problem for one in found} == {"k-armed", "linear", "constrained", "best-arm"}


def test_one_file_stands_there_with_several_parameters(folder):
    found = entries([written(folder / "ucb_v.py"), written(folder / "ucb_v.py", parameters={"zeta": 2.0})])
    assert [one.label for one in found] == ["ucb_v", "ucb_v, zeta = 2.0"]
    cells = [one.cell([10]) for one in found]
    assert [[one.made(cell) for cell in cells] for one in found] == [[True, False], [False, True]]


def renamed(folder, name):
    return shutil.move(folder / "ucb_v.py", folder / name)


def emptied(folder):
    for file in folder.glob("*.py"):
        file.rename(file.with_name(f"_{file.name}"))
    return folder


REFUSED = {
    "missing file": (lambda folder: [written(folder / "none.py")], "there is no file"),
    "no Python file": (lambda folder: [written(renamed(folder, "ucb_v.txt"))], "ending in .py"),
    "empty folder": (lambda folder: [written(emptied(folder))], "holds no Python file"),
    "folder with parameters": (lambda folder: [written(folder, parameters={"zeta": 1.0})], "name its files one by one"),
    "unknown parameter": (lambda folder: [written(folder / "ucb_v.py", parameters={"zta": 1.0})], "write one of zeta"),
    "set by the cell": (lambda folder: [written(folder / "ucb_v.py", parameters={"horizons": [1]})], "leave it out"),
    "twice": (lambda folder: [written(folder / "ucb_v.py"), written(folder / "ucb_v.py")], "write each once"),
    "a name of ours": (lambda folder: [written(renamed(folder, "doubling_ucb.py"))], "rename the file"),
    "a label of ours": (lambda folder: [written(folder / "ucb_v.py", label="doubling_ucb")], "write another label"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_refused_in_one_sentence(name, folder):
    make, said = REFUSED[name]
    with pytest.raises(ValueError, match=r".") as refused:
        entries(make(folder))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_code_key_changes_with_code_and_not_with_words_or_place(folder):
    file, before = folder / "ucb_v.py", own_key(EXAMPLES / "ucb_v.py")
    assert own_key(file) == before
    text = file.read_text(encoding="utf-8")
    other = folder / "in_other_words.py"
    other.write_text("# a comment\n" + text.replace('"""', '"""In other words. ', 1), encoding="utf-8")
    assert own_key(other) == before
    other.write_text(text.replace("2.0 * variance", "3.0 * variance"), encoding="utf-8")
    assert own_key(other) != before


def test_a_code_key_changes_with_a_file_imported_beside_it(folder):
    file, beside = folder / "ucb_v.py", folder / "widths.py"
    file.write_text("from widths import width\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    beside.write_text("def width(n):\n    return 1 / n\n", encoding="utf-8")
    before = own_key(file)
    moved = Path(shutil.copytree(folder, folder.parent / "other"))
    assert own_key(moved / "ucb_v.py") == before
    (moved / "widths.py").write_text("def width(n):\n    return 2 / n\n", encoding="utf-8")
    assert own_key(moved / "ucb_v.py") != before
