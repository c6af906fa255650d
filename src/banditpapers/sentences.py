"""What a pydantic error says, as sentences for the person who wrote the file: what was found, and what to write instead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from banditpapers.fields import Fault, Path, shown


def dotted(path: Path) -> str:
    """`("lp2s", "arms", 1)` as `lp2s.arms[1]`; a key that is no plain word stands in quotes."""

    def step_text(step: str | int) -> str:
        return f"[{step}]" if isinstance(step, int) else f".{step}" if re.fullmatch(r"[\w-]+", step) else f".{step!r}"

    return "".join(map(step_text, path)).removeprefix(".")


def lines(faults: Iterable[tuple[object, Path, str]]) -> str:
    """One line per fault: its place, its key and its sentence."""
    told = [f"{place}, {dotted(path)}: {sentence}" if path else f"{place}: {sentence}" for place, path, sentence in faults]
    return "\n".join(line.replace("\n", " ") for line in told)


def described(error: ValidationError, model: type[BaseModel], prefix: Path) -> Iterator[Fault]:
    """The sentences of a pydantic error: what was found, and what the model wants there instead."""
    for item in error.errors(include_url=False):
        below: Path = tuple(step for step in item["loc"] if step != "[key]")
        path = (*prefix, *below)
        match item["type"]:
            case "faults":
                yield from ((path + place, sentence) for place, sentence in item["ctx"]["faults"])
            case "missing":
                yield path[:-1], f"the key {path[-1]!r} is missing; write {path[-1]}: {expected(kind_at(model, below))}"
            case "extra_forbidden":
                yield path, unknown(str(path[-1]), list(kind_at(model, below[:-1]).model_fields))
            case _:
                yield path, f"found {shown(item['input'])}; write {expected(kind_at(model, below))}"


def unknown(key: str, known: Sequence[str]) -> str:
    """A sentence on a key that there is not, with the nearest one that there is."""
    close = get_close_matches(key, known, n=1)
    return f"unknown key {key!r}; " + (f"did you mean {close[0]!r}?" if close else f"write one of {', '.join(known)}")


def kind_at(kind: Any, path: Path) -> Any:
    """The annotation that stands at a path below a model or annotation."""
    for step in path:
        inner = get_args(kind)[0] if get_origin(kind) is Annotated else kind
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            kind = get_type_hints(inner, include_extras=True)[str(step)]
        else:
            entries = get_args(inner)  # of tuple[x, ...], tuple[x, y] or dict[key, x]
            kind = (
                entries[1] if get_origin(inner) is dict else entries[step] if isinstance(step, int) and ... not in entries else entries[0]
            )
    return kind


def expected(kind: Any) -> str:
    """What to write where an annotation stands."""
    for word in getattr(kind, "__metadata__", ()):
        return str(word.expected)
    if get_origin(kind) is Literal:
        return " or ".join(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return f"a mapping with the keys {', '.join(kind.model_fields)}"
    return "a text" if kind is str else "a mapping"
