"""Imports go one way, and nothing in the package knows the workflow engine."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from banditpapers.plugins import names

SOURCE = Path(__file__).parents[2] / "src" / "banditpapers"
ALLOWED = {  # room: the rooms that it may import besides itself and the spine
    "kernels": set(),
    "data": set(),
    "environments": {"kernels", "data"},
    "algorithms": {"kernels", "environments"},
    "own": {"environments"},
    "papers": {"kernels", "environments", "algorithms", "own"},
}
SPINE_FREE = {"kernels"}  # imports nothing else of the package


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "banditpapers"}
    return found


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_imports_go_one_way(path: Path):
    parts = path.relative_to(SOURCE).parts
    room = parts[0] if len(parts) > 1 else None
    for name in imported(path):
        assert not name.startswith("snakemake"), f"{path} imports {name}: the package does not know the workflow engine"
        words = name.split(".")
        if words[0] != "banditpapers" or len(words) < 2:
            continue
        target = words[1]
        if target in ALLOWED:
            assert room is not None, f"the spine module {path.name} imports the room {target}"
            assert target == room or target in ALLOWED[room], f"{path} of {room} imports {target}"
        else:
            assert room not in SPINE_FREE, f"{path} imports {name}: kernels import nothing else of the package"


def test_no_paper_imports_another():
    for path in (SOURCE / "papers").rglob("*.py"):
        own = path.relative_to(SOURCE / "papers").parts[0]
        for name in imported(path):
            if name.startswith("banditpapers.papers."):
                assert name.split(".")[2] == own, f"{path} imports {name}"


def test_files_stay_small():
    long = {path.name: n for path in files() if (n := len(path.read_text(encoding="utf-8").splitlines())) > 220}
    assert not long, f"split these: {long}"


def test_algorithms_are_found_by_their_files():
    assert {"lp2s", "batch_racing", "batched_thompson", "two_stage_exploration"} <= set(names("algorithms"))
    assert {"linear_thompson", "balanced_thompson", "doubly_robust_thompson", "doubly_robust_data"} <= set(names("algorithms"))
    assert not any(name.startswith("_") for name in names("algorithms")), "what algorithms share is none"
    assert names("environments") == ["beta_bernoulli", "constrained_arms", "fixed_arms", "linear_contexts", "rated_arms"]


def test_environment_file_has_the_pins_of_the_lock():
    root = SOURCE.parents[1]
    environment = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))
    python, _, packages = environment["dependencies"]
    assert python == "python=3.11"
    assert 'requires-python = ">=3.11"' in (root / "pyproject.toml").read_text(encoding="utf-8")
    lock = (root / "requirements.lock").read_text(encoding="utf-8")
    entries = re.findall(r"^([A-Za-z0-9._-]+==.*?) ?\\?$", lock, re.MULTILINE)
    pins = [entry for entry in entries if "python_full_version >= '3.12'" not in entry]
    assert packages["pip"] == [pin.replace(" ; python_full_version < '3.12'", "") for pin in pins]


def test_every_pin_has_a_hash_and_no_host_is_named():
    lock = (SOURCE.parents[1] / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"(?m)^(?=[A-Za-z0-9._-]+==)", lock)[1:]
    assert len(entries) > 50
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "https://" not in lock
