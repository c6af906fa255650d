"""What every algorithm on constrained arms owes besides: pairs of runs whose regret and violation are those of what was played."""

import numpy as np
import pytest
from contract.playing import REPLICATES, algorithm, case, environment, middle, of, play, quantities, sized, streams_of, world

from banditpapers.plugins import build

NAMES = of("constrained_arms")
CONSTRAINED = [name for name in NAMES if "limits" in case(name).environment]
PAIRS = [name for name in NAMES if name != "ucb1"]
SAFE = {"debora_hard", "pessimistic_lp"}
ESTIMATES = {"debora", "debora_soft", "debora_hard"}


@pytest.fixture(params=NAMES)
def name(request):
    """Every test that asks for a name runs for each algorithm."""
    return request.param


def changed(name, **parameters):
    """The algorithm with other parameters."""
    return build("algorithms", {"name": name, **case(name).parameters, **parameters})


def recorded(name, outcome, found):
    """By quantity, each of shape (horizons, rules)."""
    return dict(zip(quantities(found, world(name)), np.moveaxis(outcome, -1, 0), strict=True))


def horizons(found):
    return np.array([[int(label)] for label in found.checkpoints], dtype=np.float64)


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_regret_and_violation_are_possible_ones(name, arms, which):
    found, instance = algorithm(name, which), environment(name, arms)
    T, worst, best = horizons(found), instance.optimum[1] - instance.r.min(), instance.optimum[1] - instance.r.max()
    over = max([0.0, *(instance.g - instance.alpha[:, None]).ravel()])
    for replicate in range(REPLICATES):
        outcome = play(name, replicate, arms, which)
        assert np.isfinite(outcome).all()
        seen = recorded(name, outcome, found)
        for run in ("", "second_"):
            if f"{run}regret" in seen:
                assert (seen[f"{run}regret"] <= T * worst * (1 + 1e-9)).all()
                assert (seen[f"{run}regret"] >= T * best * (1 + 1e-9) - 1e-9).all()
        if name in PAIRS:
            for run in ("", "second_"):
                violation = seen[f"{run}violation"]
                assert (violation >= 0).all()
                assert (violation <= T * over * (1 + 1e-9)).all()
            assert set(np.unique(seen["replicated"])) <= {0.0, 1.0}
            assert (seen["epochs"] >= 1).all()
            assert (seen["epochs"] <= T).all()
            assert ((seen["unsafe"] > 0) == (seen["violation"] > 0)).all()
            assert (seen["unsafe"] <= T).all()
            assert (seen["splits"] >= 0).all()
            assert (seen["missed"] >= 0).all()


def test_runs_that_are_the_same_have_the_same_regret(name):
    if name in PAIRS:
        found, differed, parted = algorithm(name), 0, 0
        for replicate in range(REPLICATES):
            seen = recorded(name, play(name, replicate), found)
            same = seen["replicated"] == 1
            for quantity in ("regret", "violation"):
                assert (seen[quantity] == seen[f"second_{quantity}"])[same].all()
            parted += (~same).sum()
            differed += (seen["regret"] != seen["second_regret"]).sum()
        if name != "phased_elimination":  # whose runs are the same here
            assert parted > 0
            assert differed > 0
    else:
        assert quantities(algorithm(name), world(name)) == ("regret",)


@pytest.mark.parametrize("name", sorted(ESTIMATES))
def test_without_a_split_replicable_runs_do_not_part(name):
    found = algorithm(name)
    for replicate in range(REPLICATES):
        seen = recorded(name, play(name, replicate), found)
        assert (seen["splits"] >= 1 - seen["replicated"]).all()


def test_one_arm_has_no_regret(name):
    for which in ("parameters", "other"):
        if 1 in case(name).sizes:
            seen = recorded(name, play(name, 0, 1, which), algorithm(name, which))
            assert (seen["regret"] == 0).all()
            assert (seen.get("replicated", np.ones(1)) == 1).all()


def test_one_round_and_two_can_be_played(name):
    for last in ([1], [2], [1, 2]):
        found = changed(name, horizons=last)
        for arms in case(name).sizes:
            for replicate in range(3):
                outcome = found.play(environment(name, arms), streams_of(name, arms, replicate))
                seen = recorded(name, outcome, found)
                assert np.isfinite(outcome).all()
                if name in PAIRS:
                    assert (seen["epochs"] <= horizons(found)).all()


def test_a_longer_horizon_leaves_earlier_ones_as_they_are(name):
    """Each horizon is a pair of its own, and they are played in order."""
    late = 1000 if name == "ucb1" else 10**8
    few, more = changed(name, horizons=[300, late]), changed(name, horizons=[300, late, 2 * late])
    played = []
    for replicate in range(REPLICATES):
        short, long = (found.play(environment(name), streams_of(name, middle(name), replicate)) for found in (few, more))
        assert short.tobytes() == long[:2].tobytes()
        played.append(short.tobytes())
    assert len(set(played)) > 1


@pytest.mark.parametrize("name", CONSTRAINED)
def test_hard_constraints_are_kept_and_soft_ones_are_not(name):
    found = algorithm(name)
    seen = [recorded(name, play(name, replicate), found) for replicate in range(REPLICATES)]
    unsafe = np.array([one["unsafe"] for one in seen])
    assert (unsafe == 0).all() if name in SAFE else (unsafe[:, -1] > 0).all()
    assert all((one["missed"] == 0).all() for one in seen)


@pytest.mark.parametrize("name", CONSTRAINED)
def test_without_constraints_there_is_no_violation(name):
    """m = 0: the solution of a linear program is one arm. Without a limit there is no need of a safe strategy, which is refused."""
    if name in SAFE:
        with pytest.raises(ValueError, match="the instance has no constraints; write costs and limits"):
            play(name, rewards=[0.2, 0.8, 0.5], costs=[], limits=[])
    else:
        outcome = play(name, rewards=[0.2, 0.8, 0.5], costs=[], limits=[])
        seen = recorded(name, outcome, algorithm(name))
        assert (seen["violation"] == 0).all()
        assert (seen["regret"] >= 0).all()
        assert (seen["regret"] <= 0.6 * horizons(algorithm(name)) * (1 + 1e-9)).all()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CONSTRAINED])
def test_regret_is_in_whole_plays_of_the_worse_arms(name):
    """All arms but the last are worse by the same gap."""
    found = algorithm(name)
    gap = environment(name).gap
    for replicate in range(REPLICATES):
        seen = recorded(name, play(name, replicate), found)
        plays = seen["regret"] / gap
        np.testing.assert_allclose(plays, np.round(plays), rtol=1e-9, atol=1e-6)
        assert (plays > 0).any()
