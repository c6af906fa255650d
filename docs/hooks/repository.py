"""What pages link to outside of docs/ comes along: Markdown as pages, all else as files, below repository/ of the site.

No address of a repository is known here, so that a link to a source file leads to a copy of it. Links are rewritten to those copies; what
does not exist stays as it is, and the strict build ends there.
"""

import posixpath
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
MARKDOWN = re.compile(r"(?<=\]\()([^)\s#]+)")
HTML = re.compile(r"""\b(?:href|src)=["']([^"'#]+)""")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|/")
SHOWN_ALWAYS = ("README.md", "CHANGELOG.md", "figures/README.md", "config/README.md")
AS_THEY_ARE: set[str] = set()


def on_files(files: Files, config: Any) -> Files:
    """Add the files that are linked to, and those that they link to in turn."""
    waiting = [(f"docs/{file.src_uri}", Path(file.abs_src_path or "")) for file in files.documentation_pages() if file.abs_src_path]
    wanted: set[str] = set()
    AS_THEY_ARE.clear()
    for path in SHOWN_ALWAYS:
        wanted.add(path)
        waiting.append((path, ROOT / path))
    while waiting:
        page, source = waiting.pop()
        for path in linked(page, source):
            if page.endswith(".html") and path.endswith(".md"):
                AS_THEY_ARE.add(path)  # such a page says so by the file's name, which is not rewritten
            if path not in wanted:
                wanted.add(path)
                waiting.append((path, ROOT / path))
    for path in sorted(wanted):
        files.append(File.generated(config, f"repository/{path}", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Have links between docs/ and the rest of the repository lead to the copies."""
    here = of_repository(page.file.src_uri)
    return in_prose(markdown, lambda target: posixpath.relpath(placed(place), posixpath.dirname(page.file.src_uri) or ".")
                    if (place := resolved(here, target)) and (ROOT / place).is_file() else target)  # fmt: skip


def on_post_build(config: Any) -> None:
    """Put Markdown that pages of HTML link to beside what was made of it."""
    for path in sorted(AS_THEY_ARE):
        shutil.copyfile(ROOT / path, Path(config.site_dir) / "repository" / path)


def linked(page: str, source: Path) -> Iterator[str]:
    """The files outside of docs/ that a page of the repository links to."""
    if source.suffix not in (".md", ".html"):
        return
    found: list[str] = []
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        in_prose(text, lambda target: found.append(target) or target)
    else:
        found = HTML.findall(text)
    for target in found:
        place = resolved(page, target)
        if place and not place.startswith("docs/") and (ROOT / place).is_file():
            yield place


def in_prose(markdown: str, change: Callable[[str], str]) -> str:
    """The same text with the targets of its links changed, but for those in code."""
    parts = CODE.split(markdown)
    return "".join(part if i % 2 else MARKDOWN.sub(lambda match: change(match[1]), part) for i, part in enumerate(parts))


def resolved(page: str, target: str) -> str | None:
    """The path in the repository that a relative link means; None for an address, and for what lies outside."""
    if SCHEME.match(target):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    return None if path.startswith("..") else path


def of_repository(uri: str) -> str:
    """The path in the repository of a file of the site."""
    return uri.removeprefix("repository/") if uri.startswith("repository/") else f"docs/{uri}"


def placed(path: str) -> str:
    """The other way round."""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"
