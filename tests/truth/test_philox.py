"""The numbers by counter: known answers of Philox, an independent computation's streams, and the normal quantiles against SciPy's."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

from banditpapers.kernels.normal import quantile, quantiles
from banditpapers.kernels.philox import CONTEXT, DRAW, GIBBS, fill_draws, fill_normals, fill_uniforms, philox, uniform

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "drts_streams.json").read_text())
SEED = REFERENCE["seed"]


def filled(fill, size, *name):
    out = np.empty(size)
    fill(out, *name)
    return out


@pytest.mark.parametrize("case", REFERENCE["known_answers"], ids=lambda case: case["key"][0])
def test_philox_gives_the_known_answers(case):
    words = [int(word, 16) for word in case["ctr"] + case["key"]]
    assert [f"{int(word):08x}" for word in philox(*words)] == case["out"]


def test_normals_agree_with_an_independent_computation():
    np.testing.assert_allclose(
        filled(fill_normals, 6, SEED, CONTEXT, 0, 0, 0), REFERENCE["context_normals_round0_lane0"], rtol=0, atol=2e-15
    )
    np.testing.assert_allclose(
        filled(fill_normals, 6, SEED, DRAW, 5, 2, 1), REFERENCE["draw_normals_round5_lane2_draw1"], rtol=0, atol=2e-15
    )


def test_a_number_is_a_function_of_its_name_alone():
    long = filled(fill_normals, 101, SEED, DRAW, 7, 1, 3)
    for size in (1, 2, 15, 16, 33, 100):
        assert filled(fill_normals, size, SEED, DRAW, 7, 1, 3).tobytes() == long[:size].tobytes()
    uniforms = filled(fill_uniforms, 101, SEED, DRAW, 7, 1, 3)
    assert long.tolist() == [quantile(p) for p in uniforms]
    for m in (0, 1, 50, 99, 100):
        a, b, c, d = philox(7, 1, 3, m // 2, SEED, DRAW)
        assert uniforms[m] == (uniform(a, b) if m % 2 == 0 else uniform(c, d))
    draws = filled(fill_draws, 9, SEED, DRAW, 7, 1)
    assert draws.tolist() == [filled(fill_uniforms, 1, SEED, DRAW, 7, 1, draw)[0] for draw in range(9)]


def test_seed_purpose_round_lane_and_draw_all_name_other_numbers():
    name = [SEED, DRAW, 3, 2**32 - 1, 5]
    names = [name] + [[*name[:k], name[k] - 1, *name[k + 1 :]] for k in range(5)] + [[SEED, GIBBS, *name[2:]]]
    numbers = np.concatenate([filled(fill_uniforms, 50, *words) for words in names])
    assert len(set(numbers)) == numbers.size
    assert 0 < numbers.min() < numbers.max() < 1


def test_uniforms_are_uniform_and_neighbours_independent():
    p = filled(fill_uniforms, 200_000, 1, GIBBS, 0, 0, 0)
    counts = np.bincount((p * 100).astype(int), minlength=100)
    assert abs(((counts - 2000) ** 2 / 2000).sum() - 99) < 5 * np.sqrt(2 * 99)
    for lag in (1, 2, 3):
        assert abs(np.corrcoef(p[lag:], p[:-lag])[0, 1]) < 5 / np.sqrt(p.size)


def test_quantiles_agree_with_scipy_over_their_whole_range():
    smallest = 2.0**-53
    p = np.concatenate([
        filled(fill_uniforms, 300_000, 1, GIBBS, 0, 0, 0),
        smallest * np.arange(1, 3000),
        1 - smallest * np.arange(1, 3000),
        0.5 + 2 * smallest * np.arange(1, 3000),
        np.round((1.3887943864964021e-11 + 1e-16 * np.arange(-300, 300)) / smallest) * smallest,  # where r = 5
        np.round((0.075 + 1e-15 * np.arange(-300, 300)) / smallest) * smallest,  # where |q| = 0.425
    ])  # fmt: skip
    z = p.copy()
    quantiles(z)
    np.testing.assert_allclose(np.abs(z), -ndtri(np.minimum(p, 1 - p)), rtol=1e-14)
    np.testing.assert_array_equal(np.sign(z), np.sign(p - 0.5))
    some = slice(None, None, 7)
    assert z[some].tolist() == [quantile(x) for x in p[some]]
    assert quantile(0.5) == 0.0
    assert quantile(1e-30) == pytest.approx(ndtri(1e-30), rel=1e-14)


def test_normals_are_normal():
    z = filled(fill_normals, 400_000, 9, CONTEXT, 1, 2, 3)
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((z**power).mean() - moment) < 4.5 * np.sqrt(variance / z.size)
