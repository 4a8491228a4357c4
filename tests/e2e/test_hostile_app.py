"""Hostile strings typed into the real app: nothing runs, and the page says them as they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_app import drawn, typed
from tests.viz.inspector.hostile import STRINGS
from viz.address import clean_text
from viz.text import inspect
from viz.text.tokens import spelt

pytestmark = pytest.mark.e2e

# What fits the tiny model's 48 tokens, and is more than a blank once it is cleaned.
TYPED = [
    text
    for text in map(clean_text, STRINGS.values())
    if len(text.strip()) > 2 and len(text.encode()) < 42
]
FOREIGN = "img, script, iframe, svg[onload], a[href^=javascript], .katex, [onerror], [onfocus]"


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """Inspect, with whatever runs running."""
    page = visit("/", bypass_csp=True)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    drawn(page)
    return page


def test_a_sentence_is_shown_as_it_was_typed(page: Page) -> None:
    own = page.get_by_test_id("stMain").locator(FOREIGN)
    before = own.count()
    doubted = 0
    for text in TYPED:
        typed(page, text)
        page.wait_for_function(
            "text => new URLSearchParams(location.search).get('source') === text", arg=text
        )
        said = page.locator(".st-key-translation").text_content() or ""
        doubted += (spelt(text.split()[0]) in said) and "hardly knows" in said
        expect(page.get_by_label(inspect.EN.source, exact=True)).to_have_value(text)
        drawn(page)
        assert own.count() == before, text
        assert page.evaluate("window.fired") is None, text
    assert page.title() == "Headlight"
    assert doubted > len(TYPED) / 2 > 10
