"""Files from outside of the checkout, one per problem: rows and lines in the exhibits of the papers that play the problem."""

import csv
import shutil

import pytest
from checkout import ROOT, TINY, take_compiled_code_along

pytestmark = pytest.mark.slow  # a minute and a half; the tutorial's test plays a linear one among the fast tests
FIGURES = "results/tiny/figures"
SHOWN = {"ucb_v": ("debora", "regret"), "explore_then_program": ("debora", "violation"), "sequential_halving": ("lp2s", "table2")}


@pytest.fixture(scope="module")
def played(fresh, tmp_path_factory):
    """A clone in which they have been played, the folder of the files, and the words that ask for it."""
    checkout = fresh.clone(tmp_path_factory.mktemp("own") / "banditpapers")
    take_compiled_code_along(checkout)
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in SHOWN:
        shutil.copy(ROOT / "examples" / f"{name}.py", folder)
    asked = [*(f"{paper}_{exhibit}" for paper, exhibit in SHOWN.values()), *TINY]
    asked += ["--config", f"algorithms={folder}", 'papers=["debora", "lp2s"]']
    checkout.run("--cores", "2", *asked)
    return checkout, folder, asked


@pytest.mark.parametrize("name", SHOWN)
def test_it_stands_in_an_exhibit_of_its_problem(name, played):
    checkout, (paper, exhibit) = played[0], SHOWN[name]
    shown = checkout.root / FIGURES / paper / exhibit
    with shown.with_suffix(".csv").open(encoding="utf-8") as file:
        assert any(name in row.values() for row in csv.DictReader(file))
    drawn = shown.with_suffix(".svg")
    assert name in (drawn if drawn.exists() else shown.with_suffix(".md")).read_text(encoding="utf-8").replace("\\_", "_")


def test_an_edit_reruns_its_cells_and_a_comment_none(played):
    checkout, folder, asked = played
    file = folder / "ucb_v.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"# a comment\n{text}", encoding="utf-8")
    assert not checkout.dry_run(*asked).counts
    file.write_text(text.replace("2.0 * variance", "3.0 * variance"), encoding="utf-8")
    jobs = checkout.dry_run(*asked)
    assert jobs.cells
    assert all(cell.startswith("ucb_v") for cell in jobs.cells)
    assert jobs.exhibits == {"debora_regret"}


def test_a_misplay_ends_the_run_with_a_sentence(played):
    checkout, folder, asked = played
    file = folder / "ucb_v.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("return a\n", "return a + 100\n"), encoding="utf-8")
    assert "return an integer from 0 to" in checkout.run("--cores", "2", *asked, code=1)
