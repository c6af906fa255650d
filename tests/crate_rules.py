"""The MUST rules of RO-Crate 1.1, Workflow RO-Crate 1.0 and Workflow Run RO-Crate 0.5 (process and workflow profiles), without a network.

Each fault is a sentence. What the project promises beyond them (sizes and hashes that are the files', an end, an agent) is checked, too.
"""

import json
import re
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote

SPECIFICATION = "https://w3id.org/ro/crate/1.1"
PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
)
TOOLS = {"SoftwareApplication", "SoftwareSourceCode", "ComputationalWorkflow"}


def listed(value) -> list:
    """JSON-LD leaves the brackets of one value away."""
    return [] if value is None else value if isinstance(value, list) else [value]


def kinds(entity) -> set:
    return set(listed(entity.get("@type")))


def ids(value) -> list:
    return [item["@id"] for item in listed(value) if isinstance(item, dict)]


def is_date(text) -> bool:
    try:
        return isinstance(text, str) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def faults(root: Path) -> list[str]:
    """All that is wrong with the crate whose root is this folder."""
    try:
        crate = json.loads((root / "ro-crate-metadata.json").read_bytes().decode("utf-8"))
        graph = crate["@graph"]
        by_id = {entity["@id"]: entity for entity in graph}
    except (OSError, ValueError, KeyError, TypeError) as error:
        return [f"not a flat JSON-LD file: {error!r}"]
    found = [] if f"{SPECIFICATION}/context" in listed(crate.get("@context")) else ["the context is not RO-Crate 1.1's"]
    found += [] if len(by_id) == len(graph) else ["an @id stands twice"]
    for name, entity in by_id.items():
        found += [] if kinds(entity) else [f"{name} has no @type"]
        for key, value in entity.items():
            nested = [item for item in listed(value) if isinstance(item, dict)]
            found += [f"{name}.{key} is not flat" for item in nested if set(item) != {"@id"}]
            found += [
                f"{name}.{key} refers to {item}, which is not described" for item in ids(value) if item not in by_id and key != "conformsTo"
            ]
    descriptor = by_id.get("ro-crate-metadata.json", {})
    root_id = (ids(descriptor.get("about")) or [""])[0]
    dataset = by_id.get(root_id, {})
    found += [] if "CreativeWork" in kinds(descriptor) else ["the descriptor is no CreativeWork"]
    found += [] if SPECIFICATION in ids(descriptor.get("conformsTo")) else ["the descriptor does not conform to RO-Crate 1.1"]
    found += [] if "Dataset" in kinds(dataset) and root_id.endswith("/") else ["the root is no Dataset whose @id ends with /"]
    found += [f"the root has no {key}" for key in ("name", "description", "datePublished", "license") if not dataset.get(key)]
    found += [] if is_date(dataset.get("datePublished")) else ["datePublished is no ISO 8601 date"]
    for profile in PROFILES:
        known = profile in ids(dataset.get("conformsTo")) and "CreativeWork" in kinds(by_id.get(profile, {}))
        found += [] if known else [f"the root does not conform to {profile}, described as a CreativeWork"]
    return found + data(by_id, dataset, root_id, root) + workflow(by_id, dataset) + runs(by_id, dataset)


def data(by_id, dataset, root_id, root) -> list[str]:
    """Files and folders: below the root, linked from it, and there."""
    found = []
    parts = set(ids(dataset.get("hasPart")))
    for name, entity in by_id.items():
        if not kinds(entity) & {"File", "Dataset"} or name == root_id:
            continue
        found += [] if name in parts else [f"{name} is not linked from the root by hasPart"]
        if re.match(r"[a-z]+:", name):
            continue
        path = root / unquote(name)
        inside = not name.startswith("/") and ".." not in name.split("/") and not re.search(r"[ %](?![0-9A-F]{2})", name)
        found += [] if inside else [f"{name} is no URI path below the root"]
        if "Dataset" in kinds(entity):
            found += [] if path.is_dir() and name.endswith("/") else [f"{name} is no folder"]
        elif not path.is_file():
            found.append(f"{name} does not exist")
        else:
            text = path.read_bytes()
            same = entity.get("contentSize") == str(len(text)) and entity.get("sha256") == sha256(text).hexdigest()
            found += [] if same else [f"{name} has another size or hash"]
    return found


def workflow(by_id, dataset) -> list[str]:
    """The main workflow, its language and its parameters."""
    main = by_id.get((ids(dataset.get("mainEntity")) or [""])[0], {})
    found = [] if {"File", "SoftwareSourceCode", "ComputationalWorkflow"} <= kinds(main) else ["mainEntity is no ComputationalWorkflow"]
    found += [] if main.get("name") else ["the workflow has no name"]
    language = by_id.get((ids(main.get("programmingLanguage")) or [""])[0], {})
    found += [] if "ComputerLanguage" in kinds(language) else ["the workflow has no programmingLanguage"]
    found += [f"the language has no {key}" for key in ("name", "url", "version") if not language.get(key)]
    for name in ids(main.get("input")) + ids(main.get("output")):
        parameter = by_id.get(name, {})
        good = "FormalParameter" in kinds(parameter) and parameter.get("additionalType")
        found += [] if good else [f"{name} is no FormalParameter with an additionalType"]
    return found


def runs(by_id, dataset) -> list[str]:
    """What was executed: with what, on what, by whom, until when, to what end."""
    main = (ids(dataset.get("mainEntity")) or [""])[0]
    actions = [entity for entity in by_id.values() if kinds(entity) & {"CreateAction", "ActivateAction", "UpdateAction"}]
    found = (
        [] if any(main in ids(action.get("instrument")) for action in actions) else ["no action has the main workflow as its instrument"]
    )
    parameters = ids(by_id.get(main, {}).get("input")) + ids(by_id.get(main, {}).get("output"))
    for action in actions:
        name = action["@id"]
        tools = [by_id.get(tool, {}) for tool in ids(action.get("instrument"))]
        found += [] if tools and all(kinds(tool) & TOOLS for tool in tools) else [f"{name} has no instrument that is a tool"]
        found += [] if name in ids(dataset.get("mentions")) else [f"{name} is not mentioned by the root"]
        found += [] if is_date(action.get("endTime")) and "T" in action["endTime"] else [f"{name} has no endTime in ISO 8601"]
        agents = [by_id.get(agent, {}) for agent in ids(action.get("agent"))]
        found += [] if agents and all(kinds(agent) & {"Person", "Organization"} for agent in agents) else [f"{name} has no agent"]
        found += [f"{name} has no {key}" for key in ("name", "description", "object", "result") if not action.get(key)]
        for item in [*ids(action.get("object")), *ids(action.get("result"))]:
            realised = ids(by_id.get(item, {}).get("exampleOfWork"))
            found += [f"{item} realises {one}, which is no parameter of the workflow" for one in realised if one not in parameters]
    return found
