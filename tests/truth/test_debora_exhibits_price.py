"""The price of replicability, the onset and the constants of the widths: the exhibits of debora against their formulas."""

import math

import numpy as np
import pytest
from debora_exhibits import NOISE, SHIPPED, N, made_up, one, small, summarised, width

from banditpapers.papers.debora.shown import bootstrap_slope, local_slope, resampled_means
from banditpapers.papers.debora.summaries import constants, onset, price
from banditpapers.runs import Runs

PRICE = small(
    price={"arms": (2,), "worst": SHIPPED.price.worst.model_copy(update={"gaps": (1e-5, 1e-4, 1e-3, 0.2), "horizons": (10**11, 10**13)})}
)


def peaked(cell, horizon, rho):
    """The regret of min(gap T / 2, 4 / (gap rho^2)) with the peak where both are the same."""
    gap = cell.environment["gap"]
    return dict.fromkeys(("regret", "second_regret"), min(gap * horizon / 2, 4 / (gap * rho**2)) * NOISE)


def test_the_price_at_one_gap_and_at_the_worst():
    table = summarised(price, "price", PRICE, made_up("price", PRICE, peaked))
    slope = one(table, quantity="slope in 1/rho", arms=2)
    assert slope["measured"] == pytest.approx(2)
    assert slope["interval"] == "bootstrap 95%"
    assert one(table, quantity="regret", rho=0.3, horizon=10**15)["measured"] == pytest.approx(4 / (0.2 * 0.09))
    expected = {gap: min(gap * 1e11 / 2, 4 / (gap * 0.09)) for gap in (1e-5, 1e-4, 1e-3, 0.2)}
    gap = max(expected, key=expected.get)
    row = one(table, quantity="worst regret", rho=0.3, horizon=10**11)
    assert (row["measured"], row["gap"]) == (pytest.approx(expected[gap]), gap)
    assert row["upward_bias"] >= -0.01
    constant = one(table, quantity="worst constant", rho=0.3, horizon=10**11)
    assert constant["measured"] == pytest.approx(expected[gap] / (width(2, 10**11, 0.3) * math.sqrt(1e11)))
    levels = [max(min(g * t / 2, 4 / (g * 0.09)) for g in expected) for t in (1e11, 1e13)]
    assert one(table, quantity="worst slope in T", rho=0.3)["measured"] == pytest.approx(math.log10(levels[1] / levels[0]) / 2)
    levels = [max(min(g * 1e13 / 2, 4 / (g * rho**2)) for g in expected) for rho in PRICE.price.rho]
    expected_slope = np.polyfit(np.log(1 / np.array(PRICE.price.rho)), np.log(levels), 1)[0]
    assert one(table, quantity="worst slope in 1/rho", horizon=10**13)["measured"] == pytest.approx(expected_slope)


def test_a_maximum_of_noisy_means_is_known_to_be_too_large():
    """All gaps have the same regret but for noise: the resampled maximum is above."""

    def outcome(cell, horizon, rho):
        noise = np.random.default_rng([int(1e7 * cell.environment["gap"]), horizon % 1000003]).normal(1, 0.3, N)
        return {"regret": 1e6 * noise, "second_regret": 1e6 * noise}

    table = summarised(price, "price", PRICE, made_up("price", PRICE, outcome))
    bias = table[table["quantity"] == "worst regret"]["upward_bias"]
    assert bias.mean() > 0.01
    assert np.all((table["low"] <= table["measured"]) & (table["measured"] <= table["high"])), "the interval holds its number"
    assert np.isnan(one(table, quantity="regret", rho=0.3)["upward_bias"])


def test_onset_of_known_curves():
    """Uniform play up to 1e6, from there growing like sqrt(T): half of it at 4e6. With the sharp grid: uniform play for ever."""
    grid = small(regret={"arms": (2,), "gaps": (0.2,), "horizons": (10**4, 10**6, 10**8, 10**10)})

    def outcome(cell, horizon, rho):
        share = 1.0 if cell.algorithm["grid"] == "sharp" else min(1.0, math.sqrt(1e6 / horizon))
        return dict.fromkeys(("regret", "second_regret"), 0.1 * horizon * share * NOISE)

    table = summarised(onset, "onset", grid, made_up("onset", grid, outcome))
    found, scale, ratio = (one(table, quantity=name, rho=0.3, variant="") for name in ("onset", "scale", "onset over scale"))
    assert found["measured"] == pytest.approx(4e6)
    assert found["low"] < 4e6 < found["high"]
    assert scale["measured"] == pytest.approx(2 * (width(2, 4e6, 0.3) / 0.2) ** 2)
    assert ratio["measured"] == pytest.approx(4e6 / scale["measured"])
    never = one(table, quantity="onset", rho=0.3, variant="sharp")
    assert np.isnan(never["measured"])
    assert never["note"] == "above half up to T = 1e+10"


def test_constants_by_their_formulas():
    table = summarised(constants, "constants", SHIPPED, Runs((), {}))
    key = {"instance": "", "arms": 5, "horizon": 10**12, "rho": 0.3, "variant": ""}
    values = {name: one(table, **key, quantity=name)["measured"] for name in ("L", "M", "rho'", "delta'", "C", "cell")}
    c = width(5, 10**12, 0.3)
    assert values["C"] == pytest.approx(c)
    assert (values["L"], values["M"], values["rho'"], values["delta'"]) == tuple(map(pytest.approx, (40, 200, 0.0015, 0.00015)))
    assert values["cell"] == pytest.approx(2 * c / (1 + 0.0012))
    sharp = {name: one(table, **{**key, "variant": "sharp"}, quantity=name)["measured"] for name in ("C", "cell")}
    assert sharp["cell"] == pytest.approx(1 / (0.0015 * math.sqrt(2)))
    assert sharp["C"] == pytest.approx(sharp["cell"] / 2 + math.sqrt(math.log(2 / 0.00015) / 2))
    for name, arms, m in (("A3", 3, 1), ("B5", 5, 2), ("C10", 10, 3)):
        key = {"instance": name, "horizon": 10**16, "quantity": "M"}
        calls = {variant: one(table, **key, variant=variant)["measured"] for variant in ("union", "text", "lazy", "sharp", "sharp lazy")}
        assert calls["union"] == calls["sharp"] == (1 + m) * arms**2 * 54
        assert calls["text"] == calls["lazy"] == calls["sharp lazy"] == (1 + m) * arms * 54


def test_slopes_by_two_ways_agree():
    x, rng = np.array([1.0, 3.0, 10.0]), np.random.default_rng(8)
    sample = x**1.5 * rng.lognormal(0, 0.3, (200, 3))
    delta, resampled = local_slope(x, sample), bootstrap_slope(x, sample, test="slopes")
    assert delta.mean == pytest.approx(resampled.mean)
    assert delta.mean == pytest.approx(np.polyfit(np.log(x), np.log(sample.mean(axis=0)), 1)[0])
    assert delta.se == pytest.approx(resampled.se, rel=0.15)
    again = resampled_means(sample, test="slopes")
    assert np.array_equal(again, resampled_means(sample, test="slopes"))
    assert not np.array_equal(again, resampled_means(sample, test="others"))
