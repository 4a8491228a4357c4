"""The tree of a beam search: rows, numbers, keys, and what Python is told."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from core.decoding.beam import length_penalty
from tests.e2e.inspector.page import watch
from tests.e2e.inspector.server import Shelf, serving
from tests.viz.inspector.made import long_search_tree
from tests.viz.inspector.made import search_tree as tree
from viz.inspector.beam import beam_data
from viz.text.beam import TEXT
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.rows import by_name

pytestmark = pytest.mark.e2e


def put_beam(shelf: Shelf, language: Language, search_id: str = "") -> None:
    """Lays a search on the shelf."""
    words = inspector_words(language) | by_name(TEXT[language])
    shelf.data["beam"] = beam_data(
        tree(), search_id=search_id, language=language, text=words, shown=(10, 12, 2)
    )


def opened(
    browser: Browser,
    base: str,
    shelf: Shelf,
    language: Language = "en",
    width: int = 1366,
    search_id: str = "",
) -> Page:
    put_beam(shelf, language, search_id)
    page = browser.new_page(viewport={"width": width, "height": 800}, has_touch=width < 600)
    page.goto(f"{base}?data=beam&module=beam/main.js")
    expect(page.get_by_role("option")).to_have_count(5)
    expect(page.get_by_role("option").first).to_have_css("display", "grid")  # the sheet is here
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
            "\n".join(["!", text.beam_stopped.format(score=score[1])]),
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


def test_what_ended_beyond_the_beam_has_no_rank(browser: Browser) -> None:
    shelf, words = Shelf(), inspector_words("ko") | by_name(TEXT["ko"])
    shelf.data["beam"] = beam_data(replace(tree(), ranked=(7,)), language="ko", text=words)
    with serving(shelf) as base:
        page = browser.new_page()
        page.goto(f"{base}?data=beam&module=beam/main.js")
        score = f"{tree().nodes[4].score:.3f}".replace("-", "−")
        said = TEXT["ko"].beam_beyond.format(beam=2, score=score)
        expect(page.locator(".hl-beam-fate").filter(has_text=said)).to_have_count(1)
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
            ["branch", {"prefix": [10, 13], "selection": {"hypothesis": 4}}],
            ["branch", {"prefix": [10, 12, 14, 15, 2], "selection": {"hypothesis": 1}}],
        ]
        page.close()


def test_the_one_that_the_page_shows_is_not_opened_again(browser: Browser) -> None:
    shelf = Shelf()
    with serving(shelf) as base:
        page = opened(browser, base, shelf)
        page.get_by_role("option").nth(2).click()
        button = page.get_by_test_id("hl-beam-open")
        expect(button).to_be_disabled()
        expect(button).to_have_text(TEXT["en"].beam_shown)
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        expect(button).to_be_enabled()
        assert page.evaluate("window.triggered.length") == 0
        page.close()


def test_the_one_that_is_read_is_told_and_python_may_name_another(browser: Browser) -> None:
    shelf, words = Shelf(), inspector_words("en") | by_name(TEXT["en"])
    for name, selection in (
        ("start", {"turn": 1, "hypothesis": 2}),
        ("echo", {"turn": 1, "hypothesis": 4}),
        ("back", {"turn": 2, "hypothesis": 5}),
        ("none", {"turn": 3, "hypothesis": 99}),
    ):
        shelf.data[name] = beam_data(tree(), language="en", text=words, selection=selection)
    with serving(shelf) as base:
        page = browser.new_page()
        page.goto(f"{base}?data=start&module=beam/main.js")
        rows = page.get_by_role("option")
        expect(rows.nth(1)).to_have_attribute("aria-selected", "true")
        assert page.evaluate("window.sent") == []
        rows.nth(3).click()
        page.wait_for_url(re.compile("hypothesis=4"))
        page.wait_for_function("() => window.sent.length === 1")
        assert page.evaluate("window.sent") == [["selection", {"hypothesis": 4}]]
        for name, row in (("echo", 3), ("back", 4), ("none", 4)):
            page.evaluate("name => window.show(name)", name)
            expect(rows.nth(row)).to_have_attribute("aria-selected", "true")
        page.close()


def test_on_a_phone_it_scrolls_within_itself_and_answers_to_touch(browser: Browser) -> None:
    shelf = Shelf(dark=True)
    with serving(shelf) as base:
        page = opened(browser, base, shelf, "ko", 390)
        page.get_by_role("option").nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator(".hl-beam-cell").nth(5)).to_be_in_viewport()  # "!" of step 5
        page.get_by_role("option").nth(3).tap()
        expect(page.get_by_role("option").nth(3)).to_have_attribute("aria-selected", "true")
        page.get_by_test_id("hl-beam-open").tap()
        assert page.evaluate("window.triggered.length") == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.close()


def test_the_browser_complains_of_nothing(browser: Browser) -> None:
    shelf = Shelf()
    with serving(shelf) as base:
        page = browser.new_page()
        here = watch(page, base)
        words = inspector_words("en") | by_name(TEXT["en"])
        shelf.data["beam"] = beam_data(tree(), language="en", text=words)
        page.goto(f"{base}?data=beam&module=beam/main.js")
        expect(page.get_by_role("option")).to_have_count(5)
        page.close()
        assert here.problems == []


@pytest.mark.parametrize("width", [390, 700, 1366])
def test_its_files_are_offered_within_the_window(browser: Browser, width: int) -> None:
    shelf = Shelf()
    with serving(shelf) as base:
        page = opened(browser, base, shelf, width=width, search_id="abc")
        page.get_by_test_id("hl-export").click()
        links = page.locator("a.hl-export-link")
        expect(links).to_have_count(5)
        for link in links.all():
            box = link.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= width - box["width"]
        assert page.locator('[data-form="tree.svg"]').get_attribute("href") == (
            f"{base}export/abc/tree.svg?lang=en"
        )
        page.close()


FACES = """() => {
  const root = document.querySelector("#place").shadowRoot;
  const window = root.querySelector(".hl-beam-scroll").getBoundingClientRect();
  return [...root.querySelectorAll("[role=option]")].map((row) => {
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    const seen = [];
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const { left, right, height } = range.getBoundingClientRect();
      const wide = Math.min(right, window.right) - Math.max(left, window.left);
      if (height > 0 && wide >= Math.min(right - left, 30)) seen.push({ left, right });
    }
    return seen;
  });
}"""
"""Of each row, the texts of which one sees as much as one needs, beside those out of the window."""
LENGTH = 14


def put_long(shelf: Shelf, language: Language = "en") -> None:
    words = inspector_words(language) | by_name(TEXT[language])
    shelf.data["long"] = beam_data(long_search_tree(LENGTH), language=language, text=words)


@pytest.mark.parametrize("width", [390, 700])
def test_no_row_is_blank_wherever_it_is_scrolled_to(browser: Browser, width: int) -> None:
    shelf = Shelf()
    put_long(shelf)
    with serving(shelf) as base:
        page = browser.new_page(viewport={"width": width, "height": 844}, has_touch=True)
        page.goto(f"{base}?data=long&module=beam/main.js")
        box = page.locator(".hl-beam-scroll")
        expect(box).to_have_css("overflow-x", "auto")
        most = box.evaluate("box => box.scrollWidth - box.clientWidth")
        assert most > 300
        for share in (0, 0.25, 0.5, 0.75, 1):
            box.evaluate("(box, left) => box.scrollTo({ left })", share * most)
            page.wait_for_function(f"() => ({FACES})().every((row) => row.length > 0)")
            for row in page.evaluate(FACES):
                ends = sorted((text["left"], text["right"]) for text in row)
                assert all(end <= start for (_, end), (start, _) in pairwise(ends))  # side by side
        page.close()


def test_what_is_out_of_sight_is_named_and_brought_by_a_tap(browser: Browser) -> None:
    shelf = Shelf()
    put_long(shelf, "ko")
    with serving(shelf) as base:
        page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        page.goto(f"{base}?data=long&module=beam/main.js")
        row = page.get_by_role("option").nth(3)  # after the answer, the latest branch comes first
        # Not its inner text, which is empty as long as nothing is laid out.
        name = row.locator(".hl-beam-cell").last.text_content()
        assert name
        away = row.locator(".hl-beam-away")
        expect(away).to_have_text(f"→ {name}")
        expect(away).to_have_attribute("aria-hidden", "true")
        away.tap()
        expect(row.locator(".hl-beam-cell").last).to_be_in_viewport(ratio=1)
        expect(away).to_be_hidden()
        last = page.get_by_role("option").last
        expect(last.locator(".hl-beam-away")).to_have_text("← other0")
        page.set_viewport_size({"width": 2400, "height": 844})
        expect(page.locator(".hl-beam-away:visible")).to_have_count(0)
        page.close()
