"""What every linear contextual bandit algorithm owes besides: regret that is accounted on the one world of its replicate."""

import numpy as np
import pytest
from contract.playing import REPLICATES, algorithm, environment, middle, of, play, sized, streams_of

from banditpapers.environments.linear_contexts import COEFFICIENTS, OUTCOME, READINGS

NAMES = [name for name in of("linear_contexts") if not hasattr(algorithm(name), "quantities")]
REGRET, ERROR, WRONG, RESAMPLES, EXHAUSTED = range(len(OUTCOME))


def horizon(name, which="parameters"):
    return int(algorithm(name, which).checkpoints[-1])


def proper(outcome, world, rounds):
    """Shape (rounds, rules, quantities); `rounds` are the numbers of the recorded rounds."""
    assert np.isfinite(outcome).all()
    t = np.array(rounds)[:, None]
    most = np.cumsum(world.gaps.max(axis=1))[t - 1]
    assert ((outcome[..., REGRET] >= 0) & (outcome[..., REGRET] <= most * (1 + 1e-12))).all()
    assert (outcome[..., ERROR] >= 0).all()
    counts = outcome[..., WRONG:]
    assert (counts == np.floor(counts)).all()
    assert (counts >= 0).all()
    assert (np.diff(outcome[..., [REGRET, WRONG, RESAMPLES, EXHAUSTED]], axis=0) >= 0).all(), "these are cumulative"
    assert (outcome[..., WRONG] <= t).all()
    assert (outcome[..., EXHAUSTED] <= t).all()


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_outcomes_are_proper(name, arms, which):
    rounds = list(map(int, algorithm(name, which).checkpoints))
    for replicate in range(REPLICATES):
        world = environment(name, arms).world(streams_of(name, arms, replicate).environment_words, rounds[-1])
        proper(play(name, replicate, arms, which), world, rounds)


@pytest.mark.parametrize("coefficients", COEFFICIENTS)
@pytest.mark.parametrize("contexts", READINGS)
@pytest.mark.parametrize("name", NAMES)
def test_every_reading_of_the_contexts_can_be_played(name, contexts, coefficients):
    changed = {"contexts": contexts, "coefficients": coefficients}
    words = streams_of(name, middle(name), 0, **changed).environment_words
    proper(play(name, **changed), environment(name, **changed).world(words, horizon(name)), range(1, horizon(name) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_all_algorithms_of_a_replicate_meet_one_world(name):
    """Each round's regret is one of that round's gaps in a world that is drawn from another algorithm's streams."""
    for replicate in range(REPLICATES):
        words = streams_of(NAMES[NAMES.index(name) - 1], middle(name), replicate).environment_words
        gaps = environment(name).world(words, horizon(name)).gaps
        steps = np.diff(play(name, replicate)[..., REGRET], axis=0, prepend=0.0)
        nearest = np.abs(steps[:, :, None] - gaps[:, None, :]).min(axis=2)
        assert nearest.max() < 1e-12
        assert (steps > 1e-6).any()
