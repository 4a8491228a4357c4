"""A browser, a shelf of made traces, and a page that fails on any complaint."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.inspector.page import Harness, Open, ears, put, watch
from tests.e2e.inspector.server import Shelf, serving, serving_what
from tests.e2e.tabs import tabs_of
from tests.viz.inspector.made import trace


@pytest.fixture(scope="session")
def browser(chromium: Browser) -> Browser:
    return chromium


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page with the default trace, for tests that call its modules."""
    shelf = Shelf()
    put(shelf, "default", trace())
    with serving(shelf) as base:
        here = watch(browser.new_page(), base)
        here.open()
        yield here.page
        here.page.close()


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    put(shelf, "default", trace())
    return shelf


@pytest.fixture(scope="session")
def served() -> Iterator[tuple[list[Shelf], str]]:
    """One server for all tests: a page that comes back to it has its modules. Its last shelf."""
    shelves = [Shelf()]
    with serving_what(lambda: shelves[-1]) as base:
        yield shelves, base


@pytest.fixture
def opened(browser: Browser, shelf: Shelf, served: tuple[list[Shelf], str]) -> Iterator[Open]:
    """Opens a data set of the shelf; whatever the browser complains of fails the test."""
    shelves, base = served
    shelves[:] = [shelf]
    lent: list[Harness] = []
    tabs = tabs_of(browser)

    def open_page(
        name: str = "default",
        query: str = "",
        *,
        size: tuple[int, int] = (1366, 768),
        status: str = "exact",
        touch: bool = False,
        ratio: float = 1,
        alone: bool = False,
    ) -> Harness:
        problems: list[str] = []
        options: dict[str, Any] = {"has_touch": touch, "device_scale_factor": ratio}
        page = tabs.lend(base.rstrip("/"), ears(problems, base), size, alone=alone, **options)
        harness = Harness(page, base, problems)
        lent.append(harness)
        harness.open(name, query, status=status)
        return harness

    yield open_page
    for harness in lent:
        tabs.take_back(harness.page)
        assert harness.problems == []


@pytest.fixture
def here(browser: Browser) -> Iterator[Harness]:
    """A page without a network; whatever it complains of or asks for fails the test."""
    context = browser.new_context(offline=True, viewport={"width": 1366, "height": 900})
    harness = watch(context.new_page(), "file:///")
    yield harness
    context.close()
    assert harness.problems == []
