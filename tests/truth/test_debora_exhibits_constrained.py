"""The exhibits of debora on instances with constraints, on made-up runs whose slopes, shares and margins are known, and on played ones."""

import math
from importlib import import_module

import numpy as np
import pytest
from debora_exhibits import LUCK, SHIPPED, N, made_up, one, simulated, small, summarised
from scipy.special import betaincinv

from banditpapers.papers.debora import constrained, panels
from banditpapers.papers.debora.exhibits import finals as finals_exhibit
from banditpapers.papers.debora.shown import settings
from banditpapers.papers.debora.summaries import (
    constrained_collapse,
    constrained_replicability,
    finals,
    hard_regret,
    mixing,
    safety,
    slopes,
    soft_regret,
    violation,
)

T = (10**6, 10**8, 10**9)
GRID = small(growth={"horizons": T}, regret={"arms": (2,), "gaps": (0.2,), "rho": (0.3, 0.9), "horizons": (10**4, 10**6), "ucb1": 10**4})
FIRST = {"instance": "A3", "method": "debora_soft", "variant": "union"}
FIGURES = ("violation", "soft_regret", "hard_regret", "constrained_collapse", "slopes", "safety", "constrained_replicability")
LAST = {"horizon": 0, "quantity": "last slope"}


def table_of(module, exhibit, outcome, grid=GRID, failed=()):
    return summarised(module, exhibit, grid, made_up(exhibit, grid, outcome, failed))


def power_law(quantity, exponent, noise=0.1, factor=3.0):
    """The mean of both runs grows as a power of T; the runs of a pair differ, and the pairs do."""

    def outcome(cell, horizon, rho):
        size = factor * horizon**exponent
        return {quantity: size * (0.9 + noise * LUCK), f"second_{quantity}": size * (1.1 + noise * LUCK)}

    return outcome


@pytest.mark.parametrize(("module", "exhibit", "quantity"), [(violation, "violation", "violation"), (hard_regret, "hard_regret", "regret")])
def test_slopes_of_power_laws_are_found_and_judged(module, exhibit, quantity):
    method = "debora_soft" if exhibit == "violation" else "debora_hard"
    keys = {"instance": "B5", "method": method, "variant": "lazy"}
    for exponent, near, sublinear in ((0.5, 0.06, 0.4), (0.53, 0.03, 0.37), (1.0, -0.44, -0.1)):
        table = table_of(module, exhibit, power_law(quantity, exponent))
        slope = one(table, **keys, **LAST)
        assert (slope["measured"], slope["interval"]) == (pytest.approx(exponent), "bootstrap 95%")
        assert slope["low"] <= exponent <= slope["high"]
        assert one(table, **keys, horizon=0, quantity="slope near 1/2")["measured"] == pytest.approx(near)
        assert one(table, **keys, horizon=0, quantity="sublinear at the end")["measured"] == pytest.approx(sublinear)
        mean = one(table, **keys, horizon=T[1], quantity=quantity)
        assert mean["measured"] == pytest.approx(3 * T[1] ** exponent)
        assert (mean["planned"], mean["finished"], mean["default"], mean["reading"] != "") == (N, N, False, True)


def test_the_slope_is_that_of_the_last_horizons_and_its_noise_is_seen():
    def outcome(cell, horizon, rho):
        return {
            "violation": np.sqrt(horizon) * (2 + LUCK * (1 if horizon == T[-1] else -1)),
            "second_violation": 0.0 * LUCK + np.sqrt(horizon),
        }

    wide = one(table_of(violation, "violation", outcome), **FIRST, **LAST)
    assert wide["high"] - wide["low"] > 0.05
    assert wide["measured"] == pytest.approx(0.5)
    rising = table_of(violation, "violation", lambda cell, horizon, rho: {"violation": float(horizon if horizon < T[-1] else 2 * T[1])})
    assert one(rising, **FIRST, **LAST)["measured"] == pytest.approx(math.log10(2))


def test_a_violation_of_zero_has_no_slope():
    table = table_of(violation, "violation", lambda cell, horizon, rho: {"violation": 0.0})
    row = one(table, **FIRST, **LAST)
    assert np.isnan(row["measured"])
    assert "no slope" in row["note"]


def test_each_instance_and_variant_stands_once_and_union_leads():
    table = table_of(violation, "violation", power_law("violation", 0.5))
    assert set(table["instance"]) == {"A3", "B5", "C10"}
    leading = table[table["default"]]
    assert set(zip(leading["method"], leading["variant"], strict=True)) == {("debora_soft", "union"), ("optimistic_lp", "")}
    keys = ["instance", "rho", "horizon", "method", "variant", "quantity"]
    assert not table.duplicated(keys).any()
    assert set(table.loc[table["method"] == "debora_soft", "variant"]) == {"union", "lazy", "sharp lazy"}
    assert not (table["method"] == "debora_hard").any()


def test_signed_regret_keeps_its_sign():
    def outcome(cell, horizon, rho):
        sign = -1 if cell.environment["arms"] == 3 else 1
        return {"regret": sign * horizon * (1 + LUCK / 9), "second_regret": sign * 3 * horizon * (1 + LUCK / 9)}

    table = table_of(soft_regret, "soft_regret", outcome)
    end = one(table, **FIRST, horizon=T[-1], quantity="negative at the end")
    assert (end["measured"], end["low"] > 0) == (pytest.approx(2 * T[-1]), True)
    other = one(table, **{**FIRST, "instance": "B5"}, quantity="negative at the end")
    assert other["high"] < 0
    assert one(table, **FIRST, horizon=T[0], quantity="regret")["measured"] == pytest.approx(-2 * T[0])


def test_unsafe_rounds_are_counted():
    table = table_of(hard_regret, "hard_regret", lambda cell, horizon, rho: {"unsafe": 5 + LUCK, "regret": 1.0})
    row = one(table, instance="A3", method="debora_hard", variant="union", horizon=T[0], quantity="unsafe rounds")
    assert (row["measured"], row["high"] > 5) == (pytest.approx(5), True)


def test_collapse_divides_by_c_root_kt_and_its_margin_is_of_the_worst_run():
    runs = made_up("constrained_collapse", GRID, lambda cell, horizon, rho: {})
    units = {
        (cell.cell.id, setting.horizon, setting.rho): constrained.unit(setting)
        for cell in runs.cells
        for setting in settings(runs, cell.cell.algorithm["name"])
        if setting.runs is cell
    }

    def outcome(cell, horizon, rho, worst=4.0):
        unit = units[cell.id, horizon, rho]
        runs = {"violation": 2 * unit + 0 * LUCK, "second_violation": unit * np.where(LUCK == 1, worst, 2.0)}
        return {**runs, "regret": 3 * unit, "second_regret": 3 * unit}

    table = table_of(constrained_collapse, "constrained_collapse", outcome)
    collapsed = table[table["quantity"] == "collapsed"]
    assert collapsed.loc[collapsed["of"] == "regret", "measured"].to_numpy() == pytest.approx(3.0)
    assert collapsed.loc[collapsed["of"] == "violation", "measured"].to_numpy() == pytest.approx(2.1)
    margin = table[table["quantity"] == "below 4.83"]
    assert set(margin["horizon"]) == {T[-1]}
    assert set(margin["method"]) == {"debora_soft", "optimistic_lp"}
    assert margin["measured"].to_numpy() == pytest.approx(2 * (math.sqrt(2) + 1) - 4)
    broken = table_of(constrained_collapse, "constrained_collapse", lambda *cell: outcome(*cell, worst=5.0))
    assert (broken.loc[broken["quantity"] == "below 4.83", "measured"] < 0).all()


def test_c_of_a_variant_is_the_half_width_of_its_calls():
    runs = made_up("violation", GRID, lambda cell, horizon, rho: {})
    for curve in constrained.curves(runs, GRID.model_dump(mode="json"), "debora_soft"):
        late, arms, m = curve.settings[-1], curve.keys["arms"], len(GRID.instances[curve.keys["instance"]].limits)
        calls = (1 + m) * arms * (arms if curve.keys["variant"] == "union" else 1) * math.ceil(math.log2(T[-1]))
        rho, delta = 0.3 / calls, 0.03 / calls
        stated = math.sqrt(2 * math.log(2 / delta)) / (rho - 2 * delta)
        sharp = 1 / (2 * rho * math.sqrt(2)) + math.sqrt(math.log(2 / delta) / 2)
        assert constrained.width(late) == pytest.approx(sharp if "sharp" in curve.keys["variant"] else stated)


def test_slopes_in_rho_and_lambda():
    def outcome(cell, horizon, rho):
        costs = cell.environment["costs"][0]
        named = cell.environment["rewards"][0] == 0.9
        size = rho**-1.2 if named else (0.5 - costs[2]) ** -0.8
        return dict.fromkeys(("violation", "second_violation", "regret", "second_regret"), size * (1 + LUCK / 9))

    table = table_of(slopes, "slopes", outcome)
    for method in ("debora_soft", "debora_hard"):
        row = one(table, method=method, quantity="slope in 1/rho")
        assert (row["measured"], row["instance"], row["interval"]) == (pytest.approx(1.2), "A3", "bootstrap 95%")
    for method in ("debora_hard", "pessimistic_lp"):
        row = one(table, method=method, quantity="slope in 1/lambda")
        assert (row["measured"], row["low"] < 0.8 < row["high"]) == (pytest.approx(0.8), True)
        assert row["finished"] == N * len(GRID.slopes.margins)
        points = table[(table["method"] == method) & (table["margin"] > 0)]
        assert sorted(points["margin"]) == pytest.approx(sorted(GRID.slopes.margins))


def test_safety_counts_runs_and_its_control_can_fail():
    def outcome(cell, horizon, rho):
        factor = cell.algorithm.get("factor", 1.0) if cell.algorithm.get("grid") == "means" else 9.0
        return {"unsafe": np.where(np.arange(N) < {0.1: N, 0.2: 4, 0.3: 1}.get(factor, 0), 7.0, 0.0)}

    table = table_of(safety, "safety", outcome)
    keys = {"instance": "A3", "variant": "means 0.2"}
    share = one(table, **keys, quantity="unsafe runs")
    assert (share["measured"], share["factor"], share["interval"]) == (0.4, 0.2, "clopper-pearson 95%")
    assert (share["low"], share["high"]) == (pytest.approx(betaincinv(4, 7, 0.025)), pytest.approx(betaincinv(5, 6, 0.975)))
    assert one(table, instance="B5", quantity="negative control")["measured"] == 1
    itself = one(table, instance="A3", quantity="never unsafe")
    assert (itself["measured"], itself["low"], itself["variant"]) == (0, 0, "union")
    bad = table_of(safety, "safety", lambda cell, horizon, rho: {"unsafe": np.where(np.arange(N) < 2, 1.0, 0.0)})
    assert one(bad, instance="A3", quantity="never unsafe")["measured"] == pytest.approx(-0.2)


def test_replicability_margins_are_rho_minus_shares_and_splits():
    def outcome(cell, horizon, rho):
        text = cell.algorithm["calls"] == "text"
        return {"replicated": np.where(np.arange(N) < (6 if text else 0), 0.0, 1.0), "splits": 0.5 + 0.1 * LUCK if text else 0.0}

    table = table_of(constrained_replicability, "constrained_replicability", outcome)
    keys = {"instance": "B5", "method": "debora_hard", "horizon": 10**16}
    text = {
        name: one(table, **keys, variant="text", quantity=name) for name in ("non-replication", "splits", "below rho", "splits below rho")
    }
    assert text["non-replication"]["measured"] == pytest.approx(0.6)
    assert (text["below rho"]["measured"], text["splits below rho"]["measured"]) == (pytest.approx(-0.3), pytest.approx(-0.2))
    assert text["below rho"]["high"] == pytest.approx(0.3 - betaincinv(6, 5, 0.025))
    union = one(table, **keys, variant="union", quantity="below rho")
    assert (union["measured"], union["low"]) == (pytest.approx(0.3), pytest.approx(0.3 - betaincinv(1, 10, 0.975)))
    assert table.groupby("variant")["default"].all().to_dict() == {v: v == "union" for v in panels.VARIANTS}


def test_one_run_of_debora_h_mixes_as_its_box_says():
    table = summarised(mixing, "mixing", SHIPPED, made_up("mixing", SHIPPED, lambda *cell: {}))
    world = SHIPPED.instances[SHIPPED.mixing.instance]
    limit, least = world.limits[0], min(world.costs[0])
    for clip, run in table[table["epoch"] > 0].groupby("clip"):
        gamma, excess = (run[run["quantity"] == quantity]["measured"].to_numpy() for quantity in ("gamma", "excess"))
        wanted = np.where(excess > 0, (limit - least) / (excess + limit - least), 1.0)
        assert gamma == pytest.approx(wanted, rel=1e-7)
        assert run["begins"].iloc[0] == 1
        assert run["begins"].iloc[-1] < SHIPPED.mixing.horizon
        assert gamma[-1] > 0.9, "the run learns"
        assert (gamma.min() < 1e-4) == (clip == 0)
    assert table[(table["clip"] == 1) & (table["quantity"] == "gamma")]["measured"].min() >= (limit - least) / (1 - least) - 1e-9
    assert (table[table["quantity"] == "safe in every epoch"]["measured"] >= 0).all()
    assert set(table.loc[table["default"], "clip"]) == {1}
    again = summarised(mixing, "mixing", SHIPPED, made_up("mixing", SHIPPED, lambda *cell: {}))
    assert again.equals(table)
    assert len(import_module("banditpapers.papers.debora.exhibits.mixing").draw(table).axes) == 2


def final(cell, horizon, rho):
    size = {"doubling_ucb": 2.0, "debora": 10.0, "optimistic_lp": 4.0, "debora_soft": 12.0, "debora_hard": 20.0, "pessimistic_lp": 10.0}
    factor = size.get(cell.algorithm["name"], 7.0) * (1 + 0.1 * LUCK)
    return {"regret": factor, "second_regret": factor, "violation": factor, "second_violation": factor, "replicated": 1.0}


def test_finals_ratios_are_of_means_at_one_horizon():
    table = table_of(finals, "finals", final)
    ratio = one(table, method="debora", variant="", rho=0.3, quantity="ratio to UCB")
    assert (ratio["measured"], ratio["horizon"], ratio["default"]) == (pytest.approx(5.0), 10**6, True)
    se = 5 * math.sqrt(2) * np.std(1 + 0.1 * LUCK, ddof=1) / math.sqrt(N)
    assert (ratio["se"], ratio["low"] < 5 < ratio["high"]) == (pytest.approx(se), True)
    assert not one(table, method="debora", variant="", rho=0.9, quantity="ratio to UCB")["default"]
    assert one(table, method="ucb1", quantity="regret")["horizon"] == 10**4
    assert not ((table["method"] == "ucb1") & (table["quantity"] == "ratio to UCB")).any(), "at another horizon"
    assert one(table, instance="C10", method="debora_soft", variant="lazy", quantity="ratio to plain means")["measured"] == pytest.approx(3)
    assert one(table, instance="C10", method="debora_hard", variant="union", quantity="ratio to plain means")["measured"] == pytest.approx(
        2
    )
    found = finals_exhibit.tabulate(table, None)
    assert [panel.heading for panel in found] == ["K = 2, gap 0.2", "A3: K = 3", "B5: K = 5", "C10: K = 10"]
    assert all(len(line) == len(panel.columns) for panel in found for line in panel.rows)
    assert ("DEBORA", "0.3", "1e6") in {line[:3] for line in found[0].rows}


def test_a_failed_pair_is_counted():
    for module, exhibit in ((violation, "violation"), (constrained_replicability, "constrained_replicability"), (finals, "finals")):
        table = table_of(module, exhibit, final, failed=("debora_soft",))
        soft = table[table["method"] == "debora_soft"]
        assert set(soft[["planned", "finished", "failed"]].itertuples(index=False, name=None)) == {(N, N - 1, 1)}


def test_every_figure_is_drawn_from_played_runs():
    pair = type(SHIPPED.instances["A3"])(rewards=(0.8, 0.4), costs=((0.8, 0.2),), limits=(0.5,))
    plans = {
        "growth": {"horizons": (10**4, 10**8)}, "slopes": {"rho": (0.1, 0.8), "margins": (0.4, 0.1)}, "safety": {"factors": (1, 0.1)},
        "constrained_replicability": {"horizon": 10**4, "late": 10**6},
    }  # fmt: skip
    grid = small(**plans).model_copy(update={"instances": {"A3": SHIPPED.instances["A3"], "P2": pair}})
    for exhibit in FIGURES:
        module = import_module(f"banditpapers.papers.debora.summaries.{exhibit}")
        table = summarised(module, exhibit, grid, simulated(exhibit, grid, 3))
        figure = import_module(f"banditpapers.papers.debora.exhibits.{exhibit}").draw(table)
        assert len(figure.axes) >= 2
        figure.draw_without_rendering()
    hard = summarised(hard_regret, "hard_regret", grid, simulated("hard_regret", grid, 3))
    assert (hard.loc[hard["quantity"] == "unsafe rounds", "measured"] == 0).all()
