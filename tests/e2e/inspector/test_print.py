"""On paper: what was chosen is there whole, and nothing to press."""

import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.film.shelf import open_film, put_film
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import open_pair, put_pair, two_traces
from tests.viz.inspector.made import long_trace, trace
from viz.inspector.payload import View
from viz.text.next_token import TEXT

pytestmark = pytest.mark.e2e

A4 = (718, 1123)
CONTROLS = ".hl-play, .hl-hint, .hl-export, .hl-zoom-buttons, .hl-find, .hl-controls, input"


def printed(here: Harness) -> None:
    here.page.emulate_media(media="print")
    for control in here.page.locator(CONTROLS).all():
        expect(control).to_be_hidden()


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_all_steps_are_on_paper_and_no_control_is(opened: Open, shelf: Shelf, view: View) -> None:
    at = {**START, "layer": 1, "head": 1, "step": 50}
    put(shelf, "long", long_trace(60, layers=1, heads=2), view=view, selection=at)
    here = opened("long", size=A4)
    printed(here)
    expect(here.at("hl-kinds")).to_be_hidden()  # the title says which
    expect(here.at("hl-title")).to_contain_text("Cross")
    steps = here.at("hl-steps")
    assert steps.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    assert steps.evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_what_only_a_press_could_do_is_not_on_paper(opened: Open, shelf: Shelf) -> None:
    put(shelf, "default", trace(), branches=True, selection={**START, "step": 1})
    here = opened()
    hint = here.page.get_by_text(TEXT["en"].branch_hint)
    more = here.at("hl-overlay").get_by_role("button")
    expect(hint).to_be_visible()
    expect(more).to_have_count(1)
    printed(here)
    expect(hint).to_be_hidden()
    expect(more).to_be_hidden()


def test_a_film_and_a_pair_are_without_their_controls(opened: Open, shelf: Shelf) -> None:
    put_film(shelf)
    put_pair(shelf, two_traces())
    printed(open_film(opened, size=A4))
    here = open_pair(opened, size=A4)
    printed(here)
    expect(here.at("hl-kinds")).to_be_visible()  # nothing else says it


def test_a_choice_is_a_word_on_paper_and_one_head_offers_no_other(opened: Open) -> None:
    here = opened(size=A4)
    printed(here)
    expect(here.at("hl-overlay")).to_be_hidden()
    choice = here.page.locator("select").first
    expect(choice).to_be_visible()
    assert choice.evaluate("one => getComputedStyle(one).appearance") == "none"


def test_no_picture_is_squeezed_on_paper(opened: Open) -> None:
    here = opened()
    here.page.emulate_media(media="print")
    fits = "all => all.every((one) => getComputedStyle(one).objectFit === 'contain')"
    assert here.page.locator("canvas").evaluate_all(fits)
