"""The written-out exponential: its error, its ends, its order, and the same bits compiled and interpreted."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from numba import njit

from banditpapers.kernels.exponential import HIGHEST, LOWEST, exponential


@njit
def fill(x, out):
    for i in range(x.size):
        out[i] = exponential(x[i])


def compiled(x):
    x = np.asarray(x, dtype=np.float64)
    out = np.empty(x.size)
    fill(x, out)
    return out


def interpreted(x):
    """Without the compiler; where it is off, the function has no other form."""
    plain = getattr(exponential, "py_func", exponential)
    return np.array([plain(element) for element in np.asarray(x, dtype=np.float64)])


def spread(n):
    """Numbers of every size between the ends."""
    rng = np.random.default_rng(20200603)
    small = rng.choice([-1, 1], n // 4) * 10.0 ** rng.uniform(-300, 2, n // 4)
    return np.concatenate([rng.uniform(LOWEST, HIGHEST, n // 4), rng.uniform(-40, 0, n // 4), rng.uniform(-1, 1, n // 4), small])


def test_within_one_unit_of_the_last_place_of_the_c_library():
    x = spread(100_000)
    expected = np.array([math.exp(element) for element in x])
    errors = (compiled(x) - expected) / np.spacing(expected)
    assert np.abs(errors).max() <= 1
    assert (errors == 0).mean() > 0.9


def test_within_one_unit_of_the_last_place_of_the_truth():
    x = spread(4000)
    with localcontext() as context:
        context.prec = 40
        exact = [Decimal(element).exp() for element in x]
        found = compiled(x)
        errors = [abs(Decimal(value) - truth) / Decimal(np.spacing(value)) for value, truth in zip(found, exact, strict=True)]
    assert max(errors) < Decimal("0.95")


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (0.0, 1.0), (-0.0, 1.0), (5e-324, 1.0), (-5e-324, 1.0), (1.0, math.e), (math.log(2), 2.0), (-math.log(2), 0.5),
        (709.0, math.exp(709.0)), (-708.0, math.exp(-708.0)), (math.nextafter(-708.0, -math.inf), 0.0), (-745.0, 0.0), (-1e308, 0.0),
        (-math.inf, 0.0),
    ],
)  # fmt: skip
def test_known_values_and_ends(x, value):
    found = compiled([x])[0]
    assert abs(found - value) <= np.spacing(value) if value not in {0.0, 1.0} else found == value
    assert interpreted([x])[0] == found


def test_its_last_value_is_a_normal_number():
    assert compiled([LOWEST])[0] > np.finfo(float).tiny
    assert np.isfinite(compiled([HIGHEST])[0])


def neighbours(x, reach):
    """Each x with the `reach` numbers on either side, in order."""
    bits = np.sort(np.asarray(x, dtype=np.float64))[:, None].view(np.int64)
    around = bits + np.arange(-reach, reach + 1) * np.where(bits < 0, -1, 1)  # below 0 a larger word is a smaller number
    return around.view(np.float64)


def test_it_never_falls_where_the_power_of_2_changes():
    """x = (k + 1/2) ln 2 is where k, and with it r and its sign, jumps."""
    edges = (np.arange(-1020, 1022) + 0.5) * math.log(2)
    near = neighbours(edges, 20)
    assert (np.diff(near, axis=1) > 0).all()
    assert (np.diff(compiled(near.ravel()).reshape(near.shape), axis=1) >= 0).all()


def test_it_never_falls_elsewhere():
    near = neighbours(spread(4000)[:3000], 8)
    assert (np.diff(compiled(near.ravel()).reshape(near.shape), axis=1) >= 0).all()


def test_compiled_and_interpreted_agree_to_the_bit():
    x = np.concatenate([spread(8000), neighbours((np.arange(-1020, 1022, 9) + 0.5) * math.log(2), 1).ravel()])
    assert compiled(x).tobytes() == interpreted(x).tobytes()
