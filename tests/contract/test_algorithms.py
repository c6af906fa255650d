"""What every algorithm owes: found by its file, so a new one is held to it as soon as it exists (give it an entry in parameters.py)."""

import dataclasses
import json
import random
from importlib import import_module

import numpy as np
import pytest
from contract.parameters import PARAMETERS
from numba import njit

from banditpapers.canonical import canonical
from banditpapers.environments.beta_bernoulli import OUTCOME, BetaBernoulli, draw_means
from banditpapers.plugins import build, names
from banditpapers.seeding import Streams, streams

NAMES = names("algorithms")
PRIOR, ARMS, REPLICATES = (1, 1), 6, 12
PULLS, BATCHES, SURVIVORS, REGRET, BEST = range(len(OUTCOME))


@pytest.fixture(params=NAMES)
def name(request):
    """Every test that asks for a name runs for each algorithm."""
    return request.param


def case(name):
    assert name in PARAMETERS, f"{name} has no entry in tests/contract/parameters.py; give it small parameters there"
    return PARAMETERS[name]


def algorithm(name, which="parameters"):
    return build("algorithms", {"name": name, **getattr(case(name), which)})


def streams_of(name, arms, replicate) -> Streams:
    return streams(11, "contract", {"prior": PRIOR, "arms": arms}, {"name": name}, replicate)


def play(name, replicate=0, arms=ARMS, which="parameters") -> np.ndarray:
    return algorithm(name, which).play(BetaBernoulli(PRIOR, arms), streams_of(name, arms, replicate))


@njit
def seed_compiled(seed):
    np.random.seed(seed)


@njit
def draw_compiled():
    return np.random.random()


def test_every_entry_is_an_algorithm():
    assert sorted(PARAMETERS) == NAMES, "tests/contract/parameters.py and src/banditpapers/algorithms/ name different algorithms"


def test_describes_itself(name):
    found = algorithm(name)
    module = import_module(f"banditpapers.algorithms.{name}")
    assert type(found).__module__ == module.__name__
    assert type(found).__name__ == "".join(word.capitalize() for word in name.split("_"))
    assert "Source:" in module.__doc__, "the docstring says which paper the algorithm is from"
    assert dataclasses.is_dataclass(found)
    assert type(found).__dataclass_params__.frozen
    assert {found: 1}[algorithm(name)] == 1, "results are cached by it"
    assert found.rules
    assert len(set(found.rules)) == len(found.rules)
    assert found.checkpoints
    assert len(set(found.checkpoints)) == len(found.checkpoints)
    assert all(isinstance(label, str) for label in (*found.checkpoints, *found.rules))


def test_its_parameters_are_those_of_a_grid(name):
    found = algorithm(name)
    written = {field.name: getattr(found, field.name) for field in dataclasses.fields(found)}
    assert build("algorithms", {"name": name, **json.loads(canonical(written))}) == found


def test_refuses_an_unknown_parameter(name):
    with pytest.raises(ValueError, match="no_such_parameter"):
        build("algorithms", {"name": name, **case(name).parameters, "no_such_parameter": 1})


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize("arms", [2, ARMS, 31])
def test_outcomes_are_proper(name, which, arms):
    found = algorithm(name, which)
    for replicate in range(REPLICATES):
        outcome = play(name, replicate, arms, which)
        assert outcome.shape == (len(found.checkpoints), len(found.rules), len(OUTCOME))
        assert outcome.dtype == np.float64
        assert np.isfinite(outcome).all()
        assert ((outcome[..., BATCHES] > 0) == (outcome[..., PULLS] > 0)).all(), "LP2S may drop all arms at once: no pull, no batch"
        assert (outcome[..., BATCHES] >= 0).all()
        assert (outcome[..., :REGRET] == np.floor(outcome[..., :REGRET])).all(), "pulls, batches and survivors are whole numbers"
        assert (outcome[..., BATCHES] <= outcome[..., PULLS]).all()
        assert ((outcome[..., SURVIVORS] >= 0) & (outcome[..., SURVIVORS] <= arms)).all()
        assert ((outcome[..., REGRET] >= 0) & (outcome[..., REGRET] <= 1)).all()
        assert set(np.unique(outcome[..., BEST])) <= {0.0, 1.0}


def test_recommends_an_arm_of_the_replicate_s_world(name):
    """The means are the first numbers of the environment's stream, and the regret is one of the gaps between them."""
    for replicate in range(REPLICATES):
        means = draw_means(*map(float, PRIOR), ARMS, streams_of(name, ARMS, replicate).environment)
        regret, best = np.moveaxis(play(name, replicate)[..., REGRET:], -1, 0)
        assert np.isin(regret, means.max() - means).all()
        assert np.array_equal(best == 1.0, regret == 0.0)


@pytest.mark.parametrize("arms", [2, ARMS, 31])
def test_keeps_its_budget(name, arms):
    most = [case(name).most(label, arms) for label in algorithm(name).checkpoints]
    pulls = np.array([play(name, replicate, arms)[..., PULLS].max(axis=1) for replicate in range(REPLICATES)])
    assert (pulls <= most).all(), (pulls.max(axis=0), most)


def test_the_same_streams_give_the_same_outcome(name):
    first = [play(name, replicate).tobytes() for replicate in range(REPLICATES)]
    assert first == [play(name, replicate).tobytes() for replicate in range(REPLICATES)]
    backwards = [play(name, replicate).tobytes() for replicate in reversed(range(REPLICATES))]
    assert first == backwards[::-1], "no replicate depends on the one before"


def test_replicates_differ(name):
    assert len({play(name, replicate).tobytes() for replicate in range(REPLICATES)}) > REPLICATES / 2


def test_both_streams_matter(name):
    """Rewards come from the environment's stream; ties, of which there are many on few pulls, from the algorithm's."""

    def played(world, coins):
        mixed = Streams(streams_of(name, 31, world).environment, streams_of(name, 31, coins).algorithm)
        return algorithm(name).play(BetaBernoulli(PRIOR, 31), mixed).tobytes()

    assert len({played(0, coins) for coins in range(20)}) > 1
    assert len({played(world, 0) for world in range(20)}) > 1


def test_global_random_states_are_untouched(name):
    play(name)  # what is solved once is solved now
    np.random.seed(5)
    random.seed(5)
    seed_compiled(5)
    expected = (np.random.random(), random.random(), draw_compiled())
    np.random.seed(5)
    random.seed(5)
    seed_compiled(5)
    for replicate in range(3):
        play(name, replicate)
    assert (np.random.random(), random.random(), draw_compiled()) == expected


def test_no_play_leaves_a_trace_in_another(name):
    before = [play(name, replicate).tobytes() for replicate in range(3)]
    for replicate in range(3):
        play(name, replicate, which="other")
        play(name, replicate, arms=31)
        play(name, replicate, arms=2)
    assert [play(name, replicate).tobytes() for replicate in range(3)] == before
    kept = algorithm(name)
    again = [kept.play(BetaBernoulli(PRIOR, ARMS), streams_of(name, ARMS, 1)).tobytes() for _ in range(2)]
    assert again == [before[1]] * 2, "an object that has played plays like a new one"


def test_outcomes_are_not_shared(name):
    first = play(name)
    kept = first.copy()
    second = play(name)
    second[:] = -1
    assert np.array_equal(first, kept)
    assert np.array_equal(play(name), kept)


def test_what_is_known_without_sampling_can_be_written_down(name):
    found = algorithm(name)
    facts = found.facts(BetaBernoulli(PRIOR, ARMS)) if hasattr(found, "facts") else {}
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert set(facts) <= set(found.checkpoints)
