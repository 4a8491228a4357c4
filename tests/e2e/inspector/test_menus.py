"""The menus of files: wherever they are opened, each of their links can be reached and tapped."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.e2e.inspector.film.shelf import put_film
from tests.e2e.inspector.page import put
from tests.e2e.inspector.server import Shelf, serving
from tests.e2e.inspector.test_beam import put_beam
from tests.e2e.inspector.test_pair import put_pair, two_traces
from tests.viz.inspector.made import trace
from viz.text.inspector import TEXT
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e

MODULES = {
    "inspect": "main.js",
    "step": "main.js",
    "pair": "compare/main.js",
    "film": "film/main.js",
    "beam": "beam/main.js",
}
SIZES = ((390, 844), (1280, 720), (844, 390))
COARSE = "matchMedia('(pointer: coarse)').matches"
LEAST, LEAST_BY_TOUCH = 24, 36
"""Pixels; WCAG 2.5.8 asks for the first."""


def shelf_of(name: str) -> Shelf:
    shelf = Shelf()
    if name == "pair":
        put_pair(shelf, two_traces())
    elif name == "film":
        put_film(shelf)
    elif name == "beam":
        put_beam(shelf, "en", "abc")
    else:
        put(shelf, name, trace(), view="step" if name == "step" else "inspect")
    return shelf


def put_at(page: Page, summary: Locator, edge: str) -> None:
    """Scrolls to where the menu's button is at an edge of the window, with page all around it."""
    expect(summary).to_have_css("list-style-type", "none")  # the sheet is here
    page.evaluate("document.body.style.paddingBlock = '1000px'")
    summary.evaluate("(button, block) => button.scrollIntoView({ block })", edge)


def assert_reached(page: Page, least: float) -> None:
    """Each link is within the window, uncovered where it is tapped, and large enough for that."""
    found = page.locator(".hl-export-link:visible").evaluate_all(
        """links => links.map((link) => {
          link.focus();
          const box = link.getBoundingClientRect();
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
          const there = link.getRootNode().elementFromPoint(x, y);
          return [box.left, box.top, innerWidth - box.right, innerHeight - box.bottom,
            box.width, box.height, there === link];
        })"""
    )
    assert len(found) >= 5
    for *around, width, height, uncovered in found:
        assert min(around) >= 0
        assert min(width, height) >= least
        assert uncovered


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", MODULES)
def test_every_link_is_reached(browser: Browser, name: str, size: tuple[int, int]) -> None:
    """Whether the menu is opened at the window's start or at its end."""
    width, height = size
    phone = min(size) < 600
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone
    )
    with serving(shelf_of(name)) as base:
        page = context.new_page()
        page.goto(f"{base}?data={name}&module={MODULES[name]}")
        summary = page.get_by_test_id("hl-export")
        press = summary.tap if phone else summary.click
        links = page.locator(".hl-export-link:visible")
        for edge in ("start", "end"):
            put_at(page, summary, edge)
            press()
            expect(links.first).to_be_in_viewport()
            assert page.evaluate(COARSE) == phone
            assert_reached(page, LEAST_BY_TOUCH if phone else LEAST)
            press()
            expect(links).to_have_count(0)
        context.close()


@pytest.mark.parametrize("name", MODULES)
def test_what_is_open_is_seen_whole_without_scrolling(browser: Browser, name: str) -> None:
    """At the window's end it opens upward; on a phone as on a desk."""
    page = browser.new_page()
    with serving(shelf_of(name)) as base:
        for width, height in SIZES[:2]:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{base}?data={name}&module={MODULES[name]}")
            summary = page.get_by_test_id("hl-export")
            put_at(page, summary, "end")
            before = page.evaluate("scrollY")
            summary.click()
            for link in page.locator(".hl-export-link:visible").all():
                expect(link).to_be_in_viewport(ratio=1)
            assert page.evaluate("scrollY") == before
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_the_server_has_no_room_a_sentence_says_so(
    browser: Browser, language: Language
) -> None:
    """And the link stays: pressed again when there is room, it brings the file."""
    shelf, full = Shelf(), True
    put(shelf, "inspect", trace(), language=language)

    def answer(route: Route) -> None:
        if full:
            assert route.request.method == "HEAD", "the file itself was asked for"
            route.fulfill(status=503, headers={"Retry-After": "5"})
        else:
            route.fulfill(body=b"%PDF", headers={"Content-Disposition": "attachment"})

    with serving(shelf) as base:
        page = browser.new_page()
        page.route("**/export/**", answer)
        page.goto(f"{base}?data=inspect&module=main.js")
        page.get_by_test_id("hl-export").click()
        link, busy = page.locator('[data-form="grid.pdf"]'), page.get_by_test_id("hl-export-busy")
        expect(busy).to_be_hidden()
        link.click()
        expect(busy).to_have_text(TEXT[language].export_busy)
        full = False
        with page.expect_download():
            link.click()
        expect(busy).to_be_hidden()
        page.close()


def link_copied(context: BrowserContext, base: str, query: str = "") -> tuple[Page, Locator]:
    """A page whose link was asked for, and what was said of that."""
    page = context.new_page()
    page.goto(f"{base}?data=inspect&module=main.js{query}")
    page.get_by_test_id("hl-export").click()
    page.get_by_test_id("hl-link").click()
    return page, page.get_by_test_id("hl-link-said")


@pytest.mark.parametrize("by_http", [False, True])
def test_the_link_to_what_is_in_view_is_copied(browser: Browser, *, by_http: bool) -> None:
    """Also where a page has no clipboard, as by plain http from another machine."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    if by_http:
        context.add_init_script("Object.defineProperty(navigator, 'clipboard', {})")
    with serving(shelf_of("inspect")) as base:
        page, said = link_copied(context, base)
        expect(said).to_have_text(TEXT["en"].link_local.format(host="127.0.0.1"))
        page.evaluate("document.body.append(document.createElement('textarea'))")
        field = page.locator("textarea")
        field.focus()
        page.keyboard.press("Control+V")
        expect(field).to_have_value(page.url)
        page.get_by_test_id("hl-export").click()
        expect(said).to_be_empty()
    context.close()


@pytest.mark.parametrize("query", ["", "&left_out=source"])
def test_what_a_link_has_no_room_for_and_what_is_not_copied_is_said(
    browser: Browser, query: str
) -> None:
    context = browser.new_context()
    if not query:
        context.add_init_script("Object.defineProperty(navigator, 'clipboard', {})")
        context.add_init_script("document.execCommand = () => false")
    with serving(shelf_of("inspect")) as base:
        _, said = link_copied(context, base, query)
        words = TEXT["en"]
        expected = words.link_left_out if query else words.link_failed
        expect(said).to_have_text(expected)
    context.close()
