"""The audit's page in a real browser: filters, sorting, search, addresses, keyboard, download, print, contrast, size and time."""

import csv
import io

import pytest

pytestmark = pytest.mark.browser


def shown(page):
    """The anchors of the claims in the table, as they stand there."""
    return page.eval_on_selector_all("#table > tbody:not([hidden])", "rows => rows.map(row => row.id)")


def cells(page, column):
    """What the shown rows have in a column: numbers where there are numbers."""
    return page.eval_on_selector_all(
        f"#table > tbody:not([hidden]) .row .{column}",
        "cells => cells.map(cell => { const data = cell.querySelector('data'); return data ? data.value : cell.textContent.trim(); })",
    )


def until(page, expression, *arguments):
    """Ask the page until it says yes, for five seconds; its own rules forbid that it asks itself."""
    for _ in range(100):
        if page.evaluate(expression, *arguments):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"still not: {expression}")


def address(page):
    """What stands after # in the address."""
    return page.evaluate("location.hash.slice(1)")


def test_it_is_small_and_opens_at_once(visit, site, capsys):
    page = visit()
    timing = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    size = site.path.stat().st_size
    with capsys.disabled():
        print(f"\n{site.path.parent.parent.name}: {len(site.claims)} claims, {size / 1e6:.2f} MB, opened in {timing:.0f} ms", end=" ")
    assert size < 3_000_000
    assert shown(page) == site.ids()
    assert page.locator("#said").inner_text() == f"{len(site.claims)} of {len(site.claims)} claims"
    assert page.title() == "banditpapers: do the papers hold?", "a text of the audit ran as a script"


@pytest.mark.parametrize("name", ["paper", "kind", "verdict", "exhibit"])
def test_a_filter_leaves_what_it_names_and_stands_in_the_address(visit, site, name):
    page = visit()
    value = site.claims[-1][name]
    page.locator(f"#filters [name={name}]").select_option(label=value)
    wanted = site.ids(lambda claim: claim[name] == value)
    assert 0 < len(wanted) < len(site.claims)
    assert shown(page) == wanted
    again = visit(address(page))
    assert shown(again) == wanted
    again.get_by_role("button", name="Show all").first.click()
    until(again, f"document.querySelector('#said').textContent.startsWith('{len(site.claims)} of')")
    assert shown(again) == site.ids()


def test_readings_whose_verdicts_differ(visit, site):
    page = visit("readings=differ")
    assert shown(page) == site.ids(lambda claim: len({reading["verdict"] for reading in claim["readings"]}) > 1)


def test_search_finds_words_in_any_order_and_says_when_there_is_none(visit, site):
    page = visit()
    claim = site.claims[len(site.claims) // 2]
    words = [*claim["where"].split()[:2], claim["id"]]
    page.locator("[name=q]").fill(" ".join(reversed(words)).upper())
    found = shown(page)
    assert f"{claim['paper']}-{claim['id']}" in found
    assert len(found) < len(site.claims)
    page.locator("[name=q]").fill("no claim has such a word")
    assert shown(page) == []
    page.locator("#clear").click()
    until(page, "document.querySelector('#none').hidden")
    assert shown(page) == site.ids()


@pytest.mark.parametrize("column", ["value", "measured"])
def test_numbers_sort_by_size_and_none_stands_last(visit, column):
    page = visit()
    for descending in (False, True):
        page.locator(f"[data-sort={column}]").click()
        values = cells(page, column)
        numbers = [float(value) for value in values if value]
        assert numbers == sorted(numbers, reverse=descending)
        assert not any(values[len(numbers) :])
        assert page.locator(f"th.{column}").get_attribute("aria-sort") == ("descending" if descending else "ascending")
    assert address(page) == f"sort=-{column}"
    assert cells(visit(address(page)), column) == values


def test_texts_sort_as_people_count(visit, site):
    page = visit("sort=where")
    where = {name: claim["where"] for name, claim in zip(site.ids(), site.claims, strict=True)}
    sizes = [
        int(text.split("K = ")[1])
        for name in shown(page)
        if (text := where[name]).startswith(("Table 1, K = ", "Table 2, same cost, (1, 1), K = "))
    ]
    assert len(set(sizes)) > 2
    assert sizes == sorted(sizes)


def test_a_deep_link_opens_its_row_whatever_was_filtered(visit, site):
    claim = next(claim for claim in site.claims if len(claim["readings"]) > 1)
    name = f"{claim['paper']}-{claim['id']}"
    page = visit(name)
    row = page.locator(f"[id='{name}']")
    assert row.locator(".fold button").get_attribute("aria-expanded") == "true"
    until(page, "name => { const box = document.getElementById(name).getBoundingClientRect(); return box.top >= 0 && box.top < 300 }", name)
    opened = row.locator(".inner tbody tr")
    assert opened.count() == len(claim["readings"])
    assert opened.locator("td:nth-last-child(2)").all_inner_texts() == [reading["verdict"] for reading in claim["readings"]]
    details = row.locator(".more").inner_text()
    assert claim["command"] in details
    assert claim["rule"].split(";")[0] in details
    page.locator("[name=q]").fill("no claim has such a word")
    page.evaluate("name => { location.hash = name }", name)
    until(page, "name => !document.getElementById(name).hidden", name)


def test_from_a_paper_to_its_main_claim_it_is_one_click(visit, site):
    paper = site.audit["papers"][-1]["key"]
    page = visit(paper)
    page.locator(f"#{paper} .main a").first.click()
    until(page, "document.querySelectorAll('#table > tbody[hidden]').length > 0")
    assert all(name.startswith(f"{paper}-") for name in shown(page))
    assert page.locator("#table > tbody:not([hidden]) .verdict .v").first.is_visible()


def test_the_keyboard_is_enough(visit):
    page = visit("claims")
    page.locator("[name=q]").focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.fold') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Copy"
    page.keyboard.press("Enter")
    until(page, "/^(Copied|Selected)/.test(document.querySelector('#said').textContent)")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"
    page.locator("[data-sort=verdict]").focus()
    page.keyboard.press("Enter")
    assert page.locator("th.verdict").get_attribute("aria-sort") == "ascending"


def test_the_theme_can_be_chosen(visit):
    page = visit(scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    assert page.locator("#theme").get_attribute("aria-pressed") == "true"
    page.locator("#theme").click()
    assert page.evaluate(ground) != dark
    page.reload()
    assert page.locator("#theme").get_attribute("aria-pressed") == "false"


def test_the_download_has_the_shown_claims_under_every_reading(visit, site):
    paper = site.claims[0]["paper"]
    page = visit(f"paper={paper}")
    with page.expect_download() as download:
        page.locator("#csv").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    wanted = [(claim, reading) for claim in site.claims if claim["paper"] == paper for reading in claim["readings"] or [None]]
    assert len(rows) == len(wanted)
    for row, (claim, reading) in zip(rows, wanted, strict=True):
        assert {name: row[name] for name in ("paper", "id", "where", "statement", "kind", "exhibit", "command")} == {
            name: claim[name] for name in ("paper", "id", "where", "statement", "kind", "exhibit", "command")
        }
        judged = reading or claim
        assert (row["verdict"], row["reason"]) == (judged["verdict"], judged["reason"])
        for name, number in (
            ("paper_value", claim["paper_value"]),
            *((name, reading and reading[name]) for name in ("measured", "low", "high")),
        ):
            assert row[name] == ("" if number is None else f"{number:.9g}")


@pytest.mark.parametrize(("view", "scheme"), [("wide", "light"), ("wide", "dark"), ("phone", "light"), ("phone", "dark")])
def test_axe_finds_no_violation(visit, site, view, scheme):
    claim = next(claim for claim in site.claims if len(claim["readings"]) > 1)
    page = visit(f"exhibit={claim['exhibit']}", view, scheme)
    page.locator(f"[id='{claim['paper']}-{claim['id']}'] .fold button").click()
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: tests/browser/ci.sh installs it")
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert len(found.response["passes"]) > 20


def test_a_phone_shows_cards_and_scrolls_one_way_only(visit, site):
    for state in ("", "claims", f"paper={site.claims[0]['paper']}", site.ids()[0], "differences", "readings"):
        page = visit(state, "phone")
        page.wait_for_timeout(100)
        wide = page.evaluate(
            "[...document.querySelectorAll('main *')].filter(one => one.getBoundingClientRect().right > 391)"
            ".slice(0, 5).map(one => one.outerHTML.slice(0, 200))"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, (state, wide)
    assert page.evaluate("getComputedStyle(document.querySelector('#table .row')).gridTemplateColumns.split(' ').length") == 2


def test_print_shows_the_filtered_rows_open(visit, site):
    paper = site.audit["papers"][-1]["key"]
    page = visit(f"paper={paper}&verdict=deviates")
    wanted = site.ids(lambda claim: claim["paper"] == paper and claim["verdict"] == "deviates")
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert len(printed) > 10_000
    page.emulate_media(media="print")
    assert page.locator("#table > tbody:visible").count() == len(wanted) > 0
    assert page.locator("#table > tbody > .more:visible").count() == len(wanted)
    assert page.locator("form:visible, nav:visible, .copy:visible").count() == 0
    page.emulate_media(media="screen")
    assert page.locator("#table > tbody > .more:visible").count() == 0, "after printing rows are as they were"
