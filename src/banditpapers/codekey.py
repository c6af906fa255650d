"""The code key: a hash of the code that a job depends on, blind to what cannot change a result.

It covers the modules of this package that the named modules import, directly or not, each as its syntax tree without docstrings, so
that comments, docstrings and formatting change nothing and a change of arithmetic changes the key of exactly the jobs that use it.
"""

import ast
from functools import cache
from hashlib import sha256
from pathlib import Path

PACKAGE = "banditpapers"
SOURCE = Path(__file__).parent.parent


def code_key(*modules: str) -> str:
    """16 hex digits for the import closure of the modules (dotted names inside this package)."""
    text = "\n".join(f"{module}:{_fingerprint(module)}" for module in closure(*modules))
    return sha256(text.encode()).hexdigest()[:16]


def closure(*modules: str) -> list[str]:
    """The modules of this package that these import, themselves included, in alphabetical order."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting.extend(_imports(module))
    return sorted(found)


def _file(module: str) -> Path | None:
    base = SOURCE.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@cache
def _tree(module: str) -> ast.Module:
    path = _file(module)
    if path is None:
        raise ValueError(f"there is no module {module} in this package")
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def _imports(module: str) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{module} uses a relative import, which the code key does not follow; write the full name")
            names += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(name for name in names if name.split(".")[0] == PACKAGE and _file(name) is not None)


@cache
def _fingerprint(module: str) -> str:
    tree = _tree(module)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return sha256(ast.dump(tree, annotate_fields=False).encode()).hexdigest()
