"""Compiled code of the tests is kept apart per state of the code, as the workflow's is, and threads are pinned before numba starts."""

import os
import signal
from pathlib import Path

from banditpapers.codekey import keep_compiled_code

os.environ.setdefault("OMP_NUM_THREADS", "1")
keep_compiled_code(Path(__file__).parents[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background inherit that Ctrl-C is ignored
