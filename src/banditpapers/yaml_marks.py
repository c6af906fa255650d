"""YAML that remembers where everything stands and refuses what it would silently misread.

What comes out is plain data: lists, mappings whose keys are texts, and the scalars that yaml_traps.py lets pass.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import yaml

from banditpapers.fields import Path, shown
from banditpapers.yaml_traps import MisreadError, plain_scalar

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same grammar, ten times faster where libyaml is there
UNPRINTABLE: Any = yaml.SafeLoader.NON_PRINTABLE
RESOLVER: Any = yaml.SafeLoader("")
LARGEST, DEEPEST = 20_000, 40  # values in one file (aliases of aliases could ask for billions) and mappings in mappings
LONGEST = 400_000  # bytes of a file


@dataclass(frozen=True)
class Place:
    """Where a value stands; an override on the command line has no line."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}, line {self.line}"


@dataclass
class Marked:
    """Plain data, the place of every value in it, and what was refused: (place, key path, sentence)."""

    data: dict[str, Any] = field(default_factory=dict)
    places: dict[Path, Place] = field(default_factory=dict)
    faults: list[tuple[Place, Path, str]] = field(default_factory=list)

    def refuse(self, place: Place, path: Path, sentence: str) -> None:
        """Note a fault at a place and a path."""
        self.faults.append((place, path, sentence))

    def lay(self, over: "Marked") -> None:
        """Lay another reading over this one: mappings are merged key by key, all else is replaced, and places follow their values."""

        def merge(below: dict[str, Any], above: Mapping[str, Any], path: Path) -> None:
            for key, value in above.items():
                here = (*path, key)
                if isinstance(value, dict) and isinstance(below.get(key), dict):
                    merge(below[key], value, here)
                    continue
                below[key] = value
                kept = {place: mark for place, mark in self.places.items() if place[: len(here)] != here}
                self.places = kept | {place: mark for place, mark in over.places.items() if place[: len(here)] == here}

        self.faults += over.faults
        merge(self.data, over.data, ())


def read_file(path: FilePath) -> Marked:
    """The marked content of a YAML file, which has to be a mapping; what cannot be read is one of its faults, and nothing is raised."""
    marked, file = Marked(), str(path)
    try:
        if path.exists() and not path.is_file():
            raise OSError("a folder or a device, not a file")
        with path.open("rb") as file_on_disk:
            content = file_on_disk.read(LONGEST + 1)
        if len(content) > LONGEST:
            marked.refuse(
                Place(file), (), f"found more than {LONGEST} bytes, which is no configuration; write the path of a smaller YAML file"
            )
            return marked
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        marked.refuse(Place(file, line), (), f"found the byte {error.object[error.start]:#04x}, which is not UTF-8; save the file as UTF-8")
        return marked
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        marked.refuse(Place(file), (), f"the file cannot be read ({reason}); write the path of a YAML file")
        return marked
    for number, content_line in enumerate(text.split("\n"), 1):
        if content_line.strip() and "\t" in content_line[: len(content_line) - len(content_line.lstrip(" \t"))]:
            marked.refuse(Place(file, number), (), "found a tab in the indentation; write blanks")
    if not marked.faults:
        data = read_text(text, Place(file, 1), (), marked)
        if isinstance(data, dict):
            marked.data = data
        elif not marked.faults:
            marked.refuse(Place(file, 1), (), f"found {shown(data)}; write a mapping such as 'master_seed: 1'")
    return marked


def read_text(text: str, start: Place, path: Path, marked: Marked) -> Any:
    """The data of a YAML text that begins at a place and stands under a key path; places and faults go to `marked`."""

    def refuse(lines: int, sentence: str) -> None:
        marked.refuse(Place(start.file, None if start.line is None else start.line + lines), path, sentence)

    if control := UNPRINTABLE.search(text):
        return refuse(text.count("\n", 0, control.start()), f"found the control character {control[0]!r}; leave it out")
    try:
        node = yaml.compose(text, Loader=Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or "it is nested too deeply"
        return refuse(mark.line if mark else 0, f"not YAML: {why}; correct the syntax on this line or the one above")
    marked.places.setdefault(path, start)
    return None if node is None else Reader(start, marked).value(node, path, start)


class Reader:
    """Turns composed nodes into data."""

    def __init__(self, start: Place, marked: Marked) -> None:
        self.start, self.marked, self.count = start, marked, 0

    def place(self, node: yaml.Node) -> Place:
        """The file and line of a node."""
        return Place(self.start.file, None if self.start.line is None else self.start.line + node.start_mark.line)

    def value(self, node: yaml.Node, path: Path, place: Place, depth: int = 0) -> Any:
        """The data of a node; None where something was refused."""
        self.count += 1
        if depth > DEEPEST or self.count > LARGEST:
            # one sentence is enough: the millionth value of a runaway alias says nothing new
            if self.count <= LARGEST + 1:
                self.marked.refuse(place, path, f"found a value nested {DEEPEST} deep or aliases that multiply; write the values out")
                self.count = LARGEST + 1
            return None
        self.marked.places[path] = place
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node, path, place)
        if node.tag not in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            return self.marked.refuse(place, path, f"found the tag {node.tag}; write the value without a tag")
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, i), self.place(item), depth + 1) for i, item in enumerate(node.value)]
        return self.mapping(node, path, depth)

    def mapping(self, node: yaml.Node, path: Path, depth: int) -> dict[str, Any]:
        """The data of a mapping; faults are noted."""
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = self.place(key_node)
            if not isinstance(key_node, yaml.ScalarNode):
                self.marked.refuse(place, path, "found a list or a mapping as a key; write a name")
                continue
            faults = len(self.marked.faults)
            key = self.scalar(key_node, path, place)
            if key == "<<" and not key_node.style:
                self.marked.refuse(place, path, "found the merge key <<; write the keys out")
            elif not isinstance(key, str):
                if len(self.marked.faults) == faults:
                    self.marked.refuse(place, path, f"found {shown(key)} as a key; write a name, or the key in quotes")
            elif key in found:
                first = self.marked.places.get((*path, key), place)
                self.marked.refuse(place, (*path, key), f"found this key for the second time (first: {first}); keep one of the two")
            else:
                # a block stands where its key does, a scalar where it is itself
                written = isinstance(value_node, yaml.ScalarNode) and value_node.value
                found[key] = self.value(value_node, (*path, key), self.place(value_node) if written else place, depth + 1)
        return found

    def scalar(self, node: yaml.ScalarNode, path: Path, place: Place) -> Any:
        """The data of a plain or quoted word; faults are noted."""
        text, plain = node.value, not node.style
        implied = RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) if plain else "tag:yaml.org,2002:str"
        if node.tag != implied:
            return self.marked.refuse(place, path, f"found the tag {node.tag}; write the value without a tag")
        if not plain:
            return text
        try:
            return plain_scalar(text, implied.rpartition(":")[2])
        except MisreadError as trap:
            return self.marked.refuse(place, path, str(trap))
