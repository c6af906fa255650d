"""Learning curves and learnt sizes of softucb on made-up runs whose limits are known."""

import numpy as np
import pytest
from softucb_runs import GRID, LUCK, NONE, N, made_up, one, parameters

from banditpapers.algorithms.linear_ucb import fill_bounds
from banditpapers.claims import Claims
from banditpapers.papers.softucb.exhibits import figure1, figure3, figure4, table1
from banditpapers.papers.softucb.summaries import learning, sizes
from banditpapers.papers.softucb.theory_bound import beta_tilde
from banditpapers.statistics import student

ETA = GRID.offline.eta
BACKWARDS = LUCK[::-1]


def outcome(cell, rule, tail=0.0, online_end=None):
    """Offline, beta settles at 500 eta (and then grows by `tail` per trajectory), regret falls from 100 to 20; online, R is as sqrt(t)."""
    eta = float(rule.rpartition("=")[2])
    if cell.algorithm["name"] == "soft_ucb_offline":
        n = np.arange(1, cell.algorithm["iterations"] + 1)
        final = len(cell.algorithm["rounds"])
        beta = 500 * eta * (1 - np.exp(-n / 3)) * (1 + 0.1 * LUCK[:, None]) + tail * n
        regret = 20 + 80 * np.exp(-(n - 1) / 3) + BACKWARDS[:, None]
        rest = np.full((N, final), 7.0)
        return {"beta": np.hstack([beta, rest]), "regret": np.hstack([regret, rest])}
    t = np.array(cell.algorithm["rounds"])
    beta = (0.4 + 0.6 / t) * (1 + 0.1 * LUCK[:, None])
    if online_end is not None:
        beta[:, -1] = online_end
    return {"beta": beta, "regret": np.sqrt(t) * (10 + LUCK[:, None])}


def curves(exhibit="figure1", failed=(), **changes):
    runs = made_up(exhibit, lambda cell, rule: outcome(cell, rule, **changes), failed)
    return learning.summarise(runs, parameters(exhibit), NONE)


def learnt(failed=(), claims=NONE, **changes):
    runs = made_up("table1", lambda cell, rule: outcome(cell, rule, **changes), failed)
    return sizes.summarise(runs, parameters("table1"), claims)


@pytest.mark.parametrize(("dimension", "horizon"), GRID.table1.settings)
def test_beta_tilde_is_what_linucb_computes(dimension, horizon):
    bounds = np.empty(horizon)
    fill_bounds(bounds, dimension, np.sqrt(0.1), 0.1, 1.0)
    printed = {(5, 256): 2.5614, (5, 512): 2.6673, (5, 1024): 2.7675, (10, 1024): 3.2581, (15, 1024): 3.6110}
    found = beta_tilde({"variance": 0.1, "confidence": 0.1, "ridge": 1}, dimension, horizon)
    assert found == pytest.approx(bounds[-1], rel=1e-14)
    assert found == pytest.approx(printed[dimension, horizon], abs=1e-4)


def test_curves_stop_where_training_does():
    table = curves()
    offline = table[(table["panel"] == "offline") & (table["x"] > 0)]
    assert len(offline) == 2 * 4 * GRID.offline.iterations
    assert (offline["measured"] != 7.0).all(), "the final trajectory is no part of the curve"
    row = one(table, panel="offline", x=50, quantity="beta", eta=ETA)
    sample = 500 * ETA * (1 - np.exp(-50 / 3)) * (1 + 0.1 * LUCK)
    assert (row["measured"], row["low"]) == (pytest.approx(sample.mean()), pytest.approx(student(sample).low))
    assert (row["dimension"], row["horizon"], row["reading"], row["default"]) == (10, 1024, "eta = 0.001", True)
    assert not one(table, panel="offline", x=50, quantity="beta", eta=0.005)["default"]
    row = one(table, panel="online", x=256, quantity="regret", eta=GRID.online.eta)
    assert (row["horizon"], row["measured"], row["default"]) == (2048, pytest.approx(160), True)
    assert not one(table, panel="online", x=256, quantity="regret", eta=GRID.controls.eta[0])["default"]


def test_margins_of_curves_that_settle_and_of_curves_that_do_not():
    def margin(panel, quantity, **changes):
        return one(curves(**changes), panel=panel, x=0, quantity=quantity, default=True)

    settled = margin("offline", "settled beta")
    assert settled["measured"] == pytest.approx(0.1, abs=1e-8)
    assert settled["low"] > 0
    growing = margin("offline", "settled beta", tail=0.05)
    late, before = (0.5 * (1 + 0.1 * LUCK) + 0.05 * np.arange(first, first + 10).mean() for first in (91, 71))
    assert growing["measured"] == pytest.approx((0.1 - (late - before) / late).mean(), abs=1e-6)
    assert growing["high"] < 0
    regret = 20 + 80 * np.exp(-np.arange(100) / 3)
    assert margin("offline", "settled regret")["measured"] == pytest.approx(100 - regret[-20:].mean())
    late, before = 0.4 + 0.6 / 2048, 0.4 + 0.6 / 1024
    assert margin("online", "settled beta")["measured"] == pytest.approx(0.1 - (before - late) / before)
    fallen = margin("online", "settled beta", online_end=0.0)
    assert (fallen["measured"], fallen["high"]) == (pytest.approx(-0.9), pytest.approx(-0.9)), "a beta of 0 has changed altogether"
    half, whole = 10 * np.sqrt(1024), 10 * np.sqrt(2048)
    assert margin("online", "settled regret")["measured"] == pytest.approx(2 * half - whole)
    assert margin("online", "early share")["measured"] == pytest.approx(np.sqrt(64 / 2048) - 0.5)


def test_the_appendix_has_its_settings_and_no_margins():
    for exhibit, settings in (("figure3", 3), ("figure4", 2)):
        table = curves(exhibit)
        assert len(table) == settings * 2 * 4 * 100
        assert (table["x"] > 0).all()


def test_learning_curves_show_the_default_thickest():
    drawn = figure1.draw(curves())
    titles = ["a) offline, d = 10, T = 1024", "b) offline, d = 10, T = 1024", "c) online, d = 10, T = 2048", "d) online, d = 10, T = 2048"]
    assert [axes.get_title() for axes in drawn.axes] == titles
    assert all(axes.get_xlabel() and axes.get_ylabel() for axes in drawn.axes)
    widths = {line.get_label(): line.get_linewidth() for line in drawn.axes[1].get_lines()}
    assert max(widths, key=widths.get) == "η = 0.001"
    assert len({line.get_linestyle() for line in drawn.axes[1].get_lines()}) == 4, "black and white"
    assert drawn.axes[0].texts[0].get_text() == "β̃ = 3.26"
    third, fourth = figure3.draw(curves("figure3")), figure4.draw(curves("figure4"))
    assert [axes.get_title() for axes in third.axes[:3]] == ["d = 5, T = 256", "d = 5, T = 512", "d = 5, T = 1024"]
    assert len({axes.get_ylim() for axes in third.axes[:3]}) == 1
    assert (len(third.axes), len(fourth.axes)) == (6, 4)


def test_sizes_are_means_of_the_last_20_iterates():
    table = learnt(tail=0.01)
    n = np.arange(81, 101)
    sample = np.array([(0.5 * (1 - np.exp(-n / 3)) * (1 + 0.1 * luck) + 0.01 * n).mean() for luck in LUCK])
    keys = {"dimension": 10, "horizon": 1024, "eta": ETA}
    row = one(table, **keys, quantity="beta-hat")
    assert (row["measured"], row["se"]) == (pytest.approx(sample.mean()), pytest.approx(student(sample).se))
    theory = one(table, **{**keys, "eta": 0}, quantity="beta-tilde")
    assert (theory["exact"], theory["default"], theory["planned"]) == (pytest.approx(3.2581, abs=1e-4), True, 0)
    assert one(table, **keys, quantity="beta-tilde minus beta-hat")["measured"] == pytest.approx(theory["exact"] - sample.mean())
    assert one(table, **keys, quantity="drift")["measured"] == pytest.approx(0.2, abs=1e-8)
    assert one(table, **keys, quantity="first regret")["measured"] == pytest.approx(100)
    assert one(table, **keys, quantity="regret")["measured"] == pytest.approx(20, abs=1e-8)
    assert table.groupby(["dimension", "horizon", "quantity"])["default"].sum().eq(1).all(), "one row leads"


def test_eta_sets_what_is_learnt():
    row = one(learnt(), dimension=5, horizon=256, quantity="span of beta-hat with eta")
    assert (row["measured"], row["eta"], row["default"]) == (pytest.approx(0.005 / 0.0003 - 1), 0, True)
    assert row["low"] == pytest.approx(row["measured"]), "paired: what the etas have in common cancels"
    growth = one(learnt(), dimension=5, horizon=256, quantity="growth of beta-hat with eta")
    scale = np.mean([1 - np.exp(-n / 3) for n in range(81, 101)])
    assert growth["measured"] == pytest.approx(500 * 0.0047 * scale)
    spread = sizes.span(np.array([2.0, 4.0, 6.0]), np.array([2.0, 1.0, 3.0]))
    assert 1 + spread.low < 2 < 1 + spread.high
    assert (1 + spread.low) * (1 + spread.high) == pytest.approx(4), "symmetric about the ratio on the logarithmic scale"


def test_divergence_is_counted():
    def stopped(cell, rule):
        flags = np.zeros((N, GRID.offline.iterations + len(cell.algorithm["rounds"])))
        if rule.endswith("0.005"):
            flags[:2, 60:] = 1
        return {**outcome(cell, rule), "diverged": flags}

    table = sizes.summarise(made_up("table1", stopped), parameters("table1"), NONE)
    row = one(table, dimension=5, horizon=512, eta=0.005, quantity="diverged")
    assert (row["measured"], row["interval"]) == (2 / N, "wilson 95%")
    assert one(table, dimension=5, horizon=512, eta=0.002, quantity="diverged")["measured"] == 0


def test_the_printed_bound_stands_beside_ours():
    printed = {"id": "b", "where": "", "statement": "", "kind": "value", "exhibit": "table1", "paper_value": 3.25}
    printed["select"] = {"dimension": 10, "horizon": 1024, "quantity": "beta-tilde"}
    claims = Claims(paper="softucb", replicates=1, claims=[printed])
    table = learnt(claims=claims, failed=("soft_ucb_offline",))
    known = table[table["published"].notna()]
    assert (len(known), known["quantity"].iloc[0], known["published"].iloc[0]) == (1, "beta-tilde", 3.25)
    default, every, spans = table1.tabulate(table, claims)
    assert default.heading == "Table 1, η = 0.001"
    assert default.columns[1:] == ("d = 5, T = 256", "d = 5, T = 512", "d = 5, T = 1024", "d = 10, T = 1024", "d = 15, T = 1024")
    rows = {row[0]: row[1:] for row in default.rows}
    assert rows["β̃, as printed"] == ("—", "—", "—", "3.25", "—")
    assert rows["β̃, computed"][3] == "3.2581"
    assert set(rows["n"]) == {f"{N - 1}/{N}"}, "a replicate failed"
    assert (len(every.rows), len(spans.rows)) == (20, 5)
