"""A study that is measured from its page, as a visitor meets it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from core.studies.receptive import SENTENCE
from tests.e2e.conftest import free_port, serving
from tests.e2e.test_accessibility import hindrances
from viz.text.language import Language
from viz.text.studies import TEXT

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
WAIT = 120_000  # milliseconds; a machine may be busy


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(free_port()) as address:
        yield address


@pytest.mark.parametrize(
    ("language", "size"), [("en", (1366, 768)), ("ko", (390, 844))], ids=["en", "ko-phone"]
)
def test_a_study_is_measured_with_a_typed_sentence_and_stopped(
    visit: Visit, language: Language, size: tuple[int, int]
) -> None:
    text = TEXT[language]
    words = ["하나", "둘", "셋"] if language == "ko" else ["one", "two", "three"]
    asked = f"lang={language}&source={'+'.join(words)}"
    page = visit(f"/studies?{asked}&study=gradients", *size)
    start = page.get_by_role("button", name=text.measure, exact=True)
    start.click()
    stop = page.get_by_role("button", name=text.cancel, exact=True)
    expect(stop).to_be_visible(timeout=WAIT)
    expect(page.get_by_role("progressbar")).to_be_visible(timeout=WAIT)
    expect(start).to_be_hidden()  # its place is that of the other
    stop.click()
    expect(start).to_be_visible(timeout=WAIT)
    page.get_by_role("radio", name=text.names["receptive"], exact=True).click()
    page.get_by_role("button", name=text.measure_words, exact=True).click()
    expect(page.get_by_role("radio", name=text.sources["here"])).to_be_checked(timeout=WAIT)
    ticks = page.locator(".xtick text")
    expect(ticks.first).to_have_text(f"1. {words[0]}", timeout=WAIT)
    page.get_by_role("radio", name=text.sources["kept"]).click()
    expect(ticks.first).to_have_text(f"1. {SENTENCE.split()[0]}", timeout=WAIT)
    assert hindrances(page) == []


def test_the_word_whose_output_is_drawn_is_chosen_and_stays_in_the_address(visit: Visit) -> None:
    text, words = TEXT["en"], SENTENCE.split()
    page = visit("/studies?lang=en&study=receptive", 390, 844)
    title = page.locator(".ytitle")
    expect(title).to_have_text(["|d y_3 / d x_s|"], timeout=WAIT)
    expect(page.get_by_text(text.output_at, exact=True)).to_be_visible()
    last = page.get_by_role("radio", name=f"6. {words[-1]}", exact=True)
    last.click()
    expect(title).to_have_text(["|d y_6 / d x_s|"], timeout=WAIT)
    expect(page).to_have_url(re.compile(r"[?&]word=6(&|$)"), timeout=WAIT)
    page.reload()
    expect(last).to_be_checked(timeout=WAIT)
    expect(title).to_have_text(["|d y_6 / d x_s|"], timeout=WAIT)
    assert hindrances(page) == []


def test_ticks_are_of_one_size_and_none_is_without_its_number(visit: Visit) -> None:
    page = visit("/studies?lang=en&study=gradients")
    expect(page.locator(".xtick text").last).to_have_text("30", timeout=WAIT)
    sizes = "all => [...new Set(all.map(one => getComputedStyle(one).fontSize))]"
    assert page.locator(".xtick text, .ytick text").evaluate_all(sizes) == ["12px"]
    page.get_by_role("radio", name=TEXT["en"].whens["kept"], exact=True).click()
    expect(page.locator(".ytitle")).to_have_text(["c_t / c_0"], timeout=WAIT)
    expect(page.locator(".legendtext").first).to_have_text("f = 1")
