"""What every algorithm owes: found by its file, so a new one is held to it as soon as it exists (give it an entry in samples.yaml)."""

import dataclasses
import json
import random
from importlib import import_module

import numpy as np
import pytest
from contract.parameters import PARAMETERS
from contract.playing import NAMES, REPLICATES, algorithm, case, environment, middle, play, quantities, sized, streams_of, world
from numba import njit

from banditpapers.canonical import canonical
from banditpapers.plugins import build
from banditpapers.seeding import Streams


@pytest.fixture(params=NAMES)
def name(request):
    """Every test that asks for a name runs for each algorithm."""
    return request.param


@njit
def seed_compiled(seed):
    np.random.seed(seed)


@njit
def draw_compiled():
    return np.random.random()


def test_every_entry_is_an_algorithm():
    assert sorted(PARAMETERS) == NAMES, "src/banditpapers/samples.yaml and src/banditpapers/algorithms/ name different algorithms"


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


def test_what_its_coin_flips_are_common_to_are_parameters(name):
    found = algorithm(name)
    assert set(getattr(found, "COMMON", ())) <= {field.name for field in dataclasses.fields(found)}


def test_refuses_an_unknown_parameter(name):
    with pytest.raises(ValueError, match="no_such_parameter"):
        build("algorithms", {"name": name, **case(name).parameters, "no_such_parameter": 1})


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_outcomes_have_their_shape(name, arms, which):
    found = algorithm(name, which)
    recorded = quantities(found, world(name))
    assert len(set(recorded)) == len(recorded)
    for replicate in range(REPLICATES):
        outcome = play(name, replicate, arms, which)
        assert outcome.shape == (len(found.checkpoints), len(found.rules), len(recorded))
        assert outcome.dtype == np.float64
        assert not np.isinf(outcome).any()


def test_the_same_streams_give_the_same_outcome(name):
    first = [play(name, replicate).tobytes() for replicate in range(REPLICATES)]
    assert first == [play(name, replicate).tobytes() for replicate in range(REPLICATES)]
    backwards = [play(name, replicate).tobytes() for replicate in reversed(range(REPLICATES))]
    assert first == backwards[::-1], "no replicate depends on the one before"


def test_replicates_differ(name):
    assert len({play(name, replicate).tobytes() for replicate in range(REPLICATES)}) > REPLICATES / 2


def test_both_streams_matter(name):
    """Rewards come from the environment's stream, ties and coin flips from the algorithm's, by generator or by words.

    An algorithm without coin flips says so: DETERMINISTIC = True.
    """
    arms = case(name).sizes[-1]

    def played(there, coins):
        one, other = streams_of(name, arms, there), streams_of(name, arms, coins)
        mixed = Streams(one.environment, other.algorithm, one.environment_words, other.algorithm_words)
        return algorithm(name).play(environment(name, arms), mixed).tobytes()

    flipped = {played(0, coins) for coins in range(20)}
    assert len(flipped) == 1 if getattr(algorithm(name), "DETERMINISTIC", False) else len(flipped) > 1
    assert len({played(there, 0) for there in range(20)}) > 1


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
        for arms in case(name).sizes:
            play(name, replicate, arms)
    assert [play(name, replicate).tobytes() for replicate in range(3)] == before
    kept = algorithm(name)
    again = [kept.play(environment(name), streams_of(name, middle(name), 1)).tobytes() for _ in range(2)]
    assert again == [before[1]] * 2, "an object that has played plays like a new one"


def test_outcomes_are_not_shared(name):
    first = play(name)
    kept = first.copy()
    second = play(name)
    second[:] = -1
    assert np.array_equal(first, kept, equal_nan=True)
    assert np.array_equal(play(name), kept, equal_nan=True)


def test_what_is_known_without_sampling_can_be_written_down(name):
    found = algorithm(name)
    facts = found.facts(environment(name)) if hasattr(found, "facts") else {}
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    assert set(facts) <= set(found.checkpoints)
