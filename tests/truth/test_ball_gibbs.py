"""Normal vectors in the unit ball: the law against rejection, where that is feasible, and against the textbook Gibbs sampler."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from banditpapers.environments.linear_contexts import centres
from banditpapers.kernels.ball_gibbs import SWEEPS, fill_ball


def balls(means, dimension, rounds, sweeps=SWEEPS, lane=0):
    """Shape (rounds, N, d): what the sampler draws."""
    x = np.empty((rounds, len(means), dimension))
    for t in range(rounds):
        fill_ball(x[t], means, sweeps, 77, lane, t)
    return x


def assert_same_law(ours, truth):
    """Two samples (rounds, N, d), each exchangeable in its coordinates: means, products, norms, within 4.5 standard errors."""
    statistics = []
    for x in (ours, truth):
        products = np.einsum("tij,tkj->tik", x, x).reshape(len(x), -1)
        along = x.sum(axis=2)
        columns = np.hstack([along, products, along**2, np.linalg.norm(x, axis=2), x[:, :, 0], x[:, :, -1], x[:, :, 0] ** 2])
        statistics.append((columns.mean(axis=0), columns.var(axis=0, ddof=1) / len(x)))
    (ours_mean, ours_error), (mean, error) = statistics
    z = (ours_mean - mean) / np.sqrt(ours_error + error)
    assert np.abs(z).max() < 4.5, z


@pytest.mark.parametrize(("means", "dimension"), [((-2.0, 2.0), 1), ((-1.0, 1.0), 2), ((-0.6, -0.2, 0.2, 0.6), 2)])
def test_the_truncated_law_is_that_of_rejection(means, dimension):
    rng, kept = np.random.default_rng(dimension), []
    while sum(map(len, kept)) < 60_000:
        normals = rng.standard_normal((200_000, len(means) + 1, dimension))
        x = np.array(means)[:, None] + np.sqrt(0.5) * (normals[:, :1] + normals[:, 1:])
        kept.append(x[((x**2).sum(axis=2) <= 1).all(axis=1)])
    assert_same_law(balls(np.array(means), dimension, 150_000), np.concatenate(kept))


def coordinatewise(means, dimension, chains, sweeps, rng):
    """The textbook Gibbs sampler, coordinate by coordinate through the inverse distribution function; so many chains side by side."""
    arms, rho = len(means), 0.5
    share = 1 + (arms - 2) * rho
    s = np.sqrt((1 - rho) * (1 + (arms - 1) * rho) / share)
    x = np.tile(0.9 * np.sign(means)[:, None] / np.sqrt(dimension), (chains, 1, dimension))
    for _ in range(sweeps):
        for i in range(arms):
            for j in range(dimension):
                others = (x[:, :, j] - means).sum(axis=1) - (x[:, i, j] - means[i])
                m = means[i] + rho / share * others
                w = np.sqrt(1 - (x[:, i] ** 2).sum(axis=1) + x[:, i, j] ** 2)
                side = np.where(m > 0, 1.0, -1.0)  # of a mean made positive, [-w, w] is in the lower tail
                low, high = ndtr((-w - side * m) / s), ndtr((w - side * m) / s)
                x[:, i, j] = side * (side * m + s * ndtri(low + (high - low) * rng.random(chains)))
    return x


def test_the_truncated_law_is_that_of_a_long_chain_coordinate_by_coordinate():
    means = centres(4)
    assert_same_law(balls(means, 3, 60_000), coordinatewise(means, 3, 20_000, 40, np.random.default_rng(5)))


def test_the_chain_of_a_round_has_forgotten_its_start():
    assert_same_law(balls(centres(10), 20, 4000), balls(centres(10), 20, 4000, sweeps=50, lane=1))
