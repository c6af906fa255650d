"""The MUST rules of the CODECHECK configuration file specification 1.0, by the identifiers of the register's list, without a network."""

import re
from pathlib import Path

import yaml

PLACEHOLDER = re.compile(r"FIXME|TODO|XXXXX", re.IGNORECASE)


def orcid_is_valid(text: str) -> bool:
    """ISO 7064 11-2: the last of 16 digits is a checksum."""
    if not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", text):
        return False
    total = 0
    for digit in text.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return text[-1] == ("X" if check == 10 else str(check))


def faults(root: Path) -> list[str]:
    """All that is wrong with the bundle whose root is this folder."""
    path = root / "codecheck.yml"
    try:
        text = path.read_bytes().decode("utf-8")
        known = yaml.safe_load(text)
    except FileNotFoundError:
        return ["CC-CFG-003: there is no codecheck.yml at the root"]
    except (UnicodeDecodeError, yaml.YAMLError):
        return ["CC-CFG-001: not YAML in UTF-8"]
    found = [] if text.startswith("---\n") else ["CC-CFG-002: does not start with ---"]
    if not isinstance(known, dict):
        return [*found, "CC-CFG-004: no manifest"]
    manifest = known.get("manifest")
    found += [] if isinstance(manifest, list) and manifest else ["CC-CFG-004: no manifest"]
    for item in manifest if isinstance(manifest, list) else []:
        file = item.get("file") if isinstance(item, dict) else None
        if not isinstance(file, str) or not file:
            found.append("CC-CFG-005: an item without a file")
        elif file.startswith("/") or ".." in file.split("/"):
            found.append(f"CC-CFG-006: {file} is not relative")
        elif not (root / file).is_file():
            found.append(f"CC-BUN-001: {file} does not exist")
    found += people(known.get("codechecker"), "CC-CFG-008: no codechecker", "CC-CFG-009: a codechecker without a name")
    found += [] if known.get("report") else ["CC-CFG-011: no report"]
    found += (
        []
        if re.fullmatch(r"https://codecheck\.org\.uk/spec/config/1\.0/?", str(known.get("version")))
        else ["CC-CFG-015: no known version"]
    )
    paper = known.get("paper")
    if not isinstance(paper, dict):
        return [*found, "CC-CFG-016: no paper"]
    found += [f"CC-CFG-017: no paper.{key}" for key in ("title", "reference") if not paper.get(key)]
    found += people(paper.get("authors"), "CC-CFG-018: no authors", "CC-CFG-019: an author without a name")
    found += ["CC-CFG-023: a placeholder"] if PLACEHOLDER.search(text) else []
    certificate = known.get("certificate")
    return found + ([] if certificate is None or re.fullmatch(r"\d{4}-\d{3}", str(certificate)) else ["CC-CFG-026: not YYYY-NNN"])


def people(entries, none: str, nameless: str) -> list[str]:
    """A list of at least one person, each with a name; an ORCID is plain and valid."""
    if not isinstance(entries, list) or not entries:
        return [none]
    found = [nameless for entry in entries if not isinstance(entry, dict) or not entry.get("name")]
    orcids = [str(entry["ORCID"]) for entry in entries if isinstance(entry, dict) and "ORCID" in entry]
    return found + [f"CC-MET-001: {orcid} is no ORCID" for orcid in orcids if not orcid_is_valid(orcid)]
