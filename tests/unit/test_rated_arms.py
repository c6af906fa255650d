"""Arms that are people: who is drawn, how they are scaled, what is refused, and how results say which ratings they are of."""

import json
from pathlib import Path

import numpy as np
import pytest

from banditpapers import configuration, records, replay, runs, simulation
from banditpapers.cells import Cell
from banditpapers.codekey import closure
from banditpapers.data import ratings, stand_in, tables
from banditpapers.environments.fixed_arms import FixedArms
from banditpapers.environments.rated_arms import RatedArms, drawn
from banditpapers.planning import Block, Plan
from banditpapers.plugins import build
from banditpapers.seeding import Words, streams

ROOT = Path(__file__).parents[2]
WORLD = {"name": "rated_arms", "ratings": "jester", "arms": 12, "dimension": 5, "variance": 0.01}
PLAYER = {"name": "linear_ucb", "rounds": [3, 40], "beta": [0.6]}
WORDS = Words(1, 2)


def arms(**changes):
    return RatedArms(**{"ratings": "stand-in", "arms": 50, "dimension": 10, "variance": 0.1} | changes)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table that says it is Jester's."""
    path = tmp_path_factory.mktemp("ratings") / "jester.parquet"
    made = ratings.Ratings(stand_in.stand_in(users=200, number=3), -10.0, 10.0)
    tables.write(path, tables.make("jester", made, "Jester, so to say", "1" * 64))
    return path


def test_users_are_drawn_without_replacement_and_more_arms_keep_the_first():
    for lane in range(200):
        found = drawn(Words(5, lane), 50, 60)
        assert len(set(found.tolist())) == 50
        assert found.max() < 60
        assert drawn(Words(5, lane), 20, 60).tolist() == found[:20].tolist()
    assert sorted(drawn(WORDS, 60, 60).tolist()) == list(range(60))
    assert drawn(WORDS, 1, 1).tolist() == [0]


def test_each_user_is_as_likely_in_each_place():
    counts = np.zeros((3, 5))
    for lane in range(6000):
        counts[np.arange(3), drawn(Words(9, lane), 3, 5)] += 1
    chi_square = ((counts - 1200) ** 2 / 1200).sum()
    assert chi_square < 36, "12 degrees of freedom, about 1 in 4000"


def test_an_arm_is_a_user_of_the_table():
    whole = tables.of_stand_in()
    users = drawn(WORDS, 50, 1000)
    literal, centred = (arms(reward=reward).instance(WORDS) for reward in ("literal", "centred"))
    assert np.array_equal(literal.means, whole.rewards[users])
    assert np.allclose(centred.means, whole.rewards[users] - whole.rewards.mean(), atol=1e-15)
    assert np.array_equal(literal.columns, centred.columns)
    assert np.allclose(literal.gaps, centred.gaps, atol=1e-15)
    lengths = np.linalg.norm(whole.scores[users, :10], axis=1)
    assert np.allclose(literal.columns, whole.scores[users, :10].T / lengths.max(), rtol=1e-13)
    unit = arms(scaling="unit").instance(WORDS)
    assert np.allclose(unit.columns, whole.scores[users, :10].T / lengths, rtol=1e-13)
    assert np.linalg.norm(literal.columns, axis=0).max() == pytest.approx(1)
    assert literal.columns.flags.c_contiguous
    assert literal.columns.shape == (10, 50)


def test_components_that_are_nothing_leave_users_at_the_origin(tmp_path):
    made = ratings.Ratings(np.tile(np.linspace(1, 5, 40), (20, 1)), 1.0, 5.0)
    tables.write(tmp_path / "flat.parquet", tables.make("movielens", made, "", ""))
    for scaling in ("largest", "unit"):
        found = arms(ratings="movielens", arms=20, scaling=scaling, table=str(tmp_path / "flat.parquet")).instance(WORDS)
        assert (found.columns == 0).all()
        assert np.isfinite(found.means).all()


def test_noise_is_that_of_fixed_arms_and_keeps_its_prefix():
    short, long = (arms().noise(WORDS, 1, horizon) for horizon in (10, 100))
    assert np.array_equal(short, long[:10])
    assert np.array_equal(short, FixedArms(50, 10, 0.1).noise(WORDS, 1, 10))
    assert not np.array_equal(short, arms().noise(WORDS, 2, 10))


def test_the_splits_are_other_users_and_other_noise():
    found = {}
    for split in ("evaluation", "tuning"):
        words = streams(7, "softucb", {**WORLD, "split": split}, PLAYER, 0).environment_words
        found[split] = (drawn(words, 50, 1000).tolist(), arms(split=split).noise(words, 0, 5).tolist())
    assert found["evaluation"][0] != found["tuning"][0]
    assert found["evaluation"][1] != found["tuning"][1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ratings": "netflix"}, "ratings is 'netflix'; write one of jester, movielens, stand-in"),
        ({"reward": "mean"}, "reward is 'mean'; write one of centred, literal"),
        ({"scaling": "none"}, "scaling is 'none'; write one of largest, unit"),
        ({"split": "test"}, "split is 'test'; write one of evaluation, tuning"),
        ({"dimension": 21}, "dimension is 21; write at most 20, the components that there are"),
        ({"dimension": 0}, "dimension is 0; write an integer of at least 1"),
        ({"arms": 0}, "arms is 0; write an integer of at least 1"),
        ({"variance": -1}, "variance is -1; write a number of at least 0"),
    ],
)
def test_what_means_nothing_is_refused(changes, said):
    with pytest.raises(ValueError, match=f"rated_arms: {said}"):
        arms(**changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"arms": 1001}, "rated_arms: arms is 1001; write at most 1000, the users of stand-in"),
        ({"ratings": "jester"}, "rated_arms: the table of jester is not named; write the path of results/data/jester.parquet"),
        ({"ratings": "jester", "table": "no/where.parquet"}, "the ratings of jester are not there: no/where.parquet does not exist; run "),
    ],
)
def test_a_table_that_does_not_serve_is_refused_before_anything_is_played(changes, said):
    with pytest.raises(ValueError, match=said) as caught:
        arms(**changes).instance(WORDS)
    assert "\n" not in str(caught.value)
    described = {**WORLD, "arms": 50, "ratings": "stand-in", **changes}
    data = described.pop("table", None)
    with pytest.raises(ValueError, match=said):
        simulation.simulate(Cell("softucb", described, PLAYER), 7, 0, 1, None, data)


def test_the_table_is_no_part_of_what_an_instance_is(table):
    one, other = (RatedArms("jester", 12, 5, 0.01, table=path) for path in (str(table), None))
    assert one == other
    assert hash(one) == hash(other)
    assert "parquet" not in repr(one)
    assert build("environments", {**WORLD, "table": str(table)}) == one


def test_a_block_and_its_cell_name_the_ratings(table, tmp_path):
    cell = Cell("softucb", WORLD, PLAYER)
    block = simulation.simulate(cell, 7, 0, 3, None, table)
    simulation.write(tmp_path / "0-3.parquet", block, 7, "c0de")
    about = records.read(tmp_path / "0-3.parquet")[1]
    assert about["data"] == {"set": "jester", "source": "Jester, so to say", "sha256": "1" * 64}
    assert "parquet" not in about["cell"]
    found = runs.read([tmp_path / "0-3.parquet"], 4)
    assert found.cells[0].source == "Jester, so to say"
    assert found.about["cells"][0]["data"] == about["data"]
    assert (block.failures, block.outcomes.shape[0]) == ({}, 4)


def test_the_stand_in_says_what_it_is_and_other_worlds_say_nothing(tmp_path):
    for world, source in ({**WORLD, "ratings": "stand-in"}, "synthetic stand-in"), ({**WORLD, "name": "fixed_arms"}, ""):
        described = {key: value for key, value in world.items() if key != "ratings" or source}
        block = simulation.simulate(Cell("softucb", described, PLAYER), 7, 0, 1)
        simulation.write(tmp_path / "0-1.parquet", block, 7, "c0de")
        found = runs.read([tmp_path / "0-1.parquet"], 2)
        assert found.cells[0].source == source
        assert ("data" in found.about["cells"][0]) == bool(source)


def test_blocks_of_other_ratings_do_not_belong_together(table, tmp_path):
    other = tmp_path / "other.parquet"
    made = ratings.Ratings(stand_in.stand_in(users=200, number=4), -10.0, 10.0)
    tables.write(other, tables.make("jester", made, "Jester, in another file", "2" * 64))
    for first, path in ((0, table), (2, other)):
        block = simulation.simulate(Cell("softucb", WORLD, PLAYER), 7, first, first + 1, None, path)
        simulation.write(tmp_path / f"{first}-{first + 1}.parquet", block, 7, "c0de")
    with pytest.raises(ValueError, match="were simulated on different data; delete its folder and run again"):
        runs.read([tmp_path / "0-1.parquet", tmp_path / "2-3.parquet"], 4)


# ---- the plan


@pytest.fixture
def plan(tmp_path, monkeypatch):
    """A plan with a cell on real ratings, one on the stand-in and one on none, in a folder that has nothing."""
    monkeypatch.chdir(ROOT)
    settings = configuration.load(configuration.shipped(ROOT), {"results": "results/here"})
    found = Plan(settings)
    worlds = (
        WORLD,
        {**WORLD, "ratings": "stand-in"},
        {key: value for key, value in WORLD.items() if key != "ratings"} | {"name": "fixed_arms"},
    )
    cells = [Cell("softucb", world, PLAYER) for world in worlds]
    found.__dict__["blocks"] = {f"results/here/softucb/runs/{cell.id}/0-9.parquet": Block(cell, 0, 9, 1.0) for cell in cells}
    monkeypatch.chdir(tmp_path)
    return found, cells


def test_the_plan_knows_which_table_a_cell_needs(plan):
    found, (real, synthetic, none) = plan
    assert found.ratings == ("jester",)
    assert found.ratings_table(real) == "results/here/data/jester.parquet"
    assert found.ratings_table(synthetic) is None
    assert found.ratings_table(none) is None


def test_code_that_makes_numbers_of_ratings_is_in_the_key_of_rated_cells(plan):
    found, (real, synthetic, none) = plan
    own = {module for module in closure("banditpapers.environments.rated_arms") if module.startswith("banditpapers.data.")}
    assert own == {f"banditpapers.data.{name}" for name in ("completion", "components", "ratings", "stand_in", "tables")}
    whole = {f"banditpapers.data.{path.stem}" for path in (ROOT / "src/banditpapers/data").glob("[a-z]*.py")}
    assert whole <= set(closure("banditpapers.data.making")), "the rule that makes tables depends on all of it"
    assert not any(module.startswith("banditpapers.data.") for module in closure("banditpapers.environments.fixed_arms"))
    assert found.simulation_code(real) == found.simulation_code(synthetic) != found.simulation_code(none)


def test_replay_finds_the_same_table_or_says_how_to_make_it(plan, table):
    found, (real, *_) = plan
    with pytest.raises(
        ValueError, match=r"the ratings of jester are not there: results/here/data/jester\.parquet does not exist; run snakemake"
    ):
        replay.replay(found, real, 3)
    Path("results/here/data").mkdir(parents=True)
    Path("results/here/data/jester.parquet").write_bytes(table.read_bytes())
    tables.read.cache_clear()
    block = simulation.simulate(real, found.settings.master_seed, 0, 9, None, table)
    path = Path(f"results/here/softucb/runs/{real.id}/0-9.parquet")
    simulation.write(path, block, found.settings.master_seed, found.simulation_code(real))
    again = replay.replay(found, real, 3)
    assert (again.equal, again.stored) == (True, {str(path): ""})


def test_replay_names_other_ratings(plan, table):
    found, (real, *_) = plan
    Path("results/here/data").mkdir(parents=True)
    made = ratings.Ratings(stand_in.stand_in(users=200, number=5), -10.0, 10.0)
    tables.write(Path("results/here/data/jester.parquet"), tables.make("jester", made, "Jester, in another file", "2" * 64))
    tables.read.cache_clear()
    block = simulation.simulate(real, found.settings.master_seed, 0, 3, None, table)
    path = Path(f"results/here/softucb/runs/{real.id}/0-3.parquet")
    simulation.write(path, block, found.settings.master_seed, found.simulation_code(real))
    assert replay.replay(found, real, 3).stored[str(path)].endswith("; it was played on other data")


def test_the_configuration_names_local_files(monkeypatch):
    monkeypatch.chdir(ROOT)
    given = {"data": {"movielens": "/some where/ü.data", "allow_synthetic": True}}
    settings = configuration.load(configuration.shipped(ROOT), given)
    assert settings.data.movielens == "/some where/ü.data"
    assert (settings.data.jester, settings.data.folder, settings.data.allow_synthetic) == (None, "data", True)
    assert json.loads(settings.to_json())["data"] == {
        "allow_synthetic": True,
        "folder": "data",
        "jester": None,
        "movielens": "/some where/ü.data",
    }
    assert configuration.Settings.from_json(settings.to_json()) == settings
