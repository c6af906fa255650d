"""Matrices of ratings: a row per user, 40 columns.

MovieLens: the 40 films with the most ratings (of equals the smaller id), completed by `completion.py`, since nobody has rated all of them.
Jester: the first 40 jokes, by the users who have rated all of these.
"""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banditpapers.data.completion import factorise

COLUMNS = 40
NOT_RATED = 99.0  # Jester's mark


class Ratings(NamedTuple):
    """matrix: shape (users, 40). lowest, highest: of all ratings of the data set; a completed rating may lie beyond them."""

    matrix: NDArray[np.float64]
    lowest: float
    highest: float


def read(content: bytes, form: str) -> Ratings:
    """The ratings of a file's text. Raises ValueError for a form that nothing here reads."""
    if form not in READERS:
        raise ValueError(f"ratings in the form {form!r} cannot be read; write one of {', '.join(READERS)}")
    return READERS[form](content)


def movielens(content: bytes, separator: bytes = b"\t", header: bool = False) -> Ratings:
    """Rows of user, film, rating and time."""
    rows = np.loadtxt(BytesIO(content.replace(separator, b"\t")), dtype=np.int64, delimiter="\t", skiprows=int(header), ndmin=2)
    _, users = np.unique(rows[:, 0], return_inverse=True)
    _, films = np.unique(rows[:, 1], return_inverse=True)
    given = rows[:, 2].astype(np.float64)
    most = np.argsort(-np.bincount(films), kind="stable")[:COLUMNS]
    return Ratings(factorise(users, films, given).predicted(most), float(given.min()), float(given.max()))


def jester(content: bytes) -> Ratings:
    """A header, then a row per user with a column per joke."""
    given = np.loadtxt(BytesIO(content), delimiter=",", skiprows=1, ndmin=2)
    first, known = given[:, :COLUMNS], given[given != NOT_RATED]
    return Ratings(first[(first != NOT_RATED).all(axis=1)], float(known.min()), float(known.max()))


READERS: Mapping[str, Callable[[bytes], Ratings]] = {
    "tabs": movielens,
    "tabs below a header": lambda content: movielens(content, header=True),
    "colons": lambda content: movielens(content, separator=b"::"),
    "csv": jester,
}
