"""What the algorithms on fixed arms and their instances refuse: one sentence that says what was found and what to write instead."""

import math

import pytest

from banditpapers.algorithms.epsilon_greedy import EpsilonGreedy
from banditpapers.algorithms.fixed_arms_thompson import FixedArmsThompson
from banditpapers.algorithms.linear_ucb import LinearUcb
from banditpapers.algorithms.soft_ucb import SoftUcb
from banditpapers.algorithms.soft_ucb_offline import SoftUcbOffline
from banditpapers.algorithms.soft_ucb_online import SoftUcbOnline
from banditpapers.cells import Cell
from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.simulation import simulate

ROUNDS = {"rounds": (5, 10)}
GOOD = {
    SoftUcb: {**ROUNDS, "beta": (0, 0.5)},
    SoftUcbOffline: {**ROUNDS, "iterations": 3, "eta": (0, 1e-3)},
    SoftUcbOnline: {**ROUNDS, "eta": (0, 0.1)},
    LinearUcb: {**ROUNDS, "beta": ("theory", 0.5)},
    EpsilonGreedy: {**ROUNDS, "epsilon": (0, 0.1, 1)},
    FixedArmsThompson: {**ROUNDS, "scale": ("theory", 1)},
    FixedArms: {"arms": 4, "dimension": 2, "variance": 0.1},
}
NAMES = {
    SoftUcb: "soft_ucb",
    SoftUcbOffline: "soft_ucb_offline",
    SoftUcbOnline: "soft_ucb_online",
    LinearUcb: "linear_ucb",
    EpsilonGreedy: "epsilon_greedy",
    FixedArmsThompson: "fixed_arms_thompson",
}
SOFT = (SoftUcb, SoftUcbOffline, SoftUcbOnline)
NAN, INFINITE = math.nan, math.inf
INCREASING = "write integers of at least 1, each larger than the one before"
NUMBERS = "write numbers of at least 0, none of them twice"
REFUSED = [
    *[
        (kind, {"rounds": rounds}, rf"{NAMES[kind]}: rounds is .*; {INCREASING}$")
        for kind in NAMES
        for rounds in ((), (0, 5), (5, 5), (6, 5), (-1,))
    ],
    *[
        (kind, {key: values}, rf"{NAMES[kind]}: {key} is .*; {NUMBERS}$")
        for kind, keys in ((SoftUcb, ("beta",)), (SoftUcbOffline, ("eta", "start")), (SoftUcbOnline, ("eta", "start", "step")))
        for key in keys
        for values in ((), (-0.1,), (NAN,), (INFINITE,), (0.1, 0.1), (1, 1.0), ("theory",))
    ],
    *[
        (kind, {"delta": delta}, rf"{NAMES[kind]}: delta is {delta}; write a number above 0 and below 1$")
        for kind in SOFT
        for delta in (0, 1, -0.1, NAN)
    ],
    *[
        (kind, {"ridge": ridge}, rf"{NAMES[kind]}: ridge is {ridge}; write a number above 0$")
        for kind in SOFT
        for ridge in (0, -1, NAN, INFINITE)
    ],
    *[
        (kind, {key: "other"}, rf"{NAMES[kind]}: {key} is 'other'; write one of {', '.join(allowed)}$")
        for kind in SOFT
        for key, allowed in SoftUcb.WORDS.items()
    ],
    (SoftUcb, {"trajectories": 0}, "soft_ucb: trajectories is 0; write an integer of at least 1"),
    (SoftUcb, {"trajectories": NAN}, "soft_ucb: trajectories is nan; write an integer of at least 1"),
    (SoftUcbOffline, {"step": -1}, r"soft_ucb_offline: step is \(-1,\); write numbers of at least 0 or 1/T, none of them twice"),
    (SoftUcbOffline, {"step": "T"}, r"soft_ucb_offline: step is \('T',\); write numbers of at least 0 or 1/T"),
    (SoftUcbOffline, {"gradient": "mean"}, "soft_ucb_offline: gradient is 'mean'; write one of sum, last round"),
    (SoftUcbOffline, {"average": 4}, "average is 4 of 3 iterations; write integers of at least 1, average no larger than iterations"),
    (SoftUcbOffline, {"average": 0}, "average is 0 of 3 iterations"),
    (SoftUcbOffline, {"iterations": 0}, "average is 1 of 0 iterations; write integers of at least 1"),
    (SoftUcbOnline, {"term": "sum"}, "soft_ucb_online: term is 'sum'; write one of current, cumulated"),
    (LinearUcb, {"beta": ("theory", "theory")}, "linear_ucb: beta is .*; write numbers of at least 0 or theory, none of them twice"),
    (LinearUcb, {"beta": ("tuned",)}, "linear_ucb: beta is .*; write numbers of at least 0 or theory"),
    (LinearUcb, {"beta": (-1,)}, "linear_ucb: beta is .*; write numbers of at least 0 or theory"),
    (LinearUcb, {"beta": ()}, r"linear_ucb: beta is \(\); write"),
    (LinearUcb, {"scale": 0}, "linear_ucb: scale is 0, confidence 0.1, ridge 1.0; write numbers above 0, and confidence below 1"),
    (LinearUcb, {"scale": INFINITE}, "linear_ucb: scale is inf"),
    (LinearUcb, {"confidence": 1}, "confidence 1, .*; write numbers above 0, and confidence below 1"),
    (LinearUcb, {"ridge": NAN}, "ridge nan; write numbers above 0"),
    (
        EpsilonGreedy,
        {"epsilon": (0.1, 1.5)},
        r"epsilon_greedy: epsilon is \(0.1, 1.5\), ridge 1.0; write numbers in \[0, 1\], and a ridge above 0",
    ),
    (EpsilonGreedy, {"epsilon": (-0.1,)}, "epsilon_greedy: epsilon is .*; write numbers of at least 0"),
    (EpsilonGreedy, {"epsilon": ("theory",)}, "epsilon_greedy: epsilon is .*; write numbers of at least 0"),
    (EpsilonGreedy, {"ridge": 0}, "ridge 0; write numbers in .*, and a ridge above 0"),
    (FixedArmsThompson, {"scale": ("big",)}, "fixed_arms_thompson: scale is .*; write numbers of at least 0 or theory, none of them twice"),
    (FixedArmsThompson, {"scale": (NAN,)}, "fixed_arms_thompson: scale is .*; write numbers of at least 0 or theory"),
    (FixedArmsThompson, {"noise": 0}, "fixed_arms_thompson: noise is 0, confidence 0.1, ridge 1.0; write numbers above 0"),
    (FixedArmsThompson, {"confidence": 0}, "confidence 0, ridge 1.0; write numbers above 0, and confidence below 1"),
    (FixedArmsThompson, {"ridge": -1}, "ridge -1; write numbers above 0"),
    (FixedArms, {"arms": 0}, "fixed_arms: arms is 0; write an integer of at least 1"),
    (FixedArms, {"arms": 2.5}, "fixed_arms: arms is 2.5; write an integer of at least 1"),
    (FixedArms, {"arms": NAN}, "fixed_arms: arms is nan; write an integer of at least 1"),
    (FixedArms, {"dimension": 0}, "fixed_arms: dimension is 0; write an integer of at least 1"),
    (FixedArms, {"variance": -0.1}, "fixed_arms: variance is -0.1; write a number of at least 0"),
    (FixedArms, {"variance": NAN}, "fixed_arms: variance is nan; write a number of at least 0"),
    (FixedArms, {"variance": INFINITE}, "fixed_arms: variance is inf; write a number of at least 0"),
    (FixedArms, {"features": "normal"}, "fixed_arms: features is 'normal'; write one of uniform, gaussian"),
    (FixedArms, {"split": "test"}, "fixed_arms: split is 'test'; write one of evaluation, tuning"),
]


@pytest.mark.parametrize(("kind", "wrong", "sentence"), REFUSED)
def test_parameters_are_refused_in_one_sentence(kind, wrong, sentence):
    kind(**GOOD[kind])
    with pytest.raises(ValueError, match=sentence) as caught:
        kind(**(GOOD[kind] | wrong))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", NAMES)
def test_what_a_class_refuses_ends_the_job(kind):
    """No block of failed replicates comes of it: the parameters are refused before a replicate is played."""
    world = {"name": "fixed_arms", "arms": 3, "dimension": 2, "variance": 0.1}
    with pytest.raises(ValueError, match=INCREASING):
        simulate(Cell("softucb", world, {"name": NAMES[kind], **GOOD[kind], "rounds": [2, 1]}), 1, 0, 0)
    with pytest.raises(ValueError, match="arms is 0; write an integer"):
        simulate(Cell("softucb", {**world, "arms": 0}, {"name": NAMES[kind], **GOOD[kind]}), 1, 0, 0)
