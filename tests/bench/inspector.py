"""Looking at heads in a browser: ours and BertViz's, in one headless Chromium.

Wall time, for this is what a person waits for; Chromium draws in software here, so a graphics
card only makes it less. BertViz gets its scripts inline, which spares it the internet.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

import bertviz  # type: ignore[import-untyped]
import numpy as np
import torch
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from rich.box import SIMPLE_HEAD
from rich.table import Table

from core.trace import AttentionTrace
from tests.e2e.browser import find_chromium
from tests.e2e.inspector.page import put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.twins.packed import whole
from tests.viz.inspector.made import long_trace
from viz.bertviz.views import library

SHAPES: Final = ((3, 8, 32), (12, 12, 64), (12, 12, 128), (12, 12, 256), (4, 6, 256), (3, 8, 512))
"""Layers, heads, tokens a side."""
BERTVIZ_TOKENS: Final = 128
"""It is not opened beyond: 512 tokens never end, and 256 take this machine's memory."""
_PATIENCE: Final = 180_000  # ms
SIZE: Final[Any] = {"width": 1366, "height": 768}
_ARGUMENTS: Final = ("--no-sandbox",)
_CHANGES: Final = 12
_PAINTED: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass(frozen=True, slots=True)
class Opened:
    """One viewer at one look.

    Attributes:
        megabytes: to the browser until the first kind of attention is drawn, unpacked.
        open_ms: from the address to all heads painted.
        change_ms: median of a change of head (BertViz: of layer), from the key to the paint.
        script_ms: median of the script in that, None where the viewer does not tell.
        kept: share of rows whose largest weight is still the largest, before exact numbers.
    """

    shape: tuple[int, int, int]
    viewer: str
    megabytes: float
    open_ms: float
    change_ms: float
    script_ms: float | None
    kept: float


@contextmanager
def browsers() -> Iterator[Callable[[], Browser]]:
    """What opens a headless Chromium.

    Raises:
        RuntimeError: there is none.
    """
    executable = find_chromium()
    if executable is None:
        raise RuntimeError("no Chromium: run tests/e2e/browser.py")
    with sync_playwright() as playwright:
        yield partial(playwright.chromium.launch, executable_path=executable, args=_ARGUMENTS)


def measure(shapes: Sequence[tuple[int, int, int]] = SHAPES) -> Iterator[Opened]:
    """Ours at every shape, BertViz's model and head view as far as they go."""
    with browsers() as launch:
        # A browser for each: 128 tokens of BertViz may take the whole of it along.
        for layers, heads, tokens in shapes:
            look = long_trace(tokens, layers=layers, heads=heads)
            with closing(launch()) as browser:
                yield _ours(browser, look, (layers, heads, tokens))
            if tokens <= BERTVIZ_TOKENS:
                for view in ("model", "head"):
                    with closing(launch()) as browser:
                        yield _bertviz(browser, look, (layers, heads, tokens), view)


def _ours(browser: Browser, look: AttentionTrace, shape: tuple[int, int, int]) -> Opened:
    shelf = Shelf()
    packed = put(shelf, "look", look, selection={"kind": "cross", "layer": 1, "head": 1})
    with serving(shelf) as base, browser.new_page(viewport=SIZE) as page:
        here = watch(page, base)
        here.open("look")  # once, so that the server and its modules are warm
        began = _now(page)
        page.goto(f"{base}?data=look")
        here.until("state.ready && state.grid.heads === state.grid.of")
        page.evaluate(_PAINTED)
        opened = page.evaluate("performance.now()")
        assert opened < _now(page) - began + 1
        page.get_by_role("gridcell").first.focus()
        changes: list[float] = []
        for key in ("ArrowRight", "ArrowLeft") * (_CHANGES // 2):
            changes.append(_after(page, key, here.state()["selection"]["head"]))
            here.until("state.status === 'exact'")
        script = [float(ms) for ms in here.state()["scriptMs"][-2 * _CHANGES :]]
    sites, array = packed.whole()
    cross = next(site for site in sites if site["kind"] == "cross")
    sent = cross["bytes"] + len(json.dumps(shelf.data["look"]["meta"]))
    return Opened(
        shape, "Headlight", sent / 1e6, opened, statistics.median(changes),
        statistics.median(script), _kept(look, whole(cross, array)),
    )  # fmt: skip


_WATCH: Final = """(head) => { window.shown = new Promise((done) => {
  addEventListener("keydown", () => {
    const began = performance.now();
    const look = () => {
      const { selection, pending } = window.headlight();
      if (selection.head === head || pending) requestAnimationFrame(look);
      else requestAnimationFrame(() => done(performance.now() - began));
    };
    look();
  }, { once: true, capture: true });
}); }"""
_CHANGE: Final = """(layer) => new Promise((done) => {
  const began = performance.now();
  const list = document.querySelector("#layer");
  list.value = String(layer);
  list.dispatchEvent(new Event("change", { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})"""


def _now(page: Page) -> float:
    return float(page.evaluate("Date.now()"))


def _after(page: Page, key: str, head: int) -> float:
    """Milliseconds from a key to the second frame after what it changed."""
    page.evaluate(_WATCH, head)
    page.keyboard.press(key)
    return float(page.evaluate("window.shown"))


def _kept(look: AttentionTrace, weights: Any) -> float:
    """Rows whose argmax survives."""
    exact = look.sites["cross"].weights
    return float((weights.argmax(axis=3) == exact.argmax(axis=3)).mean())


def _bertviz(
    browser: Browser, look: AttentionTrace, shape: tuple[int, int, int], view: str
) -> Opened:
    """Its own page of one kind, with d3 and jQuery inline."""
    layers, heads, tokens = shape
    weights = look.sites["cross"].weights
    draw = getattr(bertviz, f"{view}_view")
    page_html = draw(
        cross_attention=[torch.from_numpy(weights[layer])[None] for layer in range(layers)],
        encoder_tokens=[token.text for token in look.source],
        decoder_tokens=[token.text for token in look.written],
        html_action="return",
    ).data
    libraries = "".join(f"<script>{text}</script>" for text in library())
    start = page_html.index("</script>") + len("</script>")
    document = f"<!doctype html><meta charset=utf-8>{libraries}{page_html[start:]}"
    name = f"BertViz {view} view"
    lines = tokens * tokens * heads * (layers if view == "model" else 1)
    page = browser.new_page(viewport=SIZE)
    page.set_default_timeout(_PATIENCE)
    found = Opened(shape, name, len(document) / 1e6, float("inf"), float("nan"), None, 1.0)
    page.route(
        "**/trace.html", lambda route: route.fulfill(body=document, content_type="text/html")
    )
    with suppress(PlaywrightError):  # it is late, or its tab or its browser is gone
        page.goto("http://localhost/trace.html", wait_until="commit")
        page.wait_for_function(f"document.querySelectorAll('#vis line').length >= {lines}")
        page.evaluate(_PAINTED)
        found = replace(found, open_ms=float(page.evaluate("performance.now()")))
        if view == "head":
            found = replace(found, change_ms=statistics.median(_layers(page, layers)))
    return found


def _layers(page: Page, layers: int) -> list[float]:
    """Milliseconds of each change of layer."""
    return [float(page.evaluate(_CHANGE, number % layers)) for number in range(1, 5)]


def told(row: Opened) -> dict[str, object]:
    """For machines: None where nothing was measured or it did not end."""
    return {
        name: None if isinstance(value, float) and not np.isfinite(value) else value
        for name, value in asdict(row).items()
    }


def table(found: Sequence[Opened]) -> Table:
    """For a terminal of 80 columns."""
    shown = Table(title="inspector", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    shown.add_column("layers x heads, tokens", no_wrap=True)
    for heading in ("MB", "open ms", "change ms", "script ms", "argmax kept"):
        shown.add_column(heading, justify="right")
    for row in found:
        layers, heads, tokens = row.shape
        if row.viewer == "Headlight":
            shown.add_row(f"{layers} x {heads}, {tokens}", style="bold")
        shown.add_row(
            f"  {row.viewer}",
            f"{row.megabytes:.2f}",
            f"{row.open_ms:,.0f}" if np.isfinite(row.open_ms) else "never",
            "" if np.isnan(row.change_ms) else f"{row.change_ms:,.0f}",
            "" if row.script_ms is None else f"{row.script_ms:.1f}",
            f"{row.kept:.2%}",
        )
    return shown
