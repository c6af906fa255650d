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
SHAPE = re.compile(r"\bshapes?\b|\(1-D\)|\([A-Z](?:, [A-Z])?,?\)|`p` \(1-D\)", re.IGNORECASE)
RAISED = re.compile(r"\braise[sd]?\b|\brefuse[sd]?\b", re.IGNORECASE)
SOURCE_NAMED = re.compile(r"\b(?:19|20)\d\d\b|\barXiv \d{4}\.\d{5}\b")  # a year of publication, or a number on arXiv
UNITS = re.compile(
    r"\b(?:rounds?|pulls?|plays?|pairs?|batch(?:es)?|regret|rewards?|violation|probabilit(?:y|ies)|share|counts?|labels?|arms?|budgets?|horizons?"
    r"|indices|mean|means|theta|features|contexts|parameters?|noise|ratings?)\b",
    re.IGNORECASE,
)


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


def names_of_arrays() -> dict[str, set[str]]:
    """The names that mean an array in each module: Sample = NDArray[np.float64], here or where it is imported from."""
    made = {
        module: {
            ast.unparse(node.targets[0])
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NDArray[")
        }
        for module, tree in TREES.items()
    }
    return {
        module: {"NDArray", "ndarray"}
        | made[module]
        | {
            alias.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.name in made.get(str(node.module), ())
        }
        for module, tree in TREES.items()
    }


ARRAYS = names_of_arrays()


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
    return [
        name
        for name, note in (*notes, ("return", found.node.returns))
        if note is not None and any(isinstance(node, ast.Name) and node.id in ARRAYS[found.module] for node in ast.walk(note))
    ]


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


def used_as_arrays(found: Public) -> list[str]:
    """The arguments of a compiled function, which have no annotation, whose elements or sizes it reads or writes."""
    if not isinstance(found.node, ast.FunctionDef) or any(one.annotation for one in found.node.args.args):
        return []
    names = {one.arg for one in found.node.args.args} - {"self"}
    used = [
        node.value.id
        for node in ast.walk(found.node)
        if (isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in ("size", "shape")))
        and isinstance(node.value, ast.Name)
    ]
    return sorted(names.intersection(used))


def about(found: Public) -> str:
    """Its docstring and, of a method, that of its class."""
    return f"{found.doc}\n{ast.get_docstring(found.outer) or '' if found.outer else ''}"


def rooms(*names: str) -> list[str]:
    """The modules of rooms of the package, without the rooms themselves."""
    return [module for module in TREES if module.split(".")[1:2] in [[name] for name in names] and not module.endswith("__init__")]


def shown(found: Public) -> str:
    """For a test's name."""
    return f"{found.module.removeprefix('banditpapers.')}.{found.name}"


def test_the_package_has_been_read():
    assert len(PUBLIC) > 900
    assert {"algorithms", "environments", "kernels", "papers", "data"} <= {
        module.split(".")[1] for module in TREES if module.count(".") > 1
    }
    assert sum(map(bool, map(arrays, PUBLIC))) > 100
    assert sum(map(bool, map(raised, PUBLIC))) > 50
    assert sum(map(bool, map(used_as_arrays, PUBLIC))) > 60


def test_everything_public_has_a_docstring():
    assert [shown(found) for found in PUBLIC if len(found.doc.split()) < 2 or not found.doc[0].strip()] == []
    assert [module for module, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_the_shapes_of_arrays_are_told():
    found = [one for one in PUBLIC if (arrays(one) or used_as_arrays(one)) and not SHAPE.search(about(one))]
    assert [f"{shown(one)}: {', '.join(arrays(one) or used_as_arrays(one))}" for one in found] == []


def test_what_is_raised_is_told():
    """A function that raises says so, or names the exception."""
    found = [one for one in PUBLIC if raised(one) and not RAISED.search(about(one)) and not any(name in about(one) for name in raised(one))]
    assert [f"{shown(one)}: {', '.join(raised(one))}" for one in found] == []


def test_units_are_told():
    """What an algorithm or an environment hands over is in rounds, pulls, units of reward and so on."""
    found = [one for one in PUBLIC if one.module in rooms("algorithms", "environments") and arrays(one) and not UNITS.search(about(one))]
    assert [shown(one) for one in found] == []


@pytest.mark.parametrize("module", rooms("algorithms", "environments"))
def test_algorithms_and_environments_name_their_source(module):
    """A publication by its year or its number on arXiv; what several algorithms share (_pairs) stands with them."""
    if not module.rpartition(".")[2].startswith("_"):
        text = ast.get_docstring(TREES[module]) or ""
        assert SOURCE_NAMED.search(text), f"{module} does not say where it comes from; write Source: authors, title, year and place"


def promised() -> list[str]:
    """The modules on the page that says what may be imported."""
    page = (SOURCE.parents[1] / "docs/reference/python.md").read_text(encoding="utf-8")
    return re.findall(r"^::: ([\w.]+)$", page, re.MULTILINE)


def test_what_is_promised_is_there_and_told_in_full():
    """Of what 1.0.0 promises, each array by its name and each argument that is a bare number or a mapping by a word of its own."""
    assert len(promised()) > 10
    for module in promised():
        assert module in TREES, f"docs/reference/python.md has {module}, which there is not"
        untold = [
            f"{shown(found)}: {name}"
            for found in PUBLIC
            if found.module == module
            for name in arrays(found)
            if name != "return" and not re.search(rf"\b{name}\b", about(found))
        ]
        assert untold == []
