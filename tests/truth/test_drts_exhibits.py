"""The exhibits of drts on made-up runs whose means, margins and best rules are known, and its claims against what was published."""

from pathlib import Path

import numpy as np
import pytest

from banditpapers import configuration
from banditpapers.audit import selected
from banditpapers.claims import load
from banditpapers.papers.drts import experiment, published
from banditpapers.papers.drts.exhibits import figure1, figure1_repaired, sensitivity, table1, variants
from banditpapers.papers.drts.exhibits import finals as finals_exhibit
from banditpapers.papers.drts.summaries import curves, data, finals
from banditpapers.papers.drts.summaries import sensitivity as by_v
from banditpapers.papers.drts.summaries import variants as by_variant
from banditpapers.papers.drts.tuned import BLTS, DRTS, LINTS, best, spelled
from banditpapers.plugins import build
from banditpapers.runs import CellRuns, Runs
from banditpapers.statistics import student

ROOT = Path(__file__).parents[2]
GRID = configuration.load(configuration.shipped(ROOT)).grids["drts"]
CLAIMS = load(ROOT / "config" / "claims" / "drts.yaml")
QUANTITIES = ("regret", "error", "wrong_sign", "resamples", "exhausted")
SLOPE = {LINTS: 0.010, BLTS: 0.012, DRTS: 0.005}  # regret per round
PEAK = {LINTS: 2.0, BLTS: 6.0, DRTS: 0.7}  # error at its highest
N = 10


def made_up(exhibit, slope=SLOPE, failed=()):
    """Regret grows by `slope` a round (the second rule is the best), error peaks at round 500; both vary between replicates alike."""
    luck = np.linspace(-1, 1, N)[:, None]
    cells = []
    for cell in sorted(set(experiment.cells(exhibit, GRID, CLAIMS)), key=lambda cell: cell.id):
        name, d = cell.algorithm["name"], cell.environment["dimension"]
        rules = build("algorithms", cell.algorithm).rules
        t = np.array(cell.algorithm["rounds"], dtype=float)
        values = np.zeros((N, t.size, len(rules), len(QUANTITIES)))
        for i in range(len(rules)):
            steepness = slope[name] * (1.0 if i == 1 else 1.1 + 0.01 * i) * (d / 20 if name != DRTS else 1.0)
            values[:, :, i, 0] = steepness * t * (1 + 0.1 * luck)
            values[:, :, i, 1] = 0.5 + (PEAK[name] - 0.5) * np.exp(-(np.log(t / 500) ** 2)) + 0.01 * luck
        n_failed = int(name in failed)
        checkpoints = tuple(map(str, cell.algorithm["rounds"]))
        cells.append(CellRuns(cell, N, n_failed, values[n_failed:], checkpoints, rules, QUANTITIES, {}, 0.0))
    return Runs(tuple(cells), {})


def summarised(module, exhibit, **changes):
    return module.summarise(made_up(exhibit, **changes), experiment.parameters(exhibit, GRID), CLAIMS)


@pytest.fixture(scope="module")
def table():
    return summarised(finals, "finals")


def one(table, **select):
    rows = table[np.logical_and.reduce([table[key] == value for key, value in select.items()])]
    assert len(rows) == 1, select
    return rows.iloc[0]


def test_the_best_rule_is_the_one_with_the_least_mean_regret():
    for cell in made_up("figure1").cells:
        assert best(cell).rule == cell.rules[1]
    assert spelled("v=0.001 gamma=0.01") == "v = 0.001, gamma = 0.01"


@pytest.mark.parametrize(("exhibit", "reading"), [("figure1", "as released"), ("figure1_repaired", "repaired")])
def test_curves_have_mean_sd_interval_and_published_value(exhibit, reading):
    found = summarised(curves, exhibit)
    assert len(found) == 4 * 3 * 2 * len(GRID.rounds(GRID.horizon))
    assert set(found["reading"]) == {reading}
    row = one(found, arms=10, dimension=30, method=LINTS, quantity="regret", round=5000)
    sample = 0.010 * 5000 * 1.5 * (1 + 0.1 * np.linspace(-1, 1, N))
    assert row["measured"] == pytest.approx(sample.mean())
    assert row["sd"] == pytest.approx(sample.std(ddof=1))
    assert (row["low"], row["high"]) == (pytest.approx(student(sample).low), pytest.approx(student(sample).high))
    assert (row["published"], row["planned"], row["finished"], row["failed"], row["rule"]) == (97.377, N, N, 0, "v = 0.01")
    errors = found[(found["quantity"] == "error") & (found["arms"] == 20)]
    assert errors["published"].isna().all(), "the figure has no errors for N = 20"
    assert found["beta_norm"].round(4).unique().tolist() == [0.5754, 0.5834]


def test_finals_against_the_published_figure(table):
    row = one(table, arms=10, dimension=20, method=DRTS, quantity="R(T)", reading="as released")
    found = student(100 * (1 + 0.1 * np.linspace(-1, 1, N)))
    assert (row["measured"], row["se"], row["published"], row["interval"]) == (pytest.approx(100), pytest.approx(found.se), 97.312, "t 95%")
    assert row["z"] == pytest.approx((100 - 97.312) / (found.se * np.sqrt(2)))
    known = table[(table["quantity"] == "R(T)") & table["default"]]
    assert (len(known), known["published"].notna().sum()) == (12, 12)
    overall = one(table, quantity="rms z of R(T)", reading="repaired")
    assert overall["measured"] == pytest.approx(np.sqrt((known["z"] ** 2).mean()))  # made up: both readings are alike
    peak = one(table, arms=10, dimension=30, method=BLTS, quantity="peak error", reading="repaired")
    assert (peak["round"], peak["measured"], peak["published"]) == (500, pytest.approx(6.0), 7.748)


def test_margins_are_positive_where_the_statement_holds(table):
    for rival, lead in ((LINTS, 100.0), (BLTS, 140.0)):
        name = finals.NAMES[rival]
        row = one(table, arms=20, dimension=20, quantity=f"lead of DRTS over {name} in R(T)", default=True)
        assert row["measured"] == pytest.approx(lead)
        assert 0 < row["low"] < lead < row["high"]
        growth = one(table, arms=20, quantity=f"growth with d of the lead of DRTS over {name} in R(T)", default=True)
        more = 0.5 * SLOPE[rival] * 20_000
        assert (growth["dimension"], growth["interval"], growth["measured"]) == (30, "welch 95%", pytest.approx(more))
        rise = one(table, arms=10, dimension=20, method=rival, quantity="early rise of the error", default=True)
        assert (rise["round"], rise["measured"]) == (500, pytest.approx(PEAK[rival] - 0.5, abs=1e-6))
        stable = one(table, arms=10, dimension=20, quantity=f"lead of DRTS over {name} in peak error from round 10", default=True)
        assert stable["measured"] == pytest.approx(PEAK[rival] - PEAK[DRTS])
    zero = one(table, arms=10, dimension=20, quantity="lead of DRTS over the estimate 0 in error(T)", default=True)
    assert zero["measured"] == pytest.approx(0.5754 - 0.5, abs=1e-4)
    worse = summarised(finals, "finals", slope={**SLOPE, DRTS: 0.02})
    assert (worse[worse["quantity"] == "lead of DRTS over LinTS in R(T)"]["high"] < 0).all()


def test_a_failed_replicate_leaves_no_pairs_and_is_counted():
    found = summarised(finals, "finals", failed=(DRTS,))
    level = one(found, arms=10, dimension=20, method=DRTS, quantity="R(T)", default=True)
    assert (level["planned"], level["finished"], level["failed"]) == (N, N - 1, 1)
    lead = one(found, arms=10, dimension=20, quantity="lead of DRTS over LinTS in R(T)", default=True)
    assert np.isnan(lead["measured"])
    assert (lead["finished"], lead["failed"]) == (N - 1, 1)
    assert any("9/10 finished" in row for panel in finals_exhibit.tabulate(found, CLAIMS) for row in panel.rows)


def test_small_v_within_a_factor():
    found = summarised(by_v, "sensitivity")
    name = "1.25 minus the ratio of means for v <= 0.01"
    row = one(found, method=LINTS, quantity=name)
    assert row["measured"] == pytest.approx(1.25 - 1.1)
    assert 0 < row["low"] < row["measured"] < row["high"]
    assert row["note"] == "largest over smallest mean: 1.1"
    assert len(found[found["quantity"] == name]) == 1 + 3 + 1, "one for each gamma of BLTS"
    assert one(found, method=BLTS, gamma=0.01, v=0.1)["published"] == 1740


def test_variants_are_compared_with_the_first_of_their_algorithm():
    found = summarised(by_variant, "variants")
    assert found["quantity"].value_counts().tolist() == [8, 5]
    apart = found[found["quantity"] != "R(T)"]
    assert apart["measured"].abs().max() < 1e-9, "made up: all variants are alike"


def test_table1_marks_what_each_analysis_uses():
    (cell,) = experiment.cells("table1", GRID, CLAIMS)
    player = build("algorithms", cell.algorithm)
    values = np.full((1, 2, 4, len(player.quantities)), np.nan)
    values[..., :2], values[..., 2], values[..., 4] = 0.25, 0.0, 0.5
    values[0, 0, 2, 2:] = values[0, 1, 1, 2:] = 1.0, 2.0, 8.0, 0.25
    runs = Runs((CellRuns(cell, 1, 0, values, player.checkpoints, player.rules, player.quantities, {}, 0.0),), {})
    found = data.summarise(runs, experiment.parameters("table1", GRID), CLAIMS)
    assert (len(found), found["played"].sum(), found["reward"].notna().sum()) == (8, 2, 2)
    complete, robust, played = table1.tabulate(found, CLAIMS)
    assert complete.rows[2] == ("arm 3", "(0.250, 0.250) †", "2.000 †", "(0.250, 0.250)", "?")
    assert robust.rows[0] == ("arm 1", "(0.250, 0.250) †", "0.500 †", "(0.250, 0.250) †", "0.500 †")
    assert played.rows == (("1", "3", "0.2500", "2.000", "8.000"), ("2", "2", "0.2500", "2.000", "8.000"))


def test_figures_show_all_panels():
    drawn = figure1.draw(summarised(curves, "figure1"))
    assert [axes.get_title() for axes in drawn.axes] == 2 * ["N = 10, d = 20", "N = 10, d = 30", "N = 20, d = 20", "N = 20, d = 30"]
    assert [text.get_text() for text in drawn.axes[0].get_legend().get_texts()][1] == "BLTS, v = 0.001, gamma = 0.05"
    assert [axes.get_ylabel() != "" for axes in drawn.axes] == 2 * [True, False, False, False]
    assert len(figure1_repaired.draw(summarised(curves, "figure1_repaired")).axes) == 8
    assert len(sensitivity.draw(summarised(by_v, "sensitivity")).axes[0].containers) == 5
    assert len(variants.draw(summarised(by_variant, "variants")).axes[0].containers) == 8


def test_the_printed_table_names_readings_and_replicates(table):
    panels = finals_exhibit.tabulate(table, CLAIMS)
    assert [panel.heading.partition(";")[0] for panel in panels[:2]] == [
        "Cumulative regret R(T), as released",
        "Cumulative regret R(T), repaired",
    ]
    assert panels[0].rows[0][:5] == ("10", "20", "LinTS", "v = 0.01", "188.5")
    assert {row[-1] for row in panels[0].rows} == {"10"}


def test_every_claim_selects_its_rows_and_states_the_published_number(table):
    tables = {"finals": table, "sensitivity": summarised(by_v, "sensitivity")}
    judged = [claim for claim in CLAIMS.claims if claim.exhibit in tables]
    assert len(judged) > 90
    for claim in judged:
        rows = selected(tables[claim.exhibit], claim.select, claim.id, claim.exhibit)
        assert rows["default"].sum() == 1, claim.id
        if claim.kind == "value":
            assert rows["published"].eq(claim.paper_value).all(), claim.id
            assert rows["exists"].all()


def test_published_curves_are_complete_and_regret_only_grows():
    assert len(published.CURVES) == 12 + 6
    for (quantity, *_), curve in published.CURVES.items():
        assert len(curve) == len(published.ROUNDS)
        assert quantity == "error" or (np.diff(curve) > 0).all()
    assert np.isnan(published.at("error", 20, 20, DRTS, 250))
    assert np.isnan(published.at("regret", 10, 20, DRTS, 251))
