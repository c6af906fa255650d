"""The configuration's key `algorithms`: files outside of this package, each with an algorithm of one's own.

algorithms: path/to/my_algorithm.py                  a file, or a folder with files
algorithms: [one.py, {file: two.py, parameters: {alpha: 2}, label: "two, alpha = 2"}]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

from banditpapers.fields import OrNull, Section, refusal, shown, text, whole

ROUND_BY_ROUND = 10_000  # the horizon up to which a plain loop is played where the papers' horizons go to 1e16
PATH = text(r"[^\x00-\x1f\x7f]{1,1000}", "the path of a Python file or of a folder")
# a legend leaves out what begins with _, and reads $ and \ as formulas
NAME = text(
    r"[^\s_$\\\x00-\x1f\x7f](?:[^$\\\x00-\x1f\x7f]{0,38}[^\s$\\\x00-\x1f\x7f])?", "a name of at most 40 letters without $ and \\, or null"
)


class OwnAlgorithm(Section):
    """A file with an algorithm of one's own."""

    file: Annotated[str, PATH]
    """a Python file, or a folder of them; relative to the folder of the run"""
    parameters: dict[str, Any] = {}  # noqa: RUF012  (pydantic copies it)
    """of its class; what is left out has the class's default"""
    label: Annotated[str | None, OrNull(NAME.expected, NAME.check, {**NAME.schema, "type": ["string", "null"]})] = None
    """its name in tables and legends; null for the file's"""
    horizon: Annotated[int, whole(least=1, most=10_000_000)] = ROUND_BY_ROUND
    """up to which it is played round by round in `debora`, whose horizons go to 1e16"""


@dataclass(frozen=True)
class Files:
    """One or several of them; a path stands for a mapping with nothing but the file."""

    @property
    def expected(self) -> str:
        """What is to be written, in words."""
        keys = ", ".join(OwnAlgorithm.model_fields)
        return f"the path of a Python file or of a folder, or a list of paths and of mappings with the keys {keys}"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._validate, handler(source))

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        several = handler(schema)
        one = {"anyOf": [dict(PATH.schema), several["items"]]}
        return {"anyOf": [*one["anyOf"], {**several, "items": one}]}

    def _validate(self, value: Any, entries: Callable[[Any], Any]) -> Any:
        listed = [value] if isinstance(value, str | Mapping) else [] if value is None else value
        if not isinstance(listed, list | tuple):
            raise refusal(((), f"found {shown(value)}; write {self.expected}"))
        for i, entry in enumerate(listed):
            if not isinstance(entry, str | Mapping | OwnAlgorithm):
                one = "the path of a Python file or of a folder, or a mapping with the key file"
                raise refusal(((i,), f"found {shown(entry)}; write {one}"))
        return entries(tuple({"file": entry} if isinstance(entry, str) else entry for entry in listed))
