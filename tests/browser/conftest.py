"""A real headless Chromium, a made-up page and the committed one."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from banditpapers import page
from browser import made_up

COMMITTED = Path(__file__).parents[2] / "figures" / "audit"
VIEWS = {"wide": (1280, 900), "phone": (390, 844)}


@dataclass
class Site:
    """A page on the disk, with the audit that it was made of."""

    path: Path
    audit: dict[str, Any]
    claims: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.claims = self.audit["claims"]

    def url(self, state: str = "") -> str:
        """The address of a state of the page."""
        return self.path.resolve().as_uri() + (f"#{state}" if state else "")

    def ids(self, fits: Callable[[dict[str, Any]], bool] = lambda claim: True) -> list[str]:
        """The anchors of the claims that fit, in the page's order."""
        return [f"{claim['paper']}-{claim['id']}" for claim in self.claims if fits(claim)]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium as the system has it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: tests/browser/ci.sh installs it")
    found = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("Chromium is not installed: tests/browser/ci.sh installs it")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session", params=["made up", "committed"])
def site(request, tmp_path_factory) -> Site:
    """The two pages that every test looks at."""
    if request.param == "committed":
        return Site(COMMITTED / "index.html", json.loads((COMMITTED / "claims.json").read_text(encoding="utf-8")))
    path = tmp_path_factory.mktemp("made up é") / "audit" / "index.html"
    path.parent.mkdir()
    path.write_text(page.render(made_up.audit(), made_up.MAIN, made_up.EXHIBITS), encoding="utf-8")
    return Site(path, made_up.audit())


@pytest.fixture
def visit(browser, site) -> Iterator[Callable[..., Any]]:
    """Opens the page in a state, a view and a colour scheme; at the end no error may have been said and nothing asked of a network."""
    contexts, said = [], []

    def go(state: str = "", view: str = "wide", scheme: str = "light") -> Any:
        width, height = VIEWS[view]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True)
        contexts.append(context)
        opened = context.new_page()
        opened.on("console", lambda message: said.append(message.text))
        opened.on("pageerror", lambda error: said.append(str(error)))
        opened.on("request", lambda asked: asked.url.startswith(("file:", "data:", "blob:")) or said.append(asked.url))
        opened.goto(site.url(state))
        return opened

    yield go
    for context in contexts:
        context.close()
    assert [text for text in said if "ERR_FILE_NOT_FOUND" not in text] == [], (
        "pictures of the made-up page are not there; all else is wrong"
    )
