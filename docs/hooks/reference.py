"""Reference pages that are made of the package: one entry per file of algorithms and environments, and the keys of the configuration."""

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "banditpapers"
KEPT = {  # of the schema, in words
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "above {}",
    "exclusiveMaximum": "below {}",
    "multipleOf": "a multiple of {}",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "const": "`{}`",
    "format": "{}",
}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    pages = {"algorithms": room("algorithms"), "environments": room("environments"), "configuration": configuration()}
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def room(name: str) -> str:
    """A page with every public module of a folder of the package."""
    modules = sorted(path.stem for path in (SOURCE / name).glob("[a-z]*.py"))
    about = ast.get_docstring(ast.parse((SOURCE / name / "__init__.py").read_text(encoding="utf-8"))) or ""
    return f"# {name.capitalize()}\n\n{about}\n\n" + "\n\n".join(f"::: banditpapers.{name}.{module}" for module in modules) + "\n"


def configuration() -> str:
    """A page with every key of the configuration, from its JSON schema, and each file with its comments."""
    schema = json.loads((ROOT / "workflow/schemas/config.schema.json").read_text(encoding="utf-8"))
    papers = schema["properties"]["papers"]["items"]["enum"]
    common = {key: value for key, value in schema["properties"].items() if key not in papers}
    parts = [
        "# Configuration keys\n\nMade of `workflow/schemas/config.schema.json`, which is made of the code. What to write, and two worked "
        "examples: [Configuration](../../config/README.md). The comments in each file say what a key means in its paper.\n",
        "## What all papers share\n\n" + table(common, schema) + file("config/config.yaml"),
    ]
    parts += [f"## `{paper}`\n\n{table({paper: schema['properties'][paper]}, schema)}{file(f'config/{paper}.yaml')}" for paper in papers]
    return "\n".join(parts)


def table(properties: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """Keys, what may be written, what it is."""
    rows = [f"| `{key}` | {kind} | {about} |" for key, kind, about in keys(properties, schema, "")]
    return "\n".join(["| key | value | what it is |", "|---|---|---|", *rows]) + "\n"


def keys(properties: Mapping[str, Any], schema: Mapping[str, Any], before: str) -> Iterator[tuple[str, str, str]]:
    """Every key, those of sections with a dot before them."""
    for key, written in properties.items():
        found = followed(written, schema)
        about = str(written.get("description", found.get("description", ""))).replace("|", "\\|").replace("\n", " ")
        yield f"{before}{key}", said(found, schema), about
        yield from keys(found.get("properties", {}), schema, f"{before}{key}.")
        for inner in found.get("patternProperties", {}).values():
            yield from keys(followed(inner, schema).get("properties", {}), schema, f"{before}{key}.NAME.")


def followed(found: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition behind a reference."""
    return schema["$defs"][found["$ref"].rpartition("/")[2]] if "$ref" in found else found


def said(written: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """What may be written, in words."""
    found = followed(written, schema)
    if "anyOf" in found:
        return " or ".join(said(one, schema) for one in found["anyOf"])
    if "enum" in found:
        return "one of " + ", ".join(f"`{value}`" for value in found["enum"])
    kinds = found.get("type", [])
    words = [" or ".join([kinds] if isinstance(kinds, str) else kinds)] if kinds else []
    words += [sentence.format(found[name]) for name, sentence in KEPT.items() if name in found]
    if "prefixItems" in found:
        words.append("of " + ", ".join(f"({said(one, schema)})" for one in found["prefixItems"]))
    elif isinstance(found.get("items"), Mapping):
        items = followed(found["items"], schema)
        inside = ", ".join(f"`{key}`" for key in items.get("properties", {}))
        words.append(f"of mappings with {inside}" if inside else f"of ({said(items, schema)})")
    return ", ".join(word.replace("|", "\\|") for word in words)


def file(name: str) -> str:
    """A file of the configuration as it is shipped."""
    return f'\n??? note "`{name}`"\n    ```yaml\n' + "".join(
        f"    {line}\n" if line else "\n" for line in (ROOT / name).read_text(encoding="utf-8").splitlines()
    ) + "    ```\n"  # fmt: skip
