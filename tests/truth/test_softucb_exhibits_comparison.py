"""Figure 2 and the comparison of softucb on made-up runs: what is tuned where, who leads by how much, and what a failure does."""

import numpy as np
import pytest
from softucb_runs import GRID, LUCK, NONE, N, made_up, one, parameters

from banditpapers.exhibits import latex, markdown
from banditpapers.papers.softucb.exhibits import comparison as comparison_exhibit
from banditpapers.papers.softucb.exhibits import figure2
from banditpapers.papers.softucb.summaries import comparison, regret
from banditpapers.statistics import student

SOURCE = "Ratings from a package 1.0"
SLOPES = {  # regret per round under the rules that are no constant bound
    "eta=0.001": 0.05, "eta=0.1": 0.15, "eta=0.3": 0.16, "beta='theory'": 0.3, "beta=theory": 0.3, "scale=1.0": 0.4, "scale=0.2": 0.12,
    "scale='theory'": 0.9, "scale=theory": 0.9, "epsilon=0.1": 0.5,
}  # fmt: skip
BEST = {("linear_ucb", "tuning"): 0.4, ("linear_ucb", "evaluation"): 1.5, ("soft_ucb", "tuning"): 0.6, ("soft_ucb", "evaluation"): 2.0}
TRAINING = 1000.0


def outcome(cell, rule, slopes=SLOPES, best=BEST):
    """Regret grows by a slope per round, the smallest of constant bounds at one beta on held-out arms and at another where it is shown."""
    algorithm, last = cell.algorithm["name"], rule.rpartition(" ")[2]
    t = np.array(cell.algorithm["rounds"])
    slope = slopes.get(last)
    if slope is None:
        slope = 0.1 + 0.1 * abs(float(last.removeprefix("beta=")) - best[algorithm, cell.environment["split"]])
    path = slope * t * (1 + 0.1 * LUCK[:, None])
    if algorithm != "soft_ucb_offline":
        return {"regret": path}
    path = np.hstack([np.full((N, cell.algorithm["iterations"]), 77.0), path])
    return {"regret": path, "training_regret": np.full_like(path, TRAINING)}


def compared(failed=(), **changes):
    runs = made_up("comparison", lambda cell, rule: outcome(cell, rule, **changes), failed, SOURCE)
    return comparison.summarise(runs, parameters("comparison"), NONE)


@pytest.fixture(scope="module")
def table():
    return compared()


@pytest.fixture(scope="module")
def curves():
    runs = made_up("figure2", outcome, source=SOURCE)
    return regret.summarise(runs, parameters("figure2"), NONE)


WORLD = {"dimension": 10, "variance": 0.1, "ratings": ""}


def test_levels_of_the_papers_algorithms(table):
    expected = {"soft_ucb_offline": 0.05, "soft_ucb_online": 0.15, "linear_ucb": 0.3, "fixed_arms_thompson": 0.4, "epsilon_greedy": 0.5}
    for method, slope in expected.items():
        row = one(table, **WORLD, method=method, variant="", quantity="R(T)")
        found = student(slope * 2048 * (1 + 0.1 * LUCK))
        assert (row["measured"], row["low"]) == (pytest.approx(found.mean), pytest.approx(found.low))
        assert np.isnan(row["published"])
    others = {("soft_ucb_online", "eta = 0.3"): 0.16, ("fixed_arms_thompson", "scale = 0.2"): 0.12}
    for (method, variant), slope in others.items():
        row = one(table, **WORLD, method=method, variant=variant, quantity="R(T)")
        assert row["measured"] == pytest.approx(slope * 2048)


def test_a_bound_is_tuned_on_held_out_arms_only(table):
    for method, beta in (("linear_ucb", 0.4), ("soft_ucb", 0.6)):
        row = one(table, **WORLD, method=method, variant="tuned", quantity="R(T)")
        assert row["rule"] == f"beta={beta}"
        assert row["tuned_on"] == f"held-out arms (n = {N})"
        slope = 0.1 + 0.1 * abs(beta - BEST[method, "evaluation"])
        assert row["measured"] == pytest.approx(slope * 2048), "shown on the arms of the evaluation, where another bound would be the best"
    moved = compared(best={**BEST, ("linear_ucb", "evaluation"): 0.1})
    assert one(moved, **WORLD, method="linear_ucb", variant="tuned", quantity="R(T)")["rule"] == "beta=0.4"
    moved = compared(best={**BEST, ("linear_ucb", "tuning"): 3.0})
    assert one(moved, **WORLD, method="linear_ucb", variant="tuned", quantity="R(T)")["rule"] == "beta=3.0"


def test_leads_are_positive_where_the_rival_has_more_regret(table):
    rivals = {"linear_ucb": 0.3, "linear_ucb tuned": 0.21, "fixed_arms_thompson": 0.4, "epsilon_greedy": 0.5, "soft_ucb tuned": 0.24}
    for method, slope in (("soft_ucb_offline", 0.05), ("soft_ucb_online", 0.15)):
        for rival, other in rivals.items():
            row = one(table, **WORLD, method=method, rival=rival, quantity="lead in R(T)")
            found = student((other - slope) * 2048 * (1 + 0.1 * LUCK))
            assert (row["measured"], row["low"]) == (pytest.approx(found.mean), pytest.approx(found.low)), "paired"
            assert row["low"] > 0
    swapped = compared(slopes={**SLOPES, "eta=0.001": 0.5, "epsilon=0.1": 0.05})
    row = one(swapped, **WORLD, method="soft_ucb_offline", rival="epsilon_greedy", quantity="lead in R(T)")
    assert row["measured"] == pytest.approx(-0.45 * 2048)
    assert row["high"] < 0


def test_training_counts_against_offline(table):
    row = one(table, **WORLD, method="soft_ucb_offline", quantity="R(T) with training")
    assert row["measured"] == pytest.approx(0.05 * 2048 + TRAINING)
    row = one(table, **WORLD, method="soft_ucb_offline", quantity="lead in R(T) with training")
    assert (row["rival"], row["measured"]) == ("linear_ucb tuned", pytest.approx(0.16 * 2048 - TRAINING))
    assert (table["quantity"].str.contains("training").groupby(table["dimension"]).sum() > 0).all()


def test_each_claim_would_find_one_leading_row(table):
    keys = ["dimension", "ratings", "quantity", "method", "variant", "rival"]
    assert table.groupby(keys)["default"].sum().eq(1).all()
    readings = table[table["default"]].groupby("ratings")["reading"].unique().to_dict()
    assert {name: list(found) for name, found in readings.items()} == {
        "": ["sigma^2 = 0.1"], "jester": ["reward centred"], "movielens": ["reward centred"],
    }  # fmt: skip
    assert len(table) == 8 * (5 + 2 + 1 + 2 + 1 + 2 * 5 + 1 + 2)
    assert set(table["source"][table["ratings"] != ""]) == {SOURCE}
    assert set(table["source"][table["ratings"] == ""]) == {""}


def test_a_failed_replicate_leaves_no_pairs_and_is_counted():
    found = compared(failed=("epsilon_greedy",))
    level = one(found, **WORLD, method="epsilon_greedy", quantity="R(T)")
    assert (level["planned"], level["finished"], level["failed"]) == (N, N - 1, 1)
    lead = one(found, **WORLD, method="soft_ucb_online", rival="epsilon_greedy", quantity="lead in R(T)")
    assert np.isnan(lead["measured"])
    assert (lead["finished"], lead["failed"]) == (N - 1, 1)
    assert np.isfinite(one(found, **WORLD, method="soft_ucb_online", rival="linear_ucb", quantity="lead in R(T)")["measured"])
    panels = comparison_exhibit.tabulate(found, NONE)
    assert {row[-1] for row in panels[0].rows} == {str(N), f"{N - 1}/{N}"}
    assert any(set(row[2:-1]) == {"—"} for row in panels[1].rows)


def test_the_table_names_worlds_bounds_and_sources(table):
    levels, leads, rated, _ = comparison_exhibit.tabulate(table, NONE)
    assert levels.columns[1:-1] == ("d = 10, σ² = 0.1", "d = 20, σ² = 0.1", "d = 10, σ² = 0.01", "d = 20, σ² = 0.01")
    assert rated.columns[1:-1] == ("MovieLens, literal", "MovieLens, centred", "Jester, literal", "Jester, centred")
    assert SOURCE in rated.heading
    assert [row[0] for row in levels.rows] == [
        "SoftUCB offline, η = 0.001", "SoftUCB offline, η = 0.001, with training", "SoftUCB online, η = 0.1", "LinUCB, β of theory",
        "LinTS, s = 1", "ε-greedy, ε = 0.1", "LinUCB, tuned β", "SoftUCB, tuned β", "SoftUCB online, η = 0.3", "LinTS, s = 0.2",
        "LinTS, s of theory",
    ]  # fmt: skip
    tuned = levels.rows[6]
    assert all(cell.endswith("(β = 0.4)") for cell in tuned[1:-1])
    assert leads.rows[-3][:2] == ("SoftUCB offline, with training", "LinUCB, tuned β")
    for text in (markdown, latex):
        assert SOURCE in text(comparison_exhibit.CAPTION, [rated])


def test_curves_of_every_world_end_where_the_comparison_does(table, curves):
    assert not curves.duplicated(["dimension", "ratings", "reward", "method", "variant", "round"]).any()
    ends = curves[curves["round"] == curves.groupby(["dimension", "ratings"])["round"].transform("max")]
    keys = ["dimension", "variance", "ratings", "reward", "method", "variant"]
    both = ends.merge(table[table["quantity"] == "R(T)"], on=keys, suffixes=("", "_compared"))
    assert len(both) == len(ends) == 6 * 10
    assert np.array_equal(both["measured"], both["measured_compared"])
    assert set(both["round"]) == {2048, 1024}


def test_a_panel_per_world_says_where_its_ratings_come_from(curves):
    drawn = figure2.draw(curves)
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles[:2] == ["a) synthetic, d = 10\nσ² = 0.1", "b) synthetic, d = 20\nσ² = 0.1"]
    assert titles[2:] == [
        f"{letter}) {name}, reward {reward}\n{SOURCE}"
        for letter, name, reward in zip("ccdd", ["MovieLens"] * 2 + ["Jester"] * 2, ["literal", "centred"] * 2, strict=True)
    ]
    lines = {line.get_label(): line for line in drawn.axes[0].get_lines()}
    assert list(lines) == [
        "SoftUCB offline", "SoftUCB online", "LinUCB, β of theory", "LinTS", "ε-greedy", "LinUCB, tuned β", "SoftUCB, fixed tuned β",
    ]  # fmt: skip
    assert len({(line.get_linestyle(), line.get_marker()) for line in lines.values()}) == 7, "black and white"
    assert all(axes.get_ylim()[0] == 0 for axes in drawn.axes)
    assert len(drawn.axes[0].collections) == 5, "bands of the paper's own algorithms alone"
    surrogate = figure2.draw(curves.assign(source="synthetic stand-in"))
    assert all("synthetic stand-in" in axes.get_title() for axes in surrogate.axes[2:])


def test_one_line_far_above_hides_no_other():
    runs = made_up("figure2", lambda cell, rule: outcome(cell, rule, slopes={**SLOPES, "epsilon=0.1": 50.0}))
    drawn = figure2.draw(regret.summarise(runs, parameters("figure2"), NONE))
    assert drawn.axes[0].get_ylim()[1] < 3 * 0.4 * 2048


def test_every_world_of_the_grid_is_shown_in_its_order(table):
    worlds = table[["dimension", "variance", "ratings", "reward"]].drop_duplicates().values.tolist()
    synthetic = [[d, variance, "", ""] for variance in GRID.comparison.variances for d in GRID.figure2.dimensions]
    rated = [[10, 0.01, ratings, reward] for ratings in GRID.figure2.ratings for reward in GRID.figure2.rewards]
    assert worlds == synthetic + rated
