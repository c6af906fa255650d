"""Exact laws and worst cases behind the theory table of debora, against enumeration and search; each check can fail."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from debora_exhibits import LUCK, SHIPPED, N, made_up, one, small, summarised

from banditpapers.algorithms import debora
from banditpapers.kernels.replicable_mean import precision, replicable_mean
from banditpapers.papers.debora import lemmas
from banditpapers.papers.debora.exhibits import theory as theory_exhibit
from banditpapers.papers.debora.played import played
from banditpapers.papers.debora.summaries import theory

GRID = small(growth={"horizons": (10**4, 10**6)}, regret={"arms": (2, 5), "gaps": (0.2,), "rho": (0.3, 0.9), "horizons": (10**4, 10**6)})
SHIFTS = (np.arange(4000) + 0.5) / 4000
CLEAN = {"epochs": 20.0}
COMPUTED = {
    "repmean_precision",
    "repmean_replicability",
    "hoeffding_slack",
    "epochs_bound",
    "log_delta",
    "gamma_largest",
    "ucb_replacement",
}
FAILING = {
    "midpoint_from_mean", "epochs_bound_k1", "epochs_bound_t1", "union_bound_text", "rho_delta_squared", "matches_up_to_constants",
    "esfandiari2_commit",
}  # fmt: skip


@pytest.fixture(scope="module")
def table():
    return summarised(theory, "theory", GRID, made_up("theory", GRID, lambda cell, horizon, rho: CLEAN))


def enumerated(n, p, cell, width):
    """(P(|r^ - p| > zeta), P(split)) over all pairs of sums and a fine grid of shifts, through the kernel itself."""
    law, alpha = np.array([math.comb(n, s) * p**s * (1 - p) ** (n - s) for s in range(n + 1)]), cell / math.sqrt(n)
    outputs = np.array([[replicable_mean(float(s), n, alpha, u) for u in SHIFTS] for s in range(n + 1)])
    wrong = law @ (np.abs(outputs - p) > width / math.sqrt(n)).mean(axis=1)
    splits = sum(law[i] * law[j] * (outputs[i] != outputs[j]).mean() for i, j in product(range(n + 1), repeat=2))
    return float(wrong), float(splits)


@pytest.mark.parametrize(("n", "p", "name", "narrower"), [(7, 0.3, "sharp", 0.5), (12, 0.5, "sharp", 0.4), (5, 0.8, "whole", 0.05)])
def test_laws_of_repmean_against_enumeration(n, p, name, narrower):
    """With narrower widths than those of the lemma, so that errors have a probability."""
    cell, width = precision(0.3, 0.03, name)
    wrong, splits = enumerated(n, p, cell, narrower * width)
    assert wrong > 1e-3
    assert lemmas.error_probability(n, p, cell, narrower * width) == pytest.approx(wrong, abs=1e-3)
    assert lemmas.split_probability(n, p, cell) == pytest.approx(splits, abs=1e-3)


def test_split_probability_is_that_of_the_closed_form_for_many_samples():
    cell = precision(0.3, 0.03).cell
    for p in (0.5, 0.1):
        assert lemmas.split_probability(2000, p, cell) == pytest.approx(2 * math.sqrt(p * (1 - p) / math.pi) / cell, rel=0.01)
    assert lemmas.split_probability(1, 0.5, 1.0) == 0.5, "one toss, cells of width 1: the means are 0 and 1 half of the time"


def test_lemma_2_5_would_fail_with_narrow_cells():
    cell, width = precision(0.3, 0.03, "sharp")
    assert lemmas.split_probability(1000, 0.5, cell) < 0.3 < lemmas.split_probability(1000, 0.5, cell / 2)
    assert lemmas.error_probability(1000, 0.5, cell, width) < 0.03 < lemmas.error_probability(1000, 0.5, cell, width / 3)


def test_binomial_law():
    law = lemmas.binomial_law(30, 0.3)
    assert law == pytest.approx([math.comb(30, s) * 0.3**s * 0.7 ** (30 - s) for s in range(31)], rel=1e-11)


def test_middles_computed_from_the_mean_differ_and_those_from_the_index_do_not():
    differ = lemmas.split_from_mean(4000, (10_000,), 0.3, 0.03)
    assert 500 < differ.size < 4000
    assert 0.002 < differ.mean() < 0.1
    alpha, found = 0.0371, []
    for u in SHIFTS[::40]:
        offset = u * alpha
        sums = [s for s in range(5000, 5100) if math.floor((s / 10_000 - offset) / alpha) == math.floor((0.505 - offset) / alpha)]
        found.append(len({replicable_mean(float(s), 10_000, alpha, u) for s in sums}))
    assert found == [1] * len(found)


def longest(counts, left):
    """The most epochs from these counts, over all rules."""
    if left <= 0:
        return 0
    best = 0
    for arm in range(len(counts)):
        length = max(counts[arm], 1)
        after = tuple(sorted((*counts[:arm], counts[arm] + length, *counts[arm + 1 :])))
        best = max(best, 1 + longest(after, left - length))
    return best


def test_most_epochs_is_the_longest_of_all_rules():
    for arms, horizon in product((1, 2, 3), range(1, 15)):
        assert lemmas.most_epochs(arms, horizon) == longest((0,) * arms, horizon), (arms, horizon)
    assert lemmas.most_epochs(1, 1024) == 11


def test_runs_of_debora_have_no_more_epochs():
    rng = np.random.default_rng(3)
    for arms, horizon in product((2, 3), (2, 3, 7, 64, 65)):
        means, offsets = np.full(arms, 0.5), rng.random(arms * 10)
        rounds = debora.play_once(means, horizon, 20.0, 10.0, False, offsets, rng)[1]
        assert rounds.sum() == horizon
        assert len(rounds) <= lemmas.most_epochs(arms, horizon) <= arms * math.ceil(math.log2(horizon))


def test_gamma_is_the_largest_weight_and_a_larger_one_breaks_a_limit():
    mixes = lemmas.random_mixes(300)
    for mix in mixes:
        gamma = lemmas.weight(mix)
        assert gamma == pytest.approx(lemmas.largest_weight(mix), abs=1e-12)
        high = mix.estimates[1:] + mix.bounds
        costs = (np.minimum(high, 1) if mix.clip else high) @ mix.x
        above = (gamma + 1e-6) * costs + (1 - gamma - 1e-6) * mix.lambdas > mix.limits
        assert above.any() or gamma == 1
    weights = [lemmas.weight(mix) for mix in mixes]
    assert min(weights) < 0.2
    assert sum(weight == 1 for weight in weights) > 10


def test_every_check_stands_with_one_default_row(table):
    assert set(table["check"]) == set(theory_exhibit.TITLES)
    assert (table[table["default"]].groupby("check").size() == 1).all()
    assert set(table.loc[table["default"], "check"]) == set(theory_exhibit.TITLES)


def test_what_holds_holds_and_what_fails_fails(table):
    for row in table.to_dict("records"):
        if row["check"] in COMPUTED:
            assert row["measured"] >= 0, row
        if row["check"] in FAILING and row["default"]:
            assert row["measured"] < 0, row
    assert not one(table, check="stray_gamma")["exists"]
    assert table[table["check"] != "stray_gamma"]["exists"].all()


def test_constants_of_the_text(table):
    assert one(table, check="union_bound_text", reading="log T = ceil(log2 T)")["measured"] == pytest.approx(1 - 3)
    assert one(table, check="rho_delta_squared", default=True)["measured"] == pytest.approx(1 - (0.9 / 0.8) ** 2)
    assert one(table, check="esfandiari2_commit", reading="5 arms left")["measured"] == pytest.approx(0.3 - 0.8)
    assert one(table, check="epochs_bound_k1")["measured"] == one(table, check="epochs_bound_t1")["measured"] == -1
    assert one(table, check="epochs_bound", reading="any rule")["measured"] == 0
    assert one(table, check="matches_up_to_constants", default=True)["measured"] == pytest.approx(1 - 6 / 4)
    assert one(table, check="matches_up_to_constants", default=False)["measured"] == 0
    calls, rho = 2 * 10**6, 0.3
    samples = 2 * math.log(2 * calls / (0.1 * rho)) * (calls / (0.8 * rho)) ** 2
    assert one(table, check="ucb_replacement")["measured"] == pytest.approx(math.log10(samples / 10**6))


def test_runs_are_counted_over_all_cells_of_the_grids_rho(table):
    row = one(table, check="confidence", default=True)
    paper_and_sharp, variants, instances, horizons = 2, 3, 3, 2
    runs = N * horizons * (2 * paper_and_sharp + 2 * variants * instances)
    assert (row["planned"], row["finished"], row["failed"]) == (runs, runs, 0)
    assert (row["measured"], row["interval"]) == (pytest.approx(0.03), "clopper-pearson 95%")
    assert one(table, check="safety")["finished"] == N * horizons * variants * instances
    assert one(table, check="safe_set")["low"] > 0


def spoiled(quantity, method, value, failed=()):
    """The rows that count runs, with another outcome of one algorithm."""

    def outcome(cell, horizon, rho):
        return {**CLEAN, quantity: value if cell.algorithm["name"] == method else CLEAN.get(quantity, 0.0)}

    return pd.DataFrame(played(made_up("theory", GRID, outcome, failed), GRID.model_dump(mode="json")))


def test_a_missed_width_an_unsafe_round_and_too_many_epochs_turn_the_margins():
    missed = spoiled("missed", "debora_hard", np.where(LUCK > 0, 1.0, 0.0))
    assert one(missed, check="confidence", reading="DEBORA-H")["measured"] == pytest.approx(0.03 - 0.5)
    assert one(missed, check="confidence", reading="DEBORA-S")["measured"] == pytest.approx(0.03)
    assert one(missed, check="safe_set")["measured"] == pytest.approx(0.03 - 0.25)
    unsafe = one(spoiled("unsafe", "debora_hard", np.where(LUCK > 0, 40.0, 0.0)), check="safety")
    assert (unsafe["measured"], unsafe["note"].startswith(f"{40 * N // 2 * 18} unsafe rounds")) == (pytest.approx(0.03 - 0.5), True)
    long = spoiled("epochs", "debora", 42.0)
    assert one(long, check="epochs_bound", reading="DEBORA")["measured"] == pytest.approx(1 - 42 / (2 * 14))
    assert one(long, check="epochs_bound", reading="DEBORA-S")["measured"] > 0


def test_a_failed_pair_is_counted():
    row = one(spoiled("missed", "debora", 0.0, failed=("debora_soft",)), check="confidence", reading="DEBORA-S")
    assert (row["planned"] - row["finished"], row["failed"]) == (18, 18)


def test_the_table_is_laid_out(table):
    panels = theory_exhibit.tabulate(table, None)
    assert [panel.heading.partition(":")[0] for panel in panels] == list(dict.fromkeys(table["check"]))
    assert all(len(line) == len(panel.columns) for panel in panels for line in panel.rows)
    (stray,) = (panel for panel in panels if panel.heading.startswith("stray_gamma"))
    assert stray.rows[0][4] == "—"
    assert SHIPPED.rho == 0.3
