"""Snakemake's command line in processes that have it imported already: for commands that start no job.

A dry run takes a second so, a third of what a new process takes. Each command is a fork of this program, with the folder, the arguments
and the environment that it is told; nothing of this project is imported before, so that each sees the files as they are.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

PACKAGES = ("pandas", "pyarrow.parquet", "pydantic", "scipy.optimize", "scipy.stats", "snakemake.api", "snakemake.cli", "yaml", "yte")


class Warm:
    """The program in the background."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def run(self, folder: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str]:
        """The exit code and all that was printed."""
        with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8") as printed:
            order = {"folder": str(folder), "arguments": list(arguments), "environment": dict(environment), "printed": printed.name}
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.write(json.dumps(order) + "\n")
            self.process.stdin.flush()
            code = int(self.process.stdout.readline())
            return code, printed.read()

    def close(self) -> None:
        """End the program."""
        self.process.communicate()


def serve() -> None:
    """One order per line in, one exit code per line out."""
    for package in PACKAGES:
        import_module(package)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            obey(order)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def obey(order: Mapping[str, object]) -> None:
    """Be `python -m snakemake` in a folder; never returns."""
    os.chdir(str(order["folder"]))
    os.environ.clear()
    os.environ.update(order["environment"])
    for stream in (1, 2):
        os.dup2(os.open(str(order["printed"]), os.O_WRONLY | os.O_APPEND), stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.path[0] = str(order["folder"])
    sys.argv = ["snakemake", *order["arguments"]]
    code: object = 1
    try:
        import_module("snakemake.cli").main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        import_module("traceback").print_exc()
    if code is not None and not isinstance(code, int):
        print(code, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else code is not None)


if __name__ == "__main__":
    serve()
