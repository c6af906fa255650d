"""Ridge regression step by step against NumPy's linear algebra, and the arms that are left out because they cannot win."""

import numpy as np
import pytest
from scipy.special import ndtri

from banditpapers.kernels import factor as cholesky
from banditpapers.kernels import ridge
from banditpapers.kernels.gaussian_max import argmax_probabilities
from banditpapers.kernels.normal import quantile
from banditpapers.kernels.philox import uniform
from banditpapers.kernels.reach import LARGEST, largest, within_reach

DIMENSIONS = (1, 2, 3, 4, 5, 7, 8, 13, 20, 30)
ARMS = (2, 3, 4, 6, 10, 13, 20)


def triangle(matrix):
    """A symmetric matrix as the kernels hold it; what is not to be read is poisoned."""
    d = len(matrix)
    held = cholesky.squares(1, d)[0]
    held[:, :d] = np.tril(matrix)
    return held


def lower(held):
    """The lower triangle without what stands right of it."""
    return np.tril(held[:, : len(held)])


def instance(d, arms=4, seed=0):
    """A random B of condition 1 to 1e4, contexts, and the generator."""
    rng = np.random.default_rng([d, arms, seed])
    x = rng.standard_normal((3 * d, d)) * 10 ** rng.uniform(-1, 1, d)
    return x.T @ x, rng.standard_normal((arms, d)), rng


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("d", DIMENSIONS)
def test_factorise_and_solve(d, members):
    gram, _, rng = instance(d)
    f, factor, w, b = rng.standard_normal((members, d)), np.full_like(triangle(gram), 7.0), np.empty((members, d)), np.empty(d)
    cholesky.factorise(triangle(gram), 1.5, f, factor, w)
    whole, found = gram + 1.5 * np.eye(d), lower(factor)
    np.testing.assert_allclose(found.T @ found, whole, rtol=1e-12, atol=1e-12 * np.abs(whole).max())
    np.testing.assert_allclose(w, np.linalg.solve(found.T, f.T).T, rtol=1e-10, atol=1e-12)
    for member in range(members):
        cholesky.solve_rest(factor, w[member], b)
        np.testing.assert_allclose(b, np.linalg.solve(whole, f[member]), rtol=1e-9, atol=1e-12)


def test_the_factor_of_one_member_does_not_depend_on_the_others():
    gram, _, rng = instance(20)
    f = rng.standard_normal((3, 20))
    together, alone = np.empty((3, 20)), np.empty((1, 20))
    cholesky.factorise(triangle(gram), 1.0, f, triangle(gram), together)
    for member in range(3):
        cholesky.factorise(triangle(gram), 1.0, f[member : member + 1], triangle(gram), alone)
        assert alone[0].tobytes() == together[member].tobytes()


@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("d", DIMENSIONS)
def test_widths_of_any_arms(d, arms):
    gram, contexts, rng = instance(d, arms)
    whole = gram + np.eye(d)
    inverse, factor = np.linalg.inv(whole), np.zeros_like(triangle(gram))
    cholesky.factorise(triangle(gram), 1.0, np.zeros((1, d)), factor, np.empty((1, d)))
    expected = np.sqrt(np.einsum("ij,jk,ik->i", contexts, inverse, contexts))
    for count in {1, 2, arms // 2, arms}:
        chosen = np.sort(rng.permutation(arms)[:count])
        for by, held in ((ridge.widths_by_inverse, np.tril(inverse)), (cholesky.widths_by_factor, factor)):
            widths = np.full(arms, -1.0)
            by(held, contexts, chosen, np.full((2, d, arms), np.nan), widths)
            np.testing.assert_allclose(widths[: chosen.size], expected[chosen], rtol=1e-9)
            assert (widths[chosen.size :] == -1.0).all()


@pytest.mark.parametrize("arms", ARMS)
@pytest.mark.parametrize("d", DIMENSIONS)
def test_sums_over_arms(d, arms):
    gram, contexts, rng = instance(d, arms)
    held, b, means = triangle(gram), rng.standard_normal(d), np.empty(arms)
    cholesky.add_outer(held, contexts[0])
    np.testing.assert_allclose(lower(held), np.tril(gram + np.outer(contexts[0], contexts[0])), rtol=1e-12, atol=1e-12)
    ridge.scores(contexts, b, means)
    np.testing.assert_allclose(means, contexts @ b, rtol=1e-12, atol=1e-12)
    assert means.tolist() == [ridge.inner(x, b) for x in contexts], "four at a time, and yet the same bits"
    if arms % 2 == 0:
        held = triangle(gram)
        cholesky.add_arms(held, contexts)
        np.testing.assert_allclose(lower(held), np.tril(gram + contexts.T @ contexts), rtol=1e-12, atol=1e-12)


def absorbed(d, updates, weighted, seed=3, afresh=False):
    """The relative error of B^-1, and of b, after so many updates; weights are 1/p with p down to 0.01."""
    rng = np.random.default_rng([d, updates, seed])
    x = rng.standard_normal((updates, d))
    x *= rng.uniform(size=(updates, 1)) / np.sqrt((x**2).sum(axis=1, keepdims=True))
    rewards, weights = rng.standard_normal(updates), 1 / rng.uniform(0.01, 1, updates) if weighted else np.ones(updates)
    inverse, b, image = ridge.identities(1, d, 1.0)[0], np.zeros(d), np.empty(d)
    gram, f = cholesky.squares(1, d)[0], np.zeros(d)
    for t in range(updates):
        if afresh:
            ridge.absorb_afresh(gram, f, inverse, b, x[t], rewards[t], weights[t], 1.0)
        else:
            ridge.absorb(inverse, b, x[t], rewards[t], weights[t], image)
    exact = np.linalg.inv(np.eye(d) + (weights * x.T) @ x)
    solution = exact @ ((weights * x.T) @ rewards)
    return np.abs(inverse - exact).max() / np.abs(exact).max(), np.abs(b - solution).max() / np.abs(solution).max()


@pytest.mark.parametrize("afresh", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("d", DIMENSIONS)
def test_updates_of_the_inverse(d, weighted, afresh):
    assert max(absorbed(d, 60, weighted, afresh=afresh)) < 1e-11


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("d", [7, 20, 30])
def test_20000_updates_do_not_drift(d, weighted):
    assert max(absorbed(d, 20_000, weighted)) < 1e-11


def test_what_lambda_is_when():
    assert ridge.schedule("sqrt t", 4).tolist() == [1.0, 1.0, *np.sqrt([2.0, 3.0, 4.0])]
    assert ridge.schedule(3, 2).tolist() == [3.0, 3.0, 3.0]


# ---- the arms that can win


def left(means, lengths, reach):
    found = np.full(means.size, -1)
    count = within_reach(means, lengths, reach, found)
    assert (found[count:] == -1).all()
    return found[:count]


def test_no_normal_is_larger_than_the_largest():
    most = np.uint64(2**32 - 1)
    ends = quantile(uniform(np.uint64(0), np.uint64(0))), quantile(uniform(most, most))
    assert LARGEST - 0.1 < -ends[0] < LARGEST
    assert LARGEST - 0.1 < ends[1] < LARGEST
    assert ends[0] == pytest.approx(ndtri(2.0**-53), rel=1e-14)


@pytest.mark.parametrize("arms", [2, 3, 10, 20])
def test_what_is_left_out_cannot_win(arms):
    """Widths are anything up to the lengths, normals anything up to 8.3, and at the worst corner: no excluded arm is ever the largest."""
    rng = np.random.default_rng(arms)
    seen = set()
    for spread in np.repeat([0.1, 1.0, 10.0, 100.0], 150):
        means, lengths = spread * rng.standard_normal(arms), rng.uniform(0, 1, arms)
        found = left(means, lengths, np.full(arms, LARGEST))
        seen.add(found.size)
        assert found.size >= 1
        assert (np.diff(found) > 0).all()
        assert means.argmax() in found
        others = np.setdiff1d(np.arange(arms), found)
        widths = lengths * rng.uniform(0, 1, arms)
        chances = argmax_probabilities(means, widths)
        assert chances[others].sum() < 1e-15
        for z in (*rng.uniform(-LARGEST, LARGEST, (5, arms)), np.where(np.isin(np.arange(arms), found), -LARGEST, LARGEST)):
            arm = int((means + widths * z).argmax())
            assert arm in found
            assert largest(means, 1.0, widths[found], z, found) == arm
            assert arm in left(means, lengths, np.abs(z)), "with the arms' own normals, too"
    assert len(seen) > 1


def test_an_interval_that_just_reaches_is_kept():
    means, lengths = np.array([0.0, 3.0, 1.0]), np.array([1.0, 1.0, 0.5])
    assert left(means, lengths, np.full(3, 1.5)).tolist() == [0, 1, 2]
    assert left(means, lengths, np.full(3, 1.0)).tolist() == [1]
    assert left(means, np.zeros(3), np.ones(3)).tolist() == [1]
    assert left(np.array([2.0, 2.0]), np.zeros(2), np.ones(2)).tolist() == [0, 1], "equal constants"


def test_the_smallest_index_wins_ties():
    assert largest(np.array([1.0, 2.0, 2.0]), 1.0, np.zeros(3), np.zeros(3), np.arange(3)) == 1
    assert largest(np.array([5.0, 2.0, 2.0]), 1.0, np.zeros(2), np.zeros(3), np.array([1, 2])) == 1
