"""The stage-1 linear programs of LP2S for a general solver (HiGHS), which knows nothing of threshold policies.

The solver gets the program in y(r, s) = x(r, s) / B(r, s), B the beta-binomial law, in which the matrix does not depend on the prior:
y(0, 0) <= 1, y(r, s) <= (s/r) y(r-1, s-1) + (1 - s/r) y(r-1, s). Tolerances are 1e-9: at the default 1e-7 its optimum is off by 1e-10
to 1e-7.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import lil_array, vstack

from banditpapers.kernels.deficits import beta_binomial, deficit

Vector = NDArray[np.float64]


def program(
    setting: str, prior: tuple[float, float], arms: int, rounds: int, survivors: float, delta0: float, mu0: float | None
) -> tuple[dict[str, Any], Vector, list[int]]:
    """The arguments of linprog, the law B and the first variable of each round."""
    first = [r * (r + 1) // 2 for r in range(rounds + 1)]
    flow = lil_array((first[-1], first[-1]))
    for r in range(rounds):
        for s in range(r + 1):
            flow[first[r] + s, first[r] + s] = 1.0
            if s > 0:
                flow[first[r] + s, first[r - 1] + s - 1] = -s / r
            if s < r:
                flow[first[r] + s, first[r - 1] + s] = s / r - 1.0
    law = np.concatenate([beta_binomial(prior, r) for r in range(rounds)])
    last = slice(first[rounds - 1], first[rounds])
    survival, quality = np.zeros((1, first[-1])), lil_array((1, first[-1]))
    survival[0, last] = law[last]
    quality[0, last] = law[last] * (deficit(setting, prior, arms, rounds, mu0) - delta0)
    right = np.zeros(first[-1] + 1)
    right[0] = 1.0
    arguments = {
        "c": law,
        "A_ub": vstack([flow, quality], format="csr"),
        "b_ub": right,
        "A_eq": survival,
        "b_eq": [survivors / arms],
        "method": "highs",
        "options": {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9},
    }
    return arguments, law, first


def highs(*problem: Any) -> tuple[float, list[Vector]]:
    """The optimal value, and the masses x(r, s) as a list of arrays."""
    arguments, law, first = program(*problem)
    found = linprog(**arguments)
    assert found.status == 0, found.message
    return found.fun, np.split(law * found.x, first[1:-1])
