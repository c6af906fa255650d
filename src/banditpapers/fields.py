"""The words in which a configuration is described: strict sections, numbers with ranges, texts, lists.

A field is annotated with what may stand there. The same words check it, tell the user what to write and describe it in the JSON schema:

    class Sweep(Section):
        arms: Annotated[tuple[Annotated[int, whole(least=2)], ...], Several()]
        delta: Annotated[float, number(above=0, below=1)]
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, model_validator
from pydantic_core import PydanticCustomError, core_schema

Path = tuple[str | int, ...]  # keys and list indices, from the outside in
Fault = tuple[Path, str]  # where, below the object at hand, and one sentence without its full stop


def refusal(*faults: Fault) -> PydanticCustomError:
    """The error that carries faults to whoever knows the files and lines."""
    return PydanticCustomError("faults", "{sentences}", {"sentences": "; ".join(sentence for _, sentence in faults), "faults": faults})


class Section(BaseModel):
    """A mapping with fixed keys: no other key, no conversion between text and numbers, no change afterwards."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)

    def contradictions(self) -> Iterable[Fault]:
        """Faults that no single value shows; a section overrides this."""
        return ()

    @model_validator(mode="after")
    def _agrees(self) -> "Section":
        if faults := tuple(self.contradictions()):
            raise refusal(*faults)
        return self


def shown(value: Any) -> str:
    """What was found, in words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case int() if abs(value) >= 10**30:
            return "a huge number"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {value!r}" if len(value) <= 60 else f"the text {value[:57] + '...'!r}"
        case Mapping():
            return "a mapping" if value else "an empty mapping"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
    return f"a {type(value).__name__}"


@dataclass(frozen=True)
class Scalar:
    """What may stand in a field that is neither list nor mapping.

    expected: the words for it. check: the value in its own type, or None where it is refused. schema: its JSON schema.
    """

    expected: str
    check: Callable[[Any], Any]
    schema: Mapping[str, Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return dict(self.schema)

    def _validate(self, value: Any) -> Any:
        checked = self.check(value)
        if checked is None:
            raise refusal(((), f"found {shown(value)}; write {self.expected}"))
        return checked


def whole(least: int, most: int | None = None) -> Scalar:
    """An integer; 1000.0 counts as 1000, true does not count as 1. `most` is for what would fill the memory or never end."""

    def check(value: Any) -> int | None:
        found = int(value) if isinstance(value, float) and value.is_integer() else value
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            return None
        if most is not None and found > most:
            raise refusal(((), f"found {shown(value)}; write an integer of at most {most}"))
        return found

    limits = {"minimum": least} | ({} if most is None else {"maximum": most})
    return Scalar(f"an integer of at least {least}", check, {"type": "integer"} | limits)


def number(above: float | None = None, below: float | None = None, least: float | None = None, most: float | None = None) -> Scalar:
    """A number between bounds that are themselves left out (`above`, `below`) or allowed (`least`, `most`)."""
    bounds = [("above", "exclusiveMinimum", above), ("of at least", "minimum", least)]
    bounds += [("below", "exclusiveMaximum", below), ("of at most", "maximum", most)]
    given = [(words, keyword, bound) for words, keyword, bound in bounds if bound is not None]

    def check(value: Any) -> float | None:
        # the outermost limit refuses NaN, infinities and integers that no float can hold
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
            return None
        too_low = (above is not None and value <= above) or (least is not None and value < least)
        too_high = (below is not None and value >= below) or (most is not None and value > most)
        return None if too_low or too_high else float(value)

    expected = "a number " + " and ".join(f"{words} {bound:g}" for words, _, bound in given)
    return Scalar(expected, check, {"type": "number"} | {keyword: bound for _, keyword, bound in given})


def text(pattern: str, expected: str) -> Scalar:
    """A text that matches `pattern` from end to end; `expected` says in words what that is."""
    return Scalar(
        expected,
        lambda value: value if isinstance(value, str) and re.fullmatch(pattern, value) else None,
        {"type": "string", "pattern": f"^(?:{pattern})$"},
    )


@dataclass(frozen=True)
class OrNull(Scalar):
    """The same, or null."""

    def _validate(self, value: Any) -> Any:
        return None if value is None else super()._validate(value)


def path() -> OrNull:
    """The path of a file or folder, anywhere, or null."""
    found = text(r"[^\x00-\x1f\x7f]{1,1000}", "the path of a file or folder, or null")
    return OrNull(found.expected, found.check, {**found.schema, "type": ["string", "null"]})


def switch() -> Scalar:
    """true or false, and no text, no number for them."""
    return Scalar("true or false", lambda value: value if isinstance(value, bool) else None, {"type": "boolean"})


def repeated(entries: Sequence[Any]) -> list[int]:
    """The indices of entries that stand before, too. A section that holds a mapping has no hash and is compared with each."""
    seen: set[Any] = set()
    others: list[Any] = []
    found = []
    for i, entry in enumerate(entries):
        try:
            known = entry in seen
            seen.add(entry)
        except TypeError:
            known = entry in others
            others.append(entry)
        if known:
            found.append(i)
    return found


@dataclass(frozen=True)
class Several:
    """A list of exactly `count` entries, or else of at least one and no entry twice (`increasing`: each above the one before)."""

    count: int | None = None
    increasing: bool = False

    @property
    def expected(self) -> str:
        """What is to be written, in words."""
        return "a list of at least one entry" if self.count is None else f"a list of {self.count}"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._validate, handler(source))

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(schema) | ({"minItems": 1, "uniqueItems": True} if self.count is None else {})

    def _validate(self, value: Any, entries: Callable[[Any], Any]) -> Any:
        if not isinstance(value, list | tuple) or not value or (self.count is not None and len(value) != self.count):
            raise refusal(((), f"found {shown(value)}; write {self.expected}"))
        checked: Sequence[Any] = entries(tuple(value))
        if self.count is not None:
            return checked
        if twice := repeated(checked):
            raise refusal(*(((i,), f"found {shown(value[i])} for the second time; write each entry once") for i in twice))
        if self.increasing and (falls := [i for i in range(1, len(checked)) if checked[i] < checked[i - 1]]):
            raise refusal(*(((i,), f"found {value[i]} after {value[i - 1]}; write the list from small to large") for i in falls))
        return checked
