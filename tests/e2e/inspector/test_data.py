"""New data, other sizes and hostile tokens; what Python and the URL are told."""

import json

import pytest
from playwright.sync_api import expect

from core.trace import KINDS
from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import ENGLISH, trace
from viz.inspector.payload import View
from viz.text.inspector import TEXT
from viz.text.language import Language

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("view", ["inspect", "step"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_narrow_page_does_not_scroll_sideways(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    put(shelf, "n", trace(), view=view, language=language)
    here = opened("n", size=(390, 800), ratio=2)
    for at, kind in enumerate(KINDS):
        here.at("hl-kinds").get_by_role("radio").nth(at).click()
        here.until(f"state.selection.kind === '{kind}'")
        assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_narrow_page_stacks_in_the_order_of_need(opened: Open) -> None:
    here = opened(size=(390, 800))
    tops = [
        place["y"]
        for name in ("hl-steps", "hl-kinds", "hl-matrix", "hl-next", "hl-grid", "hl-lines")
        if (place := here.at(name).bounding_box())
    ]
    assert len(tops) == 6
    assert tops == sorted(tops)


HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script>",
    "<img src=x onerror=window.hacked=1>",
    "\u202egnp.exe",
    "\x00",
    "{{}}",
    "{token}",
    "${1}",
    " ",
    "",
    "한" * 3000,
    "👩‍👩‍👧",
)


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_hostile_tokens_are_shown_as_they_are(opened: Open, shelf: Shelf, view: View) -> None:
    words = tuple(range(len(HOSTILE)))
    traced = trace(HOSTILE, words, HOSTILE, words, model_id="</script><b>")
    put(shelf, "hostile", traced, view=view)
    for size in ((1366, 768), (390, 800)):
        here = opened("hostile", size=size)
        chips = here.at("hl-steps").locator(".hl-chip").all_inner_texts()
        assert chips[:9] == ["start", *HOSTILE[:3], "⟨U+202E⟩gnp.exe", "⟨U+0000⟩", *HOSTILE[5:8]]
        assert chips[9:11] == ["␣", "∅"]
        for _ in range(len(HOSTILE)):
            here.at("hl-steps").press("ArrowRight")
        here.selection(step=len(HOSTILE) + 1)
        if view == "inspect":
            here.page.mouse.move(*here.cell(3, 2))
            expect(here.at("hl-tip")).to_contain_text("key <img src=x onerror=window.hacked=1>")
            expect(here.at("hl-tip")).to_contain_text("writes ⟨U+202E⟩gnp.exe")
        assert here.page.evaluate("window.hacked") is None
        assert here.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_new_data_keeps_what_still_fits(opened: Open, shelf: Shelf) -> None:
    put(shelf, "other", trace(seed=20))
    put(shelf, "small", trace(ENGLISH[:2], (0, 1), ENGLISH[:3], (0, 1, 2), layers=1, heads=2))
    here = opened()
    here.page.get_by_role("gridcell", name="Layer 3, head 7").click()
    here.at("hl-steps").press("End")
    here.selection(layer=3, head=7, step=14)
    here.show("other")
    state = here.until("state.status === 'exact'")
    assert state["selection"] == {**START, "layer": 3, "head": 7, "step": 14}
    assert state["grid"]["of"] == 24
    here.until("window.sent.length > 0")
    here.show("small")
    state = here.until("state.status === 'exact'")
    assert state["selection"] == {**START, "layer": 1, "head": 2, "step": 4}
    assert here.page.locator("[data-testid=headlight]").count() == 1
    # What had to change is told, so that Python and the URL agree with what is drawn.
    here.until("location.search.includes('step=4')")
    told = json.dumps(state["selection"] | state["options"], separators=(",", ":"))
    here.until(f"JSON.stringify(window.sent.at(-1)[1]) === '{told}'")


def test_data_that_cannot_be_drawn_is_said_and_the_next_is_drawn(
    opened: Open, shelf: Shelf
) -> None:
    put(shelf, "strange", trace(seed=20))
    del shelf.data["strange"]["meta"]["sites"]
    here = opened()
    here.page.evaluate("window.show('strange')")
    alert = here.page.get_by_role("alert")
    expect(alert).to_have_text(TEXT["en"].failed)
    assert len(here.problems) == 1
    here.problems.clear()
    here.show("default")
    expect(alert).to_have_count(0)


def test_another_sentence_is_shown_whole(opened: Open, shelf: Shelf) -> None:
    chosen = {name: START[name] for name in ("kind", "layer", "head")}
    put(shelf, "forced", trace(seed=20), selection=chosen)
    put(shelf, "short", trace(ENGLISH[:2], (0, 1)), selection=chosen)
    here = opened()
    here.at("hl-steps").press("Home")
    here.selection(step=1)
    here.show("forced")  # the same source, looked at otherwise
    here.selection(step=1)
    here.show("short")
    here.selection(step=14)
    here.until("location.search.includes('step=14')")


def test_python_leads_only_when_it_says_something_new(opened: Open, shelf: Shelf) -> None:
    put(shelf, "again", trace(), selection={**START, "head": 2})
    here = opened()
    here.at("hl-steps").press("Home")
    here.selection(step=1)
    here.show("default")
    here.selection(step=1, head=5)
    # What Python has not heard of yet is newer than what it says.
    here.until("window.sent.some(([, told]) => told.step === 1)")
    here.show("again")
    here.selection(step=7, head=2)


def test_the_selection_is_reported_once_it_rests(opened: Open) -> None:
    here = opened(query="&lang=ko&source=%EC%B9%B4%ED%8E%98")
    for _ in range(3):
        here.at("hl-steps").press("ArrowRight")
    here.until("window.sent.length > 0 && location.search.includes('step=10')")
    assert "lang=ko" in here.page.url
    assert "source=%EC%B9%B4%ED%8E%98" in here.page.url
    told = {**START, "step": 10, **here.state()["options"]}
    assert set(told.values()) == {*START.values(), 10, None} - {7}
    assert here.page.evaluate("window.sent") == [["selection", told]]
    assert here.page.evaluate("history.length") == 2


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"kind": "nonsense", "layer": 99, "head": -3, "step": 1000, "pinned": [400, 1]},
        {"kind": None, "layer": "2", "head": 1.5, "step": None, "pinned": "x"},
    ],
)
def test_a_selection_that_does_not_fit_is_settled(
    opened: Open, shelf: Shelf, wanted: dict[str, object]
) -> None:
    put(shelf, "odd", trace(), selection=wanted)
    selection = opened("odd").state()["selection"]
    assert selection["kind"] == "cross"
    assert 1 <= selection["layer"] <= 3
    assert 1 <= selection["head"] <= 8
    assert selection["step"] == 14
    assert selection["pinned"] is None


def test_dark_is_dark_and_follows_a_change(opened: Open, shelf: Shelf) -> None:
    here = opened()
    assert here.state()["dark"] is False
    here.page.evaluate(
        """() => { document.documentElement.style.setProperty('--st-background-color', '#0e1117');
        document.documentElement.style.setProperty('--st-text-color', '#fafafa'); }"""
    )
    here.show("default")
    here.until("state.dark")
    assert max(here.pixels(1, 0)[0]) < 90


def test_unmounting_leaves_nothing(opened: Open) -> None:
    here = opened()
    here.at("hl-play").click()
    here.page.evaluate("window.unmount()")
    assert here.page.evaluate("document.querySelector('#place').shadowRoot.childElementCount") == 0
    assert here.page.evaluate("window.headlight()") == {"ready": False}
