"""The checks of the built site, on small sites of a few lines, and its settings. `make docs` builds the whole one."""

import importlib.util
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def links():
    """The hook's module, which needs the standard library alone."""
    spec = importlib.util.spec_from_file_location("links", ROOT / "docs/hooks/links.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = '<h1 id="top">x</h1><a href="other.html#there">y</a><img src="a%20b.png"><a href="https://example.org">z</a>'
OTHER = '<a name="there"></a><a href="folder/">f</a>'


def site(folder: Path, page: str) -> Path:
    """Two pages, a picture and a folder with an index."""
    (folder / "folder").mkdir()
    for name, text in {"page.html": page, "other.html": OTHER, "folder/index.html": "", "a b.png": ""}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_whole_site_has_no_faults(links, tmp_path):
    assert list(links.faults(site(tmp_path, PAGE))) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<a href="gone.html">x</a>', "page.html links to gone.html, which there is not"),
        ('<a href="../page.html">x</a>', "page.html links to ../page.html, which there is not"),
        ('<a href="other.html#nowhere">x</a>', "page.html links to other.html#nowhere, but other.html has no such anchor"),
        ('<a href="#nowhere">x</a>', "page.html links to #nowhere, but page.html has no such anchor"),
        ('<img src="gone.png">', "page.html links to gone.png, which there is not"),
        (
            '<script src="https://cdn.example/x.js"></script>',
            "page.html loads https://cdn.example/x.js, which another machine would have to send",
        ),
        ('<link rel="stylesheet" href="//fonts.example/x.css">', "page.html loads //fonts.example/x.css, which another machine"),
        ('<link rel="preconnect" href="https://fonts.example">', "page.html loads https://fonts.example, which another machine"),
    ],
)
def test_a_fault_is_named(links, tmp_path, text, said):
    (found,) = links.faults(site(tmp_path, PAGE + text))
    assert found.startswith(said)


def test_a_folder_without_pages_is_no_site(links, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["links.py", str(tmp_path)])
    with pytest.raises(SystemExit, match="holds no page; write the folder of a built site"):
        links.main()


def test_the_site_asks_no_other_machine_for_anything():
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert settings["theme"]["font"] is False
    assert {"search", "offline"} <= {name for name in settings["plugins"] if isinstance(name, str)}
    assert all(not re.match("https?:", script) for script in settings["extra"]["polyfills"])
    assert {**settings["validation"]["links"]} == dict.fromkeys(("not_found", "anchors", "absolute_links", "unrecognized_links"), "warn")


def test_every_page_of_the_site_is_in_its_navigation_once():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    nav = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", text, re.MULTILINE)
    assert len(nav) == len(set(nav))
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written <= set(nav)
