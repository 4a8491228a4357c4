"""Several heads in the lines at once, and tokens whose lines stand alone."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace
from viz.text.language import Language

pytestmark = pytest.mark.e2e


def cell(here: Harness, layer: int, head: int) -> Any:
    return here.page.get_by_role("gridcell", name=f"Layer {layer}, head {head}")


def hidden(layer: int, head: int, live: int = 7, threshold: float = 0.06) -> float:
    weights = trace().sites["cross"].weights[layer - 1, head - 1, :live]
    return float(1 - weights[weights > threshold].sum() / weights.sum())


def test_shift_click_lays_heads_over_each_other(opened: Open) -> None:
    here = opened()
    cell(here, 1, 2).click(modifiers=["Shift"])
    cell(here, 3, 8).click(modifiers=["Shift"])
    state = here.until("state.lines.heads.length === 3 && state.kept.length === 2")
    assert state["selection"]["head"] == 5
    assert here.page.evaluate("String(getSelection())") == ""  # no text between the two clicks
    drawn = state["lines"]["heads"]
    assert [one["head"] for one in drawn] == [[1, 2], [3, 8], [2, 5]]
    here.until("state.lines.heads.every(({ head }) => head)")
    for one in drawn:
        weights = trace().sites["cross"].weights[one["head"][0] - 1, one["head"][1] - 1, :7]
        assert one["hidden"] == pytest.approx(hidden(*one["head"]), abs=0.01)
        assert one["lines"] == pytest.approx((weights > 0.06).sum(), abs=2)
    expect(cell(here, 1, 2)).to_have_attribute("data-slot", "1")
    expect(cell(here, 2, 5)).to_have_attribute("data-slot", "3")
    buttons = here.at("hl-overlay").get_by_role("button")
    expect(buttons).to_have_count(3)
    share = f"{round(hidden(3, 8) * 100)}\u00a0%"
    expect(buttons.nth(1)).to_have_text(f"2 L3 H8 {share}")
    buttons.first.click()
    here.until("state.kept.length === 1 && state.lines.heads.length === 2")


def test_nothing_below_moves_when_heads_are_added(opened: Open) -> None:
    here = opened()
    below = here.page.locator(".hl-foot")
    before = below.bounding_box()
    for layer, head in ((1, 2), (3, 8), (1, 7), (2, 1), (2, 2), (3, 3), (1, 1)):
        cell(here, layer, head).click(modifiers=["Shift"])
    here.until("state.lines.heads.length === 8")
    here.at("hl-matrix").focus()
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("c")
    here.until("state.held !== null")
    assert below.bounding_box() == before


def test_exact_numbers_of_every_head_arrive(opened: Open) -> None:
    here = opened()
    for head in range(1, 5):
        cell(here, 1, head).click(modifiers=["Shift"])
    expect(here.at("hl-overlay").get_by_role("button")).to_have_count(5)
    expect(here.at("hl-overlay")).not_to_contain_text("≈")
    expect(here.at("hl-lines-note")).not_to_contain_text("≈")


def test_keys_keep_a_head_and_go_on(opened: Open) -> None:
    here = opened()
    cell(here, 2, 5).focus()
    here.page.keyboard.press("Space")
    here.page.keyboard.press("ArrowRight")
    state = here.until("state.selection.head === 6 && state.lines.heads.length === 2")
    assert [one["head"] for one in state["lines"]["heads"]] == [[2, 5], [2, 6]]
    here.page.keyboard.press("ArrowLeft")
    here.page.keyboard.press("Space")
    here.until("state.kept.length === 0 && state.lines.heads.length === 1")


def test_eight_at_most(opened: Open) -> None:
    here = opened()
    for at in range(9):
        cell(here, 1 if at < 8 else 3, at % 8 + 1).click(modifiers=["Shift"])
    state = here.until("state.kept.length === 7")
    assert len(state["lines"]["heads"]) == 8


@pytest.mark.parametrize("language", ["en", "ko"])
def test_by_touch_on_a_phone(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "phone", trace(), language=language)
    here = opened("phone", size=(390, 800), touch=True)
    here.at("hl-overlay").get_by_role("button").tap()
    here.until("state.kept.length === 1")
    here.at("hl-grid").get_by_role("gridcell").nth(3).tap()
    here.until("state.lines.heads.length === 2")
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def token(here: Harness, side: str, share: float) -> tuple[float, float]:
    place = here.at("hl-lines-canvas").bounding_box()
    assert place is not None
    x = place["x"] + (8 if side == "key" else place["width"] - 8)
    return x, place["y"] + share * place["height"]


def test_a_pinned_token_stands_alone(opened: Open) -> None:
    here = opened()
    here.page.mouse.move(*token(here, "key", 0.4))
    column = here.until("state.hover !== null && state.hover[1] >= 0")["hover"][1]
    here.page.mouse.click(*token(here, "key", 0.4))
    state = here.until(f"JSON.stringify(state.held) === '[-1,{column}]'")
    weights = trace().sites["cross"].weights[1, 4, :7, column]
    assert state["lines"]["lines"] == int((weights > 0.06).sum())
    gone = 1 - weights[weights > 0.06].sum() / weights.sum()
    assert state["lines"]["hidden"] == pytest.approx(gone, abs=1e-5)
    expect(here.at("hl-lines-note")).to_contain_text("of the pinned token alone")
    top = trace().written[int(weights.argmax())].text
    said = f"is looked at most by {top}, {weights.max():.3f}"
    expect(here.at("hl-sentence")).to_contain_text(said)
    here.page.mouse.click(*token(here, "key", 0.4))
    here.until("state.held === null")


def test_a_tap_on_a_name_among_the_lines_pins_it(opened: Open) -> None:
    here = opened(size=(390, 800), touch=True)
    here.at("hl-lines-canvas").scroll_into_view_if_needed()
    for side, at in (("key", 1), ("query", 0)):
        here.page.touchscreen.tap(*token(here, side, 0.4))
        held = here.until(f"state.held?.[{at}] >= 0")["held"]
        here.page.touchscreen.tap(*token(here, side, 0.4))
        here.until("state.held === null")
        assert held[1 - at] == -1


def test_a_label_of_the_matrix_pins_its_row_or_column(opened: Open) -> None:
    here = opened()
    x, y = here.cell(3, 0)
    here.page.mouse.click(x - 50, y)
    state = here.until("JSON.stringify(state.held) === '[3,-1]'")
    row = trace().sites["cross"].weights[1, 4, 3]
    printed = {(r, c) for r, c, _ in state["matrix"]["printed"]}
    assert {(3, int(c)) for c in range(9) if row[c] >= 0.05} <= printed
    expect(here.at("hl-sentence")).to_contain_text("Pinned row: to looks most at")
    x, y = here.cell(0, 4)
    here.page.mouse.click(x, y - 25)
    state = here.until("JSON.stringify(state.held) === '[-1,4]'")
    assert state["selection"]["step"] == 7
    here.at("hl-matrix").press("Escape")
    here.until("state.held === null")
    here.page.mouse.move(*here.cell(2, 5))
    here.until("state.hover !== null")
    here.page.keyboard.press("c")
    here.until("JSON.stringify(state.held) === '[-1,5]'")
    here.page.keyboard.press("r")
    here.until("JSON.stringify(state.held) === '[2,-1]'")


def test_a_pinned_row_is_the_words_row(opened: Open, shelf: Shelf) -> None:
    put(shelf, "pieces", trace(), selection={**START, "step": 14})
    here = opened("pieces")
    x, y = here.cell(6, 0)
    here.page.mouse.click(x - 45, y)
    here.until("JSON.stringify(state.held) === '[6,-1]'")
    here.at("hl-units").get_by_role("radio", name="Words").click()
    here.until("state.words && JSON.stringify(state.held) === '[5,-1]'")
    here.page.get_by_role("radio", name="Decoder self").click()
    here.until("state.selection.kind === 'decoder_self' && state.held === null")
