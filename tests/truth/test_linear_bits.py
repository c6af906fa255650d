"""LinTS, BLTS and DRTS to the last bit: threads, processors, the interpreter and blocks of replicates make no difference."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from linear_variants import VARIANTS

from banditpapers.cells import Cell
from banditpapers.simulation import simulate

ROOT = Path(__file__).parents[2]
COMPILER = ("NUMBA_DISABLE_JIT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
FAMILIES = {family: [variant for variant in VARIANTS if variant.startswith(family)] for family in ("LinTS", "BLTS", "DRTS")}


def digests(*families, **changed):
    """What a process of its own finds, with other settings of the compiler or of threads."""
    asked = [(*instance, FAMILIES[family]) for family in families for instance in ((4, 5, 60), (10, 20, 60))]
    program = f"from linear_variants import digest; print(*(digest(*instance) for instance in {asked!r}))"
    environment = {name: value for name, value in os.environ.items() if name not in COMPILER}
    environment |= {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")]), "OMP_NUM_THREADS": "1"} | changed
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment).stdout.split()
    assert len(set(printed)) == len(asked)
    return {family: printed[2 * i : 2 * i + 2] for i, family in enumerate(families)}


@pytest.fixture(scope="module")
def usual():
    """Bits with the defaults of this machine."""
    return digests(*FAMILIES)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The plainest processor of this family, without wide registers or fused operations; its machine code is kept apart."""
    return {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("generic"))}


def test_threads_do_not_change_a_bit(usual):
    assert digests(*FAMILIES, OMP_NUM_THREADS="2") == usual


@pytest.mark.parametrize("family", FAMILIES)
def test_another_processor_does_not_change_a_bit(usual, elsewhere, family):
    assert digests(family, **elsewhere)[family] == usual[family]


def test_the_interpreter_does_not_change_a_bit(usual):
    assert digests(*FAMILIES, NUMBA_DISABLE_JIT="1") == usual


@pytest.mark.parametrize(
    "algorithm", [{"name": "linear_thompson"}, {"name": "balanced_thompson", "gamma": [0.05]}, {"name": "doubly_robust_thompson"}]
)
def test_blocks_do_not_change_a_bit(algorithm):
    world = {"name": "linear_contexts", "arms": 4, "dimension": 5, "contexts": "radial", "coefficients": "fresh"}
    cell = Cell("drts", world, {**algorithm, "rounds": [10, 60], "v": [0.1, 1]})
    whole = simulate(cell, 7, 0, 3).outcomes
    assert np.concatenate([simulate(cell, 7, 0, 1).outcomes, simulate(cell, 7, 2, 3).outcomes]).tobytes() == whole.tobytes()
    assert len({outcome.tobytes() for outcome in whole}) == 4
