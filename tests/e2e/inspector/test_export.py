"""The menu of files: what it offers is the view as it is now."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.page import Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import long_trace, trace
from viz.export.numbers import MOST_CELLS
from viz.inspector.payload import View
from viz.text.inspector import TEXT
from viz.text.language import Language

pytestmark = pytest.mark.e2e


def asked(address: str | None) -> tuple[str, dict[str, str]]:
    parts = urlsplit(address or "")
    return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}


def test_links_follow_the_view(opened: Open) -> None:
    here = opened()
    here.at("hl-export").click()
    link = here.page.get_by_role("link", name="Matrix, SVG")
    here.page.get_by_role("gridcell", name="Layer 3, head 7").click()
    here.at("hl-export").click()
    expect(link).to_be_visible()
    path, query = asked(link.get_attribute("href"))
    assert path == "/export/default/trace.svg"
    assert query == {
        "view": "head", "kind": "cross", "layer": "3", "head": "7", "step": "7", "lang": "en",
    }  # fmt: skip
    lines = here.page.get_by_role("link", name="Lines, SVG")
    assert asked(lines.get_attribute("href"))[1] == query | {"view": "lines"}
    whole = here.page.get_by_role("link", name="Everything, HTML")
    assert asked(whole.get_attribute("href"))[0] == "/export/default/trace.html"


def test_numbers_that_would_be_refused_are_not_offered(opened: Open, shelf: Shelf) -> None:
    start = {"kind": "cross", "layer": 1, "head": 1, "step": 100}
    put(shelf, "large", long_trace(101, layers=12, heads=9, pieces=2), selection=start)
    here = opened("large")
    here.at("hl-export").click()
    whole, all_heads = (
        here.page.get_by_role("group", name=name) for name in ("Matrix", "All heads")
    )
    expect(whole.get_by_role("link")).to_have_text(["PNG", "SVG", "PDF", "CSV", "JSON"])
    expect(all_heads.get_by_role("link")).to_have_text(["PNG", "SVG", "PDF"])
    expect(here.at("hl-export-most")).to_contain_text(f"{MOST_CELLS:,}")
    here.at("hl-units").get_by_role("radio", name="Words").click()
    here.at("hl-export").click()
    expect(all_heads.get_by_role("link")).to_have_count(5)  # of a quarter of the cells
    expect(here.at("hl-export-most")).to_be_hidden()


def test_a_file_is_asked_for_as_it_is_seen(opened: Open, shelf: Shelf) -> None:
    options = {"trim": "0.3", "kept": "1.1 2.5", "held": "key.2", "words": "on", "threshold": "0.2"}
    start = {"kind": "cross", "layer": 2, "head": 5, "step": 7, "pinned": [2, 3]}
    put(shelf, "looks", trace(), selection=start | options | {"order": "previous", "mode": "lines"})
    here = opened("looks")
    here.at("hl-export").click()
    link = here.page.get_by_role("link", name="Lines, SVG")
    expect(link).to_be_visible()
    seen = asked(link.get_attribute("href"))[1]
    # The chosen head is no other one, and no such order is known of this kind of attention.
    own = {name: seen.get(name) for name in options}
    assert own == options | {"kept": "1.1"}
    assert seen["pinned"] == "2.3"
    assert seen["view"] == "lines"
    assert not {"mode", "order"} & set(seen)
    page = here.page.get_by_role("link", name="Everything, HTML")
    whole = asked(page.get_attribute("href"))[1]
    assert {name: whole.get(name) for name in options} == options
    assert (whole["mode"], whole["order"]) == ("lines", "previous")


@pytest.mark.parametrize("mode", ["matrix", "lines"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_matrix_and_lines_are_each_asked_for_by_name(
    opened: Open, shelf: Shelf, mode: str, language: Language
) -> None:
    """Both are in view where the page is narrow or wide, and only then nothing switches them."""
    start = {"kind": "cross", "layer": 2, "head": 5, "step": 7, "kept": "1.1", "mode": mode}
    put(shelf, "both", trace(), selection=start, language=language)
    here = opened("both")
    words = TEXT[language]
    for width in (390, 900, 1366):
        here.page.set_viewport_size({"width": width, "height": 800})
        here.open("both")
        here.at("hl-export").click()
        for label, view in ((words.view_matrix, "head"), (words.view_lines, "lines")):
            link = here.page.get_by_role("link", name=f"{label}, PDF", exact=True)
            expect(link).to_be_visible()
            own = asked(link.get_attribute("href"))[1]
            assert (own["view"], own["kept"]) == (view, "1.1"), width


def test_the_menu_closes_by_escape_and_gives_the_focus_back(opened: Open) -> None:
    here = opened()
    here.at("hl-export").focus()
    here.page.keyboard.press("Enter")
    here.page.keyboard.press("Tab")
    expect(here.at("hl-link")).to_be_focused()
    here.page.keyboard.press("Tab")
    expect(here.page.get_by_role("link", name="Matrix, PNG")).to_be_focused()
    here.page.keyboard.press("ArrowRight")  # no step is taken from within the menu
    here.selection(step=7)
    here.page.keyboard.press("Escape")
    expect(here.at("hl-export")).to_be_focused()
    expect(here.page.get_by_role("link", name="Matrix, PNG")).to_be_hidden()


@pytest.mark.parametrize("view", ["inspect", "step"])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_menu_stays_on_the_page(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    put(shelf, "n", trace(), view=view, language=language)
    here = opened("n")
    for width in (390, 1366):
        here.page.set_viewport_size({"width": width, "height": 800})
        here.open("n")
        here.at("hl-export").click()
        link = here.page.get_by_role("link", name=f"{TEXT[language].export_whole}, NPZ")
        box = link.bounding_box()
        assert box is not None
        assert box["x"] >= 0, width
        assert box["x"] + box["width"] <= width
        assert here.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_step_page_takes_its_stages_along(opened: Open, shelf: Shelf) -> None:
    put(shelf, "stages", trace(), view="step")
    put(shelf, "bare", trace(scores=False), view="step")
    for name, view in (("stages", "stages"), ("bare", "head")):
        here = opened(name, status="exact")
        here.at("hl-export").click()
        link = here.page.get_by_role("link", name="All matrices, SVG")
        expect(link).to_be_visible()
        assert asked(link.get_attribute("href"))[1]["view"] == view
        whole = here.page.get_by_role("link", name="Everything, HTML")
        assert asked(whole.get_attribute("href"))[1]["view"] == "stages"
        assert here.page.get_by_role("link", name="Lines, SVG").count() == 0
