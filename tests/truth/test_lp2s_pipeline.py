"""The whole chain of `lp2s` in this process, on a grid small enough to be interpreted: cells, blocks, tidy tables, exhibits, audit, page.

The paper has no such small K, so that the claims are the shipped ones with K = 1000 renamed to 40 (and 200 to 30) and budgets divided
by 25.
"""

import json
from pathlib import Path

import pandas as pd
import pytest
import yaml

from banditpapers import audit, claims, configuration, exhibits, gallery, planning, simulation

ROOT = Path(__file__).parents[2]
SMALL = {
    "lp2s.realizations": 4,
    "lp2s.arms": [40],
    "lp2s.fixed_confidence.arms": 30,
    "lp2s.fixed_confidence.rounds": 20,
    "lp2s.readings": {"A": {"rounds_factor": 6}, "D": {"rounds_factor": 3}},
    "lp2s.curve.points": 3,
    "lp2s.figure2.arms": 20,
    "lp2s.figure2.rounds": 25,
    "lp2s.frontier.points": 3,
    "lp2s.scaling.rounds": [60, 80],
    "lp2s.fixed_confidence.delta0": [0.97, "smallest"],
    "block.largest": 2,
    "papers": ["lp2s"],
}


def small_claims(path: Path) -> None:
    """The shipped claims for the small grid."""
    stated = yaml.safe_load((ROOT / "config" / "claims" / "lp2s.yaml").read_text(encoding="utf-8"))
    for claim in stated["claims"]:
        select = claim["select"]
        if "arms" in select:
            select["arms"] = {1000: 40, 200: 30}.get(select["arms"], select["arms"])
        if claim["kind"] == "value" and select["quantity"] == "T":
            claim["paper_value"] = max(claim["paper_value"] // 25, 1)
    path.write_text(yaml.safe_dump(stated), encoding="utf-8")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder in which everything has been made, and its plan."""
    folder = tmp_path_factory.mktemp("made")
    small_claims(folder / "claims.yaml")
    settings = configuration.load(configuration.shipped(ROOT), {**SMALL, "results": "results", "figures": "figures"})

    class Small(planning.Plan):
        def claims_path(self, paper: str) -> str:
            return str(folder / "claims.yaml")

    plan = Small(settings)
    for path, block in plan.blocks.items():
        simulation.write(
            folder / path, simulation.simulate(block.cell, settings.master_seed, block.first, block.last), settings.master_seed, "0" * 16
        )
    claims_path = folder / "claims.yaml"
    for name, exhibit in plan.exhibits("lp2s").items():
        runs = [folder / path for path in plan.runs("lp2s", name)]
        parameters = json.loads(plan.parameters("lp2s", name))
        exhibits.summarise("lp2s", exhibit.summary, runs, 4, parameters, claims_path, "1" * 16, folder / plan.summary("lp2s", name))
        exhibits.publish(
            "lp2s", name, exhibit.kind, folder / plan.summary("lp2s", name), claims_path, "2" * 16, folder / "figures" / "lp2s" / name
        )
    table = audit.audit(["lp2s"], folder / "results", {"lp2s": claims_path})
    out = folder / "figures" / "audit"
    audit.write(table, out / "claims.csv", out / "summary.md", folder / "results" / "audit.json")
    gallery.write(
        ["lp2s"],
        folder / "figures",
        "small",
        folder / "figures" / "README.md",
        folder / "figures" / "MANIFEST.sha256",
        folder / "results" / "complete.json",
    )
    return folder, plan


def test_every_file_of_every_exhibit_is_there(made):
    folder, plan = made
    for files in plan.targets().values():
        assert all((folder / path).stat().st_size > 0 for path in files)


def test_tables_have_every_method_at_every_block(made):
    folder, _ = made
    for name, blocks in (("table2", {"T", "SR"}), ("table3", {"T", "SR"}), ("table4", {"T", "SR", "1-PB"})):
        table, _ = exhibits.tidy(folder / "results" / "lp2s" / f"{name}.parquet")
        for _, world in table.groupby(["prior", "arms"]):
            for budget in ("paper", "ours"):
                for block in blocks:
                    there = world[(world["matched_on"] == block) & (world["budget"] == budget)]
                    assert set(there["method"]) == {"lp2s", "two_stage_exploration", "batched_thompson", "batch_racing"}
            assert (world["matched_on"] == "cap").sum() == 1


def test_denominators_stand_with_every_simulated_mean(made):
    folder, _ = made
    table, about = exhibits.tidy(folder / "results" / "lp2s" / "table2.parquet")
    for column, replicates in (("planned", 4), ("finished", 4), ("failed", 0)):
        assert (table[column] == replicates).all(), column
    assert {cell["planned"] for cell in about["cells"]} == {4}
    assert about["master_seed"] == [20231213]


def test_every_claim_has_one_default_verdict(made):
    folder, _ = made
    stated = claims.load(folder / "claims.yaml")
    table = pd.read_csv(folder / "figures" / "audit" / "claims.csv")
    assert tuple(table.columns) == audit.COLUMNS
    assert set(table["id"]) == {claim.id for claim in stated.claims}
    assert set(table["verdict"]) <= set(audit.VERDICTS)
    assert table["reason"].notna().all()
    counted = json.loads((folder / "results" / "audit.json").read_text())
    assert sum(row["claims"] for row in counted["by_kind"]) == len(stated.claims)


def test_smallest_delta0_makes_pac_and_srm_one_policy(made):
    folder, _ = made
    exact = {}
    for name in ("table2", "table3"):
        table, _ = exhibits.tidy(folder / "results" / "lp2s" / f"{name}.parquet")
        rows = table[(table["method"] == "lp2s") & table["default"] & (table["quantity"] == "SR") & (table["budget"] == "ours")]
        exact[name] = rows["exact"].tolist()
    assert exact["table2"] == pytest.approx(exact["table3"], rel=1e-8)


def test_gallery_and_manifest_cover_what_is_there(made):
    folder, plan = made
    page = (folder / "figures" / "README.md").read_text(encoding="utf-8")
    listed = {line.split("  ")[1] for line in (folder / "figures" / "MANIFEST.sha256").read_text().splitlines()}
    for name in plan.exhibits("lp2s"):
        assert f"lp2s_{name}" in page
        assert f"lp2s/{name}.csv" in listed
    assert "README.md" in listed
    assert not any(path.endswith(".json") for path in listed)
