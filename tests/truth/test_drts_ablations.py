"""Exhibits beyond the paper of `drts`: their numbers on made-up runs, and the whole way from simulation to files on a small grid."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from banditpapers import claims, configuration, exhibits, planning, simulation
from banditpapers.cells import Cell
from banditpapers.papers.drts import published
from banditpapers.papers.drts.summaries import ablation, early, longer, readings, selection
from banditpapers.runs import CellRuns, Runs

ROOT = Path(__file__).parents[2]
NONE = claims.Claims(paper="drts", replicates=10, claims=[])
QUANTITIES = ("regret", "error", "wrong_sign", "resamples", "exhausted")
NAMES = ("ablation", "readings", "longer", "early", "selection", "theory")


def played(name, regret, *, rounds, v=("v=0.1",), failed=0, world=None, **algorithm):
    """Made-up runs: regret, shape (replicates, rounds, rules), or a mapping from quantities to such."""
    given = regret if isinstance(regret, dict) else {"regret": regret}
    shape = np.shape(given["regret"])
    values = np.stack([np.broadcast_to(np.asarray(given.get(q, 0.0), dtype=float), shape) for q in QUANTITIES], axis=-1)
    world = {"name": "linear_contexts", "arms": 10, "dimension": 20, "contexts": "radial", "coefficients": "fixed", **(world or {})}
    cell = Cell("drts", world, {"name": name, "rounds": list(rounds), **algorithm})
    return CellRuns(cell, shape[0] + failed, failed, values, tuple(map(str, rounds)), tuple(v), QUANTITIES, {}, 0.0)


def one(table, **keys):
    """The only row with these keys."""
    chosen = table
    for key, value in keys.items():
        chosen = chosen[chosen[key] == value]
    assert len(chosen) == 1, chosen
    return chosen.iloc[0]


def flat(values):
    """One rule, one recorded round."""
    return np.asarray(values, dtype=float)[:, None, None]


@pytest.fixture
def four_members():
    """LinTS at 200 and 80, DRTS at 210 and 100: the ridge is worth 110 to 120, double robustness nothing."""
    rng = np.random.default_rng(1)
    common = rng.normal(0, 30, 12)  # shared by all: pairing takes it out
    level = {("linear_thompson", 1): 200, ("linear_thompson", "sqrt t"): 80, ("doubly_robust_thompson", 1): 210}
    level[("doubly_robust_thompson", "sqrt t")] = 100
    return {
        key: played(
            key[0],
            {
                "regret": flat(value + common + rng.normal(0, 2, 12)),
                "error": flat(np.full(12, value / 100)),
                "resamples": flat(np.full(12, 3.0)),
            },
            rounds=[50],
            ridge=key[1],
        )
        for key, value in level.items()
    }


PLAN = {"ablation": {"ridges": [1, "sqrt t"]}, "ridge": {"linear_thompson": 1, "doubly_robust_thompson": "sqrt t"}}


def test_ablation_pairs_replicates_and_names_its_signs(four_members):
    table = ablation.summarise(Runs(tuple(four_members.values()), {}), PLAN, NONE)
    expected = {"LinTS(1) - DRTS(sqrt t)": 100, "LinTS(1) - DRTS(1)": -10, "LinTS(sqrt t) - DRTS(sqrt t)": -20}
    expected |= {"LinTS(1) - LinTS(sqrt t)": 120, "DRTS(1) - DRTS(sqrt t)": 110}
    for compared, difference in expected.items():
        found = one(table, quantity="difference in R(T)", compared=compared)
        assert found["low"] < difference < found["high"]
        assert found["high"] - found["low"] < 8  # the common part is gone
        assert (found["interval"], found["planned"], found["finished"]) == ("t 95%", 12, 12)
        assert one(table, quantity="difference in peak error", compared=compared)["measured"] == pytest.approx(difference / 100)
    assert one(table, quantity="all resamples")["measured"] == 2 * 12 * 3
    assert one(table, quantity="all exhausted")["measured"] == 0
    level = one(table, quantity="R(T)", method="linear_thompson", ridge="sqrt t")
    sample = four_members["linear_thompson", "sqrt t"].of("50", "v=0.1", "regret")
    assert (level["low"], level["high"]) == pytest.approx(stats.t.interval(0.95, 11, sample.mean(), stats.sem(sample)))


def test_a_failed_replicate_leaves_no_pairs(four_members):
    broken = dict(four_members)
    key = ("doubly_robust_thompson", "sqrt t")
    broken[key] = played(key[0], flat(np.arange(11.0)), rounds=[50], ridge="sqrt t", failed=1)
    found = one(
        ablation.summarise(Runs(tuple(broken.values()), {}), PLAN, NONE), quantity="difference in R(T)", compared="LinTS(1) - DRTS(sqrt t)"
    )
    assert np.isnan(found["measured"])
    assert (found["planned"], found["finished"], found["failed"]) == (12, 11, 1)


def test_readings_tell_contexts_apart_and_mark_the_usual_one():
    cells = []
    for contexts, coefficients, lead in (("radial", "fixed", 30.0), ("clip", "fixed", -30.0), ("radial", "fresh", 5.0)):
        world = {"contexts": contexts, "coefficients": coefficients}
        drts = np.array([10.0, 20.0, 30.0])
        cells.append(played("doubly_robust_thompson", flat(drts), rounds=[9], world=world))
        cells.append(played("linear_thompson", flat(drts + lead + np.array([-1.0, 0.0, 1.0])), rounds=[9], world=world))
    parameters = {"contexts": "radial", "coefficients": "fixed", "readings": {"contexts": ["radial", "clip"]}}
    table = readings.summarise(Runs(tuple(cells), {}), parameters, NONE)
    leads = table[table["quantity"] == "lead of DRTS in R(T)"]
    assert leads["measured"].tolist() == pytest.approx([30, -30, 5])
    assert leads["default"].tolist() == [True, False, False]
    assert leads["reading"].tolist() == ["radial, fixed beta", "clip, fixed beta", "radial, fresh beta"]
    half = stats.t.ppf(0.975, 2) / np.sqrt(3)
    np.testing.assert_allclose(leads["high"] - leads["measured"], half)


def test_longer_slopes_are_per_thousand_rounds():
    rounds = np.array([1000, 4000, 5000])
    steps = np.array([0.0, 0.5])[:, None] + 1.0
    lints = played("linear_thompson", (2 * steps * rounds)[:, :, None] / 1000, rounds=rounds.tolist())
    both = np.stack([steps * rounds / 1000, 4 * steps * rounds / 1000], axis=2)
    drts = played("doubly_robust_thompson", both, rounds=rounds.tolist(), v=("v=0.1", "v=1"))
    table = longer.summarise(Runs((lints, drts), {}), {"longer": {"setting": [10, 20]}}, NONE)
    slopes = table[table["quantity"] == "slope"].set_index(["method", "rule"])["measured"]
    assert slopes["linear_thompson", "v = 0.1"] == pytest.approx(2.5)
    assert slopes["doubly_robust_thompson", "v = 1"] == pytest.approx(5)
    assert one(table, quantity="lead of DRTS in slope")["measured"] == pytest.approx(1.25)
    assert one(table, quantity="lead of DRTS", round=5000)["measured"] == pytest.approx(6.25)
    assert set(table[table["rule"] == "v = 1"]["place"]) == {2}


def test_tail_of_a_mean_of_ten_is_that_of_a_binomial():
    sample = np.repeat([5.0, 105.0], [90, 10])
    for hits in (0, 1, 2, 3):
        mean = 5 + 10 * hits
        assert early.tail(sample, mean, upper=True) == pytest.approx(stats.binom.sf(hits - 1, 10, 0.1), abs=2e-9)
        assert early.tail(sample, mean, upper=False) == pytest.approx(stats.binom.cdf(hits, 10, 0.1), abs=2e-9)


def test_early_counts_wrong_signs_and_keeps_the_whole_distribution():
    regret, wrong = np.linspace(2, 21, 20), np.where(np.arange(20) < 3, 290, 10)
    values = {"regret": np.stack([regret / 2, regret], axis=1)[:, :, None], "wrong_sign": np.stack([wrong, wrong], axis=1)[:, :, None]}
    cells = [played(name, values, rounds=[300, 1000]) for name in ("linear_thompson", "doubly_robust_thompson")]
    table = early.summarise(Runs(tuple(cells), {}), {}, NONE)
    drts = table[table["method"] == "doubly_robust_thompson"]
    found = one(drts, quantity="wrong sign")
    assert found["measured"] == pytest.approx(0.15)
    assert (found["low"], found["high"]) == pytest.approx(stats.binomtest(3, 20).proportion_ci(method="wilson"))
    values = drts[drts["quantity"] == "value"]
    assert values["measured"].tolist() == regret.tolist()
    assert values["share"].tolist() == pytest.approx((np.arange(20) + 1) / 20)
    stated = published.at("regret", 10, 20, "doubly_robust_thompson", 1000)
    assert one(drts, quantity="wrong sign")["published"] == stated
    chance = one(drts, quantity="tail at published")["measured"]
    assert one(drts, quantity="typical of ten")["measured"] == pytest.approx(chance - 0.005)
    assert 0 < chance < 0.1
    assert one(drts, quantity="disjoint tail")["finished"] == 20


def test_optimism_of_a_rule_that_always_wins_is_zero():
    regrets = np.vstack([np.linspace(1, 2, 10), np.linspace(3, 4, 10)])
    found = selection.optimism(regrets)
    assert (found["optimism"].mean, found["optimism"].low, found["optimism"].high) == (0, 0, 0)
    assert found["apparent"].mean == found["held-out"].mean == pytest.approx(1.5)


def test_optimism_of_equal_rules_is_that_of_a_minimum():
    """Four rules of the same mean: a minimum of four independent means of sd 1 lies 1.0294 below it, and others know nothing of it."""
    found = selection.optimism(50 + np.random.default_rng(5).normal(size=(4, 4000)))
    assert found["optimism"].mean == pytest.approx(1.0294, abs=0.05)
    assert found["optimism"].low < 1.0294 < found["optimism"].high
    assert found["held-out"].mean - found["apparent"].mean == pytest.approx(found["optimism"].mean)


def test_optimism_by_hand():
    regrets = np.array([[1.0, 4.0, 3.0], [2.0, 1.0, 5.0]])
    found = selection.optimism(regrets)  # chosen: first, second, first
    assert found["apparent"].mean == pytest.approx((1 + 1 + 3) / 3)
    assert found["held-out"].mean == pytest.approx((3.5 + 3.5 + 2.5) / 3)


def test_rules_that_give_the_same_runs_stand_once():
    regret = np.stack([np.arange(20.0), np.arange(20.0), np.arange(20.0) + 1], axis=1)[:, None, :]
    cell = played("balanced_thompson", regret, rounds=[7], v=("a", "b", "c"))
    assert selection.distinct(cell, "7") == ["a", "c"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The exhibits on a small grid: folder and plan."""
    folder = tmp_path_factory.mktemp("drts")
    small = {
        "horizon": 40, "replicates": 3, "settings": [[4, 3], [2, 2]], "v": [0.1, 1], "curve": {"early": [1, 10, 20], "every": 10},
        "sensitivity": {"setting": [4, 3]}, "variants": {"setting": [4, 3]}, "ablation.replicates": 3, "readings.replicates": 3,
        "longer": {"setting": [4, 3], "horizon": 60, "every": 20, "replicates": 3}, "early": {"replicates": 20, "horizon": 30},
        "selection": {"setting": [4, 3], "replicates": 20},
    }  # fmt: skip
    overrides = {f"drts.{key}": value for key, value in small.items()} | {
        "papers": ["drts"],
        "block.largest": 20,
        "results": "results",
        "figures": "figures",
    }
    settings = configuration.load(configuration.shipped(ROOT), overrides)
    plan = planning.Plan(settings)
    wanted = {path for name in NAMES for path in plan.runs("drts", name)}
    for path in sorted(wanted):
        block = plan.blocks[path]
        found = simulation.simulate(block.cell, settings.master_seed, block.first, block.last)
        simulation.write(folder / path, found, settings.master_seed, "0" * 16)
    stated = folder / "claims.yaml"
    stated.write_text("{paper: drts, replicates: 10, claims: []}", encoding="utf-8")
    for name in NAMES:
        exhibit, tidy = plan.exhibits("drts")[name], folder / plan.summary("drts", name)
        runs, parameters = [folder / path for path in plan.runs("drts", name)], json.loads(plan.parameters("drts", name))
        exhibits.summarise("drts", exhibit.summary, runs, plan.replicates("drts", name), parameters, stated, "1" * 16, tidy)
        exhibits.publish("drts", name, exhibit.kind, tidy, stated, "2" * 16, folder / "figures" / name)
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_exhibits_on_a_small_grid(made, name):
    table = pd.read_csv(made / "figures" / f"{name}.csv")
    assert table["default"].isin([True, False]).all()
    assert (table["finished"] == table["planned"]).all()
    assert not table.duplicated([key for key in table.columns if key not in ("measured", "se", "low", "high", "note")]).any()
    sampled = table[(table["finished"] > 0) & table["low"].notna()]
    assert (sampled["low"] <= sampled["measured"] + 1e-9).all()
    assert (sampled["measured"] <= sampled["high"] + 1e-9).all()
    if name == "theory":
        assert "Lemma 2" in (made / "figures" / "theory.md").read_text(encoding="utf-8")
    else:
        assert (made / "figures" / f"{name}.png").stat().st_size > 10_000
