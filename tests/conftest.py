"""Compiled code of the tests is kept apart per state of the code, as the workflow's is, and threads are pinned before numba starts."""

import os
import signal
from pathlib import Path

import pytest

from banditpapers.codekey import keep_compiled_code

os.environ.setdefault("OMP_NUM_THREADS", "1")
keep_compiled_code(Path(__file__).parents[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background inherit that Ctrl-C is ignored


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup` the tests of a file stay together, and all that run the workflow, which share a finished run."""
    for item in items:
        workflow = item.path.parent.name == "workflow"
        item.add_marker(pytest.mark.xdist_group("workflow" if workflow else str(item.path)))
