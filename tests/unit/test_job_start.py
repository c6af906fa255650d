"""What a job loads before it works: a job takes a second, most of it for this."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOT = "import numba, numpy; print(numba.njit(lambda a: numpy.dot(a, a))(numpy.ones(3)))"


def python(code):
    """What a line of Python prints that starts as a job does."""
    start = f"import sys; sys.path[:0] = [{str(ROOT / 'src')!r}, {str(ROOT / 'workflow' / 'scripts')!r}]; import _setup\n"
    return subprocess.run([sys.executable, "-c", start + code], check=True, capture_output=True, text=True, cwd=ROOT).stdout


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("_setup.numba_without_blas()", "scipy.linalg"),
        ("import banditpapers.exhibits", "scipy.special"),
        ("import banditpapers.exhibits", "scipy.optimize"),
        ("import banditpapers.exhibits", "numba"),
        ("import banditpapers.simulation", "pandas"),
    ],
)
def test_a_job_does_not_load_what_it_does_not_use(code, absent):
    assert python(f"{code}\nprint({absent!r} in sys.modules)") == "False\n"


def test_scipy_s_blas_is_found_where_it_is_asked_for():
    assert python(f"_setup.numba_without_blas()\n{DOT}\nimport scipy.linalg; print(scipy.linalg.det([[2.0]]))") == "3.0\n2.0\n"
