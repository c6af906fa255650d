"""The suite that users run on a file of their own: every example holds, and each broken one is named with its fault."""

import subprocess
import sys
from pathlib import Path

import pytest
from contract.playing import NAMES, algorithm, case, environment, middle, streams_of

from banditpapers.own import classes
from banditpapers.own.contract import check, global_fault, seed_fault

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
ROUND_ROBIN = """
class Robin:
    problem = "k-armed"
    def begin(self, arms, horizon, rng):
        self.arms, self.horizon, self.rng, self.t = arms, horizon, rng, -1
    def choose(self):
        self.t += 1
        return self.t % self.arms
    def update(self, arm, reward):
        pass
"""
LINEAR = """
class First:
    problem = "linear"
    def begin(self, arms, dimension, horizon, rng):
        pass
    def choose(self, contexts):
        return 0
    def update(self, arm, context, reward):
        pass
"""
BROKEN = {  # name: the text, what is replaced by what, and what the report says
    "global generator": (ROUND_ROBIN, "return self.t % self.arms", "import random; return random.randrange(self.arms)", "global generator"),
    "global numpy": (ROUND_ROBIN, "return self.t % self.arms", "import numpy; return numpy.random.randint(self.arms)", "global generator"),
    "no seed": (
        ROUND_ROBIN,
        "return self.t % self.arms",
        "import numpy; return int(numpy.random.default_rng().integers(self.arms))",
        "two runs with the same seed differ",
    ),
    "shared state": (
        ROUND_ROBIN.replace('problem = "k-armed"', 'problem = "k-armed"\n    seen = []'),
        "self.t += 1",
        "self.seen.append(1); self.t = len(self.seen)",
        "two objects share what they learn",
    ),
    "peeks": (ROUND_ROBIN, "self.t % self.arms", "(self.t * 3 // self.horizon) % self.arms", "write knows_horizon = True"),
    "out of range": (ROUND_ROBIN, "self.t % self.arms", "self.t % self.arms + 1", "return an integer from 0 to 4"),
    "no arm": (ROUND_ROBIN, "return self.t % self.arms", "return 0.5", "return the number of an arm"),
    "one arm": (ROUND_ROBIN, "return self.t % self.arms", "return [0, 1][(self.t > 9) * (self.arms > 0)]", "of 1 arms"),
    "one round": (
        ROUND_ROBIN,
        "self.t % self.arms",
        "self.t % self.arms // (self.horizon - 1) if self.horizon < 2 else 0",
        "ZeroDivisionError",
    ),
    "ties": (LINEAR, "return 0", "return int(0 * (1 / float(abs(contexts).max())))", "ZeroDivisionError"),
    "writes": (LINEAR, "return 0", "contexts *= 2; return 0", "writes into what it was given"),
    "slow": (ROUND_ROBIN, "self.t += 1", "self.t += 1; sum(range(600_000))", "microseconds per round"),
}


def faults(file):
    return {found.asked: found.fault for found in check(file) if found.fault}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples_keep_it_and_are_short(file):
    assert faults(file) == {}
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_one_is_named_with_its_fault(name, tmp_path):
    text, part, other, said = BROKEN[name]
    assert text.count(part) == 1
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(text.replace("    seen = []\n", ""), encoding="utf-8")
    bad.write_text(text.replace(part, other), encoding="utf-8")
    assert faults(good) == {}
    found = faults(bad)
    assert any(said in fault for fault in found.values()), found
    assert len(found) == 1, "a fault is not blamed on everything"


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_algorithms_keep_what_may_be_asked_of_a_compiled_loop(name):
    """The other half of their contract, with more instances, is test_algorithms.py."""

    def run():
        return algorithm(name).play(environment(name), streams_of(name, middle(name), 0)).tolist()

    assert case(name)
    assert global_fault(run) == ""
    assert seed_fault(run) == ""


REFUSED = {
    "import nothing_of_the_kind\n": "line 1: ModuleNotFoundError",
    "x = 1\n": "there is no class in it",
    "def f(:\n": "line 1",
    "class A:\n    pass\n": "says not which problem it plays",
    'class A:\n    problem = "bandit"\n': "'bandit'",
    'class A:\n    problem = "k-armed"\nclass B:\n    problem = "k-armed"\n': "keep one per file",
    'class A:\n    problem = "k-armed"\n': "has no method begin",
    ROUND_ROBIN.replace("def choose(self)", "def choose(self, contexts)"): "write choose(self)",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_algorithm_is_refused_in_one_sentence(text, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"mine\.py") as refused:
        classes.load(file)
    assert REFUSED[text] in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_command_says_it_all_and_ends_with_1(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(ROUND_ROBIN.replace("return self.t % self.arms", "return -1"), encoding="utf-8")
    command = [sys.executable, str(ROOT / "workflow" / "scripts" / "contract.py")]
    run = subprocess.run([*command, str(EXAMPLES[0]), str(bad)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "FAULT  it answers within the rules: choose answered -1, of 5 arms; return an integer from 0 to 4" in run.stdout
    assert run.stderr == "contract.py: found 1 fault; mend what the lines above say\n"
    missing = subprocess.run([*command, str(tmp_path / "none.py")], capture_output=True, text=True, check=False)
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
    assert "there is no file" in missing.stderr
