"""Safe by construction: nothing that is read is run, nothing that is written can be taken for code, and nothing is written elsewhere."""

import ast
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from banditpapers import plotting
from banditpapers.cells import Cell
from banditpapers.configuration import ConfigurationError, load, shipped
from banditpapers.exhibits import Panel, latex, markdown
from banditpapers.plugins import build

ROOT = Path(__file__).parents[2]
OWN = [path for room in ("src", "workflow", "benchmarks") for path in sorted((ROOT / room).rglob("*.py"))]
SOURCES = [*OWN, *sorted((ROOT / "tests").rglob("*.py"))]
SAFE = {"yaml.SafeLoader", "yaml.CSafeLoader", "getattr(yaml, 'CSafeLoader', yaml.SafeLoader)"}
YAML = {"load", "load_all", "full_load", "full_load_all", "unsafe_load", "unsafe_load_all", "compose", "compose_all", "parse", "scan"}
PICKLES = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def calls(tree):
    """Dotted name and keyword arguments of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {word.arg: ast.unparse(word.value) for word in node.keywords}


# ---- what is read


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_source_reads_or_runs_data_as_code(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {ast.unparse(node.targets[0]): ast.unparse(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)]
            assert PICKLES.isdisjoint(module.split(".")[0] for module in modules)
            assert modules != ["yaml"] or isinstance(node, ast.Import), "written as yaml.safe_load, so that it can be looked for"
    for name, words in calls(tree):
        if name.startswith("yaml.") and name.removeprefix("yaml.") in YAML:
            assert names.get(words["Loader"], words["Loader"]) in SAFE, name
        assert name.rpartition(".")[2] not in ("read_pickle", "to_pickle", "read_hdf"), name
        assert words.get("allow_pickle", "False") == words.get("shell", "False") == "False", name
        assert path not in OWN or name not in ("eval", "exec", "compile", "os.system", "os.popen", "__import__"), name


PLAIN = {"summary", "replicates", "code", "seed", "papers", "scale"}  # names, numbers and hashes of ours


def test_no_rule_runs_python_of_its_own_or_leaves_a_path_unquoted():
    """Shell lines call the scripts, and every placeholder that may hold a path or a text is quoted."""
    for path in (ROOT / "Snakefile", *sorted((ROOT / "workflow/rules").glob("*.smk"))):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(run|script|notebook|wrapper):", text, re.MULTILINE), path
        for command in re.findall(r"^    shell:\n((?: {8}.*\n)+)", text, re.MULTILINE):
            found = re.findall(r"\{([a-z][^}]*)\}", command)
            assert found
            for name in found:
                assert name.endswith(":q") or name.startswith(("wildcards.", "resources.")) or name.removeprefix("params.") in PLAIN, (
                    f"{path}: {name}"
                )


@pytest.mark.parametrize(
    "snippet",
    [
        "scale: !!python/object/apply:os.system ['touch pwned']",
        "scale: !!python/name:os.system",
        "scale: !!python/object/new:type {}",
        "results: $(touch pwned)",
        "results: a; touch pwned",
        "results: ../elsewhere",
        "figures: /tmp/elsewhere",
        "results: results/../../elsewhere",
        "papers: [../../evil]",
        "papers: [os]",
    ],
)
def test_a_configuration_runs_nothing_and_names_no_other_place(tmp_path, monkeypatch, snippet):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(snippet, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="line 1"):
        load([*shipped(ROOT), tmp_path / "mine.yaml"])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yaml"]


@pytest.mark.parametrize("name", ["os", "../evil", "evil", "banditpapers.seeding", "__init__", "_linear", "lp2s.Lp2s", "", "lp2s\n"])
def test_only_what_lies_among_the_algorithms_is_imported(tmp_path, monkeypatch, name):
    (tmp_path / "evil.py").write_text("raise SystemExit('executed')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="there is no algorithm"):
        build("algorithms", {"name": name})


# ---- what is written

MARKUP = '<script>alert("1")</script> & <img src=x onerror=y> <!-- z --> 100 % of $K_1$ {a} \\input{/etc/passwd} ~^#'


def test_markdown_holds_no_element_and_latex_no_command():
    panels = [Panel(MARKUP, (MARKUP, "p < 0.05"), ((MARKUP, "a | b"),))]
    page = markdown(MARKUP, panels)
    assert not re.search(r"<[A-Za-z/!?]", page)
    assert "p < 0.05" in page
    source = latex(MARKUP, panels)
    commands = set(re.findall(r"\\([A-Za-z]+)", source.replace(r"\textbackslash{}", "")))
    assert commands == {"begin", "end", "centering", "caption", "par", "medskip", "toprule", "midrule", "bottomrule"}
    assert not re.search(r"(?<!\\)[%#$]", source)
    assert source.count("{") - source.count(r"\{") == source.count("}") - source.count(r"\}")


def test_svg_holds_no_element_of_a_text(tmp_path):
    figure, (axes,) = plotting.new_figure(1, 1, (2, 2))
    axes.set_title(MARKUP.replace("$", ""))
    plotting.save(figure, tmp_path / "x.svg")
    elements = {element.tag.rpartition("}")[2] for element in ET.parse(tmp_path / "x.svg").iter()}
    assert elements.isdisjoint({"script", "img", "foreignObject", "image"})


# ---- where it is written

WATCH = """
import os, sys
def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = any(letter in mode for letter in "wax+") if isinstance(mode, str) else flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes and not isinstance(path, int):
            found.append(os.path.abspath(os.fsdecode(path)))
    elif event in ("os.mkdir", "os.remove", "os.truncate"):
        found.append(os.path.abspath(os.fsdecode(arguments[0])))
    elif event in ("os.rename", "os.link", "os.symlink"):
        found.extend(os.path.abspath(os.fsdecode(path)) for path in arguments[:2])
    elif event in ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect") and arguments[0] != "fc-list":
        found.append(f"/runs {event}")  # matplotlib asks fc-list for fonts
import atexit
found = []
sys.addaudithook(watch)
atexit.register(lambda: os.write(2, ("WRITTEN " + "\\nWRITTEN ".join(found) + "\\n").encode()))
"""
CELL = Cell("lp2s", {"name": "beta_bernoulli", "arms": 6, "prior": [1, 1]}, {"name": "two_stage_exploration", "budgets": [7, 50]})
AWKWARD = 'l\'été "à" Zürich; $(touch pwned) & co'


def watched(folder, script, *arguments):
    """Run a script of the workflow in a folder, by hand; returns what it wrote, by path."""
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("MPLCONFIGDIR", "PYTHONPATH")},
        "HOME": str(folder / "home"), "PYTHONPATH": str(folder / "watch"), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, ROOT / "workflow/scripts" / script, *arguments], cwd=folder / AWKWARD, env=environment, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {Path(line[8:]) for line in done.stderr.splitlines() if line.startswith("WRITTEN /")}


def test_awkward_paths_are_names_and_nothing_is_written_elsewhere(tmp_path):
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch/sitecustomize.py").write_text(WATCH)
    (tmp_path / "home").mkdir()
    work = tmp_path / AWKWARD
    work.mkdir()
    claims, table = ROOT / "config/claims/lp2s.yaml", f"{AWKWARD}/table1.parquet"
    written = watched(
        tmp_path, "simulate.py", "--cell", CELL.json, "--first", "0", "--last", "3", "--master-seed", "1", "--code", "x",
        "--output", f"{AWKWARD}/0-3.parquet",
    )  # fmt: skip
    written |= watched(
        tmp_path, "summarise.py", "--paper", "lp2s", "--summary", "literature", "--replicates", "1", "--parameters", "{}",
        "--claims", str(claims), "--code", "x", "--output", table,
    )  # fmt: skip
    written |= watched(
        tmp_path, "exhibit.py", "--paper", "lp2s", "--kind", "table", "--name", "table1", "--tidy", table, "--claims", str(claims),
        "--code", "x", "--output", f"{AWKWARD}/table1.csv",
    )  # fmt: skip
    assert {path.name for path in (work / AWKWARD).iterdir()} == {
        "0-3.parquet", "table1.parquet", "table1.csv", "table1.md", "table1.tex", "table1.json",
    }  # fmt: skip
    json.loads((work / AWKWARD / "table1.json").read_text(encoding="utf-8"))
    caches = (Path(os.environ["NUMBA_CACHE_DIR"]), ROOT / ".matplotlib")
    elsewhere = {path for path in written if not any(path.is_relative_to(allowed) for allowed in (work, *caches))}
    assert not elsewhere
    assert any(path.is_relative_to(work) for path in written), "or nothing was watched"
    assert list((tmp_path / "home").iterdir()) == []
    assert not list(tmp_path.rglob("pwned"))
