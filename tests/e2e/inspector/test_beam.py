"""The tree of a beam search: rows, numbers, keys, and what Python is told."""

import math
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.decoding.beam import length_penalty
from core.inspectable import SearchNode, SearchTree
from core.trace import Token
from tests.e2e.inspector.page import watch
from tests.e2e.inspector.server import Shelf, serving
from viz.inspector.beam import beam_data
from viz.text.beam import TEXT
from viz.text.browser import inspector_words
from viz.text.language import Language

pytestmark = pytest.mark.e2e

# Parent, spelling, id, word, probability, fate: "I am", "I am not.", "I was", "We", and endings.
WRITTEN: tuple[tuple[int, str, int, int, float, Any], ...] = (
    (-1, "I", 10, 0, 0.6, "grew"),
    (-1, "We", 11, 0, 0.3, "left"),
    (0, "am", 12, 1, 0.5, "grew"),
    (0, "was", 13, 1, 0.4, "left"),
    (2, "end", 2, -1, 0.2, "ended"),
    (2, "no", 14, 2, 0.7, "grew"),
    (5, "t", 15, 2, 0.9, "grew"),
    (6, "end", 2, -1, 0.95, "ended"),
    (6, "!", 16, 3, 0.04, "stopped"),
)


def tree() -> SearchTree:
    nodes: list[SearchNode] = []
    for parent, text, id, word, p, fate in WRITTEN:
        before = nodes[parent].total if parent >= 0 else 0.0
        length, at = 1, parent
        while at >= 0:
            length, at = length + 1, nodes[at].parent
        total = before + math.log(p)
        token = Token("</s>" if id == 2 else text, text, id, word)
        score = total / length_penalty(length)
        nodes.append(SearchNode(parent, token, math.log(p), total, score, fate))
    return SearchTree(tuple(nodes), (7, 4), 2)


def opened(
    browser: Browser, base: str, shelf: Shelf, language: Language = "en", width: int = 1366
) -> Page:
    words = inspector_words(language) | asdict(TEXT[language])
    shelf.data["beam"] = beam_data(tree(), language=language, text=words, shown=(10, 12, 2))
    page = browser.new_page(viewport={"width": width, "height": 800}, has_touch=width < 600)
    page.goto(f"{base}?data=beam&module=beam/main.js")
    expect(page.get_by_role("option")).to_have_count(5)
    return page


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_hypothesis_is_a_row_and_says_where_it_ended(
    browser: Browser, language: Language
) -> None:
    shelf, text = Shelf(), TEXT[language]
    end = {"en": "end", "ko": "끝"}[language]
    with serving(shelf) as base:
        page = opened(browser, base, shelf, language)
        rows = page.get_by_role("option")
        left = [text.beam_left.format(step=step) for step in (3, 2)]
        nodes = tree().nodes
        score = [f"{nodes[place].score:.3f}".replace("-", "−") for place in (7, 8, 4)]
        assert rows.all_inner_texts() == [
            "\n".join(["I", "am", "no", "t", end, text.beam_answer.format(rank=1, score=score[0])]),
            "\n".join(["!", text.beam_stopped.format(rank="–", score=score[1])]),
            "\n".join([end, text.beam_answer.format(rank=2, score=score[2])]),
            "\n".join(["was", left[0]]),
            "\n".join(["We", left[1]]),
        ]  # fmt: skip
        columns = [cell.bounding_box() for cell in page.locator(".hl-beam-cell").all()]
        assert columns[1] is not None
        assert columns[7] is not None
        assert columns[1]["x"] == columns[7]["x"]  # am, was: step 2
        assert (rows.nth(0).get_attribute("aria-label") or "").startswith("I am not. ")
        page.close()


def test_one_is_read_by_keys_and_opened(browser: Browser) -> None:
    shelf = Shelf()
    with serving(shelf) as base:
        page = opened(browser, base, shelf)
        rows = page.get_by_role("option")
        rows.nth(0).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(rows.nth(3)).to_be_focused()
        expect(rows.nth(3)).to_have_attribute("aria-selected", "true")
        detail = page.get_by_test_id("hl-beam-detail")
        node = tree().nodes[3]
        for number in (math.log(0.6), math.log(0.4), node.total, node.score):
            expect(detail).to_contain_text(f"{number:.3f}".replace("-", "−"))
        expect(detail).to_contain_text(f"{length_penalty(2):.3f}")
        page.keyboard.press("Enter")
        page.keyboard.press("Home")
        page.get_by_test_id("hl-beam-open").click()
        told = page.evaluate("window.triggered")
        assert told == [
            ["branch", {"prefix": [10, 13]}],
            ["branch", {"prefix": [10, 12, 14, 15, 2]}],
        ]
        page.close()


def test_on_a_phone_it_scrolls_within_itself_and_answers_to_touch(browser: Browser) -> None:
    shelf = Shelf(dark=True)
    with serving(shelf) as base:
        page = opened(browser, base, shelf, "ko", 390)
        page.get_by_role("option").nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".hl-beam-cell").nth(5)).to_be_in_viewport()  # "!" of step 5
        page.get_by_role("option").nth(2).tap()
        expect(page.get_by_role("option").nth(2)).to_have_attribute("aria-selected", "true")
        page.get_by_test_id("hl-beam-open").tap()
        assert page.evaluate("window.triggered.length") == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.close()


def test_the_browser_complains_of_nothing(browser: Browser) -> None:
    shelf = Shelf()
    with serving(shelf) as base:
        page = browser.new_page()
        here = watch(page, base)
        words = inspector_words("en") | asdict(TEXT["en"])
        shelf.data["beam"] = beam_data(tree(), language="en", text=words)
        page.goto(f"{base}?data=beam&module=beam/main.js")
        expect(page.get_by_role("option")).to_have_count(5)
        page.close()
        assert here.problems == []
