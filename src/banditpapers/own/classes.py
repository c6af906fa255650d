"""A file with an algorithm of one's own: read, run, and refused in one sentence where it holds none."""

import inspect
import os
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from banditpapers.files import file_digest
from banditpapers.own.keys import own_key
from banditpapers.own.problems import PROBLEMS


def load(file: Path) -> type:
    """The class of a file that says which problem it plays. Raises ValueError for what is none, with one sentence."""
    if not file.exists():
        raise ValueError(f"there is no file {file}; write the path of a Python file with an algorithm")
    if not file.is_file() or file.suffix != ".py":
        raise ValueError(f"{file} is no Python file; write the path of one, ending in .py")
    return _load(file.resolve(), file_digest(file), str(file))


def reread(file: Path) -> type:
    """The class of a file that `load` takes, made anew: what an earlier object left in the class is not there."""
    return _class(_run(file.resolve(), file_digest(file), str(file)), str(file))


@cache
def _load(file: Path, digest: str, shown: str) -> type:
    found = _class(_run(file, digest, shown), shown)
    if not hasattr(found, "play"):
        _refuse_interface(found, shown)
    return found


def _run(file: Path, digest: str, shown: str) -> ModuleType:
    """The module. What it imports beside itself is found after all that is installed, so that no name there hides a library."""
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    spec = spec_from_file_location(f"own_{digest[:16]}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    kept = _keep_compiled(own_key(file))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise ValueError(f"{error.filename or shown}, line {error.lineno}: {error.msg}; correct it there") from error
    except (Exception, SystemExit) as error:
        lines = [entry.lineno for entry in extract_tb(error.__traceback__) if entry.filename == str(file)]
        where = f"{shown}, line {lines[-1]}" if lines else shown
        raise ValueError(f"{where}: {type(error).__name__}: {error}; correct it there, or install what it needs") from error
    finally:
        _keep_compiled(kept, whole=True)
    return module


def _keep_compiled(folder: str | None, whole: bool = False) -> str | None:
    """Machine code of numba goes where the file's code key says: numba looks at a function's own file and not at those that it calls."""
    before = os.environ.get("NUMBA_CACHE_DIR")
    after = folder if whole or before is None else os.path.join(before, str(folder))
    if after is not None:
        os.environ["NUMBA_CACHE_DIR"] = after
        if "numba" in sys.modules:
            sys.modules["numba"].config.CACHE_DIR = after
    return before


def _class(module: ModuleType, shown: str) -> type:
    public = [value for name, value in vars(module).items() if isinstance(value, type) and name[0] != "_"]
    own = [kind for kind in public if kind.__module__ == module.__name__]
    found = [kind for kind in dict.fromkeys(own) if hasattr(kind, "problem")]
    words = f'problem = "...", with one of {", ".join(PROBLEMS)}'
    if not found:
        there = f"{', '.join(kind.__name__ for kind in own)} says not which problem it plays" if own else "there is no class in it"
        raise ValueError(f"{shown}: {there}; write a class with {words}")
    if len(found) > 1:
        raise ValueError(
            f"{shown}: {' and '.join(kind.__name__ for kind in found)} each have a `problem`; keep one per file, and begin the names of "
            "others with _"
        )
    problem = getattr(found[0], "problem", None)
    if not isinstance(problem, str) or problem not in PROBLEMS:
        raise ValueError(f"{shown}: the problem of {found[0].__name__} is {problem!r}; write {words}")
    return found[0]


def _refuse_interface(kind: type, shown: str) -> None:
    problem: str = getattr(kind, "problem")  # noqa: B009
    for method, parameters in PROBLEMS[problem].methods.items():
        written, wanted = getattr(kind, method, None), f"{method}({', '.join(('self', *parameters))})"
        if not callable(written):
            raise ValueError(f"{shown}: {kind.__name__} has no method {method}, which the problem {problem} asks for; write {wanted}")
        try:
            inspect.signature(written).bind(None, *parameters)
        except TypeError:
            raise ValueError(f"{shown}: {kind.__name__} has {method}{inspect.signature(written)}; write {wanted}") from None


def make(kind: type, parameters: Mapping[str, Any], shown: str) -> Any:
    """An object of a class. Raises ValueError for parameters that it does not have; what it refuses itself comes through."""
    try:
        inspect.signature(kind).bind(**parameters)
    except TypeError as error:
        known = [name for name in inspect.signature(kind).parameters if name not in {problem.records for problem in PROBLEMS.values()}]
        said = f"write one of {', '.join(known)}" if known else "it has no parameters"
        raise ValueError(f"{shown}: {kind.__name__}: {error}; {said}") from None
    return kind(**parameters)
