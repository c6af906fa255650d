"""Plain YAML scalars that look like one thing and are read as another.

YAML 1.1 reads `1e-3` as text, `010` as 8, `1:30` as 90, `2024_06` as 202406, `no` as false and `2024-06-01` as a date. None of these is
guessed at. What is left over are null, true, false, decimal integers and fractions, and texts.
"""

import re
from collections.abc import Callable
from typing import Any

from banditpapers.fields import shown

INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,99})")
FRACTION = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)?\.[0-9]+|(?:0|[1-9][0-9]*)\.)(?:[eE][-+][0-9]{1,3})?")
EXPONENT = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
WORDS = {"null": None, "Null": None, "NULL": None, "~": None, "": None, "true": True, "True": True, "false": False, "False": False}


class MisreadError(ValueError):
    """A scalar that has to be written otherwise; the text says what was found and what to write."""


def plain_scalar(text: str, kind: str) -> Any:
    """The value of an unquoted scalar that YAML 1.1 takes for a `kind` (int, float, str, ...). Raises MisreadError."""
    if text in WORDS:
        return WORDS[text]
    if kind == "int" and INTEGER.fullmatch(text):
        return int(text)
    if kind == "float" and FRACTION.fullmatch(text) and abs(float(text)) < float("inf"):
        return float(text)
    for looks, rest in TRAPS:
        if looks(text, kind):
            raise MisreadError(f"found {shown(text)}{rest(text)}")
    return text


def spelled(text: str) -> str:
    """1e-3 as `1.0e-3 or 0.001`: the spellings that every YAML reader takes for that number."""
    value = float(text)
    if abs(value) == float("inf"):
        return "a smaller number"
    mantissa, _, exponent = f"{value:.14e}".partition("e")
    mantissa = mantissa.rstrip("0") + ("0" if mantissa.rstrip("0").endswith(".") else "")
    plain = f"{value:.15g}"
    return f"{mantissa}e{int(exponent):+d}" + ("" if "e" in plain else f" or {plain}")


# what a plain scalar looks like -> the rest of the sentence after "found the text '...'"; the first that fits is told
TRAPS: list[tuple[Callable[[str, str], object], Callable[[str], str]]] = [
    (
        lambda text, kind: kind == "bool",
        lambda text: (
            f", which YAML reads as {'true' if text.lower() in ('yes', 'on', 'true') else 'false'}; write '{text}' in quotes for a text"
        ),
    ),
    (lambda text, kind: kind == "timestamp", lambda text: f", which YAML reads as a date; write '{text}' in quotes"),
    (
        lambda text, kind: re.fullmatch(r"[-+]?\.?(?:nan|inf|infinity)", text, re.IGNORECASE),
        lambda text: "; write a finite number",
    ),
    (
        lambda text, kind: re.fullmatch(r"[-+]?0[0-9]+", text),
        lambda text: f", which looks octal; write {re.sub(r'0+(?=[0-9])', '', text, count=1)}, or '{text}' in quotes for a text",
    ),
    (
        lambda text, kind: kind in ("int", "float") and "_" in text,
        lambda text: f", which YAML reads as {text.replace('_', '')}; write the number without _, or '{text}' in quotes for a text",
    ),
    (
        lambda text, kind: kind in ("int", "float") and ":" in text,
        lambda text: f", which YAML reads as a number in base 60; write '{text}' in quotes for a text",
    ),
    (
        lambda text, kind: EXPONENT.fullmatch(text) and (kind == "float" or not text.lstrip("-+").isdecimal()),
        lambda text: f", which YAML readers take for different things; write {spelled(text)}",
    ),
    (
        lambda text, kind: kind in ("int", "float") or re.fullmatch(r"[-+]?0[xob][0-9a-fA-F]+", text),
        lambda text: f"; write a decimal number of at most 100 digits, or '{text[:20]}' in quotes for a text",
    ),
]
