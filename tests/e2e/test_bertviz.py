"""BertViz's views in the app: drawn, told apart, and kept from everything else."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.viz.inspector.made import trace
from viz.bertviz import page
from viz.text.bertviz import TEXT
from viz.text.inspector import TEXT as INSPECTOR

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)


def chosen(page: Page) -> Locator:
    """The view and the kind that are lit."""
    return page.locator(".st-key-bertviz-switches").get_by_role("radio", checked=True)


def test_bertviz_draws_the_sentence_at_hand(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?kind=decoder_self&lang=ko")
    view = page.frame_locator("iframe[title], iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    expect(view.locator("#vis")).to_contain_text("drink")
    expect(chosen(page)).to_have_text(["헤드 보기", "디코더 셀프", "1"])
    page.get_by_text(TEXT["ko"].view_model, exact=True).click()
    expect(view.locator("#vis")).to_contain_text("Heads")
    page.get_by_text(TEXT["ko"].view_neuron, exact=True).click()
    expect(view.locator("body")).to_contain_text("RoBERTa")


def test_a_link_brings_back_view_kind_and_layer(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?kind=cross")
    view = page.frame_locator("iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    page.locator(".st-key-bertviz-switches").get_by_role("radio", name="2", exact=True).click()
    page.wait_for_url(re.compile("layer=2"))
    page.get_by_text(INSPECTOR["en"].kind_encoder_self, exact=True).click()
    page.wait_for_url(re.compile("kind=encoder_self"))
    page.get_by_text(TEXT["en"].view_model, exact=True).click()
    page.wait_for_url(re.compile("bertviz=model"))
    path = urlsplit(page.url)
    for again in (visit(f"{path.path}?{path.query}"), page):
        expect(again.frame_locator("iframe").first.locator("#vis")).to_contain_text("Heads")
        both = [TEXT["en"].view_model, INSPECTOR["en"].kind_encoder_self]
        expect(chosen(again)).to_have_text(both)
    page.go_back()
    page.wait_for_url(re.compile(r"^((?!bertviz=model).)*$"))
    expect(chosen(page).first).to_have_text(TEXT["en"].view_head)
    shown = page.frame_locator("iframe").first.locator("#layer")
    expect(shown).to_be_hidden()
    expect(shown).to_have_value("2")


@pytest.mark.parametrize("width", [1200, 400])
def test_long_tokens_are_whole_or_scrolled_to(chromium: Browser, width: int) -> None:
    words = ("Q" * 60, "가" * 60, "mW@" * 20)
    text = page(trace(words, (0, 1, 2), words, (0, 1, 2)), "head", "cross", 1, language="en")
    context = chromium.new_context(viewport={"width": width, "height": 500})
    drawn = context.new_page()
    drawn.set_content(text)
    expect(drawn.locator("#vis line").first).to_be_attached()
    assert drawn.locator("#vis text").count() == len(words) * 2 + 2
    cut = drawn.locator("#vis").evaluate(
        """vis => { const svg = vis.querySelector("svg").getBoundingClientRect();
          return [...vis.querySelectorAll("text")].filter((text) => {
            const own = text.getBoundingClientRect();
            return own.left < svg.left || own.right > svg.right;
          }).map((text) => text.textContent); }"""
    )
    assert cut == []
    most = drawn.evaluate("document.scrollingElement.scrollWidth")
    assert most >= drawn.locator("#vis svg").evaluate("svg => svg.getBoundingClientRect().right")
    context.close()


def test_it_cannot_reach_the_app_around_it(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz")
    expect(page.frame_locator("iframe").first.locator("#vis line").first).to_be_attached()
    frame = next(frame for frame in page.frames if "/bertviz/" in frame.url)
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate(
        "(() => { try { return String(parent.document.title) } catch { return 'refused' } })()"
    ) == ("refused")
