"""Every open choice against the default, and the published program's bundle, on made-up runs whose differences are known."""

import numpy as np
import pytest
from softucb_runs import GRID, LUCK, NONE, N, made_up, one, parameters

from banditpapers.papers.softucb.exhibits import choices as readings_exhibit
from banditpapers.papers.softucb.exhibits import released as released_exhibit
from banditpapers.papers.softucb.summaries import readings, released
from banditpapers.statistics import student, welch

SPREAD = 10 * LUCK[:, None]
SHIFTS = {"absolute": 1.0, "cumulative": 2.0, "one": -3.0, "keep": 4.0, "fresh": -5.0}


def number(rule, key):
    return float(dict(part.split("=") for part in rule.split())[key])


def outcome(cell, rule, greedy=500.0, constraint=-2.0):
    algorithm = cell.algorithm
    if algorithm["name"] == "soft_ucb":
        shift = sum(SHIFTS.get(str(value), 0.0) for value in algorithm.values()) + 100 * (0.99 - algorithm["delta"])
        return {"regret": 100 * number(rule, "beta") + shift + 7 * (cell.environment["features"] == "gaussian") + SPREAD}
    if algorithm["name"] == "soft_ucb_offline":
        n = algorithm["iterations"] + len(algorithm["rounds"])
        start = number(rule, "start") + 10 * (algorithm.get("gradient") == "last round") + 20 * (algorithm["step"] != "1/T")
        beta = np.full((N, n), 0.4 + start) + 0.01 * LUCK[:, None]
        beta[:, : algorithm["iterations"] - 20] = 99.0  # what is not among the last 20 iterates
        return {"beta": beta, "regret": 50 + start + SPREAD, "diverged": (LUCK[:, None] > 0) * (start > 3)}
    start, eta, horizon = number(rule, "start"), number(rule, "eta"), algorithm["rounds"][-1]
    regret = 30 + greedy * (start == 0) + constraint * (eta == 0) + 900 * (algorithm.get("term") == "cumulated") + SPREAD
    return {"regret": regret, "beta": start + eta + 0 * SPREAD, "best_eliminated": horizon * 0.25 * (start == 0) + 0 * SPREAD}


def table(failed=(), **changes):
    runs = made_up("choices", lambda cell, rule: outcome(cell, rule, **changes), failed)
    return readings.summarise(runs, parameters("choices"), NONE)


def test_each_change_of_the_fixed_bound_is_named_and_paired_with_the_default():
    found = table()
    fixed = found[found["part"] == "fixed"]
    expected = {"default", "gap absolute", "eliminated cumulative", "empty one", "empty keep", "coldness fresh", "features gaussian"}
    assert set(fixed["change"]) == expected | {f"delta {delta:g}" for delta in GRID.readings.delta}
    level = one(fixed, change="default", beta=1.0, quantity="R(T)")
    assert (level["measured"], level["se"]) == (pytest.approx(100), pytest.approx(student(10 * LUCK).se))
    for change, shift in (("gap absolute", 1), ("empty one", -3), ("coldness fresh", -5), ("delta 0.6", 39)):
        row = one(fixed, change=change, beta=0.5, quantity="difference in R(T)")
        assert (row["measured"], row["se"], row["interval"]) == (pytest.approx(shift), pytest.approx(0, abs=1e-12), "t 95%")


def test_other_features_are_other_arms_and_not_paired():
    row = one(table(), change="features gaussian", beta=2.0, quantity="difference in R(T)")
    known = welch(207 + 10 * LUCK, 200 + 10 * LUCK)
    assert (row["interval"], row["measured"], row["low"]) == ("welch 95%", pytest.approx(7), pytest.approx(known.low))
    assert "not paired" in row["note"]


def test_offline_starts_gradient_and_step():
    found = table()
    offline = found[found["part"] == "offline"]
    assert list(dict.fromkeys(offline["change"])) == ["start 0", "start 1", "start 3.25", "gradient last round", "step 0.01"]
    assert one(offline, change="start 0", quantity="beta-hat")["measured"] == pytest.approx(0.4), "the mean of the last 20 iterates"
    for change, shift in (("start 1", 1.0), ("start 3.25", 3.25), ("gradient last round", 30.0), ("step 0.01", 20.0)):
        assert one(offline, change=change, quantity="difference in beta-hat")["measured"] == pytest.approx(shift)
        assert one(offline, change=change, quantity="difference in R(T)")["measured"] == pytest.approx(shift)
    assert one(offline, change="start 3.25", quantity="diverged")["measured"] == pytest.approx(0.5)
    assert not (offline[offline["change"] == "start 0"]["quantity"].str.startswith("difference")).any()


def test_online_starts_multipliers_and_the_two_statements():
    found = table()
    assert one(found, change="start 0, eta 0.1", quantity="best arm eliminated")["measured"] == pytest.approx(0.25)
    assert one(found, change="start 2.2, eta 0", quantity="final beta")["measured"] == pytest.approx(2.2)
    assert one(found, change="term cumulated, eta 0.0001", quantity="difference in R(T)")["measured"] == pytest.approx(900)
    assert one(found, change="start 0 is no worse", part="online", beta=0.0)["measured"] == pytest.approx(-500)
    assert one(found, change="constraint matters", part="online", beta=0.0)["measured"] == pytest.approx(-2)
    turned = table(greedy=-5.0, constraint=3.0)
    assert one(turned, change="start 0 is no worse")["low"] > 0
    assert one(turned, change="constraint matters")["low"] > 0


def test_a_failed_replicate_leaves_no_pairs_and_is_counted():
    found = table(failed=("soft_ucb_online",))
    row = one(found, change="start 0 is no worse")
    assert np.isnan(row["measured"])
    assert (row["planned"], row["finished"], row["failed"]) == (N, N - 1, 1)
    assert one(found, change="gap absolute", beta=0.5, quantity="difference in R(T)")["failed"] == 0
    *_, statements = readings_exhibit.tabulate(found, NONE)
    assert [row[-1] for row in statements.rows] == [f"{N - 1}/{N}"] * 2


def test_the_table_of_readings():
    fixed, offline, online, statements = readings_exhibit.tabulate(table(), NONE)
    assert fixed.rows[0] == ("default", "50 ± 2.5", "", "100 ± 2.5", "", "200 ± 2.5", "", str(N))
    assert (len(fixed.rows), len(offline.rows)) == (10, 5)
    assert online.rows[2][0] == "start 0, eta 0"
    assert statements.rows[0] == ("start 0 is no worse", "−500 [−500, −500]", str(N))


REGRET = {"soft_ucb": 240.0, "soft_ucb_online": 160.0, "linear_ucb": 480.0, "fixed_arms_thompson": 310.0, "epsilon_greedy": 210.0}


def bundle(cell, rule, regret):
    name = cell.algorithm["name"]
    if name == "soft_ucb_offline":
        return {"regret": 900 + SPREAD, "beta": 45 + 5 * (LUCK[:, None] > 0), "diverged": 1.0 * (LUCK[:, None] > 0)}
    same, others = name == "linear_ucb" and rule == "beta=1.2", rule.startswith("scale=") and rule != "scale=1.0"
    return {"regret": (98 if same else -1e6 if others else regret[name]) + SPREAD}


def programme(failed=(), **changes):
    runs = made_up("released", lambda cell, rule: bundle(cell, rule, {**REGRET, **changes}), failed)
    return released.summarise(runs, parameters("released"), NONE)


def test_the_published_bundle():
    found = programme()
    for method, level in REGRET.items():
        assert one(found, dimension=20, method=method, variant="", quantity="R(T)")["measured"] == pytest.approx(level)
    assert one(found, dimension=10, method="linear_ucb", variant="same beta")["measured"] == pytest.approx(98)
    after = one(found, dimension=20, quantity="beta after training")
    assert (after["measured"], after["note"]) == (pytest.approx(47.5), "from 45 to 50")
    assert one(found, dimension=20, quantity="diverged")["measured"] == pytest.approx(0.5)
    leads = {"online over LinUCB": 320, "offline over epsilon-greedy": -30, "LinUCB with the same beta over offline": 142}
    for name, lead in leads.items():
        assert one(found, dimension=20, quantity=f"lead of {name}")["measured"] == pytest.approx(lead)


def test_a_swapped_rival_flips_the_lead_and_a_failed_one_leaves_none():
    swapped = programme(soft_ucb=210.0, epsilon_greedy=240.0)
    assert one(swapped, dimension=10, quantity="lead of offline over epsilon-greedy")["low"] > 0
    broken = one(programme(failed=("epsilon_greedy",)), dimension=10, quantity="lead of offline over epsilon-greedy")
    assert np.isnan(broken["measured"])
    assert (broken["finished"], broken["failed"]) == (N - 1, 1)


def test_the_table_of_the_bundle():
    levels, leads, *others = released_exhibit.tabulate(programme(), NONE)
    assert (levels.heading, len(levels.rows), len(others)) == ("d = 20", 8, 2)
    assert levels.rows[0] == ("SoftUCB offline as released (constant β)", "beta=1.2", "240 ± 2.5", str(N))
    assert leads.rows[1] == ("lead of offline over epsilon-greedy", "−30 [−30, −30]", str(N))
