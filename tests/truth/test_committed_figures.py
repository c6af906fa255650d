"""The committed exhibits: whole, as the manifest says, of the papers' full scale, and with the findings that computation must make."""

import json
from hashlib import sha256
from pathlib import Path

import pandas as pd
import pytest

from banditpapers.papers.lp2s.experiment import EXHIBITS
from banditpapers.planning import SUFFIXES

FIGURES = Path(__file__).parents[2] / "figures"


@pytest.fixture(scope="module")
def claims():
    """The audit's rows by claim, the default reading only."""
    return pd.read_csv(FIGURES / "audit" / "claims.csv").drop_duplicates("id").set_index("id")


def test_manifest_names_the_bytes_of_every_committed_file():
    lines = [line.split("  ") for line in (FIGURES / "MANIFEST.sha256").read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 30
    for digest, path in lines:
        assert sha256((FIGURES / path).read_bytes()).hexdigest() == digest, f"{path} is not what the workflow wrote: snakemake --cores all"


@pytest.mark.parametrize("name", EXHIBITS)
def test_every_exhibit_is_committed_at_paper_scale(name):
    for suffix in SUFFIXES[EXHIBITS[name].kind]:
        assert (FIGURES / "lp2s" / f"{name}.{suffix}").stat().st_size > 0
    about = json.loads((FIGURES / "lp2s" / f"{name}.json").read_text(encoding="utf-8"))
    assert all((cell["planned"], cell["finished"], cell["failed"]) == (1000, 1000, 0) for cell in about["cells"])


def test_every_claim_is_measured(claims):
    assert not claims["reason"].str.contains("no such cell").any()
    assert (claims["kind"] == "value").groupby(claims["paper"]).sum().to_dict() == {"debora": 0, "drts": 33, "lp2s": 261, "softucb": 8}


def test_costs_below_two_l_r(claims):
    """Seven printed costs lie below 2 L R: four under either reading of L, two with L real only, one within noise."""
    below = claims[(claims["kind"] == "value") & claims["reason"].str.contains("is below") & claims.index.str.contains("sameT-lp2s-T")]
    impossible = {"t2-11-1000-sameT-lp2s-T", "t2-51-1000-sameT-lp2s-T", "t3-13-1000-sameT-lp2s-T", "t3-13-2000-sameT-lp2s-T"}
    only_real = {"t3-51-2000-sameT-lp2s-T", "t3-13-5000-sameT-lp2s-T"}
    assert set(below.index) == impossible | only_real | {"t2-51-2000-sameT-lp2s-T"}
    assert set(below.index[below["verdict"] == "impossible as stated"]) == impossible
    assert below.loc[sorted(only_real), "reason"].str.contains("with L rounded down .* it is possible").all()
    assert "noise" in below.loc["t2-51-2000-sameT-lp2s-T", "reason"]


def test_theorem_2_is_violated_for_beta_5_1_and_algorithm_1_is_shifted(claims):
    theorem2 = claims[claims.index.str.startswith("theorem2-") & ~claims.index.str.startswith("theorem2-proof")]
    assert set(theorem2.index[theorem2["verdict"] == "deviates"]) == {f"theorem2-51-{arms}" for arms in (1000, 2000, 5000)}
    assert (claims.loc[claims.index.str.startswith("algorithm1-survivors"), "verdict"] == "deviates").all()


def test_batch_racing_uses_the_printed_numbers_of_pulls():
    """Uncapped by a budget, R batches use 1.973e5, 4.305e5 and 1.190e6 pulls for Beta(1, 1): this fixes R and the logarithm."""
    table = pd.read_csv(FIGURES / "lp2s" / "table2.csv")
    cap = table[(table["matched_on"] == "cap") & (table["prior"] == "(1, 1)")].set_index("arms")["measured"]
    assert cap.loc[[1000, 2000, 5000]].tolist() == pytest.approx([1.973e5, 4.305e5, 1.190e6], rel=0.005)


def test_the_simulator_of_lp2s_agrees_with_its_exact_law():
    table = pd.read_csv(FIGURES / "lp2s" / "theory.csv").set_index("check")
    checks = table.loc[["expected_cost", "exact_regret", "exact_best"]]
    assert len(checks) == 3 * 12
    assert (checks["measured"] > 0).all()  # 4 standard errors minus the largest deviation of a cell
