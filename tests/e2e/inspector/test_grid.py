"""The grid of many heads at phone width: large enough for a finger, scrolled within itself."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.inspector.page import PAINTED, START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace

pytestmark = pytest.mark.e2e

PHONE = (390, 844)
LEAST = 24  # pixels: WCAG 2.5.8


def opened_wide(
    opened: Open, shelf: Shelf, heads: int, selection: Mapping[str, Any] = START, **how: Any
) -> Harness:
    put(shelf, "wide", trace(layers=4, heads=heads), selection=dict(selection))
    return opened("wide", size=how.pop("size", PHONE), **how)


def head(here: Harness, layer: int, head: int) -> Locator:
    return here.page.get_by_role("gridcell", name=f"Layer {layer}, head {head}.")


def room(here: Harness) -> int:
    """Pixels by which the grid is wider than its box."""
    found: int = here.page.locator(".hl-grid-box").evaluate(
        "box => box.scrollWidth - box.clientWidth"
    )
    return found


def assert_seen(here: Harness, cell: Locator) -> None:
    """Whole, beside the layers' numbers and not beneath them, with its ring."""
    box = here.page.locator(".hl-grid-box").bounding_box()
    number = here.page.get_by_role("rowheader").first.bounding_box()
    place = cell.bounding_box()
    assert box is not None
    assert number is not None
    assert place is not None
    assert number["x"] == pytest.approx(box["x"], abs=0.5)
    assert place["x"] >= number["x"] + number["width"] + 3
    assert place["x"] + place["width"] + 3 <= box["x"] + box["width"]


@pytest.mark.parametrize("heads", [8, 12, 16, 25, 40])
def test_every_head_is_large_enough_to_tap(opened: Open, shelf: Shelf, heads: int) -> None:
    here = opened_wide(opened, shelf, heads, {**START, "layer": 1, "head": heads}, touch=True)
    cells = here.page.get_by_role("gridcell")
    found = cells.evaluate_all("cells => cells.map((at) => [at.offsetWidth, at.offsetHeight])")
    assert len(found) == 4 * heads
    assert min(map(min, found)) >= LEAST
    assert here.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert_seen(here, head(here, 1, heads))
    assert (room(here) > 0) == (heads > 12)


def test_a_flat_head_is_high_enough_to_tap(opened: Open, shelf: Shelf) -> None:
    """Few queries and many keys make low pictures, and a finger is as high as it is wide."""
    words = tuple(range(40))
    put(shelf, "flat", trace(tuple(f"w{at}" for at in words), words, ("a",), (0,), heads=12))
    here = opened("flat", size=PHONE)
    cells = here.page.get_by_role("gridcell")
    assert min(cells.evaluate_all("cells => cells.map((at) => at.offsetHeight)")) >= LEAST


def test_the_edge_cuts_a_picture_through_where_more_follow(opened: Open, shelf: Shelf) -> None:
    here = opened_wide(opened, shelf, 16)
    edge = here.page.locator(".hl-grid-box").evaluate("box => box.getBoundingClientRect().right")
    inside = here.page.get_by_role("gridcell").evaluate_all(
        """(cells, edge) => cells.map((cell) => cell.getBoundingClientRect())
          .map(({ left, width }) => (edge - left) / width)""",
        edge,
    )
    assert any(0.3 < share < 0.7 for share in inside)


def test_keys_bring_the_chosen_head_into_view(opened: Open, shelf: Shelf) -> None:
    here = opened_wide(opened, shelf, 25, {**START, "layer": 2, "head": 1})
    head(here, 2, 1).focus()
    right = [("ArrowRight", at) for at in range(2, 16)]
    for key, at in [("End", 25), ("ArrowLeft", 24), ("Home", 1), *right]:
        here.page.keyboard.press(key)
        here.selection(layer=2, head=at)
        expect(head(here, 2, at)).to_be_focused()
        assert_seen(here, head(here, 2, at))
    assert here.page.evaluate("[scrollX, document.documentElement.scrollWidth]") == [0, PHONE[0]]


def test_a_tap_picks_what_was_scrolled_to_and_brings_it_in_whole(
    opened: Open, shelf: Shelf
) -> None:
    here = opened_wide(opened, shelf, 16, {**START, "layer": 1, "head": 1}, touch=True)
    box = here.page.locator(".hl-grid-box")
    box.scroll_into_view_if_needed()
    number = here.page.get_by_role("rowheader").first.bounding_box()
    box.evaluate("box => { box.scrollLeft = 40 }")
    assert here.page.get_by_role("rowheader").first.bounding_box() == number
    place = head(here, 3, 13).bounding_box()
    assert place is not None
    here.page.touchscreen.tap(place["x"] + 3, place["y"] + 12)
    here.selection(layer=3, head=13)
    assert_seen(here, head(here, 3, 13))


def test_a_head_that_was_scrolled_away_stays_away_until_another_is_chosen(
    opened: Open, shelf: Shelf
) -> None:
    here = opened_wide(opened, shelf, 25, {**START, "layer": 1, "head": 1})
    box = here.page.locator(".hl-grid-box")
    box.evaluate("box => { box.scrollLeft = 150 }")
    here.page.evaluate("new Promise(requestAnimationFrame)")
    here.at("hl-steps").press("ArrowLeft")
    here.selection(step=6)
    assert box.evaluate("box => box.scrollLeft") == 150
    for width, height in ((1366, 768), PHONE):
        here.page.set_viewport_size({"width": width, "height": height})
        here.page.evaluate(PAINTED)  # or the two changes of the window would be one, which is none
    assert_seen(here, head(here, 1, 1))


@pytest.mark.parametrize("heads", [8, 25])
def test_where_nothing_scrolls_the_layout_is_not_asked(
    opened: Open, shelf: Shelf, heads: int
) -> None:
    here = opened_wide(opened, shelf, heads, {**START, "layer": 1, "head": 3})
    head(here, 1, 3).focus()
    here.page.evaluate(
        """() => { window.asked = 0;
          const own = Object.getOwnPropertyDescriptor(Element.prototype, "scrollLeft");
          const count = (run) => function counted(...given) {
            window.asked += 1; return run.apply(this, given);
          };
          Object.defineProperty(Element.prototype, "scrollLeft",
            { get: count(own.get), set: count(own.set), configurable: true }); }"""
    )
    for key, layer, at in [("ArrowRight", 1, 4), ("ArrowDown", 2, 4), ("ArrowLeft", 2, 3)]:
        here.page.keyboard.press(key)
        here.selection(layer=layer, head=at)
    assert here.page.evaluate("window.asked") == 0
