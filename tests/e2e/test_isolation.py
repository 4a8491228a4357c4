"""Two visitors at once, in two browsers: neither sees, hears or changes anything of the other's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from tests.e2e.test_app import PEOPLE, RAIN, asked, drawn, translated
from viz.text import frame, inspect, train

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
FIELD = "input[type=text]"


def shown(page: Page) -> dict[str, Any]:
    """What a visitor sees, and has chosen."""
    state = drawn(page)
    return {
        "sentence": page.locator(FIELD).first.input_value(),
        "written": page.get_by_test_id("hl-steps").inner_text(),
        "model": page.locator('[class*="st-key-widget-models"]').inner_text().split()[0],
        "language": page.locator("html").get_attribute("lang"),
        "selection": state["selection"],
        "trace": state["traceId"],
        "address": asked(page),
    }


@contextmanager
def unmoved(page: Page) -> Iterator[None]:
    """What is done meanwhile, elsewhere, changes nothing here, not even at the next run."""
    before = shown(page)
    yield
    assert shown(page) == before


def write(page: Page, text: str) -> None:
    field = page.locator(FIELD).first
    field.fill(text)
    field.press("Enter")


ARRIVED = """([text, step]) => {
  const asked = new URLSearchParams(location.search);
  return asked.get("source") === text && asked.get("step") === step;
}"""


def arrived(page: Page, text: str) -> None:
    """Waits until the address says what is drawn, which it does when that has come to rest."""
    page.wait_for_function(
        "text => new URLSearchParams(location.search).get('source') === text", arg=text
    )
    page.wait_for_function(ARRIVED, arg=[text, str(drawn(page)["selection"]["step"])])


def test_neither_visitor_sees_anything_of_the_other(
    visit: Visit, tiny_model: TransformerModel
) -> None:
    here = visit("/?lang=en&model=tiny")
    there = visit("/step?lang=ko&model=tiny-spelling", locale="ko-KR")
    drawn(here)
    drawn(there)
    with unmoved(there):
        write(here, RAIN)
        expect(translated(here, "it rained yesterday")).to_be_visible()
        arrived(here, RAIN)
    with unmoved(here):
        write(there, "bus")
        arrived(there, "bus")
        expect(there.get_by_test_id("hl-steps")).to_contain_text("ㅂ")
    with unmoved(there):
        here.get_by_test_id("hl-grid").locator('[data-layer="1"][data-head="2"].hl-head').click()
        drawn(here, layer=2, head=3)
        here.wait_for_url(re.compile(r"layer=2&head=3"))
    with unmoved(here):
        there.get_by_test_id("hl-steps").focus()
        there.keyboard.press("Home")
        drawn(there, step=1)
        there.wait_for_url(re.compile(r"step=1\b"))
    with unmoved(there):
        here.get_by_text("한국어", exact=True).click()
        expect(here.locator("html")).to_have_attribute("lang", "ko")
        here.get_by_text("English", exact=True).click()
        expect(here.locator("html")).to_have_attribute("lang", "en")

    # Both at once, each with the numbers of its own sentence.
    write(here, PEOPLE)
    write(there, "cafe")
    arrived(there, "cafe")
    arrived(here, PEOPLE)
    expect(translated(here, "there were many people")).to_be_visible()
    state = drawn(here, status="exact")
    chosen = state["selection"]
    site = tiny_model.trace(TraceRequest(PEOPLE)).sites[chosen["kind"]]
    expected = site.weights[chosen["layer"] - 1, chosen["head"] - 1].ravel()
    np.testing.assert_allclose(state["weights"], expected, atol=1e-6)

    # What a visitor has not finished is nobody else's, either; and each comes back to their own.
    here.get_by_role("link", name=frame.EN.train, exact=True).click()
    here.get_by_text(train.EN.what_pairs, exact=True).click()
    here.get_by_label(train.EN.pairs_label).fill("mine\tmeins")
    here.get_by_label(train.EN.pairs_label).press("Control+Enter")
    there.get_by_role("link", name=frame.KO.train, exact=True).click()
    expect(there.get_by_text(train.KO.example_title, exact=True)).to_be_visible()
    there.get_by_text(train.KO.what_pairs, exact=True).click()
    expect(there.get_by_label(train.KO.pairs_label)).to_have_value("")
    expect(here.get_by_label(train.EN.pairs_label)).to_have_value("mine\tmeins")
    for page, language, sentence in ((here, frame.EN, PEOPLE), (there, frame.KO, "cafe")):
        page.get_by_role("link", name=language.inspect, exact=True).click()
        drawn(page)
        label = inspect.EN.source if language is frame.EN else inspect.KO.source
        expect(page.get_by_label(label, exact=True)).to_have_value(sentence)
    with unmoved(there):
        here.reload()
        drawn(here, layer=2, head=3)
        expect(here.get_by_label(inspect.EN.source, exact=True)).to_have_value(PEOPLE)
