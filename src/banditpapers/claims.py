"""What a paper states, claim by claim. `verdicts` judges; nothing is judged here and no verdict is typed anywhere.

A claim is one number, ordering, trend or bound, with the place where it stands. `select` names the rows of an exhibit's tidy table that
measure it.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from banditpapers.canonical import digest
from banditpapers.sentences import lines
from banditpapers.yaml_marks import read_file


class Claim(BaseModel):
    """One statement of a paper."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: str
    where: str
    statement: str
    kind: Literal["value", "ordering", "trend", "bound"]
    exhibit: str
    select: dict[str, str | int | float]
    paper_value: int | Annotated[float, Field(allow_inf_nan=False)] | None = None
    rounding: Annotated[int | float, Field(ge=0, allow_inf_nan=False)] = 0

    @model_validator(mode="after")
    def _states_a_number(self) -> Self:
        if self.kind == "value" and self.paper_value is None:
            raise ValueError(f"the claim {self.id} is a value and has no paper_value")
        return self


class Claims(BaseModel):
    """All claims of a paper.

    replicates: the N behind each of the paper's means. agreement: what a value's `select` must hold for its deviation to count in the root
    mean square that the audit shows per method; without it, none does.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    paper: str
    replicates: Annotated[int, Field(ge=1)]
    agreement: dict[str, str | int | float] = {}
    claims: list[Claim]

    def value(self, exhibit: str, **select: Any) -> float | None:
        """The number that the paper prints for this selection, or None."""
        return self.index.get((exhibit, frozenset(select.items())))

    @property
    def key(self) -> str:
        """Changes when a claim changes, not when a comment among the claims does."""
        return digest(self.model_dump(mode="json")).hex()[:16]

    @cached_property
    def index(self) -> Mapping[tuple[str, frozenset[tuple[str, Any]]], float]:
        """The printed numbers by exhibit and selection."""
        return {
            (claim.exhibit, frozenset(claim.select.items())): float(claim.paper_value)
            for claim in self.claims
            if claim.kind == "value" and claim.paper_value is not None
        }


def load(path: Path) -> Claims:
    """The claims of a file. Raises ValueError with the file and the first thing that is wrong in it."""
    marked, advice = read_file(path), "write claims as config/claims/README.md says"
    if marked.faults:
        raise ValueError(f"{lines(marked.faults[:1])}; {advice}")
    try:
        found = Claims.model_validate(marked.data)
    except ValidationError as error:
        raise ValueError(f"{path}: {' '.join(str(error).split())[:300]}; {advice}") from error
    repeated = [name for name, times in Counter(claim.id for claim in found.claims).items() if times > 1]
    if repeated:
        raise ValueError(f"{path}: the id {repeated[0]!r} stands twice; give each claim its own")
    return found
