"""What debora, its algorithms and their instances refuse: one sentence that says what was found and what to write instead."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from banditpapers.algorithms.batched_elimination import BatchedElimination
from banditpapers.algorithms.debora import Debora
from banditpapers.algorithms.debora_hard import DeboraHard
from banditpapers.algorithms.debora_soft import DeboraSoft
from banditpapers.algorithms.doubling_ucb import DoublingUcb
from banditpapers.algorithms.optimistic_lp import OptimisticLp
from banditpapers.algorithms.pessimistic_lp import PessimisticLp
from banditpapers.algorithms.phased_elimination import PhasedElimination
from banditpapers.algorithms.ucb1 import Ucb1
from banditpapers.cells import Cell
from banditpapers.configuration import ConfigurationError, load, shipped
from banditpapers.environments.constrained_arms import ConstrainedArms
from banditpapers.kernels.replicable_mean import precision, zeta
from banditpapers.seeding import streams
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]
NAN, INFINITE = math.nan, math.inf
HORIZONS, RHO = {"horizons": (10, 1000)}, {"rho": (0.3, 0.9)}
GOOD = {
    Debora: {**HORIZONS, **RHO},
    DeboraSoft: {**HORIZONS, **RHO},
    DeboraHard: {**HORIZONS, **RHO},
    DoublingUcb: HORIZONS,
    Ucb1: HORIZONS,
    BatchedElimination: {**HORIZONS, **RHO, "which": 1},
    PhasedElimination: {**HORIZONS, **RHO},
    OptimisticLp: HORIZONS,
    PessimisticLp: HORIZONS,
    ConstrainedArms: {"arms": 3, "costs": ((0.9, 0.5, 0.1),), "limits": (0.4,)},
}
NAMES = {kind: re.sub("(?<=.)([A-Z])", r"_\1", kind.__name__).lower() for kind in GOOD if kind is not ConstrainedArms}
PLAIN = (DoublingUcb, OptimisticLp, PessimisticLp)
INCREASING = "write integers of at least 1, each larger than the one before"
UNIT = "write a number above 0 and below 1"
REFUSED = [
    *[
        (kind, {"horizons": horizons}, rf"^{NAMES[kind]}: horizons is .*; {INCREASING}$")
        for kind in NAMES
        for horizons in ((), (0, 5), (5, 5), (6, 5), (-1,), (2.5,), (NAN,), (INFINITE,))
    ],
    *[
        (kind, {"rho": rho}, rf"^{NAMES[kind]}: rho is .*; write numbers above 0 and below 1, none of them twice$")
        for kind in NAMES
        if "rho" in GOOD[kind]
        for rho in ((), (0,), (1,), (-0.1,), (NAN,), (0.3, 0.3))
    ],
    *[
        (kind, {"ratio": ratio}, rf"^{NAMES[kind]}: ratio is {ratio}; write delta / rho, a number above 0 and below 0.5$")
        for kind in (Debora, DeboraSoft, DeboraHard)
        for ratio in (0, 0.5, 0.7, -1, NAN)
    ],
    *[
        (kind, {"factor": factor}, rf"^{NAMES[kind]}: factor is {factor}; write a number above 0$")
        for kind in (DeboraSoft, DeboraHard)
        for factor in (0, -1, NAN, INFINITE)
    ],
    *[(kind, {"delta": delta}, rf"^{NAMES[kind]}: delta is {delta}; {UNIT}$") for kind in PLAIN for delta in (0, 1, -0.1, NAN)],
    *[
        (kind, {"epochs": "round"}, rf"^{NAMES[kind]}: epochs is 'round'; write one of doubling, rounds$")
        for kind in (OptimisticLp, PessimisticLp)
    ],
    *[
        (kind, {key: "other"}, rf"^{NAMES[kind]}: {key} is 'other'; write one of {allowed}$")
        for kind in (DeboraSoft, DeboraHard)
        for key, allowed in (("grid", "paper, whole, sharp, means"), ("calls", "union, text, lazy"))
    ],
    (Debora, {"grid": "means"}, "debora: grid is 'means'; write one of paper, whole, sharp$"),
    (Debora, {"refresh": "all"}, "debora: refresh is 'all'; write one of played, every$"),
    (BatchedElimination, {"which": 3}, "batched_elimination: which is 3; write 1 or 2$"),
    (BatchedElimination, {"commit": "first"}, "batched_elimination: commit is 'first'; write one of means, label$"),
    (PhasedElimination, {"style": "rse"}, "phased_elimination: style is 'rse'; write one of RSE, REC$"),
    *[
        (ConstrainedArms, {"arms": arms, "costs": (), "limits": ()}, f"constrained_arms: arms is {arms}; write an integer of at least 1$")
        for arms in (0, -1, 2.5, NAN)
    ],
    *[
        (ConstrainedArms, {"gap": gap}, f"constrained_arms: gap is {gap}; write a number of at least 0 and at most 0.5$")
        for gap in (-0.1, 0.6, NAN)
    ],
    *[
        (ConstrainedArms, {"rewards": row}, r"constrained_arms: rewards has \(.*\); write 3 numbers of at least 0 and at most 1$")
        for row in ((0.5, 0.5), (0.5, 0.5, 1.1), (0.5, -0.1, 0.5), (NAN, 0.5, 0.5))
    ],
    *[
        (ConstrainedArms, {"costs": (row,)}, r"constrained_arms: costs has \(.*\); write 3 numbers of at least 0 and at most 1$")
        for row in ((), (0.5,), (0.5, 0.5, 2), (NAN, 0.5, 0.5))
    ],
    (ConstrainedArms, {"limits": ()}, "constrained_arms: 0 limits for 1 rows of costs; write one for each$"),
    (ConstrainedArms, {"limits": (0.4, 0.5)}, "constrained_arms: 2 limits for 1 rows of costs; write one for each$"),
    (ConstrainedArms, {"limits": (0.05,)}, "constrained_arms: no strategy keeps to the limits; write larger limits$"),
    (ConstrainedArms, {"limits": (NAN,)}, r"constrained_arms: limits has \(nan,\); write finite numbers$"),
]

# Laid over the committed files, what stands below debora is refused with this key and this sentence, and nothing else.
WRITTEN = [
    ("rho: 1", "rho", "found the number 1; write a number above 0 and below 1"),
    ("rho: 0.25", "regret.rho", "found 0.1, 0.3, 0.9, without the rho of the exhibits; add 0.25"),
    ("ratio: 0.5", "ratio", "found the number 0.5; write a number above 0 and below 0.5"),
    ("clip: maybe", "clip", "found the text 'maybe'; write true or false"),
    ("regret: {horizons: [1]}", "regret.horizons[0]", "found the number 1; write an integer of at least 2, such as 1000 or 1.0e+9"),
    ("regret: {horizons: [1.0e+9, 1000]}", "regret.horizons[1]", "found 1000 after *; write the list from small to large"),
    ("regret: {arms: [1]}", "regret.arms[0]", "found the number 1; write an integer of at least 2*"),
    ("regret: {gaps: [0.6]}", "regret.gaps[0]", "found the number 0.6; write a number of at least 0 and of at most 0.5"),
    (
        "rounding: {precisions: [[0.3, 0.15]]}",
        "rounding.precisions[0]",
        "found rho' = 0.3 with delta' = 0.15; write a delta' below rho' / 2",
    ),
    ("mixing: {instance: D4}", "mixing.instance", "found 'D4'; write one of the instances: A3, B5, C10"),
    ("instances: {A3: {rewards: [0.9, 0.6], costs: [[0.9, 0.5, 0.1]], limits: [0.4]}}", "instances.A3.costs[0]", "found 3 costs for 2 *"),
    ("instances: {A3: {limits: [0.4, 0.4]}}", "instances.A3.limits", "found 2 limits for 1 rows of costs; write one for each"),
    (
        "instances: {A3: {limits: [0.1]}}",
        "instances.A3.limits[0]",
        "found 0.1, and 0.1 is the least cost of its row; write a limit above that",
    ),
    ("instances: {A3: {costs: []}}", "instances.A3.costs", "found an empty list; write a list of at least one entry"),
    (
        "instances: {A3: {rewards: [0.9, 0.6, 1.3]}}",
        "instances.A3.rewards",
        "found a list of 3; write a list of numbers of at least 0 and *",
    ),
    ("safety: {factors: [0]}", "safety.factors[0]", "found the number 0; write a number above 0"),
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
    world = {"name": "constrained_arms", "arms": 3, "costs": [[0.9, 0.5, 0.1]], "limits": [0.4]}
    with pytest.raises(ValueError, match=INCREASING):
        simulate(Cell("debora", world, {"name": NAMES[kind], **GOOD[kind], "horizons": [2, 1]}), 1, 0, 0)
    with pytest.raises(ValueError, match="no strategy keeps to the limits; write larger limits"):
        simulate(Cell("debora", {**world, "limits": [0.05]}, {"name": NAMES[kind], **GOOD[kind]}), 1, 0, 0)


@pytest.mark.parametrize("kind", [DeboraHard, PessimisticLp])
@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (ConstrainedArms(3), "the instance has no constraints; write costs and limits"),
        (ConstrainedArms(2, costs=((0.9, 0.1),), limits=(0.1,)), "no strategy stays strictly within the limits; write larger limits"),
        (
            ConstrainedArms(2, costs=((0.9, 0.1), (0.1, 0.9)), limits=(0.5, 0.5)),
            "no strategy stays strictly within the limits; write larger limits",
        ),
    ],
)
def test_hard_constraints_need_a_strategy_that_is_strictly_safe(kind, world, sentence):
    with pytest.raises(ValueError, match=rf"^{NAMES[kind]}: {sentence}$"):
        kind(**GOOD[kind]).play(world, streams(1, "debora", {}, {}, 0))


@pytest.mark.parametrize(("rho", "delta"), [(0.3, 0.15), (0.3, 0.2), (0.3, 0), (1, 0.1), (0, 0), (NAN, 0.1), (0.3, NAN)])
def test_a_rep_mean_that_no_grid_gives_is_refused(rho, delta):
    for called in (lambda: precision(rho, delta), lambda: zeta(10, rho, delta)):
        with pytest.raises(ValueError, match=r"rho' is .* and delta' .*; write numbers with 0 < 2 delta' < rho' < 1$"):
            called()


def test_a_grid_that_is_unknown_is_refused():
    with pytest.raises(ValueError, match=r"grid is 'fine'; write one of paper, whole, sharp$"):
        precision(0.3, 0.03, "fine")


def test_an_instance_with_equal_costs_is_none_of_these():
    world = ConstrainedArms(2, costs=((0.3, 0.3),), limits=(0.3,))
    assert np.array_equal(world.optimum[0], [0, 1])


@pytest.mark.parametrize(("text", "key", "sentence"), WRITTEN)
def test_a_grid_is_refused_in_one_sentence(tmp_path, text, key, sentence):
    path = tmp_path / "mine.yaml"
    path.write_text(f"papers: [debora]\ndebora:\n  {text}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load([*shipped(ROOT), path])
    (line,) = str(caught.value).splitlines()
    assert re.search(f"debora.{re.escape(key)}: {re.escape(sentence).replace(re.escape('*'), '.*')}$", line), line
