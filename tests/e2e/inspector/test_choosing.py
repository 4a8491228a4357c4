"""Heads, steps, kinds and views: by click, touch and keys."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import ENGLISH, trace
from viz.inspector.payload import View
from viz.text.inspector import EN

pytestmark = pytest.mark.e2e


def test_every_head_is_drawn_and_the_chosen_one_is_exact(opened: Open) -> None:
    here = opened()
    state = here.state()
    assert state["grid"]["heads"] == 24
    assert state["selection"] == START
    real = trace().sites["cross"].weights[1, 4]
    assert np.array_equal(np.array(state["weights"], np.float32), real.reshape(-1))
    expect(here.at("hl-title")).to_have_text("Cross · layer 2 · head 5")
    expect(here.at("hl-step-count")).to_have_text("step 7 of 14")
    expect(here.at("hl-status")).to_have_text("exact numbers (float32)")


def test_axes_are_named_and_rows_lead_with_what_is_written(opened: Open) -> None:
    here = opened()
    expect(here.page.get_by_text("query (looks)").first).to_be_visible()
    expect(here.page.get_by_text("key (is looked at)").first).to_be_visible()
    labels = here.state()["matrix"]["labels"]
    assert [text for _, text in labels["rows"]] == [*ENGLISH, "end"]
    assert [text for _, text in labels["columns"]][:2] == ["어제", "카페"]
    here.page.get_by_role("radio", name="Decoder self").click()
    labels = here.until("state.selection.kind === 'decoder_self'")["matrix"]["labels"]
    assert [text for _, text in labels["columns"]] == ["start", *ENGLISH]


def test_a_click_picks_a_head(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 3, head 8").click()
    state = here.until(
        "state.selection.layer === 3 && state.selection.head === 8 && state.status === 'exact'"
    )
    real = trace().sites["cross"].weights[2, 7]
    assert np.array_equal(np.array(state["weights"], np.float32), real.reshape(-1))
    assert "layer=3" in here.page.url
    assert "head=8" in here.page.url


def test_arrow_keys_walk_the_grid_and_stop_at_its_edges(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 2, head 5").focus()
    for key, layer, head in [
        ("ArrowRight", 2, 6),
        ("ArrowUp", 1, 6),
        ("ArrowUp", 1, 6),
        ("End", 1, 8),
        ("ArrowRight", 1, 8),
        ("PageDown", 3, 8),
        ("Home", 3, 1),
    ]:
        here.page.keyboard.press(key)
        here.selection(layer=layer, head=head)
        name = f"Layer {layer}, head {head}"
        expect(here.page.get_by_role("gridcell", name=name)).to_be_focused()
    assert here.state()["selection"]["step"] == 7


def test_steps_by_click_keys_and_drag(opened: Open) -> None:
    here = opened()
    steps = here.at("hl-steps")
    steps.get_by_text("people").click()
    here.selection(step=12)
    for key, step in [("ArrowLeft", 11), ("Home", 1), ("ArrowLeft", 1), ("End", 14), ("PageUp", 9)]:
        here.page.keyboard.press(key)
        here.selection(step=step)
    expect(steps).to_have_attribute("aria-valuetext", "there, step 9 of 14")
    places = [steps.get_by_text(word, exact=True).bounding_box() for word in ("went", "many")]
    assert places[0] is not None
    assert places[1] is not None
    here.page.mouse.move(places[0]["x"] + 5, places[0]["y"] + 5)
    here.page.mouse.down()
    here.selection(step=3)
    here.page.mouse.move(places[1]["x"] + 5, places[1]["y"] + 60, steps=5)
    here.selection(step=11)
    here.page.mouse.up()
    here.page.mouse.move(places[0]["x"] + 5, places[0]["y"] + 5)
    assert here.state()["selection"]["step"] == 11


def test_the_step_stays_in_view_when_the_room_changes(opened: Open, shelf: Shelf) -> None:
    words = tuple(range(90))
    target = tuple(f"word{at}" for at in words)
    put(shelf, "row", trace(target=target, target_words=words), selection={**START, "step": 70})
    here = opened("row")
    for width in (1366, 500, 1366, 820):
        here.page.set_viewport_size({"width": width, "height": 800})
        expect(here.at("hl-steps").locator(".hl-now")).to_be_in_viewport()


def test_a_tap_picks_a_step(opened: Open) -> None:
    here = opened(touch=True, size=(390, 800))
    here.at("hl-steps").get_by_text("went").tap()
    here.selection(step=3)


@pytest.mark.parametrize("touch", [False, True])
def test_keys_are_named_where_there_are_some(opened: Open, touch: bool) -> None:
    hint = opened(touch=touch).page.get_by_text(EN.step_hint)
    expect(hint).to_be_visible(visible=not touch)


def test_a_finger_goes_along_the_steps_or_scrolls_the_page(opened: Open) -> None:
    here = opened(touch=True, size=(390, 500))
    chips = {name: here.at("hl-steps").get_by_text(name).bounding_box() for name in ("I", "went")}
    start, end = ((box["x"] + 6, box["y"] + 6) for box in chips.values() if box is not None)
    here.swipe(start, end)
    here.selection(step=3)
    assert here.page.evaluate("scrollY") == 0
    here.swipe(start, (start[0] + 3, start[1] - 100))
    here.page.wait_for_function("() => scrollY > 30")
    assert here.state()["selection"]["step"] == 3
    assert not here.state()["pending"]


def test_play_runs_to_the_end(opened: Open) -> None:
    here = opened()
    here.at("hl-steps").get_by_text("people").click()
    here.at("hl-play").click()
    expect(here.at("hl-play")).to_have_attribute("aria-label", "Pause")
    here.selection(step=14)
    expect(here.at("hl-play")).to_have_attribute("aria-label", "Play the steps")


def test_kinds_by_click_and_by_keys(opened: Open) -> None:
    here = opened()
    here.page.get_by_role("radio", name="Encoder self").click()
    state = here.until("state.selection.kind === 'encoder_self' && state.status === 'exact'")
    assert (state["rows"], state["columns"]) == (9, 9)
    assert state["matrix"]["unwritten"] == 0
    here.page.keyboard.press("ArrowRight")
    here.until("state.selection.kind === 'decoder_self'")
    here.page.keyboard.press("ArrowLeft")
    here.page.keyboard.press("ArrowLeft")
    here.until("state.selection.kind === 'cross'")
    expect(here.page.get_by_role("radio", name="Cross")).to_be_focused()
    assert here.state()["selection"] == START


def test_only_the_kinds_that_are_there_are_offered(opened: Open, shelf: Shelf) -> None:
    traced = trace()
    encoder = AttentionTrace(
        "e", traced.source, (), (), {"encoder_self": traced.sites["encoder_self"]}
    )
    put(shelf, "encoder", encoder)
    put(shelf, "nothing", AttentionTrace("n", traced.source, (), (), {}))
    here = opened("encoder")
    assert here.page.get_by_role("radio", name=re.compile("self|Cross")).count() == 1
    expect(here.at("hl-play")).to_be_hidden()
    here.page.goto(f"{here.base}?data=nothing")
    expect(here.page.get_by_text("This model has no attention to draw.")).to_be_visible()


def test_l_swaps_matrix_and_lines_where_only_one_fits(opened: Open) -> None:
    here = opened(size=(820, 900))
    expect(here.at("hl-matrix")).to_be_visible()
    expect(here.at("hl-lines")).to_be_hidden()
    here.at("hl-steps").press("l")
    expect(here.at("hl-lines")).to_be_visible()
    expect(here.at("hl-matrix")).to_be_hidden()
    here.until("state.lines.lines > 0")
    # As a Korean keyboard writes it.
    korean = {"key": "ㅣ", "code": "KeyL", "bubbles": True, "composed": True}
    here.at("hl-steps").dispatch_event("keydown", korean)
    expect(here.at("hl-matrix")).to_be_visible()


def test_keys_alone_reach_everything(opened: Open) -> None:
    here = opened()
    reached = []
    for _ in range(11):
        here.page.keyboard.press("Tab")
        reached.append(
            here.page.evaluate(
                """() => { const active = document.querySelector('#place').shadowRoot.activeElement;
                return active.dataset.testid ?? active.getAttribute('role')
                  ?? active.localName; }"""
            )
        )
    assert reached == [
        "hl-play", "hl-steps", "radio", "hl-order", "gridcell", "radio", "hl-export", "hl-scale",
        "hl-matrix", "button", "hl-threshold",
    ]  # fmt: skip
    here.page.keyboard.press("Shift+Tab")
    here.page.keyboard.press("Shift+Tab")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowUp")
    here.until("JSON.stringify(state.hover) === '[5,1]'")
    value = trace().sites["cross"].weights[1, 4, 5, 1]
    spoken = here.page.locator(".hl-hidden[aria-live]")
    expect(spoken).to_have_text(f"writes caf, reads the, key 카페, weight {value:.3f}")
    here.page.keyboard.press("Enter")
    here.until("JSON.stringify(state.selection.pinned) === '[6,2]'")
    here.page.keyboard.press("Escape")
    here.until("state.selection.pinned === null")


def test_colours_can_reach_the_largest_weight(opened: Open) -> None:
    here = opened()
    largest = trace().sites["cross"].weights[1, 4].max()
    before = here.pixels(6, 8)
    here.at("hl-scale").click()
    expect(here.at("hl-scale-high")).to_have_text(f"{largest:.3f}, the largest here")
    assert here.pixels(6, 8) != before
    here.at("hl-scale").click()
    expect(here.at("hl-scale-high")).to_have_text("1")


def title_at(here: Harness) -> float:
    box = here.at("hl-title").bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_a_small_picture_that_is_tapped_on_a_phone_brings_the_large_one(
    opened: Open, shelf: Shelf, view: View
) -> None:
    put(shelf, "phone", trace(layers=6, heads=8), view=view, selection={"kind": "cross"})
    here = opened("phone", touch=True, size=(390, 700))
    here.page.emulate_media(reduced_motion="reduce")  # at once, not smoothly
    cell = here.at("hl-grid").locator('[data-layer="1"][data-head="2"].hl-head')
    cell.scroll_into_view_if_needed()
    cell.tap()
    here.selection(layer=2, head=3)
    expect(here.at("hl-title")).to_be_in_viewport()
    assert title_at(here) < 350


def test_beside_the_large_picture_nothing_is_scrolled(opened: Open, shelf: Shelf) -> None:
    put(shelf, "tall", trace(layers=12, heads=8), selection={"kind": "cross"})
    here = opened("tall", size=(1366, 400))
    cell = here.at("hl-grid").locator('[data-layer="11"][data-head="2"].hl-head')
    cell.scroll_into_view_if_needed()
    before = title_at(here)
    cell.click()
    here.selection(layer=12, head=3)
    assert title_at(here) == before
