"""What runs again after a change: what the change can alter, and nothing else. Each test is a dry run over the finished tiny preset."""

import ast
import os
import resource
import shutil
from collections import Counter

import pytest
import yaml
from checkout import PAPERS, QUICK, RESULTS, TINY

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


def commented(text):
    return f"# a comment\n{text}"


def reordered(text):
    return yaml.safe_dump(turned(yaml.safe_load(text)), sort_keys=False)


UNALTERED = {
    "nothing": lambda work: None,
    "algorithms in other words": lambda work: [
        work.edit(code("algorithms", name), restated) for name in ("batch_racing", "linear_thompson")
    ],
    "environments in other words": lambda work: [work.edit(code("environments", name), restated) for name in ENVIRONMENTS.values()],
    "a kernel in other words": lambda work: work.edit(code("kernels", "philox"), restated),
    "times of the sources": touch,
    "comments among the grids": lambda work: [work.edit(f"config/{paper}.yaml", commented) for paper in PAPERS],
    "the order of keys": lambda work: [work.edit(path, reordered) for path in (*TINY[1:], "config/drts.yaml")],
    "a comment among the claims": lambda work: [work.edit(f"config/claims/{paper}.yaml", commented) for paper in PAPERS],
}
ENVIRONMENTS = {"lp2s": "beta_bernoulli", "drts": "linear_contexts"}


@pytest.mark.parametrize("change", UNALTERED.values(), ids=UNALTERED)
def test_nothing_runs_when_nothing_that_matters_changes(work, change):
    change(work)
    assert work.dry_run("--cores", "1", *TINY).counts == Counter()


def test_nothing_runs_with_more_cores_or_another_time_limit(finished):
    assert finished.dry_run("--cores", "8", *TINY, "--config", "block={replicate_seconds: 30}").counts == Counter()


def test_nothing_runs_in_a_folder_of_another_name(finished, tmp_path):
    assert finished.clone(tmp_path / "là bas").dry_run(*TINY).counts == Counter()


def test_nothing_runs_in_a_fresh_clone_with_results_copied_in(fresh, finished, tmp_path):
    """Copied with their times, as cp -a, rsync -a and tar do it; what Snakemake remembers stays behind."""
    clone = fresh.clone(tmp_path / "klon")
    shutil.copytree(finished.root / RESULTS, clone.root / RESULTS)
    shutil.rmtree(clone.root / ".snakemake", ignore_errors=True)
    assert clone.dry_run(*TINY).counts == Counter()


def test_an_algorithm_reruns_its_cells_and_what_depends_on_them(work):
    work.edit(code("algorithms", "batch_racing"), altered)
    jobs = work.dry_run(*TINY)
    assert jobs.cells == {cell for cell in work.cells("lp2s") if cell.startswith("batch_racing-")}
    assert sum("-arms100-" in cell for cell in jobs.cells) == 2  # the traces of Figure 2
    assert jobs.exhibits == {f"lp2s_{name}" for name in ("figure2", "table2", "table3", "table4", "theory")}
    assert jobs.counts == {
        "simulate": 4,
        "summarise": 5,
        "figure": 1,
        "table": 4,
        "claims": 1,
        "whole": 1,
        "page": 1,
        "gallery": 1,
        "all": 1,
    }


@pytest.mark.parametrize(
    ("edited", "paper", "algorithms"),
    [
        (("algorithms", "linear_thompson"), "drts", {"linear_thompson"}),
        (
            ("algorithms", "doubly_robust_thompson"),
            "drts",
            {"doubly_robust_thompson", "doubly_robust_data"},
        ),  # the latter imports the former
        (("kernels", "threshold_lp"), "lp2s", {"lp2s"}),
        (("kernels", "beta_cdf"), "lp2s", {"batched_thompson"}),  # through another kernel
        (("kernels", "gaussian_max"), "drts", {"balanced_thompson", "doubly_robust_thompson", "doubly_robust_data"}),
        (("kernels", "quasi_max"), "drts", {"doubly_robust_thompson", "doubly_robust_data"}),
        (("kernels", "philox"), "drts", None),
        (("environments", "beta_bernoulli"), "lp2s", None),
        (("environments", "linear_contexts"), "drts", None),
    ],
    ids=lambda value: "/".join(value) if isinstance(value, tuple) else None,
)
def test_code_reruns_the_cells_that_import_it_and_no_others(work, edited, paper, algorithms):
    work.edit(code(*edited), altered)
    jobs = work.dry_run(*TINY)
    expected = {cell for cell in work.cells(paper) if algorithms is None or cell.partition("-")[0] in algorithms}
    assert jobs.cells == expected
    assert len(jobs.blocks) == len(expected) > 0
    assert {name.partition("_")[0] for name in jobs.exhibits} == {paper}
    assert jobs.exhibits.isdisjoint({"lp2s_table1", "lp2s_recommendation"} if edited[1] == "threshold_lp" else ())


@pytest.mark.parametrize(
    ("override", "words", "number", "shown"),
    [
        ("lp2s={arms: [1000, 300]}", ["-arms300-"], 7, None),  # 4 programs of LP2S and 3 competitors
        ("lp2s={figure2: {deltas: [0.05, 0.02, 0.01]}}", ["batch_racing-arms100-"], 1, None),
        ("lp2s={figure2: {arms: 120}}", ["batch_racing-arms120-"], 2, None),
        ("drts={v: [0.001, 0.01, 0.1, 0.3, 1]}", ["_thompson-"], 18, None),  # a sweep over v is one cell: all but the run of Table 1
        ("drts={readings: {contexts: [radial, projection, clip]}}", ["-contextsclip-"], 2, {"drts_readings"}),
        ("drts={ablation: {ridges: [1, 5, sqrt t]}}", ["_thompson-"], 2, {"drts_ablation"}),
    ],
)
def test_a_grid_value_runs_its_new_cells_alone(work, override, words, number, shown):
    jobs = work.dry_run(*TINY, "--config", override)
    paper = override.partition("=")[0]
    assert all(word in cell for cell in jobs.cells for word in words)
    assert jobs.cells.isdisjoint(work.cells(paper))
    assert len(jobs.cells) == jobs.counts["simulate"] == number
    assert {name.partition("_")[0] for name in jobs.exhibits} == {paper}
    assert shown is None or jobs.exhibits == shown


def test_a_grid_value_less_simulates_nothing(work):
    jobs = work.dry_run(*TINY, "--config", "lp2s={figure2: {deltas: [0.05]}}")
    assert jobs.counts["simulate"] == 0
    assert jobs.exhibits >= {"lp2s_figure2", "lp2s_theory"}


def test_more_realizations_run_new_blocks_alone(work):
    jobs = work.dry_run(*TINY, "--config", "lp2s={realizations: 12}")
    assert jobs.blocks == {(cell, first, first + 4) for cell in work.cells("lp2s") for first in (5, 10)}


def test_more_replicates_of_an_exhibit_run_its_new_blocks_alone(work):
    jobs = work.dry_run(*TINY, "--config", "drts={early: {replicates: 12}}")
    assert len(jobs.cells) == 2  # LinTS and DRTS
    assert jobs.blocks == {(cell, first, first + 4) for cell in jobs.cells for first in (5, 10)}
    assert jobs.cells < work.cells("drts")
    assert jobs.exhibits == {"drts_early"}


def test_more_replicates_of_cells_that_others_show_rerun_no_other_exhibit(work):
    jobs = work.dry_run(*TINY, "--config", "drts={selection: {replicates: 6}}")
    assert len(jobs.cells) == 3  # as in Figure 1
    assert jobs.blocks == {(cell, 5, 9) for cell in jobs.cells}
    assert jobs.exhibits == {"drts_selection"}


@pytest.mark.parametrize(
    ("override", "summaries"),
    [("lp2s={realizations: 4}", 10), ("drts={selection: {replicates: 4}}", 1), ("drts={ablation: {replicates: 2}}", 1)],
)
def test_fewer_replicates_simulate_nothing(work, override, summaries):
    jobs = work.dry_run(*TINY, "--config", override)
    assert (jobs.counts["simulate"], jobs.counts["summarise"]) == (0, summaries)


@pytest.mark.parametrize(("paper", "name"), [("lp2s", "figure2"), ("drts", "early")])
def test_a_drawing_reruns_itself_and_the_gallery(work, paper, name):
    path = code(f"papers/{paper}/exhibits", name)
    work.edit(path, lambda text: text.replace("    return figure", "    figure.set_alpha(1)\n    return figure"))
    jobs = work.dry_run(*TINY)
    assert jobs.exhibits == {f"{paper}_{name}"}
    assert jobs.counts == {"figure": 1, "gallery": 1, "all": 1}


def test_a_title_reruns_the_pages(work):
    work.edit(code("papers/lp2s", "experiment"), lambda text: text.replace('TITLE = "Best', 'TITLE = "The best'))
    assert work.dry_run(*TINY).counts == {"claims": 1, "page": 1, "gallery": 1, "all": 1}


@pytest.mark.parametrize("name", ["src/banditpapers/templates/page.css", "src/banditpapers/templates/page.js", "config/claims/main.yaml"])
def test_what_the_page_is_filled_from_reruns_it(work, name):
    work.edit(name, lambda text: text.replace("\n", "\n\n", 1))
    assert work.dry_run(*TINY).counts == {"page": 1, "gallery": 1, "all": 1}


def stated(claim, before, after):
    """Another number that the paper states."""

    def change(text):
        head, _, tail = text.partition(f"id: {claim},")
        return f"{head}id: {claim},{tail.replace(f'paper_value: {before},', f'paper_value: {after},', 1)}"

    return change


def test_a_claim_is_judged_again_without_a_simulation(work):
    work.edit("config/claims/lp2s.yaml", stated("t2-11-1000-sameT-tse-SR", 0.111, 0.112))
    jobs = work.dry_run(*TINY)
    assert (jobs.counts["simulate"], jobs.counts["claims"]) == (0, 1)


def test_a_claim_that_is_a_budget_runs_the_cells_with_that_budget(work):
    work.edit("config/claims/lp2s.yaml", stated("t2-11-1000-sameT-lp2s-T", 6940, 6950))
    jobs = work.dry_run(*TINY)
    assert {cell.rpartition("-")[0] for cell in jobs.cells} == {
        f"{name}-arms1000-prior_1_1" for name in ("batch_racing", "batched_thompson", "two_stage_exploration")
    }
    assert jobs.counts["simulate"] == 3


def test_a_missing_file_is_made_again_with_what_it_needs(work):
    (cell,) = (cell for cell in work.cells("lp2s") if cell.startswith("batched_thompson-arms200-"))
    (work.root / RESULTS / f"lp2s/runs/{cell}/0-4.parquet").unlink()
    assert work.dry_run(*TINY).counts == Counter()  # what was made from it is there
    (work.root / RESULTS / "lp2s/table4.parquet").unlink()
    (work.root / RESULTS / "figures/lp2s/figure1.svg").unlink()
    jobs = work.dry_run(*TINY)
    assert jobs.cells == {cell}
    assert {"lp2s_table4", "lp2s_figure1"} <= jobs.exhibits


def test_a_fresh_clone_with_published_figures_has_everything_to_do(fresh, finished, tmp_path):
    """The figures are committed, the results are not; and the paper's own scale stays a plan that is quickly made."""
    clone = fresh.clone(tmp_path / "klon")
    shutil.copytree(finished.root / RESULTS / "figures", clone.root / "figures", dirs_exist_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    jobs = clone.dry_run(cold=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (jobs.counts["summarise"], jobs.counts["figure"] + jobs.counts["table"]) == (53, 53)
    assert 100 < jobs.counts["simulate"] < jobs.counts.total() < 3000
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10
    papers = {"lp2s": 10, "drts": 12, "softucb": 12, "debora": 19}
    for target, exhibits in {"lp2s_table2": 1, "drts_figure1": 1, **papers, "audit": 0}.items():
        part = clone.dry_run(target)
        assert len(part.exhibits) == exhibits
        assert part.counts["simulate"] > 0


def test_named_targets_are_finished_when_all_is(work):
    assert work.dry_run(*PAPERS, "lp2s_table2", "drts_figure1", *TINY).counts == Counter()
    # `audit` compares the verdicts with the accepted ones besides, which `all` leaves to whoever asks
    assert work.dry_run("audit", *TINY).counts == Counter({"verdicts": 1, "audit": 1})


def test_forecast_prints_a_table_each_time_and_does_nothing(fresh, tmp_path):
    clone = fresh.clone(tmp_path / "prognose")
    for _ in range(2):
        printed = clone.run("forecast", *QUICK)
        rows = {name: int(jobs) for name, jobs in (line[9:].split()[:2] for line in printed.splitlines() if line.startswith("lp2s  "))}
        simulated = {"batch_racing": 4, "batched_thompson": 2, "lp2s": 5, "two_stage_exploration": 2}
        assert rows == {**simulated, "exhibits": 20, "together": 33}
        assert "on 2 cores about" in printed
    for paper in PAPERS:
        assert not (clone.root / "results/quick" / paper).exists()
    assert not (clone.root / "results/quick/figures").exists()
