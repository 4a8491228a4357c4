"""One step on a small phone."""

import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import long_trace, trace
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e

DECODER = {**START, "kind": "decoder_self"}
BROKEN = """names => names.flatMap((name) => {
  const found = [];
  const walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) found.push(word);
    }
  return found;
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_small_phone_breaks_no_word_and_cuts_no_kind(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    put(shelf, "step", trace(), view="step", language=language, selection=DECODER)
    here = opened("step", size=(320, 640))
    assert here.state()["flow"]["down"]
    assert here.page.locator(".hl-flow-name > div").evaluate_all(BROKEN) == []
    room = here.page.evaluate(
        """() => {
          const root = document.querySelector("#place").shadowRoot;
          const kinds = root.querySelector("[data-testid=hl-kinds]");
          const range = document.createRange();
          range.selectNodeContents(kinds.lastElementChild);
          return kinds.getBoundingClientRect().right - range.getBoundingClientRect().right;
        }"""
    )
    assert room >= 6


def test_where_numbers_have_no_room_the_range_stands(opened: Open, shelf: Shelf) -> None:
    at = {**DECODER, "layer": 1, "head": 1}
    put(shelf, "long", long_trace(60, layers=1, heads=2), view="step", selection=at)
    put(shelf, "short", trace(), view="step", selection=DECODER)
    here = opened("long", size=(320, 640))
    assert here.state()["flow"]["printed"] == []
    notes = here.page.locator(".hl-flow-note")
    for index, name in ((0, True), (1, False), (2, True), (3, False)):
        expect(notes.nth(index)).to_be_visible(visible=name)
    site = long_trace(60, layers=1, heads=2).sites["decoder_self"]
    assert site.scores is not None
    scores = site.scores[0, 0, 6]
    said = f"{scores.min():.3f} … {scores.max():.3f}".replace("-", "−")
    expect(notes.first).to_have_text(said)
    here.open("short")
    expect(notes.first).to_be_hidden()
