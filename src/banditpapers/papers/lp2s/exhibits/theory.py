"""What theorems, identities and sentences of the paper say, against computation."""

import pandas as pd

from banditpapers.claims import Claims
from banditpapers.exhibits import Panel, counted

CAPTION = (
    "Checks of statements that the paper makes outside its tables. The margin is positive where the statement holds; it is exact unless "
    "replicates are named. exact_regret and exact_best compare our simulator with the exact law of LP2S and are no claims of the paper."
)


def tabulate(table: pd.DataFrame, claims: Claims) -> list[Panel]:
    """One panel per check."""
    panels = []
    for check, rows in table.groupby("check", sort=False):
        lines = tuple(
            (row["prior"], str(row["arms"] or ""), row["reading"], f"{row['measured']:.4g}", counted(row), row["note"])
            for row in rows.to_dict("records")
        )
        panels.append(Panel(str(check), ("(a, b)", "K", "reading", "margin", "n", "finding"), lines))
    return panels
