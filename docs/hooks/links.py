"""Look at a built site: every relative link and anchor must exist, and nothing may be asked of another machine.

    python docs/hooks/links.py site

Addresses elsewhere (https) are links that a reader may follow; they are not visited here.
"""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src", "object": "data"}
LINK_LOADS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}


class Page(HTMLParser):
    """The links, the loaded things and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag refers to."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found and (name == "id" or tag == "a")}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and LINK_LOADS & set(found.get("rel", "").split()):
            self.loaded.append(found.get("href", ""))
        if tag in LOADED and LOADED[tag] in found:
            self.loaded.append(found[LOADED[tag]])


def faults(site: Path) -> Iterator[str]:
    """One sentence for each dead link, and for each thing that another machine would have to send."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        here = path.relative_to(site.resolve())
        for target in page.loaded:
            if urlsplit(target).scheme not in ("", "data") or target.startswith("//"):
                yield f"{here} loads {target}, which another machine would have to send"
        for target in [*page.links, *page.loaded]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or here.name == "404.html":
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            aim = aim / "index.html" if aim.is_dir() else aim
            if not aim.is_file() or site.resolve() not in aim.parents:
                yield f"{here} links to {target}, which there is not"
            elif parts.fragment and aim in pages and not anchored(pages[aim], unquote(parts.fragment)):
                yield f"{here} links to {target}, but {aim.relative_to(site.resolve())} has no such anchor"


def anchored(page: Page, fragment: str) -> bool:
    """Whether a page has an anchor; the audit's page makes those that contain = or / by itself."""
    return fragment in page.anchors or fragment == "__skip" or "=" in fragment


def main() -> None:
    """Print all faults; exit code 1 where there is one."""
    site = Path(sys.argv[1])
    if not any(site.glob("*.html")):
        sys.exit(f"{site} holds no page; write the folder of a built site")
    found = list(dict.fromkeys(faults(site)))
    print("\n".join(found) or f"{len(list(site.rglob('*.html')))} pages without a dead link, and nothing from another machine")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
