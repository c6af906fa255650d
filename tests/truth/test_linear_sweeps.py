"""Sweeps, horizons, arms left out, resampling counts and Table 1's data: what must not change what, to the last bit."""

from functools import lru_cache

import numpy as np
import pytest
from linear_variants import VARIANTS, history, player

from banditpapers.algorithms.doubly_robust_data import DoublyRobustData
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.environments.linear_contexts import OUTCOME, LinearContexts, World
from banditpapers.kernels.resampling import draws_allowed
from banditpapers.seeding import Words, streams

WORDS = Words(3, 4)
RESAMPLES, EXHAUSTED = OUTCOME.index("resamples"), OUTCOME.index("exhausted")
CHANGES = {"DRTS, M_t = A.3": {"draws": "A.3"}, "DRTS, M_t = 1": {"draws": 1}}


def stream_of(replicate=0):
    return streams(5, "drts", {"name": "x"}, {"name": "y"}, replicate)


@lru_cache
def world_of(arms, dimension, horizon):
    return LinearContexts(arms, dimension).world(WORDS, horizon)


@pytest.mark.parametrize("variant", [*VARIANTS, *CHANGES])
def test_a_longer_horizon_keeps_its_first_rounds(variant):
    base, changed = variant.split(", M_t")[0], CHANGES.get(variant, {})
    outcomes = [
        player(base, rounds, (0.1, 1.0), **changed).play(LinearContexts(6, 5), stream_of())
        for rounds in ((3, 17), (3, 17, 25), (3, 10, 17, 60))
    ]
    assert outcomes[0].tobytes() == outcomes[1][:2].tobytes() == outcomes[2][[0, 2]].tobytes()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_member_of_a_sweep_plays_as_it_would_alone(variant):
    world = world_of(6, 5, 40)
    together = player(variant, (20, 40), (0.01, 0.1, 1.0)).histories(world, WORDS)
    assert len(together) == 3
    for v, found in zip((0.01, 0.1, 1.0), together, strict=True):
        alone = history(variant, world, WORDS, (20, 40), v)
        assert [part.tobytes() for part in found] == [part.tobytes() for part in alone]


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "shared" not in variant])
def test_leaving_out_arms_that_cannot_win_changes_no_decision(variant):
    """If contexts are said to be a hundred long, all arms stay in every round.

    The contexts are short in one round and long in the next, and in many more directions than there are rounds, so that widths come close
    to their bound |x| / sqrt(lambda).
    """
    rng = np.random.default_rng(8)
    sweep = player(variant, (4, 12), (0.01, 0.03, 0.1, 0.3, 1.0))
    for _ in range(20):
        contexts = rng.standard_normal((12, 6, 40)) / 40**0.5 * rng.choice([0.05, 1.0], (12, 1, 1))
        rewards = contexts @ rng.standard_normal(40) + rng.standard_normal((12, 1))
        world = World(contexts, np.linalg.norm(contexts, axis=2), rewards, rewards, rng.standard_normal(40))
        whole = world._replace(lengths=np.full((12, 6), 100.0))
        for found, expected in zip(sweep.histories(world, WORDS), sweep.histories(whole, WORDS), strict=True):
            assert np.array_equal(found.actions, expected.actions)
            assert np.array_equal(found.resamples, expected.resamples)
            np.testing.assert_allclose(found.estimates, expected.estimates, rtol=0, atol=1e-9)


@pytest.mark.parametrize("ridge", [1.0, 1e-3, 1e-9])
@pytest.mark.parametrize("variant", ["LinTS", "BLTS, as released"])
def test_a_small_ridge_costs_no_digits(variant, ridge):
    """From the actions alone, NumPy's linear algebra finds the estimate; a constant propensity gives all observations the weight N."""
    world = world_of(6, 5, 80)
    found = player(variant, (80,), (0.1,), ridge=ridge).histories(world, WORDS)[0]
    rows, weight = (np.arange(80), found.actions), 6 if variant.startswith("BLTS") else 1
    x, r = world.contexts[rows], world.rewards[rows]
    expected = np.linalg.solve(ridge * np.eye(5) + weight * x.T @ x, weight * x.T @ r)
    np.testing.assert_allclose(found.estimates[0], expected, rtol=1e-7)


@pytest.mark.parametrize("ridge", [1.0, 1e-3, 1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("variant", ["LinTS", "BLTS", "BLTS, as released"])
def test_neither_the_horizon_nor_the_sweep_decides_how_the_inverse_is_kept(variant, ridge):
    """Updated or made afresh: the last bits differ. So the choice may depend on the member's own parameters alone."""
    short, long = (
        player(variant, rounds, (0.1,), ridge=ridge).histories(world_of(6, 5, rounds[-1]), WORDS)[0] for rounds in ((8,), (8, 90))
    )
    assert short.estimates[0].tobytes() == long.estimates[0].tobytes()
    if variant == "BLTS":
        few, many = (
            player(variant, (8,), (0.1,), ridge=ridge, gamma=gamma).histories(world_of(6, 5, 8), WORDS) for gamma in ((0.05,), (1e-7, 0.05))
        )
        assert few[0].estimates.tobytes() == many[1].estimates.tobytes()


@pytest.mark.parametrize("propensity", ["exact", "constant"])
@pytest.mark.parametrize("variance", ["plain", "RSS", "mean RSS"])
def test_one_more_floor_changes_nothing_in_the_others(variance, propensity):
    def played(gamma):
        blts = player("BLTS", (20, 40), (0.1, 1.0), gamma=gamma, variance=variance, propensity=propensity)
        return dict(zip(blts.rules, np.moveaxis(blts.play(LinearContexts(4, 5), stream_of()), 1, 0), strict=True))

    few, many = played((0.05, 0.6)), played((0.01, 0.05, 0.3, 0.6))
    assert all(few[rule].tobytes() == many[rule].tobytes() for rule in few)


def test_with_a_constant_propensity_floors_up_to_one_in_n_are_one_algorithm():
    arms, gamma = 4, (0.01, 0.05, 0.25, 0.3)
    constant, exact = (player("BLTS", (40,), (1.0,), gamma=gamma, propensity=propensity) for propensity in ("constant", "exact"))
    assert constant.members(arms) == [(1.0, 0.25), (1.0, 0.3)]
    assert exact.members(arms) == [(1.0, floor) for floor in gamma]
    found = constant.play(LinearContexts(arms, 5), stream_of())[0]
    assert found.shape == (4, len(OUTCOME))
    assert found[0].tobytes() == found[1].tobytes() == found[2].tobytes() != found[3].tobytes()
    assert len({row.tobytes() for row in exact.play(LinearContexts(arms, 5), stream_of())[0]}) > 2


# ---- M_t


def drts(draws, horizon, v=1.0):
    return DoublyRobustThompson((horizon,), (v,), draws=draws).histories(world_of(6, 5, horizon), WORDS)[0]


def test_resamples_and_exhausted_rounds_are_counted():
    horizon = 120
    plenty, one, two = drts(200, horizon), drts(1, horizon), drts(2, horizon)
    assert plenty.resamples.sum() > 0
    assert plenty.exhausted.sum() == 0
    assert one.resamples.sum() == 0
    assert one.exhausted.sum() > 0
    assert set(two.resamples) == {0, 1}
    assert (two.resamples[two.exhausted == 1] == 1).all(), "the last draw is played"
    first = int(np.flatnonzero(plenty.resamples)[0])
    assert np.array_equal(plenty.actions[:first], one.actions[:first])
    assert int(np.flatnonzero(one.exhausted)[0]) == first, "the first candidate that is not admitted is the same"
    assert plenty.actions[first] != one.actions[first]


def test_the_counts_are_in_the_outcome():
    found = DoublyRobustThompson((60, 120), (0.01, 1.0), draws=2).play(LinearContexts(6, 5), stream_of())
    assert found[-1, 1, RESAMPLES] >= found[-1, 1, EXHAUSTED] > 0
    assert (found[-1, 1] >= found[0, 1])[[RESAMPLES, EXHAUSTED]].all()
    assert found[-1, 0, RESAMPLES] < found[-1, 1, RESAMPLES], "a small v hardly explores"


def test_the_supplement_s_m_plays_like_200_where_neither_is_used_up():
    most = draws_allowed("A.3", 6, 120)
    ours, theirs = drts("A.3", 120), drts(200, 120)
    assert (ours.resamples < most - 1).all()
    assert np.array_equal(ours.actions, theirs.actions)
    np.testing.assert_allclose(ours.estimates, theirs.estimates, rtol=1e-3)


# ---- Table 1


@pytest.mark.parametrize(("arms", "dimension", "v"), [(4, 2, 0.1), (6, 5, 1.0), (2, 1, 1.0)])
def test_the_data_are_what_drts_learns_from(arms, dimension, v):
    """From contexts and pseudo-rewards alone, NumPy's linear algebra finds the estimates that DRTS had."""
    rounds, there, streams_ = 30, LinearContexts(arms, dimension), stream_of(2)
    world = there.world(streams_.environment_words, rounds)
    played = DoublyRobustThompson(tuple(range(1, rounds + 1)), (v,)).histories(world, streams_.algorithm_words)[0]
    data = DoublyRobustData(rounds, v, arms, dimension)
    found = dict(zip(data.quantities, np.moveaxis(data.play(there, streams_), -1, 0), strict=True))
    contexts = np.stack([found[f"context_{k + 1}"] for k in range(dimension)], axis=-1)
    assert contexts.tobytes() == world.contexts.tobytes()
    assert (found["played"].sum(axis=1) == 1).all()
    assert np.array_equal(found["played"].argmax(axis=1), played.actions)
    seen = found["played"] == 1
    assert np.array_equal(found["reward"][seen], world.rewards[seen])
    assert np.isnan(found["reward"][~seen]).all()
    assert np.isnan(found["selection_probability"][~seen]).all()
    chance = found["selection_probability"][seen]
    assert chance[0] == 1 / arms
    assert ((chance > 1 / (arms + 1)) & (chance <= 1 + 1e-12)).all()
    gram, moment = np.zeros((dimension, dimension)), np.zeros(dimension)
    for t in range(rounds):
        gram += contexts[t].T @ contexts[t]
        moment += contexts[t].T @ found["pseudo_reward"][t]
        b = np.linalg.solve(gram + np.sqrt(t + 1) * np.eye(dimension), moment)
        np.testing.assert_allclose(b, played.estimates[t], rtol=1e-7, atol=1e-9)
