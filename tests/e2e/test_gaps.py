"""Gaps: what language models write in the place of a token, as a visitor meets them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from core import registry
from core.errors import HeadlightError
from tests.e2e.conftest import free_port, serving, told_by
from tests.e2e.test_accessibility import hindrances
from tests.small import WORDS, learnt
from viz.text import frame, gaps
from viz.text.errors import worded
from viz.text.language import Language

pytestmark = pytest.mark.e2e

Visit = Callable[..., Page]
SOURCE = WORDS[2][0]  # tomato
OBJECTIVES = {"ahead": "forward", "back": "backward", "cloze": "masked"}
SIZES = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("language")
    for name, objective in OBJECTIVES.items():
        learnt(root / name, "language", {**SIZES, "objective": objective})
    labelled = [(source, "long" if len(source) > 4 else "short") for source, _ in WORDS]
    learnt(root / "kinds", "language", {**SIZES, "labels": ["long", "short"]}, labelled, 5)
    return root


@pytest.fixture(scope="module")
def address(models: Path) -> Iterator[str]:
    with serving(free_port(), HEADLIGHT_CHECKPOINTS=str(models)) as address:
        yield address


def drawn(page: Page, holds: str = "true", given: object = None) -> dict[str, Any]:
    return told_by(page, "hl-gaps", holds, given)


def agrees(state: dict[str, Any], models: Path) -> None:
    """That what is drawn is what each model says of that gap."""
    gap = int(state["selection"]["gap"]) - 1
    assert [one["model"] for one in state["filled"]] == list(OBJECTIVES)
    for one in state["filled"]:
        model = registry.load(models / one["model"], torch.device("cpu"))
        row = model.gaps(SOURCE).logits[gap].astype(float)
        exact = np.exp(row - row.max()) / np.exp(row - row.max()).sum()
        names = [token.text for token in model.vocabulary_tokens(list(range(len(row))))]
        best = names[int(exact.argmax())]
        assert one["drawn"][0][1] == pytest.approx(exact.max(), abs=1e-5)
        assert one["drawn"][0][0] == best
        assert SOURCE[gap] in [name for name, _, chosen in one["drawn"] if chosen]


def test_each_model_fills_a_gap_that_is_clicked(models: Path, visit: Visit) -> None:
    page = visit(f"/gaps?lang=en&source={SOURCE}")
    agrees(drawn(page), models)
    row = page.get_by_test_id("hl-gaps-tokens")
    row.locator(".hl-chip").nth(4).click()
    agrees(drawn(page, "state.selection.gap === '5'"), models)
    page.wait_for_url(re.compile("gap=5"))
    words = gaps.TEXT["en"]
    # Before it one model sees, after it the other, the third both; nobody what stands in it.
    seen = {"before": range(6, 8), "after": range(5), "both": range(0)}
    for context, hidden in seen.items():
        column = page.get_by_test_id(f"hl-gaps-{context}")
        tokens = column.locator(".hl-gaps-token")
        expect(tokens).to_have_count(len(SOURCE) + 2)
        marked = [
            "hl-gaps-hidden" in (token.get_attribute("class") or "") for token in tokens.all()
        ]
        assert [at for at, is_hidden in enumerate(marked) if is_hidden] == list(hidden)
        expect(tokens.nth(5)).to_have_class(re.compile("hl-gaps-gap"))
        expect(tokens.nth(5).locator(".hl-token")).to_be_hidden()
        told = column.get_by_test_id("hl-gaps-seen").inner_text()  # who hears it hears no more
        both = context == "both"  # the others do not look at the gap itself
        assert told.count(words.gaps_gap) == both
        assert told.count(",") == len(SOURCE) + both - len(hidden)
    row.focus()
    for key, gap in (("PageUp", 1), ("PageDown", len(SOURCE)), ("ArrowUp", len(SOURCE) - 1)):
        page.keyboard.press(key)
        drawn(page, f"state.selection.gap === '{gap}'")
    for _ in range(len(SOURCE) - 5):
        page.keyboard.press("ArrowLeft")
    agrees(drawn(page, "state.selection.gap === '4'"), models)
    expect(row).to_have_attribute("aria-valuetext", SOURCE[3])
    page.wait_for_url(re.compile("gap=4"))
    page.reload()
    agrees(drawn(page, "state.selection.gap === '4'"), models)


def test_a_page_of_gaps_opens_from_disk(
    models: Path, visit: Visit, chromium: Browser, tmp_path: Path
) -> None:
    page = visit(f"/gaps?lang=en&source={SOURCE}&gap=3")
    drawn(page)
    page.get_by_test_id("hl-export").click()
    with page.expect_download() as begun:
        page.locator('[data-form="all.html"]').click()
    begun.value.save_as(tmp_path / "gaps.html")
    asked: list[str] = []
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "gaps.html").as_uri())
    agrees(drawn(page, "state.selection.gap === '3'"), models)
    page.get_by_test_id("hl-gaps-tokens").press("ArrowRight")
    agrees(drawn(page, "state.selection.gap === '4'"), models)
    expect(page.get_by_test_id("hl-export")).to_have_count(0)
    page.close()
    assert not [url for url in asked if url.startswith("http")]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_shows_the_same_and_an_empty_sentence_is_said(
    models: Path, visit: Visit, language: Language
) -> None:
    page = visit(f"/gaps?lang={language}&source={SOURCE}&gap=1", 390, 844)
    agrees(drawn(page), models)
    expect(page.get_by_text(gaps.TEXT[language].gaps_both)).to_be_visible()
    wide = page.evaluate(
        "Math.max(document.scrollingElement.scrollWidth,"
        " document.querySelector('[data-testid=stMain]').scrollWidth)"
    )
    assert wide <= 390
    field = page.get_by_placeholder(gaps.TEXT[language].placeholder)
    field.fill("  ")
    field.press("Enter")
    expect(page.get_by_text(worded(HeadlightError("text_empty"), language))).to_be_visible()


def test_a_place_that_is_not_there_is_said(models: Path, visit: Visit) -> None:
    page = visit(f"/gaps?lang=en&source={SOURCE}&gap=99")
    state = drawn(page)
    assert state["selection"]["gap"] == "3"
    agrees(state, models)
    told = frame.EN.refused.format(names="gap")
    expect(page.get_by_text(told)).to_be_visible()


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "ko")])
def test_nothing_hinders_seriously(visit: Visit, scheme: str, language: Language) -> None:
    asked = f"/gaps?lang={language}&source={SOURCE}"
    page = visit(asked, color_scheme=scheme, bypass_csp=True)
    drawn(page)
    assert hindrances(page) == []


@pytest.mark.parametrize("width", [1366, 390])
def test_nothing_blank_stands_between_what_is_written_and_the_mask(
    visit: Visit, width: int
) -> None:
    page = visit(f"/gaps?lang=en&source={SOURCE}", width, 900)
    drawn(page)
    last = page.locator(".hl-gaps-model .hl-bar-note").first.bounding_box()
    mask = page.locator(".hl-gaps-mask").first.bounding_box()
    assert last is not None
    assert mask is not None
    assert 0 <= mask["y"] - last["y"] - last["height"] <= 12
