"""The audit as one JSON document for other programs, and the JSON Schema that it obeys.

The models below are both: what is written is checked by them, and the schema is made of them. A number that there is not is null.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from math import isfinite
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from banditpapers.verdicts import Word

FORMAT = 1
SCHEMA = "claims.schema.json"
DIGITS = 9


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Paper(_Model):
    """A paper by its key, its title and where it is published."""

    key: str
    title: str
    reference: str


class Reading(_Model):
    """What one reading of the paper measures of a claim, and the verdict under it.

    `low` and `high` are the ends of the 95% interval; `detectable` is the deviation from a printed number that would have been seen,
    and `positive` the share of replicates above zero, where the number is their mean: how often a margin is one.
    """

    reading: str
    default: bool
    measured: float | None
    low: float | None
    high: float | None
    se: float | None
    detectable: float | None
    planned: int
    finished: int
    positive: float | None
    verdict: Word
    reason: str
    rule: str


class Statement(_Model):
    """One claim. Its verdict, reason and rule are those of its first reading, which is the default one where there is one."""

    paper: str
    id: str
    where: str
    statement: str
    kind: Literal["value", "ordering", "trend", "bound"]
    paper_value: float | None
    rounding: float
    exhibit: str
    target: str
    command: str
    family: str
    verdict: Word
    reason: str
    rule: str
    readings: list[Reading]


class Difference(_Model):
    """A place where paper and measurement differ."""

    paper: str
    claims: list[str]
    title: str
    evidence: str
    size: str
    other_reading: str
    would_settle: str


class Effect(_Model):
    """What a reading changes of a claim, or of a row of an exhibit: the difference from the default reading, with its 95% interval."""

    reading: str
    claim: str | None
    exhibit: str | None
    measured: float | None
    effect: float | None
    low: float | None
    high: float | None
    verdict: Word | None
    note: str


class Register(_Model):
    """A place where a paper's text leaves a choice open or is wrong, and the choices that were run."""

    paper: str
    ambiguity: str
    default: str
    why: str
    readings: list[Effect]


class Document(_Model):
    """Everything that the audit says."""

    schema_: Literal["claims.schema.json"] = Field(alias="$schema")
    format: Literal[1]
    scale: str
    papers: list[Paper]
    claims: list[Statement]
    differences: list[Difference]
    registers: list[Register]


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **Document.model_json_schema(by_alias=True)}


def document(
    table: pd.DataFrame, papers: Sequence[str], scale: str, differences: Sequence[Difference] = (), registers: Sequence[Register] = ()
) -> dict[str, Any]:
    """The document of an audit's table, in plain JSON types."""
    found = Document.model_validate(
        {
            "$schema": SCHEMA,
            "format": FORMAT,
            "scale": scale,
            "papers": [_paper(key) for key in papers],
            "claims": [
                _statement([_row(row) for row in rows.to_dict("records")]) for _, rows in table.groupby(["paper", "id"], sort=False)
            ],
            "differences": list(differences),
            "registers": list(registers),
        }
    )
    return found.model_dump(mode="json", by_alias=True)


def _paper(key: str) -> Paper:
    title, _, reference = import_module(f"banditpapers.papers.{key}.experiment").TITLE.removesuffix(")").rpartition(" (")
    return Paper(key=key, title=title, reference=reference)


def _row(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): number(value) if isinstance(value, float) else value for name, value in row.items()}


def _statement(rows: Sequence[Mapping[str, Any]]) -> Statement:
    first = rows[0]
    readings = [Reading(**{name: row[name] for name in Reading.model_fields}) for row in rows if row["measured_by"]]
    about = {name: first[name] for name in Statement.model_fields if name not in ("readings", "target")}
    return Statement(**about, target=first["exhibit"].replace("/", "_"), readings=readings)


def number(value: float) -> float | None:
    """The number to 9 digits, as all that is published; None where there is none."""
    return float(f"{value:.{DIGITS}g}") + 0.0 if isfinite(value) else None
