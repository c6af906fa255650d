"""Canonical JSON: one text per value, so that a value can be an identity.

Keys are sorted, no blank is written, and a number has one spelling: 0.10 and 1e-1 are 0.1, and 1.0 is 1.
Sets are refused because they have no order, NaN and infinities because JSON has no word for them.
"""

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def normal(value: Any) -> Json:
    """The value in JSON's own types with every number in its one spelling.

    Raises TypeError for what has no canonical form (sets, objects, keys that are not text) and ValueError for NaN and infinities.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number and cannot be part of an identity")
        return int(value) if value.is_integer() else float(value)
    if isinstance(value, (list, tuple)):
        return [normal(item) for item in value]
    if isinstance(value, Mapping):
        odd = next((key for key in value if not isinstance(key, str)), None)
        if odd is not None:
            raise TypeError(f"the key {odd!r} is not text; write it in quotes")
        return {key: normal(value[key]) for key in sorted(value)}
    raise TypeError(f"{value!r} of type {type(value).__name__} has no canonical form; write a list, a mapping, a number or a text")


def canonical(value: Any) -> str:
    """The canonical JSON text of a value."""
    return json.dumps(normal(value), sort_keys=True, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def digest(value: Any) -> bytes:
    """The 32 bytes of the SHA-256 of the value's canonical JSON."""
    return sha256(canonical(value).encode()).digest()
