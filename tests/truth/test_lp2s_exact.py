"""The LPs of LP2S and the expected regret of their policies, against independent exact values and closed forms."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditpapers.algorithms.lp2s import Policy, literal_survivors, smallest_delta0, solve
from banditpapers.kernels import two_stage
from banditpapers.kernels.deficits import beta_binomial, deficit, expected_best_mean
from banditpapers.kernels.pull_bounds import corrected_theorem2_bound, first_pull, theorem2_bound

EXACT = json.loads((Path(__file__).parents[1] / "data" / "lp2s_exact.json").read_text())


def instance(case: dict) -> tuple:
    return case["kind"], (case["a"], case["b"]), case["K"], case["R"], case["L"]


def name(case: dict) -> str:
    return f"{case['kind']}-{case['a']}-{case['b']}-{case['K']}"


def law(policy: Policy) -> tuple[float, dict[str, float]]:
    alive = two_stage.survival(policy.prior, policy.last_pulls)
    pulls = two_stage.expected_pulls(policy.arms, policy.rounds, policy.cost, policy.survivors)
    return pulls, two_stage.simple_regret(policy.prior, policy.arms, alive)


def assert_sound(policy: Policy) -> None:
    """What Theorem 1 and the constraints say of every policy."""
    alive = two_stage.survival(policy.prior, policy.last_pulls)
    assert alive.sum() == pytest.approx(policy.survivors / policy.arms, rel=1e-13)
    assert policy.pulled[-1] == pytest.approx(policy.survivors / policy.arms, rel=1e-13)
    assert (np.diff(policy.thresholds) >= 0).all()
    assert ((policy.thresholds >= 0) & (policy.tie_probabilities > 0) & (policy.tie_probabilities <= 1)).all()
    assert abs(policy.gap) <= 1e-11


@pytest.mark.parametrize("case", EXACT["small"], ids=name)
def test_small_programs_to_the_last_threshold(case):
    policy = solve(*instance(case), case["d0"], case["mu0"])
    assert_sound(policy)
    assert policy.cost == pytest.approx(case["f"], rel=1e-9)
    assert policy.smallest_delta0 == pytest.approx(case["delta0_min"], rel=1e-9)
    assert policy.thresholds.tolist() == case["sstar"]
    assert policy.tie_probabilities == pytest.approx(case["theta"], abs=1e-9)
    assert solve(*instance(case), policy.smallest_delta0, case["mu0"]).cost == pytest.approx(case["f_at_dmin"], rel=1e-9)


@pytest.mark.parametrize("case", EXACT["cells"], ids=name)
def test_cells_of_the_paper(case):
    mu0 = case.get("mu0")
    cheapest = solve(*instance(case), smallest_delta0(*instance(case), mu0), mu0)
    assert_sound(cheapest)
    assert cheapest.smallest_delta0 == pytest.approx(case["delta0_min"], rel=1e-9)
    assert cheapest.cost == pytest.approx(case["f_at_dmin"], rel=1e-9)
    assert expected_best_mean((case["a"], case["b"]), case["K"]) == pytest.approx(case["Emu_star"], rel=1e-13)
    assert cheapest.thresholds[-1] == case["sstar"]
    kept = cheapest.last_pulls[case["sstar"]] / beta_binomial((case["a"], case["b"]), case["R"] - 1)[case["sstar"]]
    assert kept == pytest.approx(case["theta"], rel=1e-9)
    pulls, regret = law(cheapest)
    assert pulls == pytest.approx(case["T_at_dmin"], rel=1e-9)
    if "SR_stage2_at_dmin" in case:
        assert regret["stage2"] == pytest.approx(case["SR_stage2_at_dmin"], rel=1e-8)
        assert regret["combined"] == pytest.approx(case["SR_combined_at_dmin"], rel=1e-8)
    for point in case["frontier"]:
        policy = solve(*instance(case), point["d0"], mu0)
        assert_sound(policy)
        assert policy.cost == pytest.approx(point["f"], rel=1e-11)
        pulls, regret = law(policy)
        assert pulls == pytest.approx(point["T"], rel=1e-11)
        assert regret["stage2"] == pytest.approx(point["SR_stage2"], rel=1e-8)
        assert regret["combined"] == pytest.approx(point["SR_combined"], rel=1e-8)
        kept_quality = np.sum(policy.last_pulls * deficit(*instance(case)[:4], mu0)) / np.sum(policy.last_pulls)
        assert kept_quality <= point["d0"] * (1 + 1e-11)


@pytest.mark.parametrize("case", EXACT["halved"], ids=name)
def test_the_reading_with_half_the_rounds(case):
    mu0 = {1: 0.7, 5: 0.8}[case["a"]] if case["kind"] == "PAC" else None
    policy = solve(*instance(case), smallest_delta0(*instance(case), mu0), mu0)
    pulls, regret = law(policy)
    assert policy.delta0 == pytest.approx(case["delta0_min"], rel=1e-9)
    assert [policy.cost, pulls] == pytest.approx([case["f_at_dmin"], case["T_at_dmin"]], rel=1e-9)
    assert [regret["stage2"], regret["combined"]] == pytest.approx([case["SR2_at_dmin"], case["SRc_at_dmin"]], rel=1e-8)


@pytest.mark.parametrize(
    ("arguments", "cost"),
    [
        (("PAC", (1, 3), 50, 20, 5, 0.2, 0.5), 6.875735798534),
        (("PAC", (1, 1), 1000, 207, 3 * math.log(1000), 0.01, 0.7), 4.603105639738),
        (("SRM", (1, 1), 1000, 207, 3 * math.log(1000), 0.05, None), 5.092434026858),
        (("FC", (1, 1), 200, 300, 5, 0.93, None), 8.367040072313),
        (("FC", (5, 1), 200, 300, 5, 0.93, None), 10.997530683165),
        (("FC", (1, 3), 200, 300, 5, 0.93, None), 8.162764135031),
    ],
)
def test_printed_optimal_values(arguments, cost):
    policy = solve(*arguments)
    assert_sound(policy)
    assert policy.cost == pytest.approx(cost, abs=1e-12 * 1000)


@pytest.mark.parametrize("case", EXACT["scaling"], ids=lambda case: f"{case['a']}-{case['b']}-{case['R']}")
def test_long_stages(case):
    policy = solve(case["kind"], (case["a"], case["b"]), 1000, case["R"], 20, case["d0"])
    assert_sound(policy)
    assert policy.cost == pytest.approx(case["f"], rel=1e-10)


def test_without_a_quality_row_arms_are_dropped_before_the_first_pull():
    policy = solve("PAC", (1, 1), 40, 30, 5, 1.0, 0.7)
    assert policy.cost == pytest.approx(5 * 30 / 40, rel=1e-13)
    assert policy.tie_probabilities[0] == pytest.approx(5 / 40, rel=1e-13)
    assert policy.thresholds.tolist() == [0] * 30
    assert (policy.tie_probabilities[1:] == 1).all()


@pytest.mark.parametrize(("arms", "survivors"), [(100, 100 * 12 / 112), (20000, 20000 * 62 / 112), (3, 3), (2, 1e-3)])
def test_a_share_on_a_boundary_between_states_or_at_an_end(arms, survivors):
    smallest = smallest_delta0("SRM", (1, 1), arms, 112, survivors)
    at_least = [solve("SRM", (1, 1), arms, 112, survivors, delta0) for delta0 in (smallest, smallest + 0.01, smallest + 0.2, 1.0)]
    for policy in at_least:
        assert_sound(policy)
    costs = np.array([policy.cost for policy in at_least])
    assert (np.diff(costs) <= 1e-11).all()
    assert costs[-1] == pytest.approx(112 * survivors / arms, rel=1e-12)


def test_the_smallest_delta0_is_taken_within_rounding():
    smallest = smallest_delta0("SRM", (1, 1), 1000, 207, 20.7)
    cost = solve("SRM", (1, 1), 1000, 207, 20.7, smallest).cost
    assert solve("SRM", (1, 1), 1000, 207, 20.7, float(f"{smallest:.12g}")).cost == cost
    assert solve("SRM", (1, 1), 1000, 207, 20.7, smallest * 1.001).cost < 0.9 * cost


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    setting=st.sampled_from(["PAC", "SRM", "FC"]),
    prior=st.tuples(st.sampled_from([0.5, 1, 2, 5]), st.sampled_from([0.5, 1, 3])),
    arms=st.sampled_from([2, 10, 300]),
    rounds=st.integers(1, 40),
    share=st.floats(0.01, 1.0),
    steps=st.lists(st.floats(1e-3, 1.0), min_size=2, max_size=4),
)
def test_every_program_has_a_certified_threshold_policy(setting, prior, arms, rounds, share, steps):
    smallest = smallest_delta0(setting, prior, arms, rounds, share * arms, 0.7)
    costs = []
    for step in sorted([0.0, *steps]):
        policy = solve(setting, prior, arms, rounds, share * arms, smallest + step * (1 - smallest), 0.7)
        assert_sound(policy)
        costs.append(policy.cost)
    assert (np.diff(costs) <= 1e-11).all()
    assert costs[-1] >= rounds * share * (1 - 1e-12)


@pytest.mark.parametrize("case", EXACT["off_by_one"], ids=lambda case: f"{name(case)}-{case['d0']}")
def test_algorithm_1_taken_literally_loses_its_arms(case):
    policy = solve(case["kind"], (case["a"], case["b"]), 1000, 207, 3 * math.log(1000), case["d0"], 0.7 if case["kind"] == "PAC" else None)
    assert literal_survivors(policy) == pytest.approx(case["EJ_literal"], rel=1e-12, abs=0)


@pytest.mark.parametrize("case", EXACT["pulled"], ids=lambda case: f"{case['kind']}-{case['which']}")
def test_arms_pulled_in_each_round(case):
    mu0 = 0.7 if case["kind"] == "PAC" else None
    shared = (case["kind"], (1, 1), case["K"], case["R"], case["L"])
    delta0 = smallest_delta0(*shared, mu0) if case["which"] == "dmin" else float(case["which"].removeprefix("d0="))
    policy = solve(*shared, delta0, mu0)
    ours = {r: policy.arms * policy.pulled[int(r) - 1] for r in case["E_pulled"]}
    assert ours == pytest.approx(case["E_pulled"], rel=1e-9)
    assert policy.pulled.sum() == pytest.approx(policy.cost, rel=1e-15)


@pytest.mark.parametrize(
    ("prior", "arms", "paper", "corrected", "first"),
    [
        ((1, 1), 1000, 21.1951, 25.3623, 4.31),
        ((5, 1), 1000, 16.0481, 16.8263, 0.8787),
        ((5, 1), 5000, 5.1240, 5.3640, 0.2657),
        ((1, 3), 2000, 11558.4985, 34227.7303, 2.312e4),
    ],
)
def test_theorem_2(prior, arms, paper, corrected, first):
    stage = (prior, arms, int(30 * math.log(arms)), 3 * math.log(arms))
    assert theorem2_bound(*stage) == pytest.approx(paper, abs=5e-5)
    assert corrected_theorem2_bound(*stage) == pytest.approx(corrected, abs=5e-5)
    assert first_pull(*stage) == pytest.approx(first, rel=5e-4)
    cost = solve("SRM", *stage, smallest_delta0("SRM", *stage)).cost
    if first_pull(*stage, corrected=True) <= 1:  # the policy of the corrected bound exists, and is the cheapest one
        assert theorem2_bound(*stage) < cost
        assert cost == pytest.approx(corrected_theorem2_bound(*stage), rel=1e-12)


def test_deficits_and_laws_in_closed_form():
    n = np.arange(255)
    pac = deficit("PAC", (1, 1), 5000, 255, 0.7)
    assert pac[-1] == pytest.approx(0.7**255, rel=1e-12, abs=0)
    assert deficit("SRM", (5, 1), 1000, 255, None) == pytest.approx(5000 / 5001 - (5 + n) / 260, rel=1e-12)
    # F(mu) = mu^a: E mu^(a (K-1)) is a ratio of Gamma functions
    moments = [math.prod((a + 7 + j) / (a + 12 + j) for j in range(49 * a)) for a in (1, 2)]
    assert [deficit("FC", (a, 1), 50, 12, None)[7] for a in (1, 2)] == pytest.approx([1 - moment for moment in moments], rel=1e-13)
    assert beta_binomial((1, 1), 206) == pytest.approx(1 / 207, rel=1e-13)
    assert beta_binomial((0.5, 0.3), 1) == pytest.approx([0.375, 0.625], rel=1e-15)
    assert [expected_best_mean((a, 1), 37) for a in (0.5, 1, 5)] == pytest.approx([37 * a / (37 * a + 1) for a in (0.5, 1, 5)], rel=1e-14)
    assert expected_best_mean((1, 2), 2) == pytest.approx(1 - 8 / 15, rel=1e-14)  # 1 - int (1 - (1-x)^2)^2 dx
