"""Simulations find an algorithm of one's own by its name.

Snakefile and scripts hand the files over in the environment: which file it is, is no part of what a cell is, so that it may lie anywhere.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from banditpapers import simulation
from banditpapers.own import classes
from banditpapers.own.entries import Entry
from banditpapers.own.problems import PROBLEMS
from banditpapers.plugins import build, tuplify

VARIABLE = "BANDITPAPERS_ALGORITHMS"


def hand_over(entries: Iterable[Entry]) -> None:
    """Have the jobs that this process starts find the files."""
    os.environ[VARIABLE] = json.dumps({one.name: str(one.file.resolve()) for one in entries})


@contextmanager
def known() -> Iterator[None]:
    """Simulations of this process find them, too, in place of `plugins.build` alone."""
    files = {name: Path(file) for name, file in json.loads(os.environ.get(VARIABLE, "{}")).items()}

    def found(room: str, parameters: Mapping[str, Any]) -> Any:
        if room == "algorithms" and parameters["name"] in files:
            return player(files[str(parameters["name"])], {key: value for key, value in parameters.items() if key != "name"})
        return build(room, parameters)

    with put(simulation, "build", found):
        yield


def player(file: Path, parameters: Mapping[str, Any]) -> Any:
    """What a cell of a file plays: an object of its class where that has `play`, else the loop of its problem around such objects."""
    kind = classes.load(file)
    written = {key: tuplify(value) for key, value in parameters.items()}
    problem = PROBLEMS[kind.problem]  # type: ignore[attr-defined]
    if hasattr(kind, "play"):
        return classes.make(kind, written, str(file))
    records = written.pop(problem.records)

    def make() -> Any:
        return classes.make(kind, written, str(file))

    loop: Callable[..., Any] = import_module(f"banditpapers.own.{problem.adapter}").Loop
    return loop(make, records, (problem.records, *getattr(kind, "COMMON", ())))


@contextmanager
def put(place: ModuleType | dict[Any, Any], name: Any, value: Any) -> Iterator[None]:
    """Put something into a module or a dictionary for a while."""
    within = vars(place) if isinstance(place, ModuleType) else place
    missing = object()
    before = within.get(name, missing)
    within[name] = value
    try:
        yield
    finally:
        if before is missing:
            del within[name]
        else:
            within[name] = before
