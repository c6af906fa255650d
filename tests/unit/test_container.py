"""The Dockerfile's and the Kubernetes profile's lines, as far as they can be judged without a container or a cluster."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
INSTRUCTIONS = {"FROM", "SHELL", "RUN", "WORKDIR", "COPY", "ENV", "ENTRYPOINT", "CMD"}
OPTIONS = {  # of Snakemake and its two plugins, with what a value must look like
    "executor": "kubernetes", "jobs": r"\d+", "cores": r"\d+", "local-cores": r"\d+", "retries": r"\d+",
    "container-image": r"[a-z0-9.-]+/[a-z0-9/-]+:[\w.-]+", "kubernetes-namespace": r"[a-z0-9-]+",
    "default-storage-provider": "s3", "default-storage-prefix": r"s3://[a-z0-9.-]+(/\S*)?", "storage-s3-endpoint-url": r"https://\S+",
    "shared-fs-usage": "none",
}  # fmt: skip
LISTS = {"group-components": r"\w+=\d+", "groups": r"\w+=\w+", "resources": r"\w+=\d+", "set-resource-scopes": r"\w+=(local|global)"}


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], " ".join(line.split()[1:])) for line in lines]


def test_the_dockerfile_keeps_the_usual_rules():
    found = instructions()
    assert {word for word, _ in found} <= INSTRUCTIONS, "ADD, MAINTAINER, sudo and the like are not needed"
    (base,) = [rest for word, rest in found if word == "FROM"]
    assert re.fullmatch(r"[a-z]+:\d[\w.-]+", base), "a base image of a named version"
    for word, rest in found:
        if word == "RUN":
            assert "sudo" not in rest
            assert not re.search(r"\bcd \S+", rest), "WORKDIR is for that"
            if "apt-get install" in rest:
                assert rest.startswith("apt-get update &&")
                assert "--yes --no-install-recommends" in rest
                assert rest.endswith("rm -rf /var/lib/apt/lists/*")
            assert "pip install" not in rest, "the Makefile installs, from a lock file with hashes"
        if word == "WORKDIR":
            assert rest.startswith("/")
        if word in ("ENTRYPOINT", "CMD", "SHELL"):
            assert isinstance(yaml.safe_load(rest), list), f"{word} in its exec form"
    assert [word for word, _ in found].count("ENTRYPOINT") == 1


def test_hadolint_finds_nothing(tmp_path):
    hadolint = shutil.which("hadolint", path=ROOT / ".venv-lint" / "bin") or shutil.which("hadolint")
    if not hadolint:
        pytest.skip("hadolint is missing: make lint-image")

    def found(text: str) -> str:
        (tmp_path / "Dockerfile").write_text(text, encoding="utf-8")
        command = [hadolint, "--no-color", tmp_path / "Dockerfile"]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60).stdout

    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert found(text) == ""
    for rule, changed in {
        "DL3006": text.replace(":3.11-slim-bookworm", ""),
        "DL3008": text.replace("# hadolint ignore=DL3008\n", ""),
        "DL3015": text.replace(" --no-install-recommends", ""),
        "DL3025": text.replace('ENTRYPOINT ["snakemake"]', "ENTRYPOINT snakemake"),
    }.items():
        assert rule in found(changed), "it would be found"


def test_the_image_installs_as_the_guide_says_and_copies_what_that_needs():
    makes = [rest for word, rest in instructions() if word == "RUN" and rest.startswith("make ")]
    assert makes == ["make cluster LOCK_CLUSTER=requirements-kubernetes.lock"]
    assert re.search(r"^make cluster ", (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8"), re.M)
    assert re.search(r"^cluster:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    copied = " ".join(rest for word, rest in instructions() if word == "COPY").split()
    assert all((ROOT / name).exists() for name in copied if not name.startswith("."))


def test_plugins_have_hashes_and_the_pins_of_the_laptop():
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9_.-]+)==([^ ;]+)", (ROOT / name).read_text(encoding="utf-8"), re.M))

    laptop = pins("requirements.lock")
    for name, plugins in {
        "requirements-slurm.lock": {"snakemake-executor-plugin-slurm", "snakemake-executor-plugin-cluster-generic"},
        "requirements-kubernetes.lock": {"snakemake-executor-plugin-kubernetes", "snakemake-storage-plugin-s3"},
    }.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        entries = re.split(r"(?m)^(?=[A-Za-z0-9._-]+==)", text)[1:]
        assert all("--hash=sha256:" in entry for entry in entries)
        assert "://" not in text
        assert plugins <= pins(name).keys()
        assert not plugins & laptop.keys(), "with a plugin every start of Snakemake takes three times as long"
    cluster = pins("requirements-slurm.lock")
    assert {package: cluster.get(package) for package in laptop} == laptop
    numbers = ("llvmlite", "matplotlib", "numba", "pandas", "pyarrow", "snakemake")
    assert [pins("requirements-kubernetes.lock")[package] for package in numbers] == [laptop[package] for package in numbers]


def test_the_kubernetes_profile_has_known_keys_and_says_that_it_was_not_run():
    text = (ROOT / "workflow" / "profiles" / "kubernetes" / "config.yaml").read_text(encoding="utf-8")
    settings = yaml.safe_load(text)
    assert settings.keys() == OPTIONS.keys() | LISTS.keys()
    for key, pattern in OPTIONS.items():
        assert re.fullmatch(pattern, str(settings[key])), key
    for key, pattern in LISTS.items():
        assert all(re.fullmatch(pattern, entry) for entry in settings[key]), key
    slurm = yaml.safe_load((ROOT / "workflow" / "profiles" / "slurm" / "config.yaml").read_text(encoding="utf-8"))
    assert {key: settings[key] for key in LISTS} == {key: slurm[key] for key in LISTS}
    assert "NOT RUN" in text
    assert "NOT built" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert not re.search(r"access.key: *\S", text)
