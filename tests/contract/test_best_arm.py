"""What every batched best-arm algorithm owes besides: whole numbers of pulls within its budget, and an arm of the replicate's world."""

import numpy as np
import pytest
from contract.playing import REPLICATES, algorithm, case, middle, of, play, sized, streams_of, world

from banditpapers.environments.beta_bernoulli import OUTCOME, draw_means

NAMES = of("beta_bernoulli")
PULLS, BATCHES, SURVIVORS, REGRET, BEST = range(len(OUTCOME))


@pytest.mark.parametrize("which", ["parameters", "other"])
@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_outcomes_are_proper(name, arms, which):
    for replicate in range(REPLICATES):
        outcome = play(name, replicate, arms, which)
        assert np.isfinite(outcome).all()
        assert ((outcome[..., BATCHES] > 0) == (outcome[..., PULLS] > 0)).all(), "LP2S may drop all arms at once: no pull, no batch"
        assert (outcome[..., BATCHES] >= 0).all()
        assert (outcome[..., :REGRET] == np.floor(outcome[..., :REGRET])).all(), "pulls, batches and survivors are whole numbers"
        assert (outcome[..., BATCHES] <= outcome[..., PULLS]).all()
        assert ((outcome[..., SURVIVORS] >= 0) & (outcome[..., SURVIVORS] <= arms)).all()
        assert ((outcome[..., REGRET] >= 0) & (outcome[..., REGRET] <= 1)).all()
        assert set(np.unique(outcome[..., BEST])) <= {0.0, 1.0}


@pytest.mark.parametrize("name", NAMES)
def test_recommends_an_arm_of_the_replicate_s_world(name):
    """The means are the first numbers of the environment's stream, and the regret is one of the gaps between them."""
    arms = middle(name)
    for replicate in range(REPLICATES):
        means = draw_means(*map(float, world(name)["prior"]), arms, streams_of(name, arms, replicate).environment)
        regret, best = np.moveaxis(play(name, replicate)[..., REGRET:], -1, 0)
        assert np.isin(regret, means.max() - means).all()
        assert np.array_equal(best == 1.0, regret == 0.0)


@pytest.mark.parametrize(("name", "arms"), sized(NAMES))
def test_keeps_its_budget(name, arms):
    most = [case(name).most(label, arms) for label in algorithm(name).checkpoints]
    pulls = np.array([play(name, replicate, arms)[..., PULLS].max(axis=1) for replicate in range(REPLICATES)])
    assert (pulls <= most).all(), (pulls.max(axis=0), most)
