"""Parquet files that describe themselves and prove that they are whole.

The metadata key `banditpapers` holds a JSON object: whatever the writer says of the data, and `content`, the SHA-256 of the columns. The
key `banditpapers.seal` holds the SHA-256 of that JSON. A reader checks both, so that a file cut short, emptied or altered, in its columns
or in what it says of itself, is never averaged.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from banditpapers import __version__
from banditpapers.files import file_digest, write_atomically

KEY, SEAL = b"banditpapers", b"banditpapers.seal"
LOCK = Path(__file__).parents[2] / "requirements.lock"
FIXED = (pa.int32(), pa.int64(), pa.float64())  # the types whose buffers are their values


class DamagedRecordError(ValueError):
    """A record that cannot be trusted; the message names the file to delete."""


def write(path: Path, table: pa.Table, about: Mapping[str, Any]) -> None:
    """Write a table and what is to be known about it."""
    text = json.dumps({**about, "content": content(table)}, sort_keys=True, ensure_ascii=False).encode()
    sealed = table.replace_schema_metadata({KEY: text, SEAL: sha256(text).hexdigest().encode()})
    write_atomically(path, lambda file: pq.write_table(sealed, file, compression="zstd"))


def read(path: Path) -> tuple[pa.Table, dict[str, Any]]:
    """The table and what is known about it. Raises DamagedRecordError when the file is cut, emptied, altered or not one of ours."""
    try:
        table = pq.read_table(path, partitioning=None)
        table.validate(full=True)
        text, seal = ((table.schema.metadata or {})[key] for key in (KEY, SEAL))
        about: dict[str, Any] = json.loads(text)
        whole = sha256(text).hexdigest().encode() == seal and about["content"] == content(table)
    except (FileNotFoundError, PermissionError):
        raise
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise DamagedRecordError(
            f"{path} is damaged or not one of our records ({type(error).__name__}); delete it and run the same command again"
        ) from error
    if not whole:
        raise DamagedRecordError(
            f"{path} does not hold what was written (its content digest differs); delete it and run the same command again"
        )
    return table, about


def content(table: pa.Table) -> str:
    """The SHA-256 of the columns' names, types and values, whatever the file's compression, chunks or library."""
    seal = sha256()
    for name in table.column_names:
        values = table.column(name)
        # a text column may come back as another of the library's text types
        if pa.types.is_dictionary(values.type) or pa.types.is_large_string(values.type):
            values = values.cast(pa.string())
        seal.update(f"{name}:{values.type}:{len(values)};".encode())
        if values.null_count or not (pa.types.is_string(values.type) or values.type in FIXED):
            seal.update(json.dumps(values.to_pylist()).encode())
        elif pa.types.is_string(values.type):
            texts = [_texts(chunk) for chunk in values.chunks]
            seal.update(b"".join(lengths for lengths, _ in texts) + b"".join(letters for _, letters in texts))
        else:
            for chunk in values.chunks:
                width = chunk.type.bit_width // 8
                seal.update(chunk.buffers()[1][chunk.offset * width : (chunk.offset + len(chunk)) * width])
    return seal.hexdigest()


def _texts(chunk: pa.StringArray) -> tuple[bytes, bytes]:
    """The lengths of the texts, and the texts one after the other."""
    if not len(chunk):
        return b"", b""
    ends = np.frombuffer(chunk.buffers()[1], dtype=np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]
    letters = chunk.buffers()[2]
    return np.diff(ends).tobytes(), letters[int(ends[0]) : int(ends[-1])].to_pybytes() if letters else b""


def column(values: NDArray[Any]) -> pa.Array:
    """A column of numbers, int32 or float64. values: shape (rows,).

    Arrays go through their buffers here and in `labels`: the library's own conversions import pandas, a quarter of a job's start.
    """
    kind = {"int32": pa.int32(), "float64": pa.float64()}[values.dtype.name]
    return pa.Array.from_buffers(kind, values.size, [None, pa.py_buffer(np.ascontiguousarray(values))])


def labels(codes: NDArray[np.int32], names: Sequence[str]) -> pa.DictionaryArray:
    """A column of few distinct texts, stored as small integers. codes: shape (rows,), indices of names."""
    words = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    texts = pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(words)))
    return pa.DictionaryArray.from_arrays(column(codes), texts)


def versions() -> dict[str, str]:
    """The versions of what computes: Python, NumPy, numba, SciPy and this package."""
    packages = {name: version(name) for name in ("numpy", "numba", "scipy", "pyarrow")}
    return {"python": platform.python_version(), "banditpapers": __version__, **packages}


def machine() -> dict[str, str]:
    """What computes: the processor's architecture, the system with its C library, whose logarithms are numba's, and the interpreter."""
    library = " ".join(platform.libc_ver())
    return {
        "processor": platform.machine(),
        "system": f"{platform.system()} with {library}" if library.strip() else platform.system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def lock() -> str:
    """The SHA-256 of the lock file that the environment is set up from; "none" where the package is installed without it."""
    return file_digest(LOCK) if LOCK.is_file() else "none"


def made_with() -> dict[str, Any]:
    """What a result says of the circumstances in which it was made."""
    return {"versions": versions(), "machine": machine(), "lock": lock()}
