"""Long inputs in the inspector: that they open, and that a change takes little script."""

import json
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.inspector.page import PAINTED, SCRIPT_MS, Harness, ScriptCost, put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.viz.inspector.made import long_trace

pytestmark = pytest.mark.e2e


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    yield page
    page.close()


def script_ms(here: Harness, keys: list[str], back: list[str]) -> float:
    """What a key costs until its change is painted: by the processor's clock.

    There and back, twice: of five keys, most may fall into a moment that a neighbour takes.
    """
    cost = ScriptCost(here)
    for key in [*keys, *back, *keys, *back]:
        here.until("state.status === 'exact' && state.ahead === 0")
        last = here.state()["selection"]
        cost.of(partial(painted, here.page, key))
        before = json.dumps(last, separators=(",", ":"))
        here.until(f"JSON.stringify(state.selection) !== {before!r}")
    return cost.ms()


def painted(page: Page, key: str) -> None:
    page.keyboard.press(key)
    page.evaluate(PAINTED)


@pytest.mark.measures
def test_256_tokens_change_at_once(page: Page) -> None:
    shelf = Shelf()
    start = {"kind": "decoder_self", "layer": 1, "head": 1, "step": 200, "pinned": None}
    put(shelf, "long", long_trace(256, layers=4, heads=6), selection=start)
    with serving(shelf) as base:
        here = watch(page, base)
        here.open("long")
        page.get_by_role("gridcell", name="Layer 1, head 1").focus()
        there = ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown"]
        back = ["ArrowUp", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowLeft"]
        heads = script_ms(here, there, back)
        assert heads <= SCRIPT_MS
        for key in there:
            page.keyboard.press(key)
        here.at("hl-steps").focus()
        there = ["ArrowLeft", "ArrowLeft", "PageUp", "ArrowRight", "PageDown"]
        steps = script_ms(
            here, there, ["PageUp", "ArrowLeft", "PageDown", "ArrowRight", "ArrowRight"]
        )
        assert steps <= SCRIPT_MS
        page.keyboard.press("ArrowLeft")
        for head in range(7):
            page.get_by_role("gridcell").nth(head).click(modifiers=["Shift"])
        here.until("state.lines.heads.length === 8 && state.status === 'exact'")
        expect(here.at("hl-overlay")).not_to_contain_text("≈")
        here.at("hl-steps").focus()
        eight = script_ms(here, ["ArrowLeft", "ArrowLeft"], ["ArrowRight", "ArrowRight"])
        assert eight <= 2 * SCRIPT_MS, "lines of eight heads"
        here.until("state.selection.step === 199")
        drawn = here.state()["matrix"]
        assert drawn["values"] == 199 * 200 // 2
        assert drawn["unwritten"] == 57 * 256
        assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    assert here.problems == []


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
