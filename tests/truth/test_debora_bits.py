"""The algorithms on constrained arms to the last bit: the interpreter, the processor and blocks of pairs make no difference."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from banditpapers import selftest
from banditpapers.cells import Cell
from banditpapers.kernels.epochs import draw_epoch
from banditpapers.kernels.replicable_mean import replicable_mean
from banditpapers.kernels.simplex_lp import solve_simplex
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]
NAMES = [name for name, entry in selftest.samples().items() if entry["environment"]["name"] == "constrained_arms"]
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


def interpreted(compiled):
    return getattr(compiled, "py_func", compiled)


def test_the_interpreter_does_not_change_a_bit():
    assert len(NAMES) >= 9
    assert digests(NUMBA_DISABLE_JIT="1") == recorded()


@pytest.mark.slow
def test_another_processor_does_not_change_a_bit(tmp_path):
    """The plainest of this family, without wide registers or fused operations; its machine code is kept apart."""
    assert digests(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=str(tmp_path)) == recorded()


@pytest.mark.parametrize("name", NAMES)
def test_blocks_do_not_change_a_bit(name):
    sample = selftest.samples()[name]
    cell = Cell("debora", {**sample["environment"], "arms": sample["sizes"][-1]}, {"name": name, **sample["parameters"]})
    whole = simulate(cell, 7, 0, 3).outcomes
    assert np.concatenate([simulate(cell, 7, 0, 1).outcomes, simulate(cell, 7, 2, 3).outcomes]).tobytes() == whole.tobytes()
    assert len({outcome.tobytes() for outcome in whole}) > 1


def test_kernels_are_the_same_in_the_interpreter():
    rng = np.random.default_rng(8)
    for _ in range(200):
        total, count, alpha, u = rng.integers(0, 100), 100, 10 ** rng.uniform(-3, 1), rng.random()
        assert replicable_mean(total, count, alpha, u) == interpreted(replicable_mean)(total, count, alpha, u)
        arms, m = int(rng.integers(1, 7)), int(rng.integers(0, 4))
        program = rng.random(arms), rng.random((m, arms)), rng.uniform(0.2, 0.6, m)
        one, other = np.zeros(arms), np.zeros(arms)
        assert solve_simplex(*program, one) == interpreted(solve_simplex)(*program, other)
        assert one.tobytes() == other.tobytes()
        x, need, counts = rng.dirichlet(np.ones(arms)), rng.integers(1, 1000, arms), np.empty((2, arms), dtype=np.int64)
        remaining, seed = int(rng.integers(1, 3000)), int(rng.integers(2**31))
        rounds = [
            play(np.random.default_rng(seed), x, need, remaining, row)
            for play, row in zip((draw_epoch, interpreted(draw_epoch)), counts, strict=True)
        ]
        assert rounds[0] == rounds[1] == counts[0].sum()
        assert np.array_equal(*counts)
