"""What every algorithm on fixed arms owes besides: regret accounted on its replicate's arms, and rounds that no later ones change."""

from types import SimpleNamespace

import numpy as np
import pytest
from contract.playing import REPLICATES, algorithm, case, environment, middle, of, play, quantities, sized, streams_of, world

from banditpapers.environments.fixed_arms import Arms, FixedArms
from banditpapers.plugins import build

NAMES = of("fixed_arms")
WITHOUT_LEARNING = {"soft_ucb_offline": {"step": 0}, "soft_ucb_online": {"step": [0]}}  # the horizon is a parameter of how these learn beta
BY_VALUES = {"linear_ucb": {}, "epsilon_greedy": {"epsilon": [0]}, "fixed_arms_thompson": {}}  # these play the arm of the largest value


@pytest.fixture(params=NAMES)
def name(request):
    """Every test that asks for a name runs for each algorithm."""
    return request.param


def regret(name, outcome, found):
    """Regret at the recorded rounds, shape (rounds, rules); SoftUCB offline records its training trajectories before."""
    rows = [label.removeprefix("t=").isdigit() for label in found.checkpoints]
    return outcome[rows, :, quantities(found, world(name)).index("regret")]


def rounds(found):
    return np.array([int(label) for checkpoint in found.checkpoints if (label := checkpoint.removeprefix("t=")).isdigit()])


def changed(name, **parameters):
    """The algorithm with other parameters."""
    return build("algorithms", {"name": name, **case(name).parameters, **parameters})


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_regret_grows_by_the_gaps_of_arms_that_are_the_same_for_all_algorithms(name, arms, which):
    found = algorithm(name, which)
    for replicate in range(REPLICATES):
        words = streams_of(NAMES[NAMES.index(name) - 1], arms, replicate).environment_words  # another algorithm's
        gaps = environment(name, arms).instance(words).gaps
        outcome = play(name, replicate, arms, which)
        assert np.isfinite(outcome).all()
        curve = regret(name, outcome, found)
        assert (curve >= 0).all()
        assert (np.diff(curve, axis=0) >= 0).all()
        assert (curve <= rounds(found)[:, None] * gaps.max() * (1 + 1e-12)).all()
        if which == "parameters":  # every round is recorded
            nearest = np.abs(np.diff(curve, axis=0, prepend=0.0)[..., None] - gaps).min(axis=-1)
            assert nearest.max() < 1e-12


def test_some_regret_is_had(name):
    found = algorithm(name)
    assert sum(regret(name, play(name, replicate), found)[-1] for replicate in range(REPLICATES)).min() > 0


def test_a_longer_horizon_leaves_earlier_rounds_as_they_are(name):
    played = []
    for last in (10, 20, 200):
        longer = changed(name, rounds=[*range(1, 11), *([last] if last > 10 else [])], **WITHOUT_LEARNING.get(name, {}))
        one = [longer.play(environment(name), streams_of(name, middle(name), replicate)) for replicate in range(REPLICATES)]
        played.append([regret(name, outcome, longer)[:10].tobytes() for outcome in one])
    assert played[0] == played[1] == played[2]
    assert len(set(played[0])) > 1


def test_rounds_are_recorded_as_they_are_whichever_others_are(name):
    few, all_of_them = changed(name, rounds=[3, 20]), changed(name)
    for replicate in range(REPLICATES):
        short, whole = (
            regret(name, found.play(environment(name), streams_of(name, middle(name), replicate)), found) for found in (few, all_of_them)
        )
        assert short.tobytes() == whole[[2, 19]].tobytes()


def test_one_round_can_be_played(name):
    found = changed(name, rounds=[1])
    for arms in case(name).sizes:
        outcome = found.play(environment(name, arms), streams_of(name, arms, 0))
        assert np.isfinite(outcome).all()
        gaps = environment(name, arms).instance(streams_of(name, arms, 0).environment_words).gaps
        assert np.isin(regret(name, outcome, found), gaps).all()


@pytest.mark.parametrize("which", ["parameters", "other"])
def test_one_arm_has_no_regret(name, which):
    found = algorithm(name, which)
    for replicate in range(REPLICATES):
        assert (regret(name, play(name, replicate, 1, which), found) == 0).all()


@pytest.mark.parametrize(("dimension", "variance"), [(1, 0.1), (2, 0), (20, 0.1), (3, 1e6)])
def test_every_size_of_instance_can_be_played(name, dimension, variance):
    for replicate in range(3):
        for which in ("parameters", "other"):
            outcome = play(name, replicate, which=which, dimension=dimension, variance=variance)
            assert np.isfinite(outcome).all()


def identical(arms):
    """Arms with the same features that pay differently all the same, so that regret tells which was played."""
    columns = np.repeat(np.array([[0.6], [0.8]]), arms, axis=1)
    return SimpleNamespace(instance=lambda words: Arms(columns, np.linspace(0.5, 0.0, arms)), noise=FixedArms(arms, 2, 0.1).noise)


@pytest.mark.parametrize("name", BY_VALUES)
def test_of_identical_arms_the_one_with_the_smallest_index_is_played(name):
    found = changed(name, rounds=[5, 500], **BY_VALUES[name])
    for arms in (2, 5, 50):
        assert (regret(name, found.play(identical(arms), streams_of(name, arms, 0)), found) == 0).all()


def test_identical_arms_have_the_same_probability_elsewhere(name):
    if name not in BY_VALUES:
        found = changed(name, rounds=[100])
        curve = regret(name, found.play(identical(5), streams_of(name, 5, 0)), found)
        assert np.allclose(curve[0] / 100, 0.25, atol=0.1), "the mean of the gaps"
