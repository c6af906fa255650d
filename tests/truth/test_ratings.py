"""The real files: their bytes, their known alterations, and what was measured on them.

They are fetched once a session; where no package registry answers, these tests are skipped and say why.
"""

from hashlib import sha256

import numpy as np
import pytest
import rating_files

from banditpapers.cells import Cell
from banditpapers.data import fetch, local, making, ratings, tables
from banditpapers.data.completion import factorise
from banditpapers.data.sources import SOURCES, U_DATA
from banditpapers.environments.rated_arms import RatedArms
from banditpapers.seeding import words
from banditpapers.simulation import simulate

NOWHERE = "http://127.0.0.1:9/nothing.zip"  # the official addresses are left alone


@pytest.fixture(scope="session")
def downloads(tmp_path_factory):
    """A folder with both sets, fetched by the project's own code."""
    folder = tmp_path_factory.mktemp("data")
    for source in SOURCES.values():
        try:
            fetch.find(source._replace(official=((NOWHERE, source.official[0][1]),)), None, folder, False)
        except ValueError as error:
            pytest.skip(f"no registry has answered: {error}")
    return folder


@pytest.fixture(scope="session")
def made(downloads, tmp_path_factory):
    """Both tables."""
    folder = tmp_path_factory.mktemp("tables")
    for name in SOURCES:
        making.make(name, downloads, downloads, False, folder / f"{name}.parquet")
    return {name: folder / f"{name}.parquet" for name in SOURCES}


@pytest.fixture(scope="session")
def u_data(downloads):
    """MovieLens-100k's u.data."""
    return (downloads / "ml-100k.inter").read_bytes().partition(b"\n")[2]


def test_the_packages_have_the_published_bytes(downloads, u_data):
    assert (len(u_data), sha256(u_data).hexdigest()) == (U_DATA.size, U_DATA.sha256)
    assert u_data.endswith(b"\n" + SOURCES["movielens"].last_row)
    assert sorted((path.name, path.stat().st_size) for path in downloads.iterdir()) == [
        ("jester-dataset-v1-dense-first-1000.csv", 529_543),
        ("ml-100k.inter", 1_979_230),
    ]


@pytest.mark.parametrize("alteration", rating_files.ALTERATIONS)
def test_altered_public_copies_are_repaired(u_data, tmp_path, alteration):
    alter, said = rating_files.ALTERATIONS[alteration]
    (tmp_path / "u.data").write_bytes(alter(u_data, SOURCES["movielens"].last_row))
    found = local.look(SOURCES["movielens"], tmp_path / "u.data")
    own = found.file.name == "ml-100k.inter"  # u.data with this header is the package's file, byte for byte
    assert own == (alteration == "a header of names and types")
    assert own or (found.content == u_data and said in found.how)


@pytest.mark.parametrize("change", [lambda data: data.replace(b"\t4\t", b"\t5\t", 1), lambda data: data[:-30], lambda data: data * 2])
def test_other_alterations_are_refused(u_data, tmp_path, change):
    (tmp_path / "u.data").write_bytes(change(u_data))
    with pytest.raises(ValueError, match=r"u\.data has other bytes") as caught:
        fetch.find(SOURCES["movielens"], tmp_path / "u.data", tmp_path, True)
    assert U_DATA.described in str(caught.value)


def test_what_is_in_the_files(downloads, u_data):
    rows = np.array([line.split(b"\t") for line in u_data.splitlines()], dtype=np.int64)
    assert (rows.shape, rows[:, 0].max(), rows[:, 1].max()) == ((100_000, 4), 943, 1682)
    found = ratings.read((downloads / "jester-dataset-v1-dense-first-1000.csv").read_bytes(), "csv")
    assert (found.matrix.shape, found.lowest, found.highest) == ((1000, 40), -9.95, 9.42)
    spread = (found.matrix.std(), found.matrix.mean(axis=1).std(), found.matrix.mean(axis=0).std())
    assert spread == pytest.approx((5.24, 2.49, 1.53), abs=0.006)


def test_completion_fits_movielens_as_was_measured(u_data):
    rows = np.array([line.split(b"\t")[:3] for line in u_data.splitlines()], dtype=np.int64)
    found = factorise(rows[:, 0] - 1, rows[:, 1] - 1, rows[:, 2].astype(float))
    assert found.mean == pytest.approx(3.52986, abs=1e-9)
    assert found.errors[-1] == pytest.approx(0.774, abs=0.003)
    assert (np.diff(found.objectives) < 0).all()


def explained(table, intercept):
    """R^2 of the reward on the first 10 components."""
    scores, reward = table.scores[:, :10], table.rewards
    target = reward - intercept * reward.mean()
    rest = target - scores @ np.linalg.lstsq(scores, target, rcond=None)[0]
    return 1 - (rest**2).sum() / ((reward - reward.mean()) ** 2).sum()


def test_the_reward_is_far_from_linear_without_an_intercept(made):
    jester, movielens = (tables.read(made[name], name) for name in ("jester", "movielens"))
    assert explained(jester, True) == pytest.approx(0.37, abs=0.005)
    assert explained(jester, False) == pytest.approx(-4.1, abs=0.05)
    assert explained(movielens, True) == pytest.approx(1.0, abs=1e-6)
    assert explained(movielens, False) == pytest.approx(-27, abs=1.5)
    assert jester.rewards.mean() == pytest.approx(0.55, abs=0.015)
    assert movielens.rewards.mean() == pytest.approx(0.60, abs=0.01)


def test_the_tables_say_what_they_are(made):
    jester, movielens = (tables.read(made[name], name).about for name in ("jester", "movielens"))
    assert (jester["source"], jester["users"]) == ("Jester 1, first 1000 complete users, from pymc3 3.1", 1000)
    assert (movielens["source"], movielens["users"]) == ("MovieLens-100k from recbole 1.2.1", 943)
    assert jester["explained_variance"][:4] == pytest.approx([0.257, 0.060, 0.050, 0.043], abs=6e-4)
    assert sum(jester["explained_variance"][:10]) == pytest.approx(0.58, abs=0.005)
    # a matrix of rank 10 has ten components
    assert sum(movielens["explained_variance"][:10]) == pytest.approx(1, abs=1e-8)
    assert movielens["explained_variance"][10:] == [0.0] * 10


def test_linear_ucb_plays_as_was_measured(made):
    """30 draws of 50 users, T = 2^10, d = 10, sigma = 0.1, beta = 0.6."""
    player = {"name": "linear_ucb", "rounds": [1024], "beta": [0.6]}
    measured = {
        ("jester", "centred"): (20.8, 4.5),
        ("jester", "literal"): (124, 24),
        ("movielens", "centred"): (9.8, 1.3),
        ("movielens", "literal"): (195, 27),
    }
    for (name, reward), (mean, error) in measured.items():
        world = {"name": "rated_arms", "ratings": name, "arms": 50, "dimension": 10, "variance": 0.01, "reward": reward}
        found = simulate(Cell("softucb", world, player), 1, 0, 29, None, made[name]).outcomes[:, 0, 0, 0]
        assert abs(found.mean() - mean) < 4 * np.hypot(error, found.std(ddof=1) / np.sqrt(30)), (name, reward, found.mean())


def test_uniform_play_has_the_regret_that_was_measured(made):
    """T times the mean gap, over 200 draws; measured over 30."""
    for name, regret in (("jester", 413), ("movielens", 275)):
        world = RatedArms(name, 50, 10, 0.01, table=str(made[name]))
        gaps = [world.instance(words(draw=draw)).gaps.mean() for draw in range(200)]
        assert 1024 * np.mean(gaps) == pytest.approx(regret, rel=0.06)
