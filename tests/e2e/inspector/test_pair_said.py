"""What stands at the difference of a pair: what was compared, and which head is meant."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.page import Open
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import START, open_pair, put_pair, two_traces
from tests.viz.inspector.made import trace
from viz.text.pair import TEXT

pytestmark = pytest.mark.e2e

CAPTION = '[data-side="difference"] .hl-side-caption'
CHOSEN = '[data-side="difference"] [aria-selected="true"]'


def apart(shelf: Shelf, other: str) -> None:
    put_pair(shelf, two_traces(), selection={**START, "other": other})


def test_one_head_on_both_sides_is_one_however_it_was_chosen(opened: Open, shelf: Shelf) -> None:
    apart(shelf, "2.5")
    here = open_pair(opened)
    expect(here.at("hl-linked")).not_to_be_checked()
    expect(here.page.locator(CHOSEN)).to_have_attribute("title", "Layer 2, head 5")
    expect(here.page.locator(CAPTION)).to_contain_text("Layer 2, head 5: ")


def test_of_two_heads_no_small_difference_is_outlined_and_it_says_why(
    opened: Open, shelf: Shelf
) -> None:
    apart(shelf, "1.3")
    here = open_pair(opened)
    expect(here.page.locator(CHOSEN)).to_have_count(0)
    expect(here.page.locator(CAPTION)).to_contain_text(TEXT["en"].heads_apart)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_where_hardly_a_row_is_shared_that_comes_first(
    opened: Open, shelf: Shelf, language: Any
) -> None:
    words = TEXT[language]
    target = ("나", "너", "우리", "그")
    pair = (trace(), trace(("책",), (0,), target, tuple(range(4)), seed=3))
    put_pair(shelf, pair, language=language)
    here = open_pair(opened)
    said = words.few_rows.format(rows=1, all=18)
    expect(here.page.locator(CAPTION)).to_have_text(re.compile(f"^{said} {words.most_first}"))


def test_on_a_small_phone_the_name_of_a_scale_stands_in_one_line(
    opened: Open, shelf: Shelf
) -> None:
    put_pair(shelf, two_traces())
    here = open_pair(opened, size=(320, 640))
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 320
    lines = here.page.locator(".hl-scale-button > span").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert max(lines) < 26
