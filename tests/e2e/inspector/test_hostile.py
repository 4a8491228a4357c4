"""Hostile strings in every view, in a real browser: nothing runs, and what is shown is the text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from core.outputs import SearchNode, SearchTree
from core.trace import KINDS, AttentionTrace, Token
from tests.e2e.inspector.film.shelf import put_film
from tests.e2e.inspector.hostile_page import (
    AWAIT,
    CENSUS,
    FOREIGN,
    LARGE,
    SHOWN,
    TIP,
    Bare,
    baring,
    clear,
    read_through,
    said,
)  # fmt: skip
from tests.e2e.inspector.page import START, Harness
from tests.e2e.inspector.server import Shelf, serving
from tests.viz.inspector.hostile import TEXTS, hostile_trace, hostile_vocabulary
from viz.inspector.beam import beam_data
from viz.inspector.pack import pack
from viz.inspector.payload import View, component_data
from viz.text.beam import TEXT as BEAM
from viz.text.browser import inspector_words
from viz.text.rows import by_name
from viz.text.tokens import visible

pytestmark = pytest.mark.e2e

HARMLESS = tuple(f"t{at}" for at in range(len(TEXTS)))
PICTURES = (
    "👩\u200d👩\u200d👧", "👍🏽\u200dx", "x\u200dy", "🏳️\u200d🌈", "❤\ufe0f\u200d🔥",
    "1\ufe0f\u20e3", "👩\u200d", "\u2800\u200d👩", "\u2800\ufe0f",
    "👩🏽\ufe0f\u200d👩", "👩\ufe0f🏽\u200d👩",
    "a\ufe0f", " ", "\u3000",
)  # fmt: skip
PLANES = ((0, 0xD800), (0xE000, 0x30000), (0xE0000, 0xE1000))
NONE = (0xFDD0, 0xFDEF, 0xFFFF, 0x1FFFE, 0x10FFFF)


@pytest.fixture
def bare(browser: Browser) -> Iterator[Bare]:
    with baring(browser) as open_page:
        yield open_page


def lay(shelf: Shelf, name: str, traced: AttentionTrace, view: View, kind: str = "cross") -> None:
    packed = pack(traced, trace_id=name, vocabulary_tokens=hostile_vocabulary)
    shelf.traces[name] = traced
    shelf.data[name] = component_data(
        packed,
        view=view,
        language="en",
        text=inspector_words("en"),
        selection={**START, "kind": kind, "layer": 1, "head": 1, "step": 1},
        branches=True,
    )


def painted(here: Harness) -> None:
    """Canvases show every token, from its first letters on, and nothing that is not seen."""
    drawn = here.page.evaluate("[...window.painted]")
    clear(drawn)
    starts = [text.removesuffix("…") for text in drawn]
    for shown in SHOWN:
        assert any(start and shown.startswith(start) for start in starts), ascii(shown[:40])


def test_the_strings_do_run_where_they_are_taken_for_markup(browser: Browser) -> None:
    """Else the tests below would tell nothing."""
    page = browser.new_page()
    page.goto("about:blank")
    ran = page.evaluate(
        """async (texts) => {
          let ran = 0;
          for (const text of texts) {
            window.fired = 0;
            document.body.innerHTML = text;
            for (let turn = 0; turn < 40 && !window.fired; turn += 1) {
              await new Promise((done) => setTimeout(done, 5));
            }
            ran += window.fired;
          }
          return ran;
        }""",
        [text for text in TEXTS if "<" in text],
    )
    page.close()
    assert ran >= 7


def test_both_spell_alike_what_is_not_seen(page: Page) -> None:
    """Python and the browser, every character that both know; and strings of several."""
    got = page.evaluate(
        """async ([parts, texts]) => {
          const { visible } = await import("/inspector/data/text.js");
          const spelt = [];
          for (const [from, to] of parts) for (let code = from; code < to; code += 1) {
            const text = `${String.fromCodePoint(code)}x`;
            if (visible(text) !== text) spelt.push(code);
          }
          return [spelt, texts.map(visible)];
        }""",
        [PLANES, [*TEXTS, *PICTURES, *map(chr, NONE)]],
    )
    codes = (code for part in PLANES for code in range(*part))
    known = [code for code in codes if unicodedata.category(chr(code)) != "Cn"]
    spelt = {code for code in known if visible(f"{chr(code)}x") != f"{chr(code)}x"}
    assert set(got[0]) & set(known) == spelt
    assert got[1] == [visible(text) for text in (*TEXTS, *PICTURES, *map(chr, NONE))]


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_a_look_shows_them_as_they_are(bare: Bare, view: View) -> None:
    shelf = Shelf()
    lay(shelf, "harmless", hostile_trace(HARMLESS), view)
    lay(shelf, "hostile", hostile_trace(), view)
    with serving(shelf) as base:
        here = bare(base)
        here.open("harmless")
        expected = here.page.evaluate(CENSUS)
        here.open("hostile")
        assert here.page.evaluate(CENSUS) == expected
        chips = here.at("hl-steps").locator(".hl-chip").all_text_contents()
        assert chips == ["start", *SHOWN, "end"]
        found = read_through(here)
        clear(found)
        for shown in SHOWN:
            assert shown in found
            assert any(shown in text for text in found if text != shown), ascii(shown[:40])
        (pointed_at if view == "inspect" else staged)(here)
        painted(here)
        # What was never drawn before has a size by now.
        elements = {name for name in expected if name != "canvas[aria-hidden,data-testid]"}
        assert here.page.evaluate(CENSUS).keys() >= elements
        assert here.page.evaluate("document.documentElement.scrollWidth") <= LARGE["width"]


def pointed_at(here: Harness) -> None:
    """Tips, the table for screen readers, lines, words, every kind of attention."""
    for place, kind in enumerate(KINDS):
        here.at("hl-kinds").get_by_role("radio").nth(place).click()
        here.until(f"state.selection.kind === '{kind}' && state.status === 'exact'")
        (left, top), (x, y) = here.cell(0, 0), here.cell(1, 1)
        for at in range(0, len(TEXTS), 1 if kind == "cross" else 6):
            here.page.mouse.move(left + at * (x - left), top + at * (y - top))
            here.page.evaluate(AWAIT, [f"state.hover?.join() === '{at},{at}'"])
            lines = here.page.evaluate(TIP, "hl-tip")
            key = ("start", *SHOWN)[at] if kind == "decoder_self" else SHOWN[at]
            assert f"key {key}" in lines
            assert f"{'query' if kind == 'encoder_self' else 'writes'} {SHOWN[at]}" in lines
        here.page.mouse.click(left + at * (x - left), top + at * (y - top))  # the longest one
        here.until("state.selection.pinned !== null")
        here.page.mouse.move(2, 2)
    here.at("hl-matrix").focus()
    here.page.keyboard.press("l")
    here.until("state.mode === 'lines'")
    here.at("hl-units").get_by_role("radio").nth(1).click()
    state = here.until("state.words && state.status === 'exact'")
    clear(text for _, text in state["matrix"]["labels"]["rows"])
    clear(said(here))


def staged(here: Harness) -> None:
    """What the last row says key by key; its numbers, and what a stage says of a cell."""
    here.at("hl-steps").press("End")
    last = here.until("state.selection.step > 6 && state.flow.row === state.rows - 1")["flow"]
    box, place = last["boxes"]["weights"], here.at("hl-flow-canvas").bounding_box()
    assert place is not None
    for at in range(len(TEXTS)):
        x = place["x"] + box["x"] + (at + 0.5) * box["width"]
        here.page.mouse.move(x, place["y"] + box["y"] + 2)
        here.page.evaluate(AWAIT, [f"state.hover?.[1] === {at}"])
        assert f"key {SHOWN[at]}" in here.page.evaluate(TIP, "hl-flow-tip")
    clear(said(here))
    here.at("hl-whole").get_by_role("radio").nth(1).click()
    here.until("state.stages.weights?.rows === state.rows")
    keys = here.at("hl-numbers").locator("tbody th").all_text_contents()
    assert keys
    assert set(keys) <= {*SHOWN, "end"}
    (left, top), (x, y) = (here.stage_cell("weights", at, at) for at in (0, 1))
    for at in range(len(TEXTS)):
        here.page.mouse.move(left + at * (x - left), top + at * (y - top))
        assert f"key {SHOWN[at]}" in here.page.evaluate(TIP, "hl-stage-tip")


def test_a_film_shows_what_milestones_wrote(bare: Bare) -> None:
    written = [text for text in TEXTS if text.split()]
    shelf = Shelf()
    traced = hostile_trace(TEXTS[:20])
    steps = range(len(written))
    put_film(shelf, snapshots=[traced] * len(written), steps=steps, outputs=written)
    with serving(shelf) as base:
        here = bare(base)
        here.open("film", "&module=film/main.js")
        here.at("hl-milestones").press("Home")
        for step, output in enumerate(written):
            here.page.evaluate(AWAIT, [f"state.selection.milestone === {step}"])
            words = " ".join(visible(word) for word in output.split())
            assert words in (here.at("hl-said").text_content() or "")
            here.at("hl-milestones").press("ArrowRight")
        clear(said(here))
        clear(here.page.evaluate("[...window.painted]"))
        expect(here.page.locator("#place").locator(FOREIGN)).to_have_count(0)


def test_a_beam_shows_its_hypotheses(bare: Bare) -> None:
    tokens = [Token(text, text, 9 + at, at) for at, text in enumerate(TEXTS)]
    nodes = [
        SearchNode(-1 if at % 3 == 0 else at - 1, token, -1.0, -1.0 - at, -1.0, "ended")
        for at, token in enumerate(tokens)
    ]
    leaves = tuple(at for at in range(len(nodes)) if at % 3 == 2 or at == len(nodes) - 1)
    shelf = Shelf()
    words = inspector_words("en") | by_name(BEAM["en"])
    shelf.data["beam"] = beam_data(SearchTree(tuple(nodes), leaves, 4), language="en", text=words)
    with serving(shelf) as base:
        here = bare(base)
        here.page.goto(f"{base}?data=beam&module=beam/main.js")
        expect(here.page.get_by_role("option")).to_have_count(len(leaves))
        cells = here.page.locator(".hl-beam-cell").all_text_contents()
        assert set(cells) == set(SHOWN)
        here.page.get_by_role("option").first.focus()
        for _ in leaves:
            clear(said(here))
            here.page.keyboard.press("ArrowDown")
        expect(here.page.locator("#place").locator(FOREIGN)).to_have_count(0)
