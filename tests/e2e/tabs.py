"""Tabs that one test after the other opens: what their renderer has compiled stays compiled.

A page of the app is there after 0.5 s of the processor in such a tab, and after 1.7 s in a new
context (Chromium 150).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Error, Page

Ears = Mapping[str, Callable[..., None]]
"""Who is told of a page's events, by their name."""

ONE_RENDERER: Final = "--process-per-site"
"""Without it, a tab that comes back to a site has a new renderer there."""

_KEPT: Final = 2  # of each kind: a renderer takes some 100 MB

_FORGET: Final = "() => { localStorage.clear(); sessionStorage.clear(); }"


class Tabs:
    """Each has a context of its own, and nothing of whoever had it before.

    Args:
        browser: started with `ONE_RENDERER`, for them to be worth it.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}
        self._lent: dict[Page, tuple[str, Ears, str]] = {}

    def lend(
        self,
        address: str,
        ears: Ears,
        size: tuple[int, int] = (1366, 768),
        color_scheme: Literal["light", "dark"] = "light",
        *,
        alone: bool = False,
        **options: Any,
    ) -> Page:
        """An empty one, for pages of one address, with these options of a context.

        Args:
            alone: nobody has it before or after, since what is done to it cannot be undone
                (`route_web_socket`, `add_init_script`).
        """
        kind = "" if alone else repr(sorted(options.items()))
        free = self._free.setdefault(kind, [])
        page = free.pop() if free else self._browser.new_context(**options).new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(  # whatever was emulated for the test before
            media="null",
            color_scheme=color_scheme,
            reduced_motion="null",
        )
        for event, ear in ears.items():
            page.on(event, ear)  # type: ignore[call-overload]
        self._lent[page] = address, ears, kind
        return page

    def take_back(self, page: Page) -> None:
        """Empties it, once its ears have heard of all that was until now."""
        address, ears, kind = self._lent.pop(page)
        with suppress(Error):  # it is gone, or never came
            page.evaluate(_FORGET)
        for event, ear in ears.items():
            page.remove_listener(event, ear)
        try:
            if kind and len(self._free[kind]) < _KEPT:
                self._empty(page, address)
                self._free[kind].append(page)
                return
        except Error:  # it was closed, or hangs
            pass
        page.context.close()

    def _empty(self, page: Page, address: str) -> None:
        page.unroute_all(behavior="ignoreErrors")
        page.goto("about:blank")
        page.mouse.move(-1, -1)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Page.resetNavigationHistory")
        devtools.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})
        devtools.detach()
        page.context.clear_cookies()


tabs_of: Final = cache(Tabs)
"""Those of a browser."""
