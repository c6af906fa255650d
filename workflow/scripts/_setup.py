"""What every script does first: find the package, pin threads to one, and end a bad run with one sentence instead of a traceback."""

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import TracebackType

# one thread each: Snakemake counts cores, and a BLAS that takes more of them changes last bits
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src"))
os.environ.setdefault("MPLCONFIGDIR", str(ROOT / ".matplotlib"))  # or matplotlib would keep its list of fonts in the home folder


def _ended(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What is said of an error that `run` does not meet, such as Ctrl-C while modules are still being imported."""
    if issubclass(kind, KeyboardInterrupt):
        print(f"{Path(sys.argv[0]).name}: stopped; the same command goes on", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _ended

if "NUMBA_CACHE_DIR" not in os.environ:  # a run of the workflow has set it for all of its jobs
    import_module("banditpapers.codekey").keep_compiled_code(ROOT)


def numba_without_blas() -> None:
    """Import numba before it can look for SciPy's BLAS, which would take a fifth of a job's start.

    Our kernels call none. Compiled code that does finds it all the same, when it is compiled.
    """
    hidden = "scipy.linalg.cython_blas"
    known = sys.modules.get(hidden)
    sys.modules[hidden] = None  # type: ignore[assignment]
    import_module("numba.np.arraymath")  # asks once whether there is one
    del sys.modules[hidden]
    if known:
        sys.modules[hidden] = known


def run(main: Callable[[], None]) -> None:
    """Call a script's main; what it refuses or cannot read or write ends in one sentence and exit code 1, and so does being stopped."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a scheduler's request: what is half-written is removed, as after Ctrl-C
    try:
        main()
    except (ValueError, OSError, LookupError, MemoryError, KeyboardInterrupt) as error:
        said = "stopped; the same command goes on" if isinstance(error, KeyboardInterrupt) else str(error) or "no memory is left"
        print(f"{Path(sys.argv[0]).name}: {said}", file=sys.stderr)
        sys.exit(1)
