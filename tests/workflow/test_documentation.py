"""Every command in the documentation works: it is run, or a dry run of it is, or it is only looked at where it needs root or a cluster.

A command that no rule below covers fails. What takes long at the papers' scale is a dry run of Snakemake or of make (-n); what needs a
cluster, root or a finished run is looked at: that the files that it names exist and can be read.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from checkout import Checkout, take_compiled_code_along
from documented import PAGES, Command, commands, fenced, written

ROOT = Path(__file__).parents[2]
Check = Callable[[Checkout, Command], None]
PLAIN = re.compile(r"snakemake(?: -n)?(?: --cores (?:\d+|N|all))?((?: \w+)*)")  # targets and nothing else: one dry run looks at all of them


def run(checkout: Checkout, *words: str, folder: str = ".", **variables: str) -> str:
    """A command in a folder of the clone, which must end well."""
    done = subprocess.run(
        words, cwd=checkout.root / folder, env=checkout.environment(**variables), text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def dry_run(checkout: Checkout, command: Command) -> None:
    """Snakemake with -n, with the files that the page tells to write."""
    for name, text in written(command.page).items():
        if name.endswith((".yaml", ".py")):
            (checkout.root / name).write_text(text, encoding="utf-8")
    printed = checkout.ask("-n", *command.words[1:])
    assert re.search(r"^Job stats:|Nothing to be done", printed, re.MULTILINE), printed


def make(checkout: Checkout, command: Command) -> None:
    """make with -n: that there is the target, and what it would call."""
    assert run(checkout, "make", "-n", *command.words[1:], f"PYTHON={sys.executable}").strip()


def script(checkout: Checkout, command: Command) -> None:
    """A script of the workflow, for real."""
    assert run(checkout, sys.executable, *command.words[1:]).strip()


def script_with(*replaced: tuple[str, str]) -> Check:
    """The same with what stands for something else replaced."""

    def check(checkout: Checkout, command: Command) -> None:
        text = command.text
        for old, new in replaced:
            text = text.replace(old, new)
        script(checkout, Command(text, command.page))

    return check


def helped(checkout: Checkout, command: Command) -> None:
    """Takes long, or wants a run: its parser knows the options that are written. Others test what it does."""
    printed = run(checkout, sys.executable, command.words[1], "--help")
    for word in command.words[2:]:
        assert word.strip("[]").partition("=")[0] in printed, f"{command.words[1]} says nothing of {word}"


def shell_script(checkout: Checkout, command: Command) -> None:
    """Needs root: that the file is there, may be run, and is shell. It runs in .ci/run."""
    path = checkout.root / command.words[0]
    assert os.access(path, os.X_OK)
    run(checkout, "bash", "-n", str(path))


def cluster(checkout: Checkout, command: Command) -> None:
    """Needs a cluster and its plugin: that the profile is there and can be read. tests/slurm sends exhibits through it."""
    profile = checkout.root / command.words[command.words.index("--profile") + 1] / "config.yaml"
    assert isinstance(yaml.safe_load(profile.read_text(encoding="utf-8")), dict)


def elsewhere(path: str) -> Check:
    """Run for real by another file of tests, which must still have it."""

    def check(_: Checkout, command: Command) -> None:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert command.page in text or all(word in text for word in command.words[1:]), f"{path} has not {command.text}"

    return check


def words_of_a_shell(_: Checkout, command: Command) -> None:
    """Of the system and not of this project: cd into a clone, a terminal that outlives a connection, a look at a folder."""
    assert shutil.which(command.words[0]) or command.words[0] in ("git", "cd", ".", "ssh", "tmux")


def marked(_: Checkout, command: Command) -> None:
    """pytest -m takes long: that the marker is known."""
    assert f'"{command.words[-1]}: ' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


RULES: tuple[tuple[str, Check | None], ...] = (
    # the pages whose commands are run by a file of tests of their own
    (r"docs/how_to/module\.md: (?:snakemake .*|python)", elsewhere("tests/workflow/test_module.py")),
    (r"docs/tutorial/index\.md: (?:snakemake --cores .*|python .*)", elsewhere("tests/workflow/test_tutorial.py")),
    (rf"\S+: {PLAIN.pattern}", None),
    (r"\S+: snakemake --unlock", lambda checkout, _: checkout.ask("--unlock") and None),
    (r"\S+: snakemake --report report\.zip", elsewhere("tests/workflow/test_report.py")),
    (r"\S+: snakemake --profile workflow/profiles/\w+.*", cluster),
    (r"\S+: snakemake .*", dry_run),
    (r"\S+: make.*", make),
    (r"\S+: python workflow/scripts/replay\.py(?: TARGET)?", script_with(("replay.py", "replay.py lp2s_table2"), (" TARGET", ""))),
    (r"\S+: python workflow/scripts/verify\.py(?: \[FOLDER\])?", script_with((" [FOLDER]", " figures"))),
    (r"\S+: python workflow/scripts/verify\.py results/.*", helped),
    (r"\S+: python workflow/scripts/selftest\.py", helped),  # a minute: tests/unit/test_selftest.py, and three times in .ci/run
    (r"\S+: python workflow/scripts/verdicts\.py --accept", helped),  # would accept what stands in figures/audit/claims.json
    (r"\S+: python workflow/scripts/codemeta\.py", helped),  # says nothing; tests/unit/test_catalogue.py holds what it writes
    (r"\S+: python workflow/scripts/\w+\.py .*", script),
    (r"\S+: python benchmarks/[\w/]+\.py.*", helped),
    (r"\S+: (?:\.ci/run|tests/\w+/\w+\.sh)(?: all)?", shell_script),
    (r"\S+: pytest -m \w+", marked),
    (r"\S+: sha256sum --check MANIFEST\.sha256", lambda checkout, command: run(checkout, *command.words, folder="figures") and None),
    (r"\S+: (?:git clone <this repository>|cd banditpapers|\. \.venv/bin/activate|ssh \S+|tmux|ls figures/)", words_of_a_shell),
)
ALL = [command for page in PAGES for command in commands(page)]


def rule_of(command: Command) -> int | None:
    """The first rule that covers a command."""
    return next((i for i, (pattern, _) in enumerate(RULES) if re.fullmatch(pattern, f"{command.page}: {command.text}")), None)


def single() -> list[Command]:
    """Commands that are looked at one by one: each once, with the page where that matters."""
    found: dict[object, Command] = {}
    for command in ALL:
        rule = rule_of(command)
        if rule is not None and RULES[rule][1] is not None:
            # -n and --cores make no difference to a dry run
            text = re.sub(r" (?:-n|--cores \w+)(?= |$)", "", command.text) if RULES[rule][1] is dry_run else command.text
            found.setdefault((text, *written(command.page).values()), command)
    return list(found.values())


@pytest.fixture(scope="module")
def clone(fresh, tmp_path_factory):
    """A clone of this module's own: dry runs leave something behind."""
    checkout = fresh.clone(tmp_path_factory.mktemp("documentation") / "banditpapers")
    take_compiled_code_along(checkout)
    return checkout


def test_every_command_is_covered_and_every_rule_is_needed():
    rules = {command: rule_of(command) for command in ALL}
    assert [f"{command.page}: {command.text}" for command, rule in rules.items() if rule is None] == []
    assert set(range(len(RULES))) - set(rules.values()) == set()
    assert len(ALL) > 100


def test_every_target_in_the_documentation_can_be_made(clone):
    plain = [match for command in ALL if (match := PLAIN.fullmatch(command.text)) and not command.page.endswith("module.md")]
    targets = sorted({target for match in plain for target in match[1].split()})
    assert len(targets) > 40
    assert set(clone.dry_run(*targets).exhibits) >= {target for target in targets if "_" in target}


@pytest.mark.parametrize("command", single(), ids=lambda command: f"{command.page}: {command.text}"[:90])
def test_a_command_does_what_it_says(clone, command):
    rule = rule_of(command)
    assert rule is not None
    check = RULES[rule][1]
    assert check is not None
    check(clone, command)


def test_the_python_on_a_page_runs(clone):
    texts = [text for language, text in fenced("docs/reference/python.md") if language == "python"]
    assert texts
    for text in texts:
        assert run(clone, sys.executable, "-c", text, PYTHONPATH="src").strip()
