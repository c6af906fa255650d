"""The code key of a file of one's own: its syntax tree, without docstrings, those of what it imports beside it, and ours that it uses."""

import ast
from functools import cache
from hashlib import sha256
from pathlib import Path

from banditpapers.codekey import PACKAGE, closure, fingerprint, imported, module_file, spelled

ALONE = ("banditpapers.simulation", "banditpapers.guard", "banditpapers.records")


def own_key(file: Path, *modules: str, alone: tuple[str, ...] = ()) -> str:
    """16 hex digits for a file, everything that it imports from its own folder, and modules of this package: with their imports, and alone.

    Raises ValueError with file and line for a slip in the syntax.
    """
    folder, ours = file.resolve().parent, set(modules)
    found: dict[str, str] = {}
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(folder).as_posix() if path != file.resolve() else ""  # another name of the file is no other code
        if name in found:
            continue
        tree = _tree(path, path.stat().st_mtime_ns)
        found[name] = sha256(spelled(tree).encode()).hexdigest()
        try:
            names = imported(tree)
        except ValueError as error:
            raise ValueError(f"{path} {error}") from error
        for module in names:
            if module.split(".")[0] == PACKAGE:
                ours |= {module} if module_file(module) else set()
            else:
                waiting += _beside(folder, module)
    text = [f"{name}:{digest}" for name, digest in sorted(found.items())]
    text += [f"{module}:{fingerprint(module)}" for module in [*closure(*ours), *alone]]
    return sha256("\n".join(text).encode()).hexdigest()[:16]


def simulation_key(file: Path, adapter: str | None, environment: str) -> str:
    """Of a cell's simulation: the file, the loop that plays it (none of a class with `play`), the environment and the streams."""
    loop = (f"banditpapers.own.{adapter}",) if adapter else ()
    return own_key(file, *loop, f"banditpapers.environments.{environment}", "banditpapers.seeding", alone=ALONE)


def _beside(folder: Path, module: str) -> list[Path]:
    """The files in the folder that an import of a dotted name runs."""
    words = module.split(".")
    steps = [folder.joinpath(*words[:depth]) for depth in range(1, len(words) + 1)]
    candidates = [path for step in steps for path in (step.with_suffix(".py"), step / "__init__.py")]
    return [path for path in candidates if path.is_file()]


@cache
def _tree(path: Path, changed: int) -> ast.Module:
    try:
        return ast.parse(path.read_bytes(), filename=str(path))
    except SyntaxError as error:
        raise ValueError(f"{path}, line {error.lineno}: {error.msg}; correct it there") from error
    except ValueError as error:
        raise ValueError(f"{path} is no Python file ({error}); correct it, or write another path") from error
