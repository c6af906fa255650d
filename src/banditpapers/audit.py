"""The claims of the papers against the tidy tables of their exhibits.

A claim selects the rows that measure it. Where a table holds several readings of the same thing, each is judged: first the default
reading, then the others in the table's order.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from banditpapers.claims import Claim, Claims, judge, load
from banditpapers.exhibits import csv_text, tidy
from banditpapers.files import write_json, write_text

COLUMNS = (
    "paper", "id", "where", "statement", "kind", "reading", "paper_value", "measured", "low", "high", "verdict", "reason", "exhibit",
    "command",
)  # fmt: skip
BEHIND = ("default", "rounding", "se", "planned", "finished", "rule", "family", "measured_by", "method", "z")  # not in the CSV
VERDICTS = ("reproduced", "same direction", "deviates", "impossible as stated", "not testable")


def audit(papers: Sequence[str], results: Path, claims_of: dict[str, Path]) -> pd.DataFrame:
    """One row per claim and reading, the default reading of each claim first."""
    rows: list[dict[str, Any]] = []
    for paper in papers:
        stated = load(claims_of[paper])
        tables = {name: tidy(results / paper / f"{name}.parquet")[0] for name in sorted({claim.exhibit for claim in stated.claims})}
        for claim in stated.claims:
            rows += _judged(paper, claim, stated, tables[claim.exhibit])
    return pd.DataFrame(rows, columns=[*COLUMNS, *BEHIND])


def _judged(paper: str, claim: Claim, stated: Claims, table: pd.DataFrame) -> list[dict[str, Any]]:
    selected = _selected(table, claim)
    if selected["default"].sum() > 1:
        raise ValueError(f"the claim {claim.id} selects {selected['default'].sum()} rows of default readings; select by a further column")
    measured: list[dict[str, Any] | None] = [{str(name): value for name, value in row.items()} for row in selected.to_dict("records")]
    rows = []
    for row in measured or [None]:
        verdict = judge(claim, row, stated.replicates)
        rows.append(
            {
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
                "rule": verdict.rule,
                "family": f"{paper}/{claim.exhibit}",
                "measured_by": row is not None,
            }
        )
    return sorted(rows, key=lambda row: not row["default"])


def _z(claim: Claim, row: dict[str, Any] | None, stated: Claims) -> float:
    """The deviation of a mean in standard errors of the difference; NaN where there is no such mean."""
    weighed = claim.kind == "value" and stated.agreement and stated.agreement.items() <= claim.select.items()
    if row is None or not weighed or not row["se"] > 0:
        return float("nan")
    noise = row["se"] * np.sqrt(1 + row["finished"] / stated.replicates)
    return float((row["measured"] - float(claim.paper_value or 0)) / noise)


def _selected(table: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    unknown = sorted(set(claim.select) - set(table.columns))
    if unknown:
        raise ValueError(
            f"the claim {claim.id} selects by {unknown[0]!r}, which {claim.exhibit} has not; its columns are {', '.join(table.columns)}"
        )
    chosen = pd.Series(True, index=table.index)
    for column, value in claim.select.items():
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
