"""Ratings that nobody gave, for machines without the files: they have the spread and the correlations of the first 40 jokes of Jester.

    r_uc = mean + b_u + c_c + s sum_k U_uk w_k W_ck + e E_uc   to [-10, 10] and two decimals,   w_k = k^-0.35 / norm

with normal b (sd 2.45), c (sd 1.5), U, W and E. The spread of users' and of jokes' means, the principal components and the reward's R^2 on
them are near those of Jester.
"""

import numpy as np
from numpy.typing import NDArray

from banditpapers.seeding import stream

SOURCE = "synthetic stand-in"
LOWEST, HIGHEST = -10.0, 10.0
MEAN, USER, COLUMN, LOW_RANK, ERROR = 0.75, 2.45, 1.5, 2.6, 3.7
RANK, DECAY = 15, 0.35


def stand_in(users: int = 1000, columns: int = 40, number: int = 0) -> NDArray[np.float64]:
    """The ratings, shape (users, columns). number: which of many such sets; the workflow uses the first."""
    normals = stream(data="stand-in", users=users, columns=columns, number=number)
    b, c = normals.standard_normal(users), normals.standard_normal(columns)
    left, right = normals.standard_normal((users, RANK)), normals.standard_normal((columns, RANK))
    weights = np.arange(1, RANK + 1) ** -DECAY
    weights /= np.sqrt(np.cumsum(weights**2)[-1])
    ratings = MEAN + USER * b[:, None] + COLUMN * c
    for k in range(RANK):  # in this order on every machine
        ratings += LOW_RANK * weights[k] * left[:, k, None] * right[:, k]
    ratings += ERROR * normals.standard_normal((users, columns))
    return np.clip(np.round(ratings, 2), LOWEST, HIGHEST)
