"""The algorithms on fixed arms to the last bit: the interpreter, the processor and blocks of replicates make no difference."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from banditpapers import selftest
from banditpapers.cells import Cell
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]
NAMES = [name for name, entry in selftest.samples().items() if entry["environment"]["name"] == "fixed_arms"]
COMPILER = ("NUMBA_DISABLE_JIT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


def digests(**changed):
    """What a process of its own finds of the self-test's runs, with other settings of the compiler."""
    program = f"""
from banditpapers import selftest
print(*(selftest.digest(selftest.play(name, which)) for name in {NAMES} for which in ("parameters", "other")))"""
    environment = {name: value for name, value in os.environ.items() if name not in COMPILER}
    environment |= {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"} | changed
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment).stdout.split()


def recorded():
    found = json.loads(selftest.RECORD.read_text(encoding="utf-8"))["algorithms"]
    return [found[name][which]["sha256"] for name in NAMES for which in ("parameters", "other")]


def test_the_interpreter_does_not_change_a_bit():
    assert len(NAMES) >= 6
    assert digests(NUMBA_DISABLE_JIT="1") == recorded()


@pytest.mark.slow
def test_another_processor_does_not_change_a_bit(tmp_path):
    """The plainest of this family, without wide registers or fused operations; its machine code is kept apart."""
    assert digests(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=str(tmp_path)) == recorded()


@pytest.mark.parametrize("name", NAMES)
def test_blocks_do_not_change_a_bit(name):
    sample = selftest.samples()[name]
    cell = Cell("softucb", {**sample["environment"], "arms": 6}, {"name": name, **sample["parameters"]})
    whole = simulate(cell, 7, 0, 3).outcomes
    assert np.concatenate([simulate(cell, 7, 0, 1).outcomes, simulate(cell, 7, 2, 3).outcomes]).tobytes() == whole.tobytes()
    assert len({outcome.tobytes() for outcome in whole}) == 4
