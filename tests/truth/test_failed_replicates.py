"""Three of ten replicates fail in every cell: every table says 7/10, no mean hides it, and the audit fails."""

import json
from pathlib import Path

import pandas as pd
import pytest

from banditpapers import audit, configuration, exhibits, planning, simulation
from banditpapers.seeding import streams

ROOT = Path(__file__).parents[2]
OVERLAYS = [ROOT / "config/quick.yaml", ROOT / "tests/data/tiny.yaml"]
TEN = {
    "lp2s": {"lp2s.realizations": "10"},
    "drts": {"drts.replicates": "10"}
    | {f"drts.{name}.replicates": "10" for name in ("ablation", "readings", "longer", "early", "selection")},
    "softucb": {"softucb.replicates": "10", "softucb.gradient.replicates": "10"},
    "debora": {
        f"debora.{name}.replicates": "10"
        for name in ("regret", "replicability", "near_ties", "price", "growth", "slopes", "safety", "constrained_replicability")
    },
}
FAILING = (2, 5, 7)


@pytest.fixture(scope="module", params=TEN)
def made(request, tmp_path_factory):
    """A paper, its plan and the folder in which every exhibit was made from runs of which three failed."""
    paper, folder = request.param, tmp_path_factory.mktemp("failed")
    overrides = {"papers": [paper], "block.largest": "10", "results": "results", "figures": "figures", **TEN[paper]}

    def failing(*name):
        if name[-1] in FAILING:
            raise FloatingPointError("made up")
        return streams(*name)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        plan = planning.Plan(configuration.load([*configuration.shipped(ROOT), *OVERLAYS], overrides))
        patch.setattr(simulation, "streams", failing)
        for path, block in plan.blocks.items():
            found = simulation.simulate(block.cell, plan.settings.master_seed, block.first, block.last)
            assert found.failures == {str(i): "FloatingPointError: made up" for i in FAILING if block.first <= i <= block.last}
            simulation.write(folder / path, found, plan.settings.master_seed, "0" * 16)
        for name, exhibit in plan.exhibits(paper).items():
            runs, tidy, stated = (
                [folder / path for path in plan.runs(paper, name)],
                folder / plan.summary(paper, name),
                Path(plan.claims_path(paper)),
            )
            parameters = json.loads(plan.parameters(paper, name))
            exhibits.summarise(paper, exhibit.summary, runs, plan.replicates(paper, name), parameters, stated, "1" * 16, tidy)
            exhibits.publish(paper, name, exhibit.kind, tidy, stated, "2" * 16, folder / "figures" / paper / name)
        yield paper, plan, folder


def test_every_table_says_how_many_of_how_many(made):
    paper, plan, folder = made
    for name, exhibit in plan.exhibits(paper).items():
        files = folder / "figures" / paper / name
        n = plan.replicates(paper, name)
        counts = (n, n - sum(i < n for i in FAILING), sum(i < n for i in FAILING))
        cells = json.loads(files.with_suffix(".json").read_text(encoding="utf-8"))["cells"]
        assert {(cell["planned"], cell["finished"], cell["failed"]) for cell in cells} <= {counts}, name
        if not cells:
            continue
        table = pd.read_csv(files.with_suffix(".csv"))[["planned", "finished", "failed"]]
        assert set(table[table["planned"] == n].itertuples(index=False, name=None)) == {counts}, name
        if exhibit.kind == "table" and n == 10:
            assert "7/10" in files.with_suffix(".md").read_text(encoding="utf-8"), name
            assert "7/10" in files.with_suffix(".tex").read_text(encoding="utf-8"), name


def test_a_cell_of_which_nothing_is_left_ends_in_a_sentence(made, tmp_path):
    paper, plan, folder = made
    name = {"lp2s": "figure2", "drts": "early", "softucb": "coverage", "debora": "safety"}[paper]
    paths = [folder / path for path in plan.runs(paper, name)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulation, "streams", lambda *name: 1 / 0)
        block = plan.blocks[plan.runs(paper, name)[-1]]
        paths[-1] = tmp_path / "0-9.parquet"
        simulation.write(paths[-1], simulation.simulate(block.cell, 1, block.first, block.last), plan.settings.master_seed, "0" * 16)
    stated, parameters = Path(plan.claims_path(paper)), json.loads(plan.parameters(paper, name))
    summary = plan.summary_name(paper, name)
    with pytest.raises(ValueError, match=rf"none of the 10 replicates of {block.cell.id} finished, so that there is nothing to show"):
        exhibits.summarise(paper, summary, paths, 10, parameters, stated, "1" * 16, tmp_path / "tidy.parquet")


def test_the_audit_judges_none_of_these_means_and_fails(made):
    paper, plan, folder = made
    with pytest.raises(ValueError, match=r"3 of 10 replicates of .* failed; .* shows what finished"):
        audit.refuse_failures([folder / path for path in plan.summaries(paper)])
    table = audit.audit([paper], folder / "results", {paper: Path(plan.claims_path(paper))})
    short = table["reason"] == "only 7 of 10 replicates finished"
    assert short.sum() >= 10
    assert set(table.loc[short, "verdict"]) == {"not testable"}
