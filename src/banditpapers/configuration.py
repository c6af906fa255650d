"""The configuration: YAML files, laid over each other, checked against typed sections, refused with the line to correct.

load([Path("config/config.yaml"), Path("config/lp2s.yaml")], {"master_seed": "7"}).grids["lp2s"].realizations
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import ValidationError

from banditpapers.canonical import canonical
from banditpapers.fields import Fault, Path, Scalar, Section, Several, number, path, shown, switch, text, whole
from banditpapers.files import write_json
from banditpapers.outside import Files, OwnAlgorithm
from banditpapers.sentences import described, expected, lines, unknown
from banditpapers.yaml_marks import Marked, Place, read_file, read_text

# a paper is known when its folder has a grid
PAPERS = tuple(sorted(path.parent.name for path in (FilePath(__file__).parent / "papers").glob("*/grid.py")))
COMMAND_LINE = Place("--config")
SCHEMA = "config.schema.json"

Folder = Annotated[str, text(r"(?!\.)[\w.-]+(?:/(?!\.)[\w.-]+)*", "a relative folder path such as results/quick")]
Paper = Annotated[
    str, Scalar(f"a paper's key ({', '.join(PAPERS)})", lambda value: value if value in PAPERS else None, {"enum": list(PAPERS)})
]


class ConfigurationError(ValueError):
    """The configuration is refused; its text has one line per fault: file, line, key, what was found, what to write instead."""


class Block(Section):
    """How many replicates one job simulates."""

    largest: Annotated[int, whole(least=1)]
    """most replicates in a job"""
    seconds: Annotated[float, number(above=0)]
    """most CPU seconds that a job is forecast to take"""
    replicate_seconds: Annotated[int, whole(least=1, most=10_000_000)]
    """CPU seconds after which a replicate is ended and counts as failed"""


class Data(Section):
    """Where ratings of real people come from; only papers that play on them ask."""

    movielens: Annotated[str | None, path()]
    """ratings of MovieLens on this machine: a file, an archive or a folder of downloads"""
    jester: Annotated[str | None, path()]
    """ratings of Jester on this machine: a file or a folder of downloads"""
    folder: Folder
    """where downloads are kept"""
    allow_synthetic: Annotated[bool, switch()]
    """whether ratings that cannot be had may be replaced by synthetic ones"""


class Common(Section):
    """What all papers share."""

    master_seed: Annotated[int, whole(least=0)]
    scale: Annotated[str, text("[a-z][a-z0-9-]{0,30}", "a label in lower case such as paper, quick or custom")]
    results: Folder
    figures: Folder
    block: Block
    data: Data
    papers: Annotated[tuple[Paper, ...], Several()]
    algorithms: Annotated[tuple[OwnAlgorithm, ...], Files()] = ()

    def contradictions(self) -> Iterator[Fault]:
        """Yield what is wrong with values that are right one by one."""
        if f"{self.results}/".startswith(f"{self.figures}/"):
            yield ("figures",), f"found {shown(self.figures)}, which holds the results, too; write another folder"


class Settings(Common):
    """A checked configuration; `grids` has the section of each paper in `papers`: an object of the class `Grid` in its grid.py."""

    grids: dict[str, Any]

    def to_json(self) -> str:
        """The merged configuration as canonical JSON."""
        common = self.model_dump(mode="json", exclude={"grids"})
        return canonical(common | {paper: grid.model_dump(mode="json", exclude_none=True) for paper, grid in self.grids.items()})

    @classmethod
    def from_json(cls, settings: str) -> "Settings":
        """The settings of `to_json`. Raises ConfigurationError."""
        try:
            data = json.loads(settings)
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"the settings are not JSON ({error}); write what Settings.to_json returned") from error
        return _checked(Marked(data if isinstance(data, dict) else {}), Place("the settings' JSON"))


KEYS = (*Common.model_fields, *PAPERS)


def load(files: Sequence[FilePath], overrides: Mapping[str, Any] = MappingProxyType({})) -> Settings:
    """The settings of YAML files, a later one laid over an earlier one, and of overrides laid over them all.

    overrides: nested mappings or dotted keys ({"lp2s.realizations": "20"}); texts in them are read as YAML, as from a command line.
    Raises ConfigurationError with all that is wrong.
    """
    merged = Marked()
    for file in files:
        merged.lay(read_file(FilePath(file)))
    for key, value in overrides.items():
        merged.lay(_override(key, value))
    return _checked(merged, Place(str(files[0]), 1) if files else COMMAND_LINE)


def refuse_files(files: Sequence[FilePath]) -> None:
    """Raises ConfigurationError with what is wrong in files whatever is laid over them: their writing, and unknown keys at the top."""
    merged = Marked()
    for file in files:
        merged.lay(read_file(FilePath(file)))
    faults = merged.faults or [(merged.places[key,], (key,), unknown(key, KEYS)) for key in merged.data if key not in KEYS]
    if faults:
        raise ConfigurationError(lines(faults))


def shipped(root: FilePath) -> list[FilePath]:
    """The configuration that comes with the workflow: config.yaml, then the grid of each known paper."""
    folder = FilePath(os.path.relpath(root)) / "config"
    return [folder / "config.yaml", *(folder / f"{paper}.yaml" for paper in PAPERS)]


def grid_class(paper: str) -> type[Section]:
    """The class `Grid` of a paper."""
    found: type[Section] = import_module(f"banditpapers.papers.{paper}.grid").Grid
    return found


def schema() -> dict[str, Any]:
    """The JSON schema of the merged configuration."""
    whole_schema = Common.model_json_schema(ref_template="#/$defs/{model}")
    definitions = whole_schema.setdefault("$defs", {})
    for paper in PAPERS:
        section = grid_class(paper).model_json_schema(ref_template=f"#/$defs/{paper}.{{model}}")
        definitions |= {f"{paper}.{name}": definition for name, definition in section.pop("$defs", {}).items()}
        whole_schema["properties"][paper] = section
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | whole_schema | {"title": "banditpapers"}


def _override(key: Any, value: Any) -> Marked:
    """One override as a reading of its own: `a.b` is b in a, and texts are YAML."""
    over = Marked()

    def read(value: Any, path: Path) -> Any:
        over.places[path] = COMMAND_LINE
        if isinstance(value, str):
            return read_text(value, COMMAND_LINE, path, over)
        if isinstance(value, Mapping):
            return {str(name): read(item, (*path, str(name))) for name, item in value.items()}
        return [read(item, (*path, i)) for i, item in enumerate(value)] if isinstance(value, list | tuple) else value

    names = tuple(str(key).split("."))
    found = read(value, names)
    for name in reversed(names):
        found = {name: found}
    over.data = found
    return over


def _checked(marked: Marked, start: Place) -> Settings:
    faults, settings = list(marked.faults), None
    if not faults:
        marked.places.setdefault((), start)
        found, settings = _validate(marked.data)
        for path, sentence in found:
            known = next(path[:depth] for depth in range(len(path), -1, -1) if path[:depth] in marked.places)
            faults.append((marked.places[known], path, sentence))
    if settings is None or faults:
        raise ConfigurationError(lines(faults))
    return settings


def _validate(data: Mapping[str, Any]) -> tuple[list[Fault], Settings | None]:
    """What is wrong with merged data, and the settings where nothing is."""
    faults: list[Fault] = []
    common, grids = {}, {}
    for key, value in data.items():
        if key in PAPERS:
            model = grid_class(key)
            try:
                grids[key] = model.model_validate(value)
            except ValidationError as error:
                faults += described(error, model, (key,))
        elif key in Common.model_fields:
            common[key] = value
        else:
            faults.append(((key,), unknown(key, KEYS)))
    try:
        checked = Common.model_validate(common)
    except ValidationError as error:
        return [*described(error, Common, ()), *faults], None
    for paper in checked.papers:
        if paper not in data:
            faults.append(((), f"the key {paper!r} is missing; write {paper}: {expected(grid_class(paper))}"))
    if faults:
        return faults, None
    chosen = {paper: grids[paper] for paper in checked.papers}
    return [], Settings(**{name: getattr(checked, name) for name in Common.model_fields}, grids=chosen)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the JSON schema into a folder, for editors: python -m banditpapers.configuration --schemas workflow/schemas."""
    parser = argparse.ArgumentParser(prog="python -m banditpapers.configuration", description="Write the JSON schema of the configuration.")
    parser.add_argument("--schemas", type=FilePath, required=True, metavar="FOLDER", help="folder for " + SCHEMA)
    write_json(parser.parse_args(arguments).schemas / SCHEMA, schema())


if __name__ == "__main__":
    main()
