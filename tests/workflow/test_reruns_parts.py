"""The rerun matrix for `softucb` and `debora`: dry runs over a few finished exhibits, as test_reruns.py does for the other two papers."""

import shutil
from collections import Counter

import pytest
from checkout import TINY, Checkout, take_compiled_code_along
from test_reruns import altered, code, commented, restated

PAPERS = ("softucb", "debora")
TARGETS = ("softucb_coverage", "softucb_gradient", "debora_replicability", "debora_near_ties", "debora_safety")
RUN = (*TARGETS, *TINY, "--config", "papers=[softucb, debora]")
KNOWN = {  # the algorithms with cells among these, by paper
    "softucb": {"soft_ucb"},
    "debora": {"debora", "debora_hard", "batched_elimination", "phased_elimination"},
}


@pytest.fixture(scope="module")
def part(fresh, tmp_path_factory):
    """A clone in which these exhibits are finished."""
    checkout = fresh.clone(tmp_path_factory.mktemp("part") / "une partie")
    take_compiled_code_along(checkout)
    checkout.run("--cores", "2", *RUN)
    return checkout


@pytest.fixture
def edit(part, tmp_path):
    """Edits files of the clone; afterwards they are as they were, times included."""
    before = {}

    def change(path, how):
        before[path] = shutil.copy2(part.root / path, tmp_path / str(len(before)))
        part.edit(path, how)

    yield change
    for path, copy in before.items():
        shutil.copy2(copy, part.root / path)


def of(checkout: Checkout, paper, algorithms=None):
    """The cells of a paper, or of some of its algorithms."""
    return {cell for cell in checkout.cells(paper) if algorithms is None or cell.partition("-")[0] in algorithms}


def test_all_is_done(part):
    assert {paper: {cell.partition("-")[0] for cell in part.cells(paper)} for paper in PAPERS} == KNOWN
    assert part.dry_run(*RUN).counts == Counter()


@pytest.mark.parametrize(
    ("path", "how"),
    [
        (code("algorithms", "soft_ucb"), restated),
        (code("algorithms", "debora"), restated),
        (code("kernels", "soft_policy"), restated),
        (code("kernels", "replicable_mean"), restated),
        (code("environments", "fixed_arms"), restated),
        ("config/softucb.yaml", commented),
        ("config/debora.yaml", commented),
        ("config/claims/debora.yaml", commented),
    ],
    ids=lambda value: value.rpartition("/")[2] if isinstance(value, str) else None,
)
def test_other_words_rerun_nothing(part, edit, path, how):
    edit(path, how)
    assert part.dry_run(*RUN).counts == Counter()


@pytest.mark.parametrize(
    ("edited", "paper", "algorithms"),
    [
        (("algorithms", "soft_ucb"), "softucb", {"soft_ucb"}),
        (("kernels", "soft_policy"), "softucb", {"soft_ucb"}),
        (("environments", "fixed_arms"), "softucb", None),
        (("algorithms", "debora"), "debora", {"debora"}),
        (("algorithms", "phased_elimination"), "debora", {"phased_elimination"}),
        (("kernels", "replicable_mean"), "debora", {"debora", "debora_hard", "batched_elimination"}),
        (("kernels", "epochs"), "debora", {"debora_hard"}),
        (("kernels", "simplex_lp"), "debora", None),  # the environment solves it, too
        (("environments", "constrained_arms"), "debora", None),
    ],
    ids=lambda value: "/".join(value) if isinstance(value, tuple) else None,
)
def test_code_reruns_the_cells_that_import_it_and_no_others(part, edit, edited, paper, algorithms):
    edit(code(*edited), altered)
    jobs = part.dry_run(*RUN)
    assert jobs.cells == of(part, paper, algorithms)
    assert len(jobs.blocks) == len(jobs.cells) > 0
    assert {name.partition("_")[0] for name in jobs.exhibits} == {paper}


@pytest.mark.parametrize(
    ("override", "words", "number", "shown"),
    [
        ("debora={near_ties: {gaps: [0, 0.001]}}", "gap0.001-", 7, {"debora_near_ties"}),
        ("debora={safety: {factors: [0.1, 0.2]}}", "debora_hard-", 2, {"debora_safety"}),
        ("softucb={gradient: {variances: [0.1, 0.01]}}", "soft_ucb-", 1, {"softucb_gradient"}),
    ],
)
def test_a_grid_value_runs_its_new_cells_alone(part, override, words, number, shown):
    jobs = part.dry_run(*RUN, override)
    assert len(jobs.cells) == jobs.counts["simulate"] == number
    assert all(words in cell for cell in jobs.cells)
    assert jobs.cells.isdisjoint(part.cells("debora") | part.cells("softucb"))
    assert jobs.exhibits == shown


@pytest.mark.parametrize(
    ("override", "paper", "cells", "shown"),
    [
        ("debora={near_ties: {replicates: 12}}", "debora", 7, {"debora_near_ties"}),
        ("softucb={gradient: {replicates: 12}}", "softucb", 1, {"softucb_gradient"}),
    ],
)
def test_more_replicates_run_new_blocks_alone(part, override, paper, cells, shown):
    jobs = part.dry_run(*RUN, override)
    assert len(jobs.cells) == cells
    assert jobs.cells < part.cells(paper)
    assert jobs.blocks == {(cell, first, first + 4) for cell in jobs.cells for first in (5, 10)}
    assert jobs.exhibits == shown


@pytest.mark.parametrize("override", ["debora={near_ties: {replicates: 4}}", "softucb={gradient: {replicates: 4}}"])
def test_fewer_replicates_simulate_nothing(part, override):
    jobs = part.dry_run(*RUN, override)
    assert (jobs.counts["simulate"], jobs.counts["summarise"]) == (0, 1)


@pytest.mark.parametrize(("paper", "name"), [("softucb", "coverage"), ("debora", "safety")])
def test_a_drawing_reruns_itself(part, edit, paper, name):
    edit(
        code(f"papers/{paper}/exhibits", name), lambda text: text.replace("    return figure", "    figure.set_alpha(1)\n    return figure")
    )
    jobs = part.dry_run(*RUN)
    assert jobs.exhibits == {f"{paper}_{name}"}
    assert jobs.counts == {"figure": 1, f"{paper}_{name}": 1}
