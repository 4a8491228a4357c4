"""BertViz's views in the app: drawn, told apart, and kept from everything else."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from viz.text.bertviz import TEXT

pytestmark = pytest.mark.e2e
expect.set_options(timeout=60_000)


def test_bertviz_draws_the_sentence_at_hand(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz?kind=decoder_self&lang=ko")
    view = page.frame_locator("iframe[title], iframe").first
    expect(view.locator("#vis line").first).to_be_attached()
    expect(view.locator("#vis")).to_contain_text("drink")
    expect(view.locator("nav a[aria-current]")).to_have_text(["헤드 보기", "디코더 셀프"])
    view.get_by_role("link", name=TEXT["ko"].view_model).click()
    expect(view.locator("#vis")).to_contain_text("Heads")
    view.get_by_role("link", name=TEXT["ko"].view_neuron).click()
    expect(view.locator("body")).to_contain_text("RoBERTa")


def test_it_cannot_reach_the_app_around_it(visit: Callable[..., Page]) -> None:
    page = visit("/bertviz")
    expect(page.frame_locator("iframe").first.locator("#vis line").first).to_be_attached()
    frame = next(frame for frame in page.frames if "/bertviz/" in frame.url)
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate(
        "(() => { try { return String(parent.document.title) } catch { return 'refused' } })()"
    ) == ("refused")
