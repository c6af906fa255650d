"""The exhibits of debora without constraints: on made-up runs of which the answer is known."""

import math
from importlib import import_module

import numpy as np
import pytest
from debora_exhibits import LUCK, NOISE, NONE, N, made_up, one, small, summarised, width

from banditpapers import plotting
from banditpapers.exhibits import latex, markdown
from banditpapers.papers.debora import experiment, looks
from banditpapers.papers.debora.summaries import (
    collapse,
    constants,
    epochs,
    near_ties,
    onset,
    price,
    regret,
    replicability,
    rounding,
)
from banditpapers.statistics import mean

HORIZONS = (10**3, 10**5, 10**7, 10**12, 10**15)
GRID = small(
    regret={"arms": (2, 5), "gaps": (0.2, 0.05), "horizons": HORIZONS, "ucb1": 1000},
    replicability={"arms": (2,), "rho": (0.3, 0.9)},
    near_ties={"arms": (2, 5), "gaps": (0.0, 0.1), "horizons": (10**6,)},
    rounding={"pairs": 20_000, "samples": (1, 7, 1000)},
    growth={"horizons": (10**4, 10**8)},
)
FLAT = {"batched_elimination": {1: 5e6, 2: 1e4}, "phased_elimination": 2e4, "doubling_ucb": 30.0, "ucb1": 60.0}  # regret at all T


def growing(cell, horizon, rho, flat=FLAT):
    """DEBORA: T / 4 up to 4e5, then 1e5; a tenth with the sharp grid; twice in its second run. The others: the same at all T."""
    algorithm = cell.algorithm
    if algorithm["name"] == "debora":
        level = min(horizon, 4e5) / 4 / (10 if algorithm["grid"] == "sharp" else 1)
        return {"regret": level * NOISE, "second_regret": 2 * level * NOISE}
    level = flat[algorithm["name"]]
    level = level[algorithm["which"]] if isinstance(level, dict) else level
    return {"regret": level * NOISE, "second_regret": level * NOISE}


def growth(outcome=growing, failed=()):
    return summarised(regret, "regret", GRID, made_up("regret", GRID, outcome, failed))


@pytest.fixture(scope="module")
def curves():
    return growth()


DEBORA = {"arms": 5, "gap": 0.2, "rho": 0.3, "method": "debora", "variant": ""}


def test_regret_is_the_mean_over_pairs_of_both_runs(curves):
    row = one(curves, **DEBORA, horizon=10**5, quantity="regret")
    expected = mean(1.5 * 25_000 * NOISE)
    assert (row["measured"], row["low"], row["high"]) == (
        pytest.approx(expected.mean), pytest.approx(expected.low), pytest.approx(expected.high)
    )  # fmt: skip
    assert row["default"]
    other = one(curves, **{**DEBORA, "rho": 0.9}, horizon=10**5, quantity="regret")
    assert (other["default"], other["reading"]) == (False, "rho = 0.9")
    ucb = one(curves, arms=5, gap=0.2, method="ucb1", horizon=1000, quantity="regret")
    assert (ucb["measured"], ucb["rho"], ucb["default"]) == (pytest.approx(60), 0, True)
    assert one(curves, arms=5, gap=0.2, method="uniform", horizon=1000, quantity="uniform play")["measured"] == pytest.approx(160)


def test_slopes_and_their_margins(curves):
    slopes = [one(curves, **DEBORA, horizon=horizon, quantity="slope")["measured"] for horizon in HORIZONS[:-1]]
    assert slopes == [pytest.approx(1), pytest.approx(math.log10(4) / 2), pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9)]
    early, late = (one(curves, **DEBORA, horizon=0, quantity=name) for name in ("linear early", "flattens"))
    assert (early["measured"], late["measured"]) == (pytest.approx(0.1), pytest.approx(0.3))
    steeper = growth(lambda cell, horizon, rho: {"regret": NOISE * horizon**0.5, "second_regret": NOISE * horizon**0.5})
    assert one(steeper, **DEBORA, horizon=0, quantity="linear early")["high"] < 0
    assert one(steeper, **DEBORA, horizon=0, quantity="flattens")["high"] < 0


def test_leads_over_rivals_flip_when_the_rivals_are_swapped(curves):
    def lead(table, number, horizon):
        return one(table, **DEBORA, horizon=horizon, quantity=f"lead over Esfandiari {number}")["measured"]

    swapped = growth(lambda *about: growing(*about, flat={**FLAT, "batched_elimination": {1: 1e4, 2: 5e6}}))
    ahead, behind = math.log10(5e6 / 1.5e5), math.log10(1e4 / 1.5e5)
    for horizon in (10**12, 10**15):
        assert (lead(curves, 1, horizon), lead(curves, 2, horizon)) == (pytest.approx(ahead), pytest.approx(behind))
        assert (lead(swapped, 1, horizon), lead(swapped, 2, horizon)) == (pytest.approx(behind), pytest.approx(ahead))
    ratio = one(curves, **DEBORA, horizon=10**12, quantity="ratio to Esfandiari 2")
    assert ratio["measured"] == pytest.approx(14)
    assert 0 < ratio["low"] < 14 < ratio["high"]
    assert one(curves, **DEBORA, horizon=10**12, quantity="lead over RSE style")["measured"] == pytest.approx(math.log10(2e4 / 1.5e5))
    assert not len(curves[(curves["quantity"] == "lead over Esfandiari 1") & (curves["horizon"] == 10**7)])


def test_a_failed_pair_is_counted():
    failed = growth(failed=("batched_elimination",))
    counts = one(failed, **DEBORA, horizon=10**12, quantity="lead over Esfandiari 2")[["planned", "finished", "failed"]]
    assert list(counts) == [N, N - 1, 1]
    assert list(one(failed, **DEBORA, horizon=10**12, quantity="regret")[["planned", "finished", "failed"]]) == [N, N, 0]


def test_collapse_and_the_bound():
    """Regret of 2 units of sum_a C^2 / gap_a in all runs; then one second run with 9."""

    def outcome(cell, horizon, rho, most=2.0):
        arms, gap = cell.environment["arms"], cell.environment["gap"]
        unit = (arms - 1) * width(arms, horizon, rho) ** 2 / gap
        return {"regret": 2 * unit, "second_regret": unit * np.where(LUCK == 1, most, 2.0)}

    table = summarised(collapse, "collapse", GRID, made_up("collapse", GRID, outcome))
    key = {**DEBORA, "horizon": 10**12}
    assert one(table, **key, quantity="collapsed")["measured"] == pytest.approx(2)
    assert one(table, **key, quantity="collapsed")["scaled_horizon"] == pytest.approx(1e12 * 0.04 / (5 * width(5, 1e12, 0.3) ** 2))
    assert one(table, **key, quantity="below the explicit bound")["measured"] == pytest.approx(6)
    plateau = one(table, quantity="plateau", gap=0.2)
    assert (plateau["measured"], plateau["smallest"], plateau["largest"]) == tuple(map(pytest.approx, (2, 2, 2)))
    assert "settings" in plateau["note"]
    broken = summarised(collapse, "collapse", GRID, made_up("collapse", GRID, lambda *about: outcome(*about, most=9.0)))
    assert one(broken, **key, quantity="below the explicit bound")["measured"] == pytest.approx(-1)
    assert one(broken, quantity="below the explicit bound, all settings", variant="")["measured"] == pytest.approx(-1)
    assert one(broken, **key, quantity="collapsed")["measured"] == pytest.approx(2 + 7 / (2 * N))


def test_epochs_over_their_bound():
    def outcome(cell, horizon, rho, more=0):
        bound = cell.environment["arms"] * math.ceil(math.log2(horizon))
        return {"epochs": np.where(LUCK == 1, bound + more, bound / 2)}

    table = summarised(epochs, "epochs", GRID, made_up("epochs", GRID, outcome))
    for method in ("debora", "debora_soft", "debora_hard"):
        assert one(table, method=method, quantity="within the bound, all settings")["measured"] == 0, "reached and kept"
    row = one(table, method="debora_soft", instance="B5", variant="sharp lazy", horizon=10**4, quantity="epochs")
    assert row["measured"] == pytest.approx((N + 1) / (2 * N))
    assert one(table, method="debora_soft", instance="B5", variant="sharp lazy", horizon=10**4, quantity="largest")["measured"] == 1
    over = summarised(epochs, "epochs", GRID, made_up("epochs", GRID, lambda *about: outcome(*about, more=1)))
    assert one(over, **DEBORA, horizon=10**5, quantity="within the bound")["measured"] == pytest.approx(-1 / (5 * 17))
    assert one(over, method="debora", quantity="within the bound, all settings")["measured"] < 0


def test_powers_of_ten_are_spelled_as_such():
    assert [looks.power(value) for value in (10**3, 10**15, 1, 0.001, 2000)] == ["$10^{3}$", "$10^{15}$", "$10^{0}$", "$10^{-3}$", "2000"]


SUMMARIES = {
    "regret": regret, "collapse": collapse, "epochs": epochs, "replicability": replicability, "near_ties": near_ties,
    "rounding": rounding, "price": price, "onset": onset, "constants": constants,
}  # fmt: skip


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_exhibit_is_drawn_or_laid_out(name, tmp_path):
    def outcome(cell, horizon, rho):
        return {**growing(cell, horizon, rho), "replicated": LUCK < 0.7, "epochs": 20.0, "splits": LUCK > 0.5}

    def known(cell, horizon, rho):
        return outcome(cell, horizon, rho) if cell.algorithm["name"] in ("debora", *FLAT) else {"epochs": 20.0}

    made = made_up(name, GRID, known)
    table = summarised(SUMMARIES[name], name, GRID, made)
    shown = import_module(f"banditpapers.papers.debora.exhibits.{name}")
    if experiment.EXHIBITS[name].kind == "figure":
        figure = shown.draw(table)
        plotting.save(figure, tmp_path / "a.svg")
        assert max(figure.get_size_inches()) <= 11
        named = [text for axes in figure.axes for text in (axes.get_xlabel(), axes.get_ylabel())]
        assert any(named)
    else:
        panels = shown.tabulate(table, NONE)
        assert all(len(line) == len(panel.columns) for panel in panels for line in panel.rows)
        assert panels[0].rows
        assert "nan" not in markdown(shown.CAPTION, panels)
        assert latex(shown.CAPTION, panels)
