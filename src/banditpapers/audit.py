"""The claims of the papers against the tidy tables of their exhibits.

A claim selects the rows that measure it. Where a table holds several readings of the same thing, each is judged: first the default
reading, then the others in the table's order.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claim, Claims, load
from banditpapers.equivalence import holm
from banditpapers.exhibits import csv_text, tidy
from banditpapers.files import write_json, write_text
from banditpapers.verdicts import compared, judge

COLUMNS = (
    "paper", "id", "where", "statement", "kind", "reading", "paper_value", "measured", "low", "high", "verdict", "reason", "exhibit",
    "command",
)  # fmt: skip
BEHIND = (  # not in the CSV
    "default", "rounding", "se", "planned", "finished", "positive", "detectable", "rule", "family", "measured_by", "method", "z",
)  # fmt: skip
VERDICTS = ("reproduced", "same direction", "deviates", "impossible as stated", "not testable")


def audit(papers: Sequence[str], results: Path, claims_of: dict[str, Path]) -> pd.DataFrame:
    """One row per claim and reading, the default reading of each claim first."""
    rows: list[dict[str, Any]] = []
    for paper in papers:
        stated = load(claims_of[paper])
        tables = {name: tidy(results / paper / f"{name}.parquet")[0] for name in sorted({claim.exhibit for claim in stated.claims})}
        pairs = [(claim, row) for claim in stated.claims for row in _measured(claim, tables[claim.exhibit])]
        for (claim, row), critical in zip(pairs, _criticals(pairs, stated.replicates), strict=True):
            rows.append(_judged(paper, claim, row, stated, critical))
    return pd.DataFrame(rows, columns=[*COLUMNS, *BEHIND])


Row = dict[str, Any]


def _measured(claim: Claim, table: pd.DataFrame) -> list[Row | None]:
    """The rows that measure a claim, the default reading first; None alone where there is none."""
    chosen = selected(table, claim.select, f"the claim {claim.id}", claim.exhibit)
    if chosen["default"].sum() > 1:
        raise ValueError(f"the claim {claim.id} selects {chosen['default'].sum()} rows of default readings; select by a further column")
    rows: list[Row | None] = [{str(name): value for name, value in row.items()} for row in chosen.to_dict("records")]
    return sorted(rows, key=lambda row: row is None or not row["default"]) or [None]


def _criticals(pairs: Sequence[tuple[Claim, Row | None]], replicates: int) -> list[float]:
    """The critical z of each comparison within its family: all numbers of one exhibit, by default readings or by one of the others."""
    families: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for index, (claim, row) in enumerate(pairs):
        both = compared(claim, row, replicates)
        if row is not None and both is not None:
            families.setdefault((claim.exhibit, "" if row["default"] else str(row["reading"])), []).append((index, both.p))
    found = [float("nan")] * len(pairs)
    for members in families.values():
        for (index, _), critical in zip(members, holm([p for _, p in members]), strict=True):
            found[index] = critical
    return found


def _judged(paper: str, claim: Claim, row: Row | None, stated: Claims, critical: float) -> dict[str, Any]:
    verdict = judge(claim, row, stated.replicates, critical)
    return {
        "paper": paper,
        "id": claim.id,
        "where": claim.where,
        "statement": claim.statement,
        "kind": claim.kind,
        "reading": row["reading"] if row else "",
        "paper_value": float("nan") if claim.paper_value is None else float(claim.paper_value),
        **{name: float(row[name]) if row else float("nan") for name in ("measured", "low", "high")},
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "exhibit": f"{paper}/{claim.exhibit}",
        "command": f"snakemake --cores 8 {paper}_{claim.exhibit}",
        "default": bool(row["default"]) if row else True,
        "method": str(claim.select.get("method", "")),
        "z": _z(claim, row, stated),
        "rounding": float(claim.rounding),
        "se": float(row["se"]) if row else float("nan"),
        **{name: int(row[name]) if row else 0 for name in ("planned", "finished")},
        "positive": float(row.get("positive", float("nan"))) if row else float("nan"),
        "detectable": float("nan") if verdict.detectable is None else verdict.detectable,
        "rule": verdict.rule,
        "family": f"{paper}/{claim.exhibit}",
        "measured_by": row is not None,
    }


def _z(claim: Claim, row: dict[str, Any] | None, stated: Claims) -> float:
    """The deviation of a mean in standard errors of the difference; NaN where there is no such mean."""
    weighed = claim.kind == "value" and stated.agreement and stated.agreement.items() <= claim.select.items()
    if row is None or not weighed or not row["se"] > 0:
        return float("nan")
    noise = row["se"] * np.sqrt(1 + row["finished"] / stated.replicates)
    return float((row["measured"] - float(claim.paper_value or 0)) / noise)


def selected(table: pd.DataFrame, select: Mapping[str, Any], who: str, exhibit: str) -> pd.DataFrame:
    """The rows of an exhibit's tidy table with these values. Raises ValueError for a column that there is not; `who` asks for it."""
    unknown = sorted(set(select) - set(table.columns))
    if unknown:
        raise ValueError(f"{who} selects by {unknown[0]!r}, which {exhibit} has not; its columns are {', '.join(table.columns)}")
    chosen = pd.Series(True, index=table.index)
    for column, value in select.items():
        chosen &= table[column] == value
    return table[chosen]


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """Verdicts by kind of claim, with a total. Each claim counts once: by its default reading, else by the first that there is."""
    first = table.drop_duplicates(["paper", "id"])
    found = first.groupby(["paper", "kind", "verdict"]).size().unstack("verdict", fill_value=0)
    found = found.reindex(columns=list(VERDICTS), fill_value=0)
    found["claims"] = found.sum(axis=1)
    return found.reset_index()


def agreement(table: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Root mean square z of each method's default means against the paper's, by exhibit: about 1 where they agree."""
    known = table[table["default"] & table["z"].notna()]
    return {
        f"{exhibit} {method}": {"rms_z": round(float(np.sqrt((rows["z"] ** 2).mean())), 3), "means": len(rows)}
        for (exhibit, method), rows in known.groupby(["exhibit", "method"])
    }


def write(table: pd.DataFrame, output: Path, summary: Path, complete: Path) -> None:
    """Write the claims as CSV, their counts as Markdown and as JSON."""
    tally = counts(table)
    header = list(tally.columns)
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(value) for value in row) + " |" for row in tally.itertuples(index=False)]
    write_text(output, csv_text(table[list(COLUMNS)]))
    close = agreement(table)
    lines += [
        "",
        "Means against the paper's (lp2s: simple regret at equal cost; drts: regret after T rounds): root mean square z, both runs' noise "
        "counted (about 1 where they agree)",
        "",
    ]
    lines += ["| exhibit and method | means | rms z |", "|---|---|---|"]
    lines += [f"| {name} | {value['means']} | {value['rms_z']:.2f} |" for name, value in close.items()]
    write_text(summary, "\n".join(lines))
    write_json(
        complete, {"claims": int(table["id"].nunique()), "rows": len(table), "by_kind": tally.to_dict("records"), "agreement": close}
    )


def refuse_failures(tables: Sequence[Path]) -> int:
    """The number of replicates behind the tidy tables. Raises ValueError when one failed, whether a claim looks at it or not."""
    finished = {}
    for path in tables:
        for cell in tidy(path)[1]["cells"]:
            if cell["finished"] < cell["planned"]:
                raise ValueError(
                    f"{cell['failed']} of {cell['planned']} replicates of {cell['id']} failed; {path.stem} shows what finished, and the "
                    f"metadata of the blocks in {path.parent}/runs/{cell['id']} says why"
                )
            finished[cell["id"]] = int(cell["finished"])
    return sum(finished.values())
