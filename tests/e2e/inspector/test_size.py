"""Long inputs in the inspector: that they open, and what a change costs."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bench.changes import SCRIPT_MS, script_clock, script_of
from tests.e2e.inspector.page import put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.viz.inspector.made import long_trace

pytestmark = pytest.mark.e2e

MOST_MS: Final = 3 * SCRIPT_MS
"""Of script in the middle one of some changes, by the processor's clock. The law that the bench
measures is a third of it: neighbours share the caches and the memory, and tests run anywhere."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    yield page
    page.close()


def test_256_tokens_change_at_once(page: Page) -> None:
    shelf = Shelf()
    start = {"kind": "decoder_self", "layer": 1, "head": 1, "step": 200, "pinned": None}
    put(shelf, "long", long_trace(256, layers=4, heads=6), selection=start)
    with serving(shelf) as base:
        here = watch(page, base)
        here.open("long")
        clock = script_clock(page.context.new_cdp_session(page))

        def script_ms(keys: Sequence[str]) -> list[float]:
            return [script_of(here, clock, key) for key in keys]

        page.get_by_role("gridcell", name="Layer 1, head 1").focus()
        heads = script_ms(["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown"])
        here.at("hl-steps").focus()
        steps = script_ms(["ArrowLeft", "ArrowLeft", "PageUp", "ArrowRight", "PageDown"])
        for head in range(7):
            page.get_by_role("gridcell").nth(head).click(modifiers=["Shift"])
        here.until("state.lines.heads.length === 8 && state.status === 'exact'")
        expect(here.at("hl-overlay")).not_to_contain_text("≈")
        here.at("hl-steps").focus()
        eight = script_ms(["ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"])
        here.until("state.selection.step === 199")
        drawn = here.state()["matrix"]
        assert drawn["values"] == 199 * 200 // 2
        assert drawn["unwritten"] == 57 * 256
        assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert here.problems == []
    for changed in (heads, steps, eight):
        assert statistics.median(changed) <= MOST_MS, (heads, steps, eight)


def test_512_tokens_open(page: Page) -> None:
    shelf = Shelf()
    put(shelf, "huge", long_trace(512, layers=2, heads=2), selection={"kind": "cross", "step": 500})
    with serving(shelf) as base:
        here = watch(page, base)
        here.open("huge")
        state = here.state()
        assert state["matrix"]["values"] == 500 * 512
        assert state["grid"]["heads"] == 4
        x, y = here.cell(300, 400)
        page.mouse.move(x, y)
        here.until("state.hover !== null")
    assert here.problems == []
