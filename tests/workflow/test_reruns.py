"""What runs again after a change: what the change can alter, and nothing else. Each test is a dry run over the finished quick preset."""

import ast
import os
import resource
import shutil
from collections import Counter

import pytest
import yaml
from checkout import QUICK

ALGORITHMS = "src/banditpapers/algorithms"


def code(folder, name):
    return f"src/banditpapers/{folder}/{name}.py"


def altered(text):
    """A module with other arithmetic: the first sum, product or the like that stands on one line inside a function, twice."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.BinOp)]
    found = next(node for node in inside if node.lineno == node.end_lineno)
    lines = text.encode().split(b"\n")
    line = lines[found.lineno - 1]
    start, end = found.col_offset, found.end_col_offset
    lines[found.lineno - 1] = line[:start] + b"(2 * (" + line[start:end] + b"))" + line[end:]
    return b"\n".join(lines).decode()


def restated(text):
    """A module with another docstring, another comment and another layout."""
    return text.replace('"""', '"""In other words. ', 1).replace("\ndef ", "\n# a comment\n\ndef ") + "\n# the end\n"


def turned(value):
    """The same mapping in another order."""
    return {key: turned(value[key]) for key in reversed(value)} if isinstance(value, dict) else value


def touch(work):
    for path in work.root.glob("src/**/*.py"):
        os.utime(path)


UNALTERED = {
    "nothing": lambda work: None,
    "an algorithm in other words": lambda work: work.edit(code("algorithms", "batch_racing"), restated),
    "an environment in other words": lambda work: work.edit(code("environments", "beta_bernoulli"), restated),
    "times of the sources": touch,
    "comments among the grids": lambda work: work.edit("config/lp2s.yaml", lambda text: f"# a comment\n{text}"),
    "the order of keys": lambda work: work.edit(QUICK[1], lambda text: yaml.safe_dump(turned(yaml.safe_load(text)), sort_keys=False)),
    "a comment among the claims": lambda work: work.edit("config/claims/lp2s.yaml", lambda text: f"# a comment\n{text}"),
}


@pytest.mark.parametrize("change", UNALTERED.values(), ids=UNALTERED)
def test_nothing_runs_when_nothing_that_matters_changes(work, change):
    change(work)
    assert work.dry_run("--cores", "1", *QUICK).counts == Counter()


def test_nothing_runs_in_a_folder_of_another_name(finished, tmp_path):
    assert finished.clone(tmp_path / "là bas").dry_run(*QUICK).counts == Counter()


def test_an_algorithm_reruns_its_cells_and_what_depends_on_them(work):
    work.edit(code("algorithms", "batch_racing"), altered)
    jobs = work.dry_run(*QUICK)
    assert jobs.cells == {cell for cell in work.cells if cell.startswith("batch_racing-")}
    assert sum("-arms100-" in cell for cell in jobs.cells) == 6  # the traces of Figure 2
    assert jobs.exhibits == {"figure2", "table2", "table3", "table4", "theory"}
    assert jobs.counts == {"simulate": 12, "summarise": 5, "figure": 1, "table": 4, "claims": 1, "whole": 1, "gallery": 1, "all": 1}


def test_a_kernel_reruns_the_cells_of_the_algorithm_that_imports_it(work):
    work.edit(code("kernels", "threshold_lp"), altered)
    jobs = work.dry_run(*QUICK)
    assert jobs.cells == {cell for cell in work.cells if cell.startswith("lp2s-")}
    assert jobs.counts["simulate"] == 15
    assert jobs.exhibits.isdisjoint({"table1", "recommendation"})


def test_an_environment_reruns_every_cell(work):
    work.edit(code("environments", "beta_bernoulli"), altered)
    assert work.dry_run(*QUICK).cells == work.cells


@pytest.mark.parametrize(
    ("override", "words", "number"),
    [
        ("{arms: [1000, 300]}", ("-arms300-",), 21),  # 3 priors x (4 programs of LP2S and 3 competitors)
        ("{figure2: {deltas: [0.05, 0.02, 0.01]}}", ("batch_racing-arms100-",), 3),
        ("{figure2: {arms: 120}}", ("batch_racing-arms120-",), 6),
    ],
)
def test_a_grid_value_runs_its_new_cells_alone(work, override, words, number):
    jobs = work.dry_run(*QUICK, "--config", f"lp2s={override}")
    assert all(word in cell for cell in jobs.cells for word in words)
    assert jobs.cells.isdisjoint(work.cells)
    assert len(jobs.cells) == jobs.counts["simulate"] == number


def test_a_grid_value_less_simulates_nothing(work):
    jobs = work.dry_run(*QUICK, "--config", "lp2s={figure2: {deltas: [0.05]}}")
    assert jobs.counts["simulate"] == 0
    assert jobs.exhibits >= {"figure2", "theory"}


def test_more_realizations_run_new_blocks_alone(work):
    jobs = work.dry_run(*QUICK, "--config", "lp2s={realizations: 45}")
    assert jobs.blocks == {(cell, first, first + 19) for cell in work.cells for first in (20, 40)}


def test_fewer_realizations_simulate_nothing(work):
    jobs = work.dry_run(*QUICK, "--config", "lp2s={realizations: 15}")
    assert (jobs.counts["simulate"], jobs.counts["summarise"]) == (0, 10)


def test_a_drawing_reruns_itself_and_the_gallery(work):
    work.edit(code("papers/lp2s/exhibits", "figure2"), lambda text: text.replace("return figure", "figure.set_alpha(1)\n    return figure"))
    jobs = work.dry_run(*QUICK)
    assert jobs.exhibits == {"figure2"}
    assert jobs.counts == {"figure": 1, "gallery": 1, "all": 1}


def test_a_title_reruns_the_gallery(work):
    work.edit(code("papers/lp2s", "experiment"), lambda text: text.replace('TITLE = "Best', 'TITLE = "The best'))
    assert work.dry_run(*QUICK).counts == {"gallery": 1, "all": 1}


def stated(claim, before, after):
    """Another number that the paper states."""

    def change(text):
        head, _, tail = text.partition(f"id: {claim},")
        return f"{head}id: {claim},{tail.replace(f'paper_value: {before},', f'paper_value: {after},', 1)}"

    return change


def test_a_claim_is_judged_again_without_a_simulation(work):
    work.edit("config/claims/lp2s.yaml", stated("t2-11-1000-sameT-tse-SR", 0.111, 0.112))
    jobs = work.dry_run(*QUICK)
    assert (jobs.counts["simulate"], jobs.counts["claims"]) == (0, 1)


def test_a_claim_that_is_a_budget_runs_the_cells_with_that_budget(work):
    work.edit("config/claims/lp2s.yaml", stated("t2-11-1000-sameT-lp2s-T", 6940, 6950))
    jobs = work.dry_run(*QUICK)
    assert {cell.rpartition("-")[0] for cell in jobs.cells} == {
        f"{name}-arms1000-prior_1_1" for name in ("batch_racing", "batched_thompson", "two_stage_exploration")
    }
    assert jobs.counts["simulate"] == 3


def test_a_missing_file_is_made_again_with_what_it_needs(work):
    (cell,) = (cell for cell in work.cells if cell.startswith("batched_thompson-arms200-prior_1_1"))
    (work.root / f"results/quick/lp2s/runs/{cell}/0-19.parquet").unlink()
    assert work.dry_run(*QUICK).counts == Counter()  # what was made from it is there
    (work.root / "results/quick/lp2s/table4.parquet").unlink()
    (work.root / "results/quick/figures/lp2s/figure1.svg").unlink()
    jobs = work.dry_run(*QUICK)
    assert jobs.cells == {cell}
    assert {"table4", "figure1"} <= jobs.exhibits


def test_a_fresh_clone_with_published_figures_has_everything_to_do(fresh, finished, tmp_path):
    """The figures are committed, the results are not; and the paper's own scale stays a plan that is quickly made."""
    clone = fresh.clone(tmp_path / "klon")
    shutil.copytree(finished.root / "results/quick/figures", clone.root / "figures", dirs_exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    jobs = clone.dry_run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (jobs.counts["summarise"], jobs.counts["figure"] + jobs.counts["table"]) == (10, 10)
    assert 39 < jobs.counts["simulate"] < jobs.counts.total() < 3000
    assert after.ru_utime - before.ru_utime < 30
    for target, exhibits in (("lp2s_table2", 1), ("lp2s", 10), ("audit", 0)):
        part = clone.dry_run(target)
        assert len(part.exhibits) == exhibits
        assert part.counts["simulate"] > 0


def test_named_targets_are_finished_when_all_is(work):
    assert work.dry_run("lp2s", "lp2s_table2", "lp2s_figure1", "audit", *QUICK).counts == Counter()


def test_forecast_prints_a_table_and_does_nothing(fresh, tmp_path):
    clone = fresh.clone(tmp_path / "prognose")
    printed = clone.run("--cores", "1", "forecast", *QUICK)
    rows = {name: int(jobs) for name, jobs in (line[9:].split()[:2] for line in printed.splitlines() if line.startswith("lp2s  "))}
    assert rows == {"batch_racing": 12, "batched_thompson": 6, "lp2s": 15, "two_stage_exploration": 6, "exhibits": 20}
    assert "on 2 cores about" in printed
    assert not (clone.root / "results/quick/lp2s").exists()
    assert not (clone.root / "results/quick/figures").exists()
