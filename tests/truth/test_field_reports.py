"""Seeds and determinism: faults that people reported of bandit simulations, each tried on what is here. docs/reliability.md lists them.

Numbers 1, 2 and 3 are in tests/unit/test_seeding.py, 7 is in tests/unit/test_cells.py.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from linear_variants import VARIANTS, player
from scipy import stats

from banditpapers import records, runs
from banditpapers.algorithms.batched_thompson import _recommend
from banditpapers.cells import Cell
from banditpapers.environments.beta_bernoulli import BetaBernoulli, draw_means
from banditpapers.environments.linear_contexts import LinearContexts, World
from banditpapers.kernels.philox import DRAW, fill_normals
from banditpapers.plugins import build, names
from banditpapers.seeding import Words, streams
from banditpapers.selftest import samples
from banditpapers.simulation import simulate, write

ROOT = Path(__file__).parents[2]


# ---- 4: the same actions under every kernel of the BLAS

PROGRAM = """
import hashlib, numpy
from linear_variants import player
from banditpapers.environments.linear_contexts import LinearContexts
from banditpapers.seeding import Words
world = LinearContexts(10, 20).world(Words(1, 2), 2000)
flat = world.contexts.reshape(2000, -1)
print(hashlib.sha256(numpy.linalg.solve(flat.T @ flat + numpy.eye(200), flat[0])).hexdigest())
for variant in ("LinTS", "LinTS, shared", "LinTS, sqrt t", "BLTS", "DRTS"):
    for history in player(variant, (2000,), (0.1, 1.0)).histories(world, Words(1, 2)):
        print(hashlib.sha256(history.actions.tobytes() + history.estimates.tobytes()).hexdigest())
"""


def under(kernel):
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_CORETYPE": kernel}
    printed = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment).stdout.split()
    return printed[0], printed[1:]


def test_04_the_kernel_of_the_blas_does_not_change_an_action():
    (product, found), (other, expected) = under("Haswell"), under("SkylakeX")
    assert len(set(found)) == 10
    assert found == expected
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        assert product != other, "these kernels do round differently, or nothing was tried"


def test_04_nothing_draws_by_the_blas_and_no_stream_is_global():
    """No multivariate_normal (an SVD), no generator without a name, no hash() in the package."""
    for path in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        dropped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # a hash that is only tried out is no number
        called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) not in dropped}
        assert {"np.random.seed", "random.seed"}.isdisjoint(
            ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)
        ), path
        assert called.isdisjoint({"hash", "np.random.default_rng", "random.Random"}), path
        assert not any("multivariate_normal" in name for name in called), path


# ---- 5: a replicate is a function of its number


def cell_of(name):
    sample = samples()[name]
    arms = sample["sizes"][len(sample["sizes"]) // 2]
    return Cell("truth", {**sample["environment"], "arms": arms}, {"name": name, **sample["parameters"]})


@pytest.mark.parametrize("name", names("algorithms"))
def test_05_replicate_731_alone_is_that_of_a_run_of_1000(name):
    alone, whole = simulate(cell_of(name), 7, 731, 731), simulate(cell_of(name), 7, 0, 999)
    assert not whole.failures
    assert alone.outcomes[0].tobytes() == whole.outcomes[731].tobytes()


@pytest.mark.parametrize("name", ["two_stage_exploration", "linear_thompson"])
def test_05_blocks_of_1_7_and_50_give_the_same_table(tmp_path, name):
    found = []
    for size in (1, 7, 50):
        for first in range(0, 50, size):
            block = simulate(cell_of(name), 7, first, first + size - 1)
            write(tmp_path / str(size) / f"{first}.parquet", block, 7, "code")
        found.append(runs.read((tmp_path / str(size)).iterdir(), 50).cells[0].values.tobytes())
        assert records.read(tmp_path / str(size) / "0.parquet")[0].num_rows > 0
    assert len(set(found)) == 1


# ---- 6: common noise, uniforms of one's own


def test_06_noise_is_common_and_normals_are_not():
    """Of counter-based streams; test_seeding.py has the same for generators."""
    instance = {"name": "linear_contexts", "arms": 10, "dimension": 20}
    found = [streams(3, "drts", instance, {"name": name}, 8) for name in ("linear_thompson", "balanced_thompson")]
    worlds = [LinearContexts(10, 2).world(one.environment_words, 10_000) for one in found]
    assert worlds[0].rewards.tobytes() == worlds[1].rewards.tobytes()
    normals = np.empty((3, 10_000))
    for row, one in zip(normals, found, strict=False):
        fill_normals(row, one.algorithm_words.seed, DRAW, 0, one.algorithm_words.lane, 0)
    normals[2] = (worlds[0].rewards - worlds[0].contexts @ worlds[0].coefficients)[:, 0]
    assert np.abs(np.corrcoef(normals)[np.triu_indices(3, 1)]).max() < 0.02


# ---- 8: all rewards 0


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("batch_racing", {"delta": 0.05, "batches": 1000, "budgets": [5000]}),
        ("two_stage_exploration", {"budgets": [5000]}),
        ("lp2s", {"setting": "SRM", "mu0": None, "rounds": 500, "survivors": 1, "delta0": ["smallest"]}),
    ],
)
def test_08_without_a_reward_the_recommendation_is_uniformly_random(name, parameters):
    """The means are near 1e-9, so that nothing is ever won; the prior of the policy of LP2S is another one."""
    algorithm, chosen = build("algorithms", {"name": name, **parameters}), np.zeros(5)
    environment = BetaBernoulli((1.0, 1e9), 5)
    for replicate in range(1000):
        means = draw_means(1.0, 1e9, 5, streams(1, "p", {"x": 1}, {"name": name}, replicate).environment)
        regret = algorithm.play(environment, streams(1, "p", {"x": 1}, {"name": name}, replicate))[0, 0, 3]
        chosen[np.flatnonzero(means.max() - means == regret)] += 1
    assert chosen.sum() == 1000
    assert stats.chisquare(chosen).pvalue > 1e-3, chosen


@pytest.mark.parametrize(("rule", "prior"), [("empirical mean", (0.0, 0.0)), ("posterior mean", (1.0, 1.0))])
def test_08_batched_thompson_sampling_breaks_ties_uniformly(rule, prior):
    coins, means, none = np.random.default_rng(2), np.arange(5.0), np.zeros(5, np.int64)
    chosen = [_recommend(prior, none, np.full(5, 1000), means, coins) for _ in range(2000)]
    assert stats.chisquare(np.bincount(np.array(chosen, dtype=int), minlength=5)).pvalue > 1e-3, rule
    fewest = {_recommend(prior, none, np.array([9, 9, 2, 9, 2]), means, coins) for _ in range(200)}
    assert fewest == ({2.0, 4.0} if prior[0] else set(means)), "the fewest failures have the largest posterior mean"


SILENT = ("BLTS, RSS", "BLTS, mean RSS", "BLTS, as released")


@pytest.mark.parametrize("variant", VARIANTS)
def test_08_linear_thompson_sampling_without_a_reward_plays_all_arms_alike(variant):
    """Contexts of one law for all arms. Where all samples tie, the smallest index wins after round 1: without contexts, or with RSS = 0."""
    rng = np.random.default_rng(4)
    contexts = rng.standard_normal((5000, 6, 3)) / 4
    nothing = World(contexts, np.linalg.norm(contexts, axis=2), np.zeros((5000, 6)), np.zeros((5000, 6)), np.zeros(3))
    (found,) = player(variant, (5000,)).histories(nothing, Words(5, 6))
    assert not found.estimates.any()
    if variant in SILENT:
        assert not found.actions[1:].any()
    else:
        assert stats.chisquare(np.bincount(found.actions, minlength=6)).pvalue > 1e-3
    empty = nothing._replace(contexts=np.zeros_like(contexts), lengths=np.zeros((5000, 6)))
    (tied,) = player(variant, (5000,)).histories(empty, Words(5, 6))
    assert not tied.actions[1:].any()
