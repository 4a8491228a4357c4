"""The Model page in a real browser, on a model that was trained for a second."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
WAIT = 120_000  # milliseconds; a machine may be busy


@pytest.mark.parametrize(("language", "total"), [("en", "Total"), ("ko", "합계")])
def test_the_page_waits_for_the_model_and_says_what_it_is(
    visit: Visit, language: str, total: str
) -> None:
    page = visit(f"/model?lang={language}&model=tiny", locale="ko-KR")
    expect(page.get_by_role("heading", name="tiny", exact=True).first).to_be_visible(timeout=WAIT)
    row = page.get_by_role("row").filter(has_text=total)
    expect(row).to_be_visible()
    bars = page.locator(".js-plotly-plot .barlayer .point")
    expect(bars).to_have_count(7, timeout=WAIT)
    expect(page.get_by_text("It knows six sentences by heart.")).to_be_visible()


def test_a_phone_scrolls_in_one_direction_only(visit: Visit) -> None:
    page = visit("/model?lang=ko&model=tiny", width=390, height=844, color_scheme="dark")
    expect(page.get_by_text("합계")).to_be_visible(timeout=WAIT)
    expect(page.locator(".js-plotly-plot .barlayer .point").first).to_be_visible(timeout=WAIT)
    beyond = page.evaluate(
        """() => {
          const main = document.querySelector('[data-testid=stMain]');
          return main.scrollWidth - main.clientWidth;
        }"""
    )
    assert beyond <= 0


def test_code_in_a_sentence_of_a_card_is_as_large_as_the_sentence(visit: Visit) -> None:
    page = visit("/model?lang=en&model=tiny")
    said = page.get_by_text("It knows six sentences by heart.")
    expect(said).to_be_visible(timeout=WAIT)
    sizes = said.evaluate(
        """sentence => {
          const code = sentence.appendChild(document.createElement("code"));
          return [sentence, code].map((element) => getComputedStyle(element).fontSize);
        }"""
    )
    assert sizes[0] == sizes[1]
