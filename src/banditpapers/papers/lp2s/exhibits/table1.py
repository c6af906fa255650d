"""Table 1: summary of the literature on batched bandits (section 1.1)."""

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel

CAPTION = "Table 1 of the paper: the literature on batched bandits as the paper lists it (data, not a measurement)."


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """One panel, one row per article."""
    rows = tuple(tuple(str(value) for value in row) for row in table.itertuples(index=False))
    return [Panel("Batched bandits", tuple(table.columns), rows)]
