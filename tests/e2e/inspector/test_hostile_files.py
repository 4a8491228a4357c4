"""Hostile strings in files that a browser opens: nothing runs, and what is shown is the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.inspector.hostile_page import SHOWN, Bare, baring, clear, read_through
from tests.viz.inspector.hostile import MODEL, TEXTS, hostile_trace, hostile_vocabulary
from viz.bertviz import views as bertviz
from viz.export.one import Choice, exported
from viz.inspector import show
from viz.inspector.pack import pack
from viz.text.tokens import visible

pytestmark = pytest.mark.e2e


@pytest.fixture
def bare(browser: Browser) -> Iterator[Bare]:
    with baring(browser) as open_page:
        yield open_page


def test_a_page_of_its_own_shows_them_too(bare: Bare, tmp_path: Path) -> None:
    """As a file and beneath a notebook's cell."""
    packed = pack(hostile_trace(), trace_id="x", vocabulary_tokens=hostile_vocabulary)
    path = tmp_path / "look.html"
    path.write_bytes(exported(packed, Choice(), "html", language="en", title=MODEL))
    here = bare("file:///")
    here.page.goto(path.as_uri())
    here.page.evaluate(
        """() => { const place = document.getElementById("place");
        window.headlight = () => place.headlight?.state() ?? { ready: false }; }"""
    )
    here.until("state.ready && state.status === 'exact'")
    assert here.page.title() == visible(MODEL)
    assert here.at("hl-steps").locator(".hl-chip").all_text_contents() == ["start", *SHOWN, "end"]
    clear(read_through(here))
    expect(here.page.locator("img, iframe, math, svg")).to_have_count(0)
    path.write_text(f"<!doctype html><meta charset=utf-8>{show(hostile_trace())._repr_html_()}")
    here.page.goto(path.as_uri())
    chips = here.page.frame_locator("iframe").get_by_test_id("hl-steps").locator(".hl-chip")
    expect(chips).to_have_count(len(TEXTS) + 2)
    assert chips.all_text_contents() == ["start", *SHOWN, "end"]


@pytest.mark.parametrize("view", bertviz.VIEWS)
def test_bertviz_shows_them_too(bare: Bare, tmp_path: Path, view: bertviz.View) -> None:
    here = bare("file:///")
    path = tmp_path / "bertviz.html"
    half = len(TEXTS) // 2
    for texts in (TEXTS[:half], TEXTS[half:]):
        traced = hostile_trace(texts)
        path.write_text(bertviz.page(traced, view, "encoder_self", 1, language="en"), "utf-8")
        here.page.goto(path.as_uri())
        if view == "model":
            here.page.locator("#vis svg rect").first.click(force=True)
        if view == "neuron":
            beside = here.page.locator("#collapsed #leftText > g").first
            beside.locator(".token").dispatch_event("mouseover")
            beside.locator("rect").nth(1).dispatch_event("click")
            expect(here.page.locator("#expanded")).to_have_attribute("visibility", "visible")
        expect(here.page.locator("#vis svg text").first).to_be_attached()
        drawn = {text.strip() for text in here.page.locator("#vis text").all_text_contents()}
        clear(drawn)
        assert {visible(text).strip() for text in texts} <= drawn
        expect(here.page.locator("img, iframe, math, [onload], [onfocus]")).to_have_count(0)


def test_a_picture_for_paper_shows_them_too(bare: Bare, tmp_path: Path) -> None:
    """SVG is a document that could run: opened by itself, it does not."""
    packed = pack(hostile_trace(), trace_id="x", vocabulary_tokens=hostile_vocabulary)
    here = bare("file:///")
    choices = (Choice("head"), Choice("lines"), Choice("grid"))
    for choice in choices:
        path = tmp_path / f"{choice.view}.svg"
        path.write_bytes(exported(packed, choice, "svg", language="en"))
        here.page.goto(path.as_uri())
        expect(here.page.locator("svg").first).to_be_attached()
        expect(here.page.locator("script, img, a, foreignObject, [onload]")).to_have_count(0)
        texts = here.page.locator("text").all_text_contents()
        # but for what a figure puts around a text that is written from right to left
        clear([re.sub("\u2068([^\u2068\u2069]*)\u2069", r"\1", text).strip() for text in texts])
