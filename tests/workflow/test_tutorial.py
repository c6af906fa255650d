"""The tutorial as it is printed: its file and its commands, from a fresh clone, and the algorithm stands in exhibits of two papers."""

import csv
import subprocess
import sys

import pytest
from checkout import TINY, take_compiled_code_along
from documented import commands, fenced, written

PAGE = "docs/tutorial/index.md"
SMALLER = TINY[1:]  # the tutorial's quick preset, and the tests' smaller one over it
FIGURES = "results/tiny/figures"


@pytest.fixture(scope="module")
def clone(fresh, tmp_path_factory):
    """A clone with the files that the page tells to write."""
    checkout = fresh.clone(tmp_path_factory.mktemp("tutoriel") / "banditpapers")
    take_compiled_code_along(checkout)
    for name, text in written(PAGE).items():
        (checkout.root / name).write_text(text, encoding="utf-8")
    return checkout


def typed():
    """The commands of the page's blocks, those joined by && as one."""
    lines = [line for language, text in fenced(PAGE) if language == "" for line in text.splitlines()]
    return [line.partition("  #")[0].strip() for line in lines]


def test_it_takes_at_most_five_commands_and_one_file():
    assert len(typed()) <= 5
    assert [name for name in written(PAGE) if name.endswith(".py")] == ["my_algorithm.py"]
    assert len(written(PAGE)["my_algorithm.py"].splitlines()) <= 60


def test_the_algorithm_passes_the_check(clone):
    (words,) = [command.words for command in commands(PAGE) if command.words[0] == "python"]
    done = subprocess.run(
        [sys.executable, *words[1:]], cwd=clone.root, env=clone.environment(), text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_stands_in_exhibits_of_two_papers(clone):
    """The first of the two runs, smaller; the second is a dry run."""
    small, large = (command.words[1:] for command in commands(PAGE) if command.words[:2] == ["snakemake", "--cores"])
    at = small.index("--configfile")
    small[at + 1 : at + 2] = SMALLER
    clone.run(*small, 'papers=["drts", "softucb"]')
    for exhibit in ("drts/figure1", "softucb/figure2"):
        with (clone.root / FIGURES / f"{exhibit}.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["method"] == "my_algorithm"]
        assert len(rows) > 1
        assert "my_algorithm" in (clone.root / FIGURES / f"{exhibit}.json").read_text(encoding="utf-8")
    jobs = clone.dry_run(*large)
    assert {"drts_figure1", "softucb_figure2"} == jobs.exhibits
    assert any(cell.startswith("my_algorithm") for cell in jobs.cells)


def test_a_change_of_the_file_reruns_what_depends_on_it_alone(clone):
    small = ["drts_figure1", "--configfile", *SMALLER, "--config", "algorithms=my_algorithm.py", 'papers=["drts", "softucb"]']
    assert clone.dry_run(*small).blocks == frozenset()
    clone.edit("my_algorithm.py", lambda text: text.replace("self.c / self.t", "2 * self.c / self.t"))
    cells = clone.dry_run(*small).cells
    assert cells
    assert all(cell.startswith("my_algorithm") for cell in cells)
