"""Tabs that one test after the other opens: what their renderer has compiled stays compiled.

A page of the app is there after 0.5 s of the processor in such a tab, and after 1.7 s in a new
context (Chromium 150).
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any, Final

from playwright.sync_api import Browser, Error, Page

ONE_RENDERER: Final = "--process-per-site"
"""Without it, a tab that comes back to a site has a new renderer there."""

_FORGET: Final = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Tabs:
    """Each has a context of its own, and nothing of whoever had it before.

    Args:
        browser: started with `ONE_RENDERER`, for them to be worth it.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def lend(self, **options: Any) -> Page:
        """An empty one with these options of a context."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        return free.pop() if free else self._browser.new_context(**options).new_page()

    def take_back(self, page: Page, address: str, **options: Any) -> None:
        """Empties a tab that was lent for an address with these options; or closes it."""
        try:
            page.unroute_all(behavior="ignoreErrors")
            page.goto("about:blank")
            page.mouse.move(-1, -1)
            devtools = page.context.new_cdp_session(page)
            devtools.send("Page.resetNavigationHistory")
            devtools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
            devtools.detach()
            page.context.clear_cookies()
            assert len(page.context.pages) == 1
        except (Error, AssertionError):
            page.context.close()
        else:
            self._free[repr(sorted(options.items()))].append(page)


tabs_of: Final = cache(Tabs)
"""Those of a browser."""


def forget(page: Page) -> None:
    """Empties what a page has stored; all that it has complained of until now is heard."""
    with suppress(Error):  # it is gone, or never came
        page.evaluate(_FORGET)
