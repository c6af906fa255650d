"""Docstrings of what is public: every class and function has one, which says shapes, what is raised, and where an algorithm comes from.

Read from the syntax trees, so that nothing is imported. Private is what begins with _, what is nested in a function, and what a class
inherits from the standard library.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "banditpapers"
ARRAY = re.compile(r"\b(?:NDArray|ndarray)\b|\b(?:Floats|Integers|Outcomes)\b")
SHAPE = re.compile(r"\bshapes?\b|\bscalar|\bany shape", re.IGNORECASE)
RAISED = re.compile(r"\bRaises\b|\brefuse[sd]?\b", re.IGNORECASE)
SOURCED = re.compile(r"\b(?:arXiv|section|Algorithm|Theorem|Lemma|appendix|Eq\.|equation|chapter|Figure|Table)\b|\(\d\d?\)", re.IGNORECASE)
COMPILED = {"njit", "vectorize", "guvectorize"}


class Public(NamedTuple):
    """A public class, method or function."""

    module: str
    name: str
    node: ast.ClassDef | ast.FunctionDef
    outer: ast.ClassDef | None

    @property
    def doc(self) -> str:
        """Its docstring, or nothing."""
        return ast.get_docstring(self.node) or ""


def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module by its dotted name."""
    return {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


TREES = trees()


def within(module: str, body: list[ast.stmt], outer: ast.ClassDef | None = None) -> Iterator[Public]:
    """The public names of a module or of a class."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            name = f"{outer.name}.{node.name}" if outer else node.name
            yield Public(module, name, node, outer)
            if isinstance(node, ast.ClassDef):
                yield from within(module, node.body, node)


PUBLIC = [found for module, tree in TREES.items() for found in within(module, tree.body)]


def arrays(found: Public) -> list[str]:
    """The arguments, and the word `return`, that are annotated as arrays."""
    if not isinstance(found.node, ast.FunctionDef):
        return []
    arguments = found.node.args
    notes = [(one.arg, one.annotation) for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [name for name, note in (*notes, ("return", found.node.returns)) if note is not None and ARRAY.search(ast.unparse(note))]


def raised(found: Public) -> list[str]:
    """The names of the exceptions that its own body raises."""
    names: list[str] = []
    waiting = list(found.node.body) if isinstance(found.node, ast.FunctionDef) else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            names.append(ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc).rpartition(".")[2])
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))
    return [name for name in names if name[:1].isupper() and name != "NotImplementedError"]
