"""A part of a large head: by wheel, frame, fingers, keys, small map and search; in a file."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from tests.e2e.inspector.page import PAINTED, SCRIPT_MS, Harness, Open, ScriptCost, put, watch
from tests.e2e.inspector.server import Shelf, serving
from tests.e2e.inspector.test_modules import call
from tests.viz.inspector.made import long_trace
from viz.export.paper.strongest import budget, strongest
from viz.inspector.single import single_file

pytestmark = pytest.mark.e2e

LONG = 120
PART = "51-70.61-90"
START = {"kind": "encoder_self", "layer": 1, "head": 1}
few = settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf()
    put(shelf, "long", long_trace(LONG, layers=1, heads=2), selection=START)
    return shelf


def part(here: Harness) -> dict[str, int]:
    """What is in view, of rows and columns that count from 0."""
    zoom: dict[str, int] | None = here.state()["zoom"]
    return zoom or {"top": 0, "bottom": LONG, "left": 0, "right": LONG}


def size(here: Harness) -> tuple[int, int]:
    seen = part(here)
    return seen["bottom"] - seen["top"], seen["right"] - seen["left"]


def zoomed(here: Harness) -> dict[str, int]:
    here.until("state.zoom !== null")
    return part(here)


def test_a_long_text_is_seen_whole_and_says_that_it_can_be_read(opened: Open) -> None:
    here = opened("long")
    assert here.state()["zoom"] is None
    expect(here.at("hl-zoom-part")).to_contain_text("drag a frame")
    expect(here.at("hl-zoom-whole")).to_be_disabled()
    expect(here.at("hl-minimap")).to_be_visible()


def test_a_short_text_has_none_of_it(opened: Open, shelf: Shelf) -> None:
    put(shelf, "short", long_trace(12, layers=1, heads=2), selection=START)
    here = opened("short")
    for name in ("hl-find", "hl-zoom-in", "hl-minimap", "hl-zoom-part"):
        expect(here.at(name)).to_be_hidden()
    here.page.mouse.move(*here.cell(5, 5))
    here.page.mouse.wheel(0, -100)
    here.page.mouse.down()
    here.page.mouse.move(*here.cell(9, 9))
    here.page.mouse.up()
    assert here.state()["zoom"] is None


def test_a_framed_part_is_what_matrix_and_lines_show(opened: Open) -> None:
    here = opened("long")
    here.page.mouse.move(*here.cell(40, 30))
    here.page.mouse.down()
    here.page.mouse.move(*here.cell(50, 60), steps=4)
    here.page.mouse.move(*here.cell(69, 79), steps=4)
    here.page.mouse.up()
    seen = zoomed(here)
    assert seen == {"top": 40, "bottom": 70, "left": 30, "right": 80}
    state = here.state()
    assert state["selection"]["pinned"] is None, "a drag is no click"
    rows, columns = (state["matrix"]["labels"][axis] for axis in ("rows", "columns"))
    assert {at for at, _ in rows} <= set(range(40, 70))
    assert {at for at, _ in columns} <= set(range(30, 80))
    weights = long_trace(LONG, layers=1, heads=2).sites["encoder_self"].weights[0, 0, 40:70]
    drawn = weights[:, 30:80] > 0.06
    assert state["lines"]["lines"] == int(drawn.sum())
    hidden = 1 - weights[:, 30:80][drawn].sum() / weights.sum()
    assert state["lines"]["hidden"] == pytest.approx(float(hidden), abs=1e-5)
    expect(here.at("hl-zoom-part")).to_have_text("queries 41–70 of 120 · keys 31–80 of 120")
    x, y = here.cell(50, 40)
    here.page.mouse.move(x, y)
    here.until("state.hover && state.hover[0] === 50 && state.hover[1] === 40")
    here.page.mouse.click(x, y)
    here.selection(pinned="[51,41]")
    here.at("hl-zoom-whole").click()
    here.until("state.zoom === null")


def test_a_wheel_over_the_whole_scrolls_the_page(opened: Open) -> None:
    here = opened("long", size=(1366, 500))
    here.page.mouse.move(*here.cell(60, 60))
    here.page.mouse.wheel(0, 40)
    here.until("scrollY > 0 && state.zoom === null")


def test_a_wheel_with_ctrl_zooms_and_then_moves_the_part(opened: Open) -> None:
    here = opened("long", size=(1366, 500))
    here.page.mouse.move(*here.cell(60, 60))
    here.page.keyboard.down("Control")
    here.page.mouse.wheel(0, -100)
    here.page.keyboard.up("Control")
    seen = zoomed(here)
    assert seen["bottom"] - seen["top"] < LONG
    assert seen["top"] < 60 < seen["bottom"]
    here.page.mouse.wheel(0, 60)
    here.until(f"state.zoom.top > {seen['top']}")
    assert here.page.evaluate("scrollY") == 0


def test_keys_zoom_and_what_they_reach_comes_into_view(opened: Open) -> None:
    here = opened("long")
    here.at("hl-matrix").focus()
    for _ in range(4):
        here.page.keyboard.press("+")
    zoomed(here)
    tall, _ = size(here)
    here.page.keyboard.press("Shift+ArrowDown")
    here.until(f"state.zoom.bottom >= {part(here)['bottom']}")
    bottom = part(here)["bottom"]
    top = part(here)["top"]
    here.page.keyboard.press("ArrowDown")
    here.until("state.hover !== null && state.zoom.top <= state.hover[0]")
    for _ in range(3):
        here.page.keyboard.press("Shift+ArrowUp")
    here.until(f"state.zoom.top < {top}")
    assert size(here)[0] == tall
    here.page.keyboard.press("ArrowDown")
    here.until("state.hover[0] >= state.zoom.top && state.hover[0] < state.zoom.bottom")
    here.page.keyboard.press("-")
    here.until(f"state.zoom === null || state.zoom.bottom - state.zoom.top > {tall}")
    here.page.keyboard.press("0")
    here.until("state.zoom === null")
    assert bottom <= LONG


def test_an_arrow_key_begins_within_the_part_in_view(opened: Open, shelf: Shelf) -> None:
    put(shelf, "part", long_trace(LONG, layers=1, heads=2), selection={**START, "zoom": PART})
    here = opened("part")
    here.at("hl-matrix").focus()
    here.page.keyboard.press("ArrowDown")
    here.until("state.hover !== null && state.hover[0] === 50 && state.hover[1] === 60")
    assert part(here)["top"] == 50
    here.page.keyboard.press("Shift+ArrowDown")
    here.until("state.zoom.top === 60")
    here.page.keyboard.press("ArrowRight")
    here.until("state.hover[0] === 60 && state.hover[1] === 60")
    assert part(here)["top"] == 60


def test_a_token_is_found_marked_and_said(opened: Open) -> None:
    here = opened("long")
    here.at("hl-find").fill("neither")
    expect(here.at("hl-find-told")).to_have_text("not here")
    here.at("hl-find").fill("원7")
    here.until("state.found !== null && state.found[0] === 7")
    expect(here.at("hl-find-count")).to_have_text("1 / 11")
    expect(here.at("hl-find-told")).to_have_text("원7, 1 of 11, query 8, key 8")
    here.at("hl-find").press("Enter")
    here.until("state.found[0] === 70 && state.found[1] === 70")
    seen = zoomed(here)
    assert seen["top"] <= 70 < seen["bottom"]
    assert seen["left"] <= 70 < seen["right"]
    rows = [text for at, text in here.state()["matrix"]["labels"]["rows"] if at == 70]
    assert rows == ["원70"], "its name is drawn"
    assert here.state()["box"]["height"] >= 18
    here.at("hl-find").press("Shift+Enter")
    here.until("state.found[0] === 7")
    here.page.get_by_role("radio").first.click()
    here.until("state.found === null")
    for name in ("hl-find-count", "hl-find-told"):  # there are so many, and none is marked
        expect(here.at(name)).to_have_text("11")
    here.at("hl-find").fill("nothing of the kind")
    expect(here.at("hl-find-told")).to_have_text("not here")
    here.at("hl-find").press("Escape")
    here.until("state.found === null")


def test_the_small_map_goes_there(opened: Open) -> None:
    here = opened("long")
    box = here.at("hl-minimap").bounding_box()
    assert box is not None
    here.page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.25)
    seen = zoomed(here)
    assert seen["top"] <= 30 < seen["bottom"]
    assert seen["left"] <= 90 < seen["right"]


def test_two_fingers_spread_on_a_phone(opened: Open) -> None:
    here = opened("long", size=(390, 800), touch=True)
    here.at("hl-matrix").scroll_into_view_if_needed()
    x, y = here.cell(60, 60)
    devtools = here.page.context.new_cdp_session(here.page)
    for apart in (20, 30, 45, 60):
        points = [{"x": x, "y": y - apart, "id": 0}, {"x": x, "y": y + apart, "id": 1}]
        event = {"type": "touchStart" if apart == 20 else "touchMove", "touchPoints": points}
        devtools.send("Input.dispatchTouchEvent", event)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    seen = zoomed(here)
    assert size(here)[0] == pytest.approx(LONG / 3, abs=2)
    assert seen["top"] < 60 < seen["bottom"]
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_file_opens_on_the_part_that_was_seen(here: Harness, tmp_path: Any) -> None:
    shelf = Shelf()
    packed = put(
        shelf, "page", long_trace(60, layers=1, heads=1), selection={**START, "zoom": "11-30.5-44"}
    )
    path = tmp_path / "page.html"
    path.write_text(single_file(packed, shelf.data["page"], title="t", language="en"), "utf-8")
    here.page.goto(path.as_uri())
    here.page.wait_for_selector("[data-testid=hl-zoom-part]")
    expect(here.at("hl-zoom-part")).to_have_text("queries 11–30 of 60 · keys 5–44 of 60")
    here.at("hl-matrix").focus()
    here.page.keyboard.press("0")
    expect(here.at("hl-zoom-whole")).to_be_disabled()


@pytest.mark.parametrize("zoom", ["1-46.1-52", "3-48.10-31", "1-23.1-90", "31-90.1-25", ""])
def test_cells_take_the_room_that_there_is(opened: Open, shelf: Shelf, zoom: str) -> None:
    put(shelf, "part", long_trace(LONG, layers=1, heads=2), selection={**START, "zoom": zoom})
    here = opened("part")
    box, place = here.state()["box"], here.at("hl-matrix").bounding_box()
    assert place is not None
    empty = place["height"] - (box["y"] + part(here)["bottom"] * box["height"])
    assert -1 <= empty <= box["height"] + 3
    x, y = here.cell(part(here)["bottom"] - 1, part(here)["right"] - 1)
    here.page.mouse.move(x, y)
    here.until(f"state.hover[0] === {part(here)['bottom'] - 1}")


def test_of_many_tokens_each_stretch_has_its_lines_and_a_token_all_of_its_own(
    opened: Open, shelf: Shelf
) -> None:
    long = long_trace(200, layers=1, heads=2)
    put(shelf, "longer", long, selection=START)
    here = opened("longer", size=(1366, 1000))
    weights = long.sites["encoder_self"].weights[0, 0]
    over, count = strongest(weights, 0.06, budget(200, 1))
    lines = here.state()["lines"]
    assert (lines["lines"], lines["of"]) == (over.sum(), count)
    assert over.sum() < count
    assert over.reshape(-1, 4, 200).any(axis=(1, 2)).sum() > 45, "of 50 stretches of the text"
    assert lines["hidden"] == pytest.approx(1 - weights[over].sum() / weights.sum(), abs=1e-5)
    note = f"{over.sum()} of {count} weights over 0.06 drawn, the largest of every 4 queries first"
    expect(here.at("hl-lines-note")).to_contain_text(note)
    most = int((weights > 0.06).sum(axis=0).argmax())
    assert (weights[:, most] > 0.06).sum() > over[:, most].sum(), "not all of them were drawn"
    place = here.at("hl-lines-canvas").bounding_box()
    assert place is not None
    gap = (place["height"] - 20) / 200
    here.page.mouse.move(place["x"] + 20, place["y"] + 10 + (most + 0.5) * gap)
    here.until(f"state.hover && state.hover[1] === {most}")
    assert here.state()["lines"]["spoken"] == (weights[:, most] > 0.06).sum()
    assert here.state()["lines"]["lines"] == over.sum(), "what is pointed at changes no numbers"


@pytest.mark.measures
def test_a_part_of_512_tokens_is_moved_at_once(browser: Browser) -> None:
    shelf = Shelf()
    put(shelf, "huge", long_trace(512, layers=1, heads=2), selection=START)
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    with serving(shelf) as base:
        here = watch(page, base)
        here.open("huge")
        here.at("hl-find").fill("원30")
        zoomed(here)
        page.mouse.move(*here.cell(part(here)["top"] + 3, part(here)["left"] + 3))
        cost = ScriptCost(here)

        def move(turn: int) -> None:
            page.mouse.wheel(0, -60 if turn % 2 else 60)
            page.evaluate(PAINTED)

        for turn in range(12):
            before = json.dumps(here.state()["zoom"], separators=(",", ":"))
            cost.of(partial(move, turn))
            here.until(f"JSON.stringify(state.zoom) !== {before!r}")
        assert cost.ms() <= SCRIPT_MS
    page.close()
    assert here.problems == []


@pytest.mark.measures
def test_lines_of_512_tokens_are_pointed_at_at_once(browser: Browser) -> None:
    shelf = Shelf()
    put(shelf, "huge", long_trace(512, layers=1, heads=2), selection=START)
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    with serving(shelf) as base:
        here = watch(page, base)
        here.open("huge")
        place = here.at("hl-lines-canvas").bounding_box()
        assert place is not None
        cost = ScriptCost(here)

        def point(turn: int) -> None:
            x = place["x"] + (20 if turn % 2 else place["width"] - 20)
            page.mouse.move(x, place["y"] + 20 + (place["height"] - 40) * turn / 12)
            page.evaluate(PAINTED)

        for turn in range(12):
            cost.of(partial(point, turn))
        here.until("state.hover !== null")
        assert cost.ms() <= SCRIPT_MS
    page.close()
    assert here.problems == []


AXIS = st.tuples(st.floats(-30, 60), st.floats(0, 60)).map(lambda at: (at[0], at[0] + at[1]))


@few
@given(
    rows=AXIS, columns=AXIS, tall=st.integers(1, 40), wide=st.integers(1, 40), few=st.integers(1, 9)
)
def test_whatever_is_wished_a_part_is_whole_cells_of_the_matrix(
    page: Page,
    rows: tuple[float, float],
    columns: tuple[float, float],
    tall: int,
    wide: int,
    few: int,
) -> None:
    wished = {"top": rows[0], "bottom": rows[1], "left": columns[0], "right": columns[1]}
    got = call(
        page,
        "part",
        "m.fitted(a[0], a[1], a[2])",
        wished,
        {"rows": tall, "columns": wide},
        [few, few],
    )
    for low, high, most in ((got["top"], got["bottom"], tall), (got["left"], got["right"], wide)):
        assert low == int(low)
        assert high == int(high)
        assert 0 <= low < high <= most
        assert high - low >= min(few, most)


@few
@given(st.data())
def test_a_part_cut_out_is_its_cells(page: Page, data: st.DataObject) -> None:
    tall, wide = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    top, left = data.draw(st.integers(0, tall - 1)), data.draw(st.integers(0, wide - 1))
    bottom, right = data.draw(st.integers(top + 1, tall)), data.draw(st.integers(left + 1, wide))
    own = {"top": top, "bottom": bottom, "left": left, "right": right}
    got = call(
        page,
        "part",
        "Array.from(m.cut(Uint8Array.from(a[0]), a[1], a[2]))",
        list(range(tall * wide)),
        wide,
        own,
    )
    assert got == [r * wide + c for r in range(top, bottom) for c in range(left, right)]
