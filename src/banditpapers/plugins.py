"""Algorithms and environments are found by their file's name: no list of them is kept anywhere.

The name `batch_racing` in a grid means the class `BatchRacing` of `banditpapers/algorithms/batch_racing.py`.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any


def names(room: str) -> list[str]:
    """The names that a grid may use for a room ("algorithms" or "environments"), in alphabetical order."""
    return sorted(path.stem for path in (Path(__file__).parent / room).glob("*.py") if not path.stem.startswith("_"))


def build(room: str, parameters: Mapping[str, Any]) -> Any:
    """The object that {"name": ..., **parameters} describes.

    Raises ValueError for an unknown name or parameter; what the class itself refuses comes through as its own ValueError.
    """
    name = str(parameters["name"])
    if name not in names(room):
        raise ValueError(f"there is no {room[:-1]} {name!r}; write one of {', '.join(names(room))}")
    found = getattr(import_module(f"banditpapers.{room}.{name}"), "".join(word.capitalize() for word in name.split("_")))
    arguments = {key: tuplify(value) for key, value in parameters.items() if key != "name"}
    try:
        return found(**arguments)
    except TypeError as error:
        raise ValueError(f"{room[:-1]} {name}: {error}") from error


def tuplify(value: Any) -> Any:
    """Lists as tuples, all the way down: parameters are hashable."""
    return tuple(tuplify(item) for item in value) if isinstance(value, (list, tuple)) else value
