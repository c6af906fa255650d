"""Sweeps, horizons, resampling counts and Table 1's data: what must not change what, to the last bit."""

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from linear_variants import VARIANTS, history, player

from banditpapers.algorithms.doubly_robust_data import DoublyRobustData
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.cells import Cell
from banditpapers.environments.linear_contexts import OUTCOME, LinearContexts
from banditpapers.kernels.resampling import draws_allowed
from banditpapers.seeding import Words, streams
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]
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


# ---- bits

COMPILER = ("NUMBA_DISABLE_JIT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
FAMILIES = {family: [variant for variant in VARIANTS if variant.startswith(family)] for family in ("LinTS", "BLTS", "DRTS")}


def digests(*families, **changed):
    """What a process of its own finds, with other settings of the compiler or of threads."""
    asked = [(*instance, FAMILIES[family]) for family in families for instance in ((4, 5, 60), (10, 20, 60))]
    program = f"from linear_variants import digest; print(*(digest(*instance) for instance in {asked!r}))"
    environment = {name: value for name, value in os.environ.items() if name not in COMPILER}
    environment |= {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]), "OMP_NUM_THREADS": "1"} | changed
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment).stdout.split()
    assert len(set(printed)) == len(asked)
    return {family: printed[2 * i : 2 * i + 2] for i, family in enumerate(families)}


@pytest.fixture(scope="module")
def usual():
    """Bits with the defaults of this machine."""
    return digests(*FAMILIES)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The plainest processor of this family, without wide registers or fused operations; its machine code is kept apart."""
    return {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("generic"))}


def test_threads_do_not_change_a_bit(usual):
    assert digests(*FAMILIES, OMP_NUM_THREADS="2") == usual


@pytest.mark.parametrize("family", FAMILIES)
def test_another_processor_does_not_change_a_bit(usual, elsewhere, family):
    assert digests(family, **elsewhere)[family] == usual[family]


def test_the_interpreter_does_not_change_a_bit(usual):
    assert digests(*FAMILIES, NUMBA_DISABLE_JIT="1") == usual


@pytest.mark.parametrize(
    "algorithm", [{"name": "linear_thompson"}, {"name": "balanced_thompson", "gamma": [0.05]}, {"name": "doubly_robust_thompson"}]
)
def test_blocks_do_not_change_a_bit(algorithm):
    world = {"name": "linear_contexts", "arms": 4, "dimension": 5, "contexts": "radial", "coefficients": "fresh"}
    cell = Cell("drts", world, {**algorithm, "rounds": [10, 60], "v": [0.1, 1]})
    whole = simulate(cell, 7, 0, 3).outcomes
    assert np.concatenate([simulate(cell, 7, 0, 1).outcomes, simulate(cell, 7, 2, 3).outcomes]).tobytes() == whole.tobytes()
    assert len({outcome.tobytes() for outcome in whole}) == 4
