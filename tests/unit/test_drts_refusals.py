"""What drts and its classes refuse: one sentence that names the key, says what was found and what to write instead."""

import re
from pathlib import Path

import pytest

from banditpapers.algorithms.balanced_thompson import BalancedThompson
from banditpapers.algorithms.doubly_robust_data import DoublyRobustData
from banditpapers.algorithms.doubly_robust_thompson import DoublyRobustThompson
from banditpapers.algorithms.linear_thompson import LinearThompson
from banditpapers.cells import Cell
from banditpapers.configuration import ConfigurationError, load, shipped
from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.seeding import streams
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]

# Laid over the committed files, what stands below drts is refused with this key and this sentence, and nothing else.
REFUSED = [
    ("v: [0, 0.1]", "v[0]", "found the number 0; write a number above 0"),
    ("v: [0.1, 1.0e-1]", "v[1]", "found the number 0.1 for the second time; write each entry once"),
    ("v: [1, 0.1]", "v[1]", "found 0.1 after 1; write the list from small to large"),
    ("v: []", "v", "found an empty list; write a list of at least one entry"),
    ("v: 0.1", "v", "found the number 0.1; write a list of at least one entry"),
    ("v: [1e-3]", "v[0]", "found the text '1e-3', *; write 1.0e-3 or 0.001"),
    ("v: [.inf]", "v[0]", "found the text '.inf'; write a finite number"),
    ("gamma: [0.1, 1]", "gamma[1]", "found the number 1; write a number above 0 and below 1"),
    ("gamma: [0]", "gamma[0]", "found the number 0; write a number above 0 and below 1"),
    ("gamma: [0.05, 0.05]", "gamma[1]", "found the number 0.05 for the second time; write each entry once"),
    ("threshold: 0.0909", "threshold", "found the number 0.0909 with 10 arms; write 1/(N + 1)*"),
    ("threshold: 0.1", "threshold", "found the number 0.1 with 10 arms; write 1/(N + 1)*"),
    ("threshold: 0.095", "threshold", "found the number 0.095 with 20 arms; write 1/(N + 1)*"),
    (
        "{settings: [[10, 20]], sensitivity: {setting: [10, 20]}, longer: {setting: [12, 20]}, threshold: 0.095}",
        "threshold",
        "found the number 0.095 with 12 arms; write 1/(N + 1)*",
    ),
    ("threshold: 1/N", "threshold", "found the text '1/N'; write 1/(N + 1), or a number in [1/(N + 1), 1/N)"),
    ("threshold: 2", "threshold", "found the number 2; write 1/(N + 1), or a number in [1/(N + 1), 1/N)"),
    ("draws: 0", "draws", "found the number 0; write an integer of at least 1, or A.3"),
    ("draws: 2.5", "draws", "found the number 2.5; write an integer of at least 1, or A.3"),
    ("draws: A.2", "draws", "found the text 'A.2'; write an integer of at least 1, or A.3"),
    ("settings: [[11, 20]]", "settings[0][0]", "found the number 11; write an even integer of at least 2"),
    ("settings: [[0, 20]]", "settings[0][0]", "found the number 0; write an even integer of at least 2"),
    ("settings: [[10, 0]]", "settings[0][1]", "found the number 0; write an integer of at least 1"),
    ("settings: [[10]]", "settings[0]", "found a list of 1; write a list of 2"),
    ("settings: [[10, 20], [10, 20.0]]", "settings[1]", "found a list of 2 for the second time; write each entry once"),
    ("ridge: {linear_thompson: 0}", "ridge.linear_thompson", "found the number 0; write a number above 0, or sqrt t"),
    ("ridge: {linear_thompson: sqrt}", "ridge.linear_thompson", "found the text 'sqrt'; write a number above 0, or sqrt t"),
    ("ridge: {balanced_thompson: sqrt t}", "ridge.balanced_thompson", "found the text 'sqrt t'; write a number above 0"),
    ("ridge: 1", "ridge", "found the number 1; write a mapping with the keys linear_thompson, balanced_thompson, doubly_robust_thompson"),
    ("ridge: {lints: 1}", "ridge.lints", "unknown key 'lints'; write one of linear_thompson, *"),
    ("ablation: {ridges: [1, log t]}", "ablation.ridges[1]", "found the text 'log t'; write a number above 0, or sqrt t"),
    ("ablation: {ridges: [1, 1.0]}", "ablation.ridges[1]", "found the number 1.0 for the second time; write each entry once"),
    ("horizon: 0", "horizon", "found the number 0; write an integer of at least 1"),
    ("horizon: 1e4", "horizon", "found the text '1e4', *; write 1.0e+4 or 10000"),
    ("horizont: 5", "horizont", "unknown key 'horizont'; did you mean 'horizon'?"),
    ("replicates: 1", "replicates", "found the number 1; write an integer of at least 2"),
    ("selection: {replicates: 1}", "selection.replicates", "found the number 1; write an integer of at least 2"),
    ("contexts: spherical", "contexts", "found the text 'spherical'; write radial or projection or truncated or clip or global"),
    ("readings: {contexts: [radial, ball]}", "readings.contexts[1]", "found the text 'ball'; write radial or projection or *"),
    ("readings: {contexts: [clip]}", "readings.contexts", "found clip, without the contexts of the exhibits; add radial"),
    ("contexts: global\n  readings: {contexts: [radial]}", "readings.contexts", "found radial, without *; add global"),
    ("coefficients: random", "coefficients", "found the text 'random'; write fixed or fresh"),
    ("sensitivity: {setting: [30, 20]}", "sensitivity.setting", "found [30, 20], which is not among the settings; write one of them"),
    ("variants: {setting: [20, 10]}", "variants.setting", "found [20, 10], which is not among the settings; write one of them"),
    ("selection: {setting: [10, 22]}", "selection.setting", "found [10, 22], which is not among the settings; write one of them"),
    ("curve: {early: [3, 2]}", "curve.early[1]", "found 2 after 3; write the list from small to large"),
    ("curve: {every: 0}", "curve.every", "found the number 0; write an integer of at least 1"),
    ("table1: {arms: 3}", "table1.arms", "found the number 3; write an even integer of at least 2"),
    ("table1: {v: 0}", "table1.v", "found the number 0; write a number above 0"),
    ("longer: {setting: [5, 20]}", "longer.setting[0]", "found the number 5; write an even integer of at least 2"),
    ("early: {horizon: true}", "early.horizon", "found true; write an integer of at least 1"),
]


def fits(pattern, sentence):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), sentence)


@pytest.mark.parametrize(("snippet", "key", "sentence"), REFUSED, ids=[snippet for snippet, *_ in REFUSED])
def test_the_configuration_is_refused_in_one_sentence(tmp_path, snippet, key, sentence):
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"drts: {snippet}" if snippet.startswith("{") else f"drts:\n  {snippet}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        load([*shipped(ROOT), mine])
    place, found = re.split(r"(?<=: )", str(caught.value), maxsplit=1)
    assert re.fullmatch(rf"{re.escape(str(mine))}, line [123], drts\.{re.escape(key)}: ", place), place
    assert fits(sentence, found), found


ROUNDS = {"rounds": (5, 10), "v": (0.1, 1)}
REFUSED_BY_CLASSES = [
    (LinearThompson, {"rounds": ()}, r"linear_thompson: rounds is \(\); write integers of at least 1, each larger than the one before"),
    (LinearThompson, {"rounds": (5, 5)}, r"rounds is \(5, 5\); write integers"),
    (LinearThompson, {"rounds": (0, 5)}, r"rounds is \(0, 5\); write integers of at least 1"),
    (LinearThompson, {"v": ()}, r"v is \(\); write numbers above 0, none of them twice"),
    (LinearThompson, {"v": (0.1, 0.1)}, "none of them twice"),
    (LinearThompson, {"v": (float("nan"),)}, "write numbers above 0"),
    (LinearThompson, {"v": (float("inf"),)}, "write numbers above 0"),
    (LinearThompson, {"ridge": 0}, "ridge is 0; write a number above 0 or 'sqrt t'"),
    (LinearThompson, {"ridge": "log t"}, "ridge is 'log t'; write a number above 0 or 'sqrt t'"),
    (LinearThompson, {"draw": "both"}, "draw is 'both'; write independent or shared"),
    (BalancedThompson, {"gamma": ()}, r"balanced_thompson: gamma is \(\); write numbers above 0 and below 1, none of them twice"),
    (BalancedThompson, {"gamma": (0.1, 1)}, "write numbers above 0 and below 1"),
    (BalancedThompson, {"gamma": (0.1, 0.1)}, "none of them twice"),
    (BalancedThompson, {"ridge": "sqrt t"}, "balanced_thompson: ridge is 'sqrt t'; write a number above 0$"),
    (BalancedThompson, {"ridge": -1.0}, "ridge is -1.0; write a number above 0"),
    (BalancedThompson, {"v": (-0.1,)}, "balanced_thompson: v is"),
    (BalancedThompson, {"variance": "rss"}, "variance is 'rss'; write one of plain, RSS, mean RSS"),
    (BalancedThompson, {"propensity": "released"}, "propensity is 'released'; write exact or constant"),
    (DoublyRobustThompson, {"gamma": 1.0}, r"doubly_robust_thompson: gamma is 1.0; write a number in \[1/\(N \+ 1\), 1/N\)"),
    (DoublyRobustThompson, {"gamma": 0.0}, "gamma is 0.0; write"),
    (DoublyRobustThompson, {"draws": 0}, r"draws \(M_t\) is 0; write an integer of at least 1, or A.3"),
    (DoublyRobustThompson, {"draws": "A.2"}, r"draws \(M_t\) is 'A.2'; write an integer of at least 1, or A.3"),
    (DoublyRobustThompson, {"draws": float("nan")}, r"draws \(M_t\) is nan"),
    (DoublyRobustThompson, {"ridge": float("inf")}, "ridge is inf; write a number above 0 or 'sqrt t'"),
    (DoublyRobustThompson, {"propensity": "constant"}, "propensity is 'constant'; write exact or released"),
    (DoublyRobustData, {"rounds": 0}, "doubly_robust_data: rounds is 0; write an integer of at least 1"),
    (DoublyRobustData, {"rounds": 2, "v": 0}, "doubly_robust_data: v is 0; write a number above 0"),
    (LinearContexts, {"arms": 5}, "linear_contexts: arms is 5; write an even integer of at least 2"),
]
GOOD = {
    LinearThompson: ROUNDS,
    BalancedThompson: {**ROUNDS, "gamma": (0.05, 0.1)},
    DoublyRobustThompson: ROUNDS,
    DoublyRobustData: {"rounds": 3, "v": 0.1, "arms": 4, "dimension": 2},
    LinearContexts: {"arms": 4, "dimension": 2},
}


@pytest.mark.parametrize(("kind", "wrong", "sentence"), REFUSED_BY_CLASSES)
def test_parameters_are_refused_in_one_sentence(kind, wrong, sentence):
    kind(**GOOD[kind])
    with pytest.raises(ValueError, match=sentence) as caught:
        kind(**(GOOD[kind] | wrong))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("arms", "gamma"), [(10, 0.0909), (10, 0.1), (20, 0.095), (2, 0.5), (2, 0.33)])
def test_a_threshold_outside_its_range_is_refused_when_it_meets_its_arms(arms, gamma):
    drts = DoublyRobustThompson((5,), (0.1,), gamma=gamma)
    with pytest.raises(ValueError, match=rf"gamma is {gamma:g} with {arms} arms; write a number in \[1/\(N \+ 1\), 1/N\) = \["):
        drts.play(LinearContexts(arms, 3), streams(1, "drts", {"name": "x"}, {"name": "y"}, 0))


@pytest.mark.parametrize(("arms", "gamma"), [(10, 1 / 11), (10, 0.0999), (2, 0.4)])
def test_a_threshold_within_its_range_is_played(arms, gamma):
    found = DoublyRobustThompson((5,), (0.1,), gamma=gamma)
    assert found.threshold(arms) == gamma
    assert found.play(LinearContexts(arms, 3), streams(1, "drts", {"name": "x"}, {"name": "y"}, 0)).shape == (1, 1, 5)


def test_the_data_of_other_instances_are_refused():
    data = DoublyRobustData(3, 0.1, 4, 2)
    for arms, dimension in ((4, 3), (6, 2)):
        with pytest.raises(ValueError, match="arms and dimension are not the environment's; write the same numbers"):
            data.play(LinearContexts(arms, dimension), streams(1, "drts", {"name": "x"}, {"name": "y"}, 0))


def test_what_a_class_refuses_ends_the_job():
    """No block of failed replicates comes of it: the parameters are refused before a replicate is played."""
    world = {"name": "linear_contexts", "arms": 7, "dimension": 2}
    with pytest.raises(ValueError, match="arms is 7; write an even integer"):
        simulate(Cell("drts", world, {"name": "linear_thompson", "rounds": [5], "v": [1]}), 1, 0, 0)
