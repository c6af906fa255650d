"""Completion, principal components and the stand-in against plain NumPy, and the table that is made of them."""

import numpy as np
import pyarrow as pa
import pytest
import rating_files as small

from banditpapers import records
from banditpapers.data import completion, components, making, ratings, stand_in, tables
from banditpapers.data.sources import SOURCES


def given(users=60, items=45, rank=3, share=0.5, seed=0):
    """Some entries of a matrix of low rank: users, items, ratings; and the whole matrix."""
    random = np.random.default_rng(seed)
    whole = 3.5 + random.normal(size=(users, rank)) @ random.normal(size=(rank, items))
    rows, columns = np.nonzero(random.random((users, items)) < share)
    assert len(set(rows)) == users
    assert len(set(columns)) == items
    return rows, columns, whole[rows, columns], whole


def test_completion_recovers_a_matrix_of_low_rank():
    rows, columns, known, whole = given()
    found = completion.factorise(rows, columns, known, rank=4, weight=1e-6, sweeps=200)
    hidden = np.ones_like(whole, dtype=bool)
    hidden[rows, columns] = False
    predicted = found.predicted(np.arange(45))
    assert hidden.sum() > 1000
    assert np.sqrt(((predicted - whole)[hidden] ** 2).mean()) < 0.02 * whole.std()
    assert np.array_equal(found.predicted(np.array([7, 3])), predicted[:, [7, 3]])


@pytest.mark.parametrize("weight", [0.01, 0.1, 1.0])
def test_the_objective_never_grows(weight):
    rows, columns, known, _ = given(seed=1)
    found = completion.factorise(rows, columns, known, weight=weight)
    assert len(found.objectives) == len(found.errors) == 20
    assert (np.diff(found.objectives) <= 0).all()
    # by its definition
    rest = known - found.mean - (found.users[rows] * found.items[columns]).sum(axis=1)
    ridge = (np.bincount(rows) * (found.users**2).sum(axis=1)).sum() + (np.bincount(columns) * (found.items**2).sum(axis=1)).sum()
    assert found.objectives[-1] == pytest.approx((rest**2).sum() + weight * ridge, rel=1e-12)
    assert found.errors[-1] == pytest.approx(np.sqrt((rest**2).mean()), rel=1e-12)


def test_a_sweep_is_what_linear_algebra_makes_of_it():
    rows, columns, known, _ = given(seed=2)
    before, after = (completion.factorise(rows, columns, known, rank=5, sweeps=sweeps) for sweeps in (3, 4))
    for user in range(60):
        features, rest = before.items[columns[rows == user]], known[rows == user] - before.mean
        expected = np.linalg.solve(features.T @ features + 0.1 * len(rest) * np.eye(5), features.T @ rest)
        assert np.allclose(after.users[user], expected, rtol=1e-9, atol=1e-12)


def test_products_are_products():
    random = np.random.default_rng(3)
    left, right = random.normal(size=(7, 4)), random.normal(size=(5, 4))
    assert np.allclose(completion.products(left, right), left @ right.T, rtol=1e-13)


# ---- components


@pytest.mark.parametrize(("n", "m"), [(200, 39), (30, 39), (50, 20), (5, 25), (50, 7)])
def test_components_are_the_eigenvectors(n, m):
    matrix = np.random.default_rng(n).normal(size=(n, m)) * np.linspace(3, 1, m) + 5
    found = components.principal(matrix)
    centred = matrix - matrix.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    kept = min(20, n - 1, m)
    shares = values[::-1] / values.sum()
    assert np.allclose(found.explained[:kept], shares[:kept], rtol=1e-11)
    assert np.allclose(np.abs(found.loadings[:, :kept].T @ vectors[:, ::-1][:, :kept]), np.eye(kept), atol=1e-7)
    assert np.allclose(found.scores[:, :kept], (centred @ found.loadings)[:, :kept], atol=1e-11)
    assert np.allclose(found.loadings.T @ found.loadings, np.diag(np.arange(20) < kept), atol=1e-13)
    # what there is no variance for is nothing, and not rounding error
    assert (found.scores[:, kept:] == 0).all()
    assert (found.explained[kept:] == 0).all()


def test_signs_are_fixed_by_the_largest_loading():
    matrix = np.random.default_rng(5).normal(size=(100, 39)) * np.linspace(2, 1, 39)
    found = components.principal(matrix)
    largest = np.abs(found.loadings).argmax(axis=0)
    assert (found.loadings[largest, np.arange(20)] > 0).all()
    mirrored = components.principal(-matrix)
    assert np.allclose(mirrored.loadings, found.loadings, atol=1e-9)
    assert np.allclose(mirrored.scores, -found.scores, atol=1e-9)


def test_columns_without_variance_have_no_components():
    found = components.principal(np.full((10, 25), 3.5))
    assert (found.scores == 0).all()
    assert (found.explained == 0).all()


@pytest.mark.parametrize("matrix", [np.eye(4), np.zeros((3, 3)), np.diag([3.0, 1.0, 2.0]), np.ones((5, 5)), np.full((1, 1), 7.0)])
def test_eigenvalues_of_simple_matrices(matrix):
    values, vectors = components.eigen(matrix)
    assert np.allclose(sorted(values), np.linalg.eigvalsh(matrix), atol=1e-14)
    assert np.allclose(vectors @ np.diag(values) @ vectors.T, matrix, atol=1e-14)


def test_nine_digits_hide_a_last_bit():
    values = np.random.default_rng(6).normal(size=(40, 20)) * 10.0 ** np.arange(-10, 10)
    kept = components.rounded(values)
    assert np.allclose(kept, values, rtol=5.1e-9, atol=0)
    assert np.mean(components.rounded(np.nextafter(values, np.inf)) != kept) < 0.01
    assert [str(value) for value in components.rounded(np.array([-0.0, 1 / 3, 2e-9 / 3]))] == ["0.0", "0.333333333", "6.66666667e-10"]


# ---- the stand-in


def facts(matrix):
    """Spread of all, of users' and of columns' means; share of 10 components; R^2 of the last column on their scores."""
    found = components.principal(matrix[:, :-1])
    scores, reward = found.scores[:, :10], matrix[:, -1] - matrix[:, -1].mean()
    rest = reward - scores @ np.linalg.lstsq(scores, reward, rcond=None)[0]
    spread = (matrix.std(), matrix.mean(axis=1).std(), matrix.mean(axis=0).std())
    return np.array([*spread, found.explained[:10].sum(), 1 - (rest**2).sum() / (reward**2).sum(), *found.explained[:4]])


def test_the_stand_in_has_the_statistics_of_jester():
    found = np.mean([facts(stand_in.stand_in(number=number)) for number in range(6)], axis=0)
    # what was published of it, with about four standard errors of six sets
    published = np.array([5.03, 2.39, 1.29, 0.59, 0.31, 0.246, 0.063, 0.051, 0.047])
    errors = np.array([0.15, 0.15, 0.3, 0.02, 0.12, 0.02, 0.012, 0.006, 0.006])
    assert (np.abs(found - published) < errors).all(), found


def test_the_stand_in_is_one_set_with_two_decimals():
    matrix = stand_in.stand_in()
    assert matrix.shape == (1000, 40)
    assert matrix.tobytes() == stand_in.stand_in(number=0).tobytes()
    assert not np.array_equal(matrix, stand_in.stand_in(number=1))
    assert np.allclose(matrix * 100, np.round(matrix * 100), atol=1e-9)
    assert (matrix.min(), matrix.max()) == (-10, 10)


# ---- reading and writing


def test_movielens_text_is_read_in_each_of_its_forms():
    found = [ratings.read(text, form) for text, form in (
        (small.CONTENT, "tabs"),
        (small.HEADER + small.CONTENT, "tabs below a header"),
        (small.CONTENT.replace(b"\t", b"::"), "colons"),
    )]  # fmt: skip
    assert len({one.matrix.tobytes() for one in found}) == 1
    assert found[0].matrix.shape == (3, 2)
    assert (found[0].lowest, found[0].highest) == (1, 5)


def test_the_most_rated_films_come_first_and_of_equals_the_smaller_id(monkeypatch):
    rows = [
        (user, film) for user in range(1, 7) for film in (9, 4, 7, 20) if not (film == 20 and user > 3) and not (film == 9 and user > 5)
    ]
    content = b"".join(b"%d\t%d\t%d\t0\n" % (user, film, film % 5 + 1) for user, film in rows)
    asked = []
    factors = completion.Factors(0.0, np.eye(6), np.eye(4, 6), (), ())
    monkeypatch.setattr(completion.Factors, "predicted", lambda self, columns: asked.append(columns.tolist()) or np.zeros((6, 4)))
    monkeypatch.setattr(ratings, "factorise", lambda *_: factors)
    ratings.movielens(content)
    assert asked == [[0, 1, 2, 3]], "films 4 and 7 with six ratings, 9 with five, 20 with three"


def test_jester_keeps_users_who_rated_the_first_forty():
    table = np.round(np.random.default_rng(8).uniform(-10, 10, (6, 100)), 2)
    table[1, 39], table[2, 40], table[4] = 99, 99, 99
    header = ",".join(map(str, range(1, 101)))
    content = "\n".join([header, *(",".join(map(str, row)) for row in table)]).encode()
    found = ratings.read(content, "csv")
    assert np.array_equal(found.matrix, table[[0, 2, 3, 5], :40])
    known = table[table != 99]
    assert (found.lowest, found.highest) == (known.min(), known.max())


def test_a_form_that_nothing_reads_is_refused():
    with pytest.raises(ValueError, match="ratings in the form 'xls' cannot be read; write one of tabs, "):
        ratings.read(b"", "xls")


@pytest.fixture(scope="module")
def surrogate():
    return tables.make("jester", ratings.Ratings(stand_in.stand_in(number=1), -10.0, 10.0), "Jester, so to say", "0" * 64)


def test_a_table_comes_back_and_its_bytes_are_always_the_same(surrogate, tmp_path):
    for name in ("a", "b"):
        tables.write(tmp_path / f"{name}.parquet", surrogate)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert (tmp_path / "a.parquet").stat().st_size < 1_000_000, "Snakemake compares the checksums of smaller files only"
    table, about = records.read(tmp_path / "a.parquet")
    assert table.column_names == [*(f"component_{k}" for k in range(1, 21)), "reward"]
    expected = {"set": "jester", "source": "Jester, so to say", "sha256": "0" * 64, "users": 1000, "lowest": -10, "highest": 10}
    assert expected.items() <= about.items()
    assert len(about["explained_variance"]) == 20
    again = tables.read(tmp_path / "a.parquet", "jester")
    assert again.scores.tobytes() == surrogate.scores.tobytes()
    assert again.rewards.tobytes() == surrogate.rewards.tobytes()
    assert (again.rewards.min() >= 0, again.rewards.max() <= 1) == (True, True)


def test_the_table_of_another_set_is_refused(surrogate, tmp_path):
    tables.write(tmp_path / "x.parquet", surrogate)
    with pytest.raises(ValueError, match=r"x\.parquet is no table of the ratings of movielens; delete it and run snakemake --cores 1 "):
        tables.read(tmp_path / "x.parquet", "movielens")
    records.write(tmp_path / "y.parquet", pa.table({"reward": [1.0]}), {"set": "jester"})
    with pytest.raises(ValueError, match=r"y\.parquet is no table of the ratings of jester"):
        tables.read(tmp_path / "y.parquet", "jester")
    with pytest.raises(ValueError, match=r"the ratings of jester are not there: .*z\.parquet does not exist; run snakemake --cores 1 "):
        tables.read(tmp_path / "z.parquet", "jester")
    (tmp_path / "w.parquet").write_bytes((tmp_path / "x.parquet").read_bytes()[:-9])
    with pytest.raises(records.DamagedRecordError):
        tables.read(tmp_path / "w.parquet", "jester")


def test_making_goes_from_a_local_file_to_a_table(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(SOURCES, "movielens", small.SMALL)
    (tmp_path / "u.data").write_bytes(small.CONTENT)
    making.make("movielens", tmp_path / "u.data", tmp_path / "data", False, tmp_path / "results" / "movielens.parquet")
    found = tables.read(tmp_path / "results" / "movielens.parquet", "movielens")
    assert (found.about["users"], found.about["source"], found.about["sha256"]) == (3, "Small", small.U_DATA.sha256)
    assert capsys.readouterr().err == f"movielens: took Small, {tmp_path / 'u.data'}\n"
    with pytest.raises(ValueError, match="there are no ratings 'netflix'; write one of movielens, jester"):
        making.make("netflix", None, tmp_path, False, tmp_path / "x.parquet")


def test_making_the_stand_in_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(making, "find", lambda *_: None)
    making.make("jester", None, tmp_path, True, tmp_path / "jester.parquet")
    assert tables.read(tmp_path / "jester.parquet", "jester").about["source"] == "synthetic stand-in"
