"""A block is what its replicates are, one by one; a replicate that fails is data; what is refused is refused with a sentence."""

import json
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pyarrow.parquet as pq
import pytest

from banditpapers import records, runs, simulation
from banditpapers.algorithms.batch_racing import BatchRacing
from banditpapers.cells import Cell
from banditpapers.environments.beta_bernoulli import BetaBernoulli, draw_means
from banditpapers.plugins import build, names
from banditpapers.seeding import stream, streams

WORLD = {"name": "beta_bernoulli", "prior": [1, 1], "arms": 6}
RACING = {"name": "batch_racing", "delta": 0.9, "batches": 120, "budgets": [50, 300], "trace": False, "beyond": 1.2}
TSE = {"name": "two_stage_exploration", "share": 0.5, "budgets": [40, 900]}


@dataclass(frozen=True)
class Fragile:
    """Made up: replicates with these numbers fail. It knows its replicate by the first number of its stream."""

    rules: ClassVar[tuple[str, ...]] = ("mean", "median")
    checkpoints: ClassVar[tuple[str, ...]] = ("1", "2", "cap")

    failing: tuple[int, ...] = (3,)
    error: type[Exception] = ValueError

    def play(self, environment, streams):
        first = streams.environment.random()
        if first in [world(i) for i in self.failing]:
            raise self.error(f"no luck with {first:.3f}")
        return np.full((3, 2, 5), first)

    def facts(self, environment):
        return {"cap": {"arms": environment.arms}}


def world(replicate: int) -> float:
    return streams(7, "lp2s", WORLD, {"name": "fragile"}, replicate).environment.random()


@pytest.fixture
def fragile(monkeypatch):
    """Makes an object stand for the algorithm of the returned cell."""

    def use(algorithm):
        monkeypatch.setattr(simulation, "build", lambda room, parameters: algorithm if room == "algorithms" else build(room, parameters))
        return Cell("lp2s", WORLD, {"name": "fragile"})

    return use


def test_a_failing_replicate_is_recorded_and_the_others_are_kept(tmp_path, fragile):
    block = simulation.simulate(fragile(Fragile()), 7, 0, 9)
    assert list(block.failures) == ["3"]
    assert block.failures["3"] == f"ValueError: no luck with {world(3):.3f}"
    assert block.replicates.tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    simulation.write(tmp_path / "0-9.parquet", block, 7, "c0de")
    (cell,) = runs.read([tmp_path / "0-9.parquet"], 10).cells
    assert cell.counts == {"planned": 10, "finished": 9, "failed": 1}
    assert cell.of("2", "median", "best").tolist() == [world(i) for i in range(10) if i != 3]
    assert cell.facts == {"cap": {"arms": 6}}


@pytest.mark.parametrize(
    "error",
    [ValueError, ArithmeticError, ZeroDivisionError, FloatingPointError, IndexError, RuntimeError, np.linalg.LinAlgError, MemoryError],
)
def test_numerical_failures_are_data(fragile, error):
    assert list(simulation.simulate(fragile(Fragile((1,), error)), 7, 0, 2).failures) == ["1"]


@pytest.mark.parametrize("error", [TypeError, NameError, AttributeError, KeyboardInterrupt])
def test_faults_of_the_program_are_not(fragile, error):
    with pytest.raises(error):
        simulation.simulate(fragile(Fragile((1,), error)), 7, 0, 2)


def test_all_may_fail(tmp_path, fragile):
    block = simulation.simulate(fragile(Fragile((0, 1, 2))), 7, 0, 2)
    assert block.outcomes.shape == (0, 3, 2, 5)
    simulation.write(tmp_path / "0-2.parquet", block, 7, "c0de")
    (cell,) = runs.read([tmp_path / "0-2.parquet"], 3).cells
    assert cell.counts == {"planned": 3, "finished": 0, "failed": 3}
    assert cell.path("mean", "pulls").shape == (0, 3)


def test_a_file_says_where_each_row_came_from(tmp_path):
    cell = Cell("lp2s", WORLD, TSE)
    block = simulation.simulate(cell, 7, 10, 12)
    simulation.write(tmp_path / "10-12.parquet", block, 7, "c0de")
    table, about = records.read(tmp_path / "10-12.parquet")
    assert about["cell"] == cell.json
    assert (about["replicates"], about["master_seed"], about["code"]) == ([10, 12], 7, "c0de")
    assert (about["versions"], about["machine"], about["lock"]) == (records.versions(), records.machine(), records.lock())
    assert about["cpu_seconds"] >= 0
    assert about["failures"] == {}
    assert table.column_names == ["replicate", "checkpoint", "rule", "pulls", "batches", "survivors", "simple_regret", "best"]
    assert table.column("replicate").to_pylist() == [10, 10, 11, 11, 12, 12]
    assert table.column("checkpoint").to_pylist() == ["40", "900"] * 3
    assert set(table.column("rule").to_pylist()) == {"overall_mean"}
    assert table.column("pulls").to_pylist() == [40.0, 900.0] * 3
    assert json.loads(pq.read_schema(tmp_path / "10-12.parquet").metadata[b"banditpapers"])["code"] == "c0de", (
        "readable without this package"
    )


@pytest.mark.parametrize("algorithm", [RACING, TSE], ids=lambda algorithm: algorithm["name"])
def test_a_replicate_does_not_depend_on_its_block(algorithm, tmp_path):
    cell = Cell("lp2s", WORLD, algorithm)
    whole = simulation.simulate(cell, 20, 0, 49)
    assert whole.outcomes.shape[0] == 50
    alone = simulation.simulate(cell, 20, 31, 31)
    assert alone.outcomes.tobytes() == whole.outcomes[31:32].tobytes()
    contents = []
    for size in (1, 7, 50):
        paths = []
        for first in range(0, 50, size):
            paths.append(tmp_path / str(size) / f"{first}.parquet")
            simulation.write(paths[-1], simulation.simulate(cell, 20, first, first + size - 1), 20, "c0de")
        contents.append(runs.read(paths, 50).cells[0].values.tobytes())
    assert contents == [whole.outcomes.tobytes()] * 3


def test_base_seeds_give_runs_of_their_own():
    cell = Cell("lp2s", {**WORLD, "arms": 300}, RACING)
    outcomes = [simulation.simulate(cell, seed, 0, 9).outcomes for seed in (41, 42, 43)]
    assert len({row.tobytes() for found in outcomes for row in found}) == 30


def test_a_cell_from_json_plays_like_the_cell():
    cell = Cell("lp2s", {**WORLD, "arms": 6.0, "prior": (1.0, 1.0)}, {**TSE, "budgets": (40.0, 900)})
    again = Cell.from_json(cell.json)
    assert simulation.simulate(cell, 7, 0, 3).outcomes.tobytes() == simulation.simulate(again, 7, 0, 3).outcomes.tobytes()
    assert simulation.simulate(cell, 7, 0, 3).checkpoints == ("40", "900")


# ---- what an algorithm's coin flips are common to

LINEAR = {"name": "linear_contexts", "arms": 4, "dimension": 3, "contexts": "radial", "coefficients": "fixed"}
COMMON = [  # an algorithm, a change that leaves its coin flips alone, and the same rule in both
    ({"name": "linear_thompson", "rounds": [5, 20], "v": [0.3]}, {"v": [0.1, 0.3, 1]}, 0, 1),
    ({"name": "linear_thompson", "rounds": [5, 20], "v": [0.3]}, {"rounds": [5, 20, 40]}, 0, 0),
    ({"name": "balanced_thompson", "rounds": [5, 20], "v": [0.3, 1], "gamma": [0.1]}, {"gamma": [0.01, 0.1]}, 1, 3),
    ({"name": "doubly_robust_thompson", "rounds": [5, 20], "v": [0.3]}, {"draws": 150, "v": [0.2, 0.3]}, 0, 1),
]


@pytest.mark.parametrize(("algorithm", "change", "rule", "same"), COMMON)
def test_another_value_of_a_tuned_parameter_changes_nothing_else(algorithm, change, rule, same):
    one, other = (simulation.simulate(Cell("drts", LINEAR, {**algorithm, **extra}), 3, 0, 4) for extra in ({}, change))
    assert one.failures == other.failures == {}
    assert one.outcomes[:, :, rule].tobytes() == other.outcomes[:, :2, same].tobytes()


def test_the_streams_name_holds_what_is_not_common(monkeypatch):
    asked = []
    monkeypatch.setattr(simulation, "streams", lambda *name: asked.append(name) or streams(*name))
    tuned = {"name": "balanced_thompson", "rounds": [5], "v": [1], "gamma": [0.1], "variance": "RSS", "propensity": "constant"}
    drawn = {"name": "linear_thompson", "rounds": [5], "v": [1], "ridge": "sqrt t", "draw": "shared"}
    for algorithm in (tuned, drawn):
        simulation.simulate(Cell("drts", LINEAR, algorithm), 3, 8, 8)
    simulation.simulate(Cell("lp2s", WORLD, RACING), 3, 8, 8)
    assert asked == [
        (3, "drts", LINEAR, {"name": "balanced_thompson"}, 8),
        (3, "drts", LINEAR, {"name": "linear_thompson"}, 8),
        (3, "lp2s", WORLD, {key: value for key, value in RACING.items() if key not in BatchRacing.COMMON}, 8),
    ]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_counter_based_replicate_does_not_depend_on_its_block(size):
    cell = Cell("drts", LINEAR, {"name": "doubly_robust_thompson", "rounds": [5, 20], "v": [0.3, 1]})
    parts = [simulation.simulate(cell, 3, first, first + size - 1).outcomes for first in range(0, 4, size)]
    assert np.concatenate(parts).tobytes() == simulation.simulate(cell, 3, 0, 3).outcomes.tobytes()


# ---- plug-ins


@pytest.mark.parametrize("name", ["nothing", "__init__", "a.b", "", "../seeding", "beta_bernoulli", "batch racing", "BatchRacing"])
def test_an_unknown_algorithm_is_refused_with_the_known_ones(name):
    with pytest.raises(
        ValueError, match=r"there is no algorithm .*; write one of balanced_thompson, batch_racing, .*two_stage_exploration"
    ):
        build("algorithms", {"name": name})


def test_parameters_become_hashable():
    found = build("algorithms", {"name": "two_stage_exploration", "budgets": [10, 20]})
    assert found.budgets == (10, 20)
    assert hash(found) == hash(build("algorithms", {"name": "two_stage_exploration", "budgets": (10, 20)}))
    assert "batch_racing" in names("algorithms")
    assert "__init__" not in names("algorithms")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"budgets": [10], "speed": 3}, "algorithm two_stage_exploration: .*speed"),
        ({}, "algorithm two_stage_exploration: .*budgets"),
        ({"budgets": [10], "share": "half"}, "algorithm two_stage_exploration: "),
        ({"budgets": [10], "share": 2}, "share is 2; write a number between 0 and 1"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(parameters, said):
    with pytest.raises(ValueError, match=said):
        build("algorithms", {"name": "two_stage_exploration", **parameters})


# ---- the environment


@pytest.mark.parametrize("arms", [1, 0, -3, 2.5, math.nan])
def test_an_instance_needs_two_arms(arms):
    with pytest.raises(ValueError, match=f"arms is {arms}; write an integer of at least 2"):
        BetaBernoulli((1, 1), arms)


@pytest.mark.parametrize("prior", [(0, 1), (1, -1), (1, math.nan), (math.inf, 1), (1e-310, 1e-310), (1,), (1, 1, 1)])
def test_an_instance_needs_a_proper_prior(prior):
    with pytest.raises(ValueError, match=r"prior is .*; write two numbers of at least 0\.0001"):
        BetaBernoulli(prior, 5)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (5.0, 1.0), (1.0, 3.0), (1e-3, 2e-3), (1e-4, 1e-4)])
def test_means_have_the_law_of_the_prior(a, b):
    n = 100_000 if a > 1e-4 else 5_000
    means = draw_means(a, b, n, stream(test="means", prior=[a, b]))
    assert np.isfinite(means).all()
    assert ((means >= 0) & (means <= 1)).all()
    # below 1e-3 the sampler tries again when both of its powers underflow, which shifts the mean by less than 1%
    error = 4 * math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)) / n) + (0.004 if a <= 1e-3 else 0)
    assert abs(means.mean() - a / (a + b)) < error


def test_the_world_is_the_first_thing_drawn():
    means = draw_means(1.0, 1.0, 6, streams(7, "lp2s", WORLD, TSE, 3).environment)
    assert np.array_equal(means, draw_means(1.0, 1.0, 6, streams(7, "lp2s", WORLD, RACING, 3).environment))
    assert np.array_equal(means, streams(7, "lp2s", WORLD, TSE, 3).environment.beta(1.0, 1.0, 6)), "with and without the compiler"
