"""What LP2S and its command line refuse: one sentence that says what is wrong and what to write instead."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from banditpapers.algorithms.lp2s import Lp2s, smallest_delta0, solve

SCRIPT = Path(__file__).parents[2] / "workflow" / "scripts" / "solve_lp.py"
GOOD = {"setting": "PAC", "prior": (1, 1), "arms": 10, "rounds": 4, "survivors": 1, "delta0": 0.26, "mu0": 0.7}
LP2S = {"setting": "PAC", "mu0": 0.7, "rounds": 4, "survivors": 1.0, "delta0": ("smallest",)}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"setting": "FB"}, r'setting is \'FB\'; write "PAC", "SRM" or "FC"$'),
        ({"prior": (1, 0)}, r"prior is \(1, 0\); write two numbers of at least 0.5"),
        ({"prior": (float("nan"), 1)}, "write two numbers of at least 0.5"),
        ({"prior": (1, 1, 1)}, "write two numbers of at least 0.5"),
        ({"arms": 1}, "arms is 1; write an integer of at least 2$"),
        ({"rounds": 0}, "rounds is 0; write an integer of at least 1$"),
        ({"survivors": 0}, "survivors is 0; write a number above 0"),
        ({"survivors": 10.5}, "survivors is 10.5; write a number above 0 and at most 10, the number of arms$"),
        ({"mu0": None}, "mu0 is missing; write a number between 0 and 1"),
        ({"mu0": 1.0}, "mu0 is 1.0; write a number between 0 and 1"),
        ({"delta0": 0.2}, "delta0 is 0.2; write a number of at least 0.2401, the smallest feasible one$"),
        ({"delta0": float("nan")}, "delta0 is nan; write a number of at least 0.2401"),
    ],
)
def test_refused_programs(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        solve(**(GOOD | wrong))
    if "delta0" not in wrong:
        with pytest.raises(ValueError, match=sentence):
            smallest_delta0(**{key: value for key, value in (GOOD | wrong).items() if key != "delta0"})


def test_the_refused_delta0_comes_with_one_that_works():
    with pytest.raises(ValueError, match="smallest feasible") as refusal:
        solve("SRM", (1, 3), 1000, 207, 20.7, 0.01)
    stated = float(str(refusal.value).split("at least ")[1].split(",")[0])
    assert solve("SRM", (1, 3), 1000, 207, 20.7, stated).cost > 0


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"setting": "pac"}, 'write "PAC", "SRM" or "FC"$'),
        ({"mu0": None}, "mu0 is missing"),
        ({"rounds": 0}, "rounds is 0"),
        ({"survivors": -1.0}, "survivors is -1.0"),
        ({"delta0": ()}, "write at least one entry"),
        ({"delta0": ("smallest", "smallest")}, "none of them twice$"),
        ({"delta0": ("least",)}, "delta0 has the entry 'least'"),
        ({"delta0": ("grid -1",)}, "a positive step"),
        ({"delta0": ("grid x",)}, "a positive step"),
        ({"delta0": ("fit",)}, "fit_regret is None; write the simple regret"),
        ({"delta0": ("fit",), "fit_regret": 1.5}, "fit_regret is 1.5"),
    ],
)
def test_refused_parameters(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        Lp2s(**(LP2S | wrong))


def command(*changes: str) -> subprocess.CompletedProcess[str]:
    line = ["--setting", "PAC", "--prior", "1", "1", "--arms", "10", "--rounds", "4", "--survivors", "1", "--mu0", "0.7"]
    return subprocess.run([sys.executable, SCRIPT, *line, *changes], capture_output=True, text=True, check=False)


def test_the_command_line_prints_the_policy_as_json():
    run = command("--delta0", "smallest")
    assert run.returncode == 0, run.stderr
    policy = json.loads(run.stdout)
    assert policy["smallest_delta0"] == pytest.approx(0.7**4, rel=1e-14)
    assert policy["cost"] == pytest.approx(5 / 6, rel=1e-14)
    assert policy["expected_pulls"] == pytest.approx(10 * 5 / 6 + 4, rel=1e-14)
    assert len(policy["thresholds"]) == len(policy["tie_probabilities"]) == 4
    assert abs(policy["gap"]) < 1e-14


@pytest.mark.parametrize(
    ("delta0", "sentence"), [("0.1", "at least 0.2401, the smallest feasible one"), ("tiny", 'write a number or "smallest"')]
)
def test_the_command_line_refuses_in_one_sentence(delta0, sentence):
    run = command("--delta0", delta0)
    assert run.returncode == 1
    assert run.stdout == ""
    assert sentence in run.stderr
    assert len(run.stderr.splitlines()) == 1
