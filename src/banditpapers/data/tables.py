"""The table of a set of ratings: a row per user with the scores of 20 principal components and a reward in [0, 1].

    component_1 ... component_20   of the first 39 columns, over all users (components.py)
    reward                         (r - lowest) / (highest - lowest) of column 40

Its metadata says what the ratings are and where they came from: every result that is made from the table repeats that.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from banditpapers import records
from banditpapers.data import ratings, stand_in
from banditpapers.data.components import KEPT, principal, rounded

COMPONENTS = tuple(f"component_{k}" for k in range(1, KEPT + 1))
ABOUT = ("set", "source", "sha256")  # what a result repeats


class Rated(NamedTuple):
    """A table in memory. scores: shape (users, 20); rewards: shape (users,); about: its metadata."""

    scores: NDArray[np.float64]
    rewards: NDArray[np.float64]
    about: Mapping[str, Any]


def make(name: str, given: ratings.Ratings, source: str, sha256: str) -> Rated:
    """The table of a set's ratings. sha256: of the file that they were read from; empty for the stand-in."""
    found = principal(given.matrix[:, :-1])
    rewards = (given.matrix[:, -1] - given.lowest) / (given.highest - given.lowest)
    about = {"set": name, "source": source, "sha256": sha256, "users": len(rewards)}
    about |= {"lowest": given.lowest, "highest": given.highest, "explained_variance": rounded(found.explained).tolist()}
    return Rated(rounded(found.scores), rounded(rewards), about)


@lru_cache(maxsize=4)
def of_stand_in(name: str = "stand-in") -> Rated:
    """The table of the synthetic stand-in; name: the set that it stands for."""
    given = ratings.Ratings(stand_in.stand_in(), stand_in.LOWEST, stand_in.HIGHEST)
    return make(name, given, stand_in.SOURCE, "")


def write(path: Path, rated: Rated) -> None:
    """Write the table: the same bytes whenever the ratings are the same."""
    columns = dict(zip(COMPONENTS, map(records.column, rated.scores.T), strict=True))
    records.write(path, pa.table(columns | {"reward": records.column(rated.rewards)}), rated.about)


@lru_cache(maxsize=4)
def read(path: Path, name: str) -> Rated:
    """The table of the set `name`. Raises ValueError, in one sentence, when it is not there, damaged, or another set's."""
    if not path.is_file():
        raise ValueError(f"the ratings of {name} are not there: {path} does not exist; run snakemake --cores 1 {path}")
    table, about = records.read(path)
    if about.get("set") != name or table.column_names != [*COMPONENTS, "reward"]:
        raise ValueError(f"{path} is no table of the ratings of {name}; delete it and run snakemake --cores 1 {path}")
    scores = np.stack([table.column(column).to_numpy() for column in COMPONENTS], axis=1)
    return Rated(scores, table.column("reward").to_numpy(), about)
