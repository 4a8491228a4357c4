"""The Compare page in a real browser, served by the real app."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from core import registry
from core.model import TraceRequest
from core.studies.informative import most_informative
from core.training.folder import RunFolder
from tests.e2e.conftest import told
from tests.e2e.test_app import asked
from viz.inspector.pair import alignment
from viz.text.compare import EN, TEXT
from viz.text.language import LANGUAGES, Language
from viz.text.pair import EN as PAIR

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]


def shows(page: Page, predicate: str = "true") -> dict[str, Any]:
    """The pair's own account of what it drew, once a predicate over `state` holds."""
    return told(page, f"state.status === 'exact' && ({predicate})")


def opened(visit: Visit, width: int = 1366, height: int = 768, **query: str) -> Page:
    return visit("/compare?" + urlencode({"lang": "en", **query}), width, height)


def written(page: Page, side: str) -> str:
    return page.locator(f".st-key-written-{side} p").first.inner_text()


def other_than(state: dict[str, Any]) -> str:
    """A predicate that holds once other looks are drawn."""
    return f"JSON.stringify(state.traceIds) !== JSON.stringify({state['traceIds']})"


@pytest.mark.parametrize("width", [1366, 1024])
def test_what_is_written_of_both_stands_at_one_height(visit: Visit, width: int) -> None:
    page = opened(visit, width, model="zz-everyday", source="어제 카페 갔었어 거기 사람 많더라")
    shows(page)
    tops = [
        page.locator(f".st-key-written-{side} p").first.evaluate("e => e.getBoundingClientRect().y")
        for side in "ab"
    ]
    assert tops[0] == tops[1]


def test_two_sentences_are_there_at_once_and_one_is_changed(visit: Visit, app_models: Path) -> None:
    page = opened(visit)
    first = shows(page)
    assert first["traceIds"][0] != first["traceIds"][1]
    field = page.get_by_label(EN.sentence, exact=True)
    field.fill("쿠키")
    field.press("Enter")
    state = shows(page, other_than(first))
    assert state["traceIds"][0] == first["traceIds"][0]
    page.wait_for_url(re.compile("beside="))
    assert asked(page)["beside"] == "쿠키"
    chosen = state["selection"]
    model = registry.load(app_models / asked(page)["model"])
    weights = model.trace(TraceRequest("쿠키")).sites[chosen["kind"]].weights
    expected = weights[chosen["layer"] - 1, chosen["head"] - 1].ravel()
    np.testing.assert_allclose(state["weights"][1], expected, atol=1e-6)


def test_a_link_restores_both_looks_and_both_heads(visit: Visit) -> None:
    page = opened(visit)
    first = shows(page)
    page.get_by_test_id("hl-linked").uncheck()
    page.locator('[data-side="second"] [data-layer="0"][data-head="1"]').click()
    shows(page, "state.selection.other === '1.2'")
    page.wait_for_url(re.compile(r"other=1\.2"))
    field = page.get_by_label(EN.sentence, exact=True)
    field.fill("쿠키")
    field.press("Enter")
    before = shows(page, other_than(first))
    assert before["selection"]["other"] == "1.2"
    page.wait_for_url(re.compile(r"(?=.*beside=)(?=.*other=1\.2)"))
    again = visit(urlsplit(page.url).path + "?" + urlsplit(page.url).query)
    state = shows(again)
    assert state["selection"] == before["selection"]
    assert state["traceIds"] == before["traceIds"]
    again.get_by_text("한국어", exact=True).click()
    expect(again.get_by_text(TEXT["ko"].forced)).to_be_visible()
    assert shows(again)["selection"] == before["selection"]


def test_a_milestone_writes_what_the_model_wrote_and_may_write_freely(
    visit: Visit, app_models: Path
) -> None:
    kept = RunFolder(app_models / "tiny-run").milestones()[0]
    page = opened(visit, model="tiny-run", source="cafe", beside_model=f"tiny-run@{kept.step}")
    state = shows(page)
    whole, early = registry.load(app_models / "tiny-run"), registry.load(kept.folder)
    first = whole.trace(TraceRequest("cafe"))
    said = str(first.meta["target_text"])
    second = early.trace(TraceRequest("cafe", said))
    chosen = state["selection"]
    a, b = (
        made.sites[chosen["kind"]].weights[chosen["layer"] - 1, chosen["head"] - 1]
        for made in (first, second)
    )
    np.testing.assert_allclose(state["weights"][1], b.ravel(), atol=1e-6)
    pairs = alignment(first.queries(chosen["kind"]), second.queries(chosen["kind"]))
    assert all(min(pair) >= 0 for pair in pairs)  # the same rows
    np.testing.assert_allclose(state["values"], (b - a).ravel(), atol=1e-6)
    page.get_by_text(EN.forced).click()
    page.wait_for_url(re.compile("beside_forced=off"))
    free = shows(page, other_than(state))
    assert free["traceIds"][0] == state["traceIds"][0]


def test_another_model_is_chosen_from_the_list(visit: Visit) -> None:
    page = opened(visit)
    first = shows(page)
    page.get_by_label(EN.model).click()
    page.get_by_role("option", name="zz-everyday", exact=True).click()
    state = shows(page, other_than(first))
    assert state["alike"] is False
    expect(page.get_by_text(PAIR.unlike)).to_be_visible()
    assert asked(page)["beside_model"] == "zz-everyday"


def test_a_model_of_another_shape_opens_where_it_points_most_itself(
    visit: Visit, app_models: Path
) -> None:
    page = opened(visit, beside_model="zz-everyday")
    state = shows(page)
    assert state["alike"] is False
    chosen, source = state["selection"], page.get_by_label(EN.sentence, exact=True).input_value()
    model = registry.load(app_models / "zz-everyday")
    said = written(page, "a")
    forced = page.get_by_role("switch", name=EN.forced).is_checked()
    trace = model.trace(TraceRequest(source, said if forced else None))
    kind = chosen["kind"]
    layer, head = most_informative(trace.sites[kind], trace.keys(kind))
    assert chosen["other"] == f"{layer + 1}.{head + 1}"
    weights = trace.sites[kind].weights[layer, head].ravel()
    np.testing.assert_allclose(state["weights"][1], weights, atol=1e-6)
    # a link from when it was at the place of the first, and one to the first's own shape
    linked = opened(visit, beside_model="zz-everyday", other="same")
    assert shows(linked)["selection"]["other"] == "same"
    assert shows(opened(visit))["selection"]["other"] == "same"


def test_another_first_model_lets_the_head_of_the_second_be_chosen_anew(visit: Visit) -> None:
    page = opened(visit, beside_model="zz-everyday")
    first = shows(page)
    assert first["selection"]["other"] != "same"
    models = page.locator('[class*="st-key-widget-models"]')
    models.get_by_role("button").click()
    page.get_by_test_id("stPopoverBody").get_by_text("zz-everyday", exact=True).click()
    state = shows(page, other_than(first))
    assert state["alike"] is True
    assert state["selection"]["other"] == "same"


def test_what_the_address_asks_for_and_is_not_there_is_said(visit: Visit) -> None:
    page = opened(visit, beside_model="../../etc", other="99.99", beside_forced="perhaps")
    shows(page)
    expect(page.get_by_text("beside_model", exact=False)).to_be_visible()


@pytest.mark.parametrize("sentence", ["<img src=x onerror=alert(1)>", "{{7*7}} $x$ :red[a]"])
def test_what_is_typed_shows_as_it_is(visit: Visit, sentence: str) -> None:
    page = opened(visit)
    first = shows(page)
    field = page.get_by_label(EN.sentence, exact=True)
    field.fill(sentence)
    field.press("Enter")
    shows(page, other_than(first))
    expect(field).to_have_value(sentence)
    assert page.locator("img").count() == 0
    field.fill("")
    field.press("Enter")
    shows(page, f"JSON.stringify(state.traceIds) === JSON.stringify({first['traceIds']})")
    page.wait_for_function("!location.search.includes('beside=')")


def test_a_sentence_that_is_too_long_is_said(visit: Visit) -> None:
    page = opened(visit)
    first = shows(page)
    field = page.get_by_label(EN.sentence, exact=True)
    field.fill("카페 " * 400)
    field.press("Enter")
    expect(page.get_by_text("Shorten it", exact=False)).to_be_visible()
    field.fill("쿠키")
    field.press("Enter")
    shows(page, other_than(first))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_phone(visit: Visit, language: Language) -> None:
    page = opened(visit, 390, 800, lang=language)
    shows(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_second_sentence_is_read_whole_on_a_tablet(visit: Visit) -> None:
    """Its model takes what room the sentence leaves."""
    page = opened(visit, 1024, 768, model="zz-everyday")
    shows(page)
    field = page.get_by_label(EN.sentence, exact=True)
    assert field.evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    chosen = page.locator(".st-key-sentence-b [data-testid=stSelectbox]")
    expect(chosen).to_be_in_viewport(ratio=1)
