"""The code key: a hash of the code that a job depends on, blind to what cannot change a result.

It covers the modules of this package that the named modules import, directly or not, each as its syntax tree without docstrings, so
that comments, docstrings and formatting change nothing and a change of arithmetic changes the key of exactly the jobs that use it. The tree
is spelled out here and not by `ast.dump`, whose text differs between versions of Python.
"""

import ast
import os
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

PACKAGE = "banditpapers"
SOURCE = Path(__file__).parent.parent
TEMPLATES = Path(__file__).parent / "templates"


def code_key(*modules: str, alone: tuple[str, ...] = ()) -> str:
    """16 hex digits for the import closure of the modules (dotted names inside this package), and for modules without their imports."""
    text = "\n".join(f"{module}:{fingerprint(module)}" for module in [*closure(*modules), *alone])
    return sha256(text.encode()).hexdigest()[:16]


def template_key(module: str, *files: str) -> str:
    """The code key of a module that fills templates: their bytes count, and those of other files; a missing one counts as empty."""
    found = [path.read_bytes() if path.is_file() else b"" for path in [*sorted(TEMPLATES.iterdir()), *map(Path, files)]]
    return code_key(module) + sha256(b"".join(sha256(content).digest() for content in found)).hexdigest()[:16]


def keep_compiled_code(root: Path) -> None:
    """Let numba keep machine code in a folder of `root` that is named after all code that is compiled; NUMBA_CACHE_DIR, if set, wins.

    numba's own check looks at the file of the function that is called and not at those that it calls, so that a kernel that was edited
    would go on in its old form. Call this before anything imports numba.
    """
    modules = [
        f"{PACKAGE}.{room}.{path.stem}"
        for room in ("kernels", "environments", "algorithms")
        for path in (SOURCE / PACKAGE / room).glob("*.py")
        if path.stem != "__init__"
    ]
    os.environ.setdefault("NUMBA_CACHE_DIR", str(root.resolve() / ".numba" / code_key(*modules)))


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


def module_file(module: str) -> Path | None:
    """The file of a module of this package, by its dotted name; None where there is none."""
    base = SOURCE.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@cache
def _tree(module: str) -> ast.Module:
    path = module_file(module)
    if path is None:
        raise ValueError(f"there is no module {module} in this package")
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def _imports(module: str) -> tuple[str, ...]:
    tree = _tree(module)
    try:
        names = imported(tree)
    except ValueError as error:
        raise ValueError(f"{module} {error}") from error
    return tuple(name for name in names if name.split(".")[0] == PACKAGE and module_file(name) is not None)


def imported(tree: ast.Module) -> list[str]:
    """The dotted names that a module's imports may mean: those of modules, and those of what is imported from them.

    Raises ValueError for a relative import.
    """
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError("uses a relative import, which the code key does not follow; write the full name")
            names += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


@cache
def fingerprint(module: str) -> str:
    """The SHA-256 of a module's syntax tree without docstrings."""
    return sha256(spelled(_tree(module)).encode()).hexdigest()


def spelled(node: Any) -> str:
    """A syntax tree as text. Empty fields are left out: newer Pythons have more of them. Texts that stand alone are docstrings."""
    if isinstance(node, list):
        return f"[{','.join(spelled(item) for item in node if not _stands_alone(item))}]"
    if isinstance(node, ast.AST):
        fields = (f"{name}={spelled(value)}" for name, value in ast.iter_fields(node) if value is not None and value != [])
        return f"{type(node).__name__}({','.join(fields)})"
    return repr(node)


def _stands_alone(node: Any) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
