"""What the documentation tells a person to type, and the files that it tells a person to write."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "config").rglob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
)
FENCE = re.compile(r"^([ ]*)```[ ]*(\w*)[^\n]*\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
SHELL = ("", "sh", "bash", "console")  # a block without a language is one of commands; anything else has to say what it is
# what a span of code in a sentence begins with, when it is a command of this project
BEGINS = re.compile(r"(?:\S*\.venv(?:-\w+)?/bin/\S+|snakemake|make|python3?|pytest|sha256sum|\.ci/run|tests/\w+/\w+\.sh)(?= |$)")
WRITTEN = re.compile(
    r"(?:\bfile|\bstudy's) `([\w./]+)`[^\n]*\n(?:(?!```)[^\n]*\n)*?```(?:yaml|python)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE
)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


@dataclass(frozen=True)
class Command:
    """A command, without the folder of the environment that it is run from, and without its comment."""

    text: str
    page: str

    @property
    def words(self) -> list[str]:
        """As a shell splits it."""
        return shlex.split(self.text)


def fenced(page: str) -> list[tuple[str, str]]:
    """The language and the text of each block of code."""
    return [(match[2], match[3]) for match in FENCE.finditer((ROOT / page).read_text(encoding="utf-8"))]


def commands(page: str) -> list[Command]:
    """Every command of a page, in blocks and in sentences, each once."""
    found: list[str] = []
    for language, text in fenced(page):
        if language in SHELL:
            lines = text.replace("\\\n", " ").splitlines()
            found += [part for line in lines for part in parts(line)]
    prose = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    found += [part for span in SPAN.findall(prose) if BEGINS.match(span) for part in parts(span)]
    return [Command(text, page) for text in dict.fromkeys(found)]


def parts(line: str) -> list[str]:
    """The commands of a line: joined by &&, a comment behind them."""
    bare = re.sub(r"(?:^|\s)#.*", "", line).strip().removeprefix("$ ")
    return [re.sub(r"^\S*\.venv(?:-\w+)?/bin/(?!activate)", "", part.strip()) for part in bare.split("&&") if part.strip()]


def written(page: str) -> dict[str, str]:
    """The files that a page tells to write: a block of code below a sentence that says "a file `NAME`" or "the study's `NAME`"."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return {match[1]: match[2] for match in WRITTEN.finditer(text)}
