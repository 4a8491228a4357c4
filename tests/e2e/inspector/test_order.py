"""The grid by what was measured of its heads: the order, how many, and where keys lead."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from core.studies.heads import head_traits
from core.trace import Kind
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace

pytestmark = pytest.mark.e2e


def ranked(kind: Kind, trait: str) -> list[list[int]]:
    """Heads [layer, head] from 1, largest value first."""
    traced = trace()
    values = np.array(head_traits(traced.sites[kind], traced.keys(kind))[trait])
    order = np.argsort(-values.reshape(-1), kind="stable")
    return [[int(at) // 8 + 1, int(at) % 8 + 1] for at in order]


def choose(here: Harness, trait: str) -> dict[str, Any]:
    here.at("hl-order").select_option(trait)
    return here.until(f"state.order === '{trait}' && state.grid.heads === state.grid.of")


def test_the_grid_is_the_models_own_until_asked(opened: Open) -> None:
    here = opened()
    assert here.state()["grid"]["cells"] == [[at // 8 + 1, at % 8 + 1] for at in range(24)]
    expect(here.at("hl-order")).to_have_value("layer")
    expect(here.at("hl-order-most")).to_be_hidden()


@pytest.mark.parametrize(
    ("kind", "trait"),
    [("cross", "entropy"), ("decoder_self", "previous"), ("encoder_self", "next")],
)
def test_heads_are_ordered_by_what_was_measured(
    opened: Open, shelf: Shelf, kind: Kind, trait: str
) -> None:
    put(shelf, "kind", trace(), selection={**START, "kind": kind})
    here = opened("kind")
    assert choose(here, trait)["grid"]["cells"] == ranked(kind, trait)
    layer, head = ranked(kind, trait)[0]
    first = here.at("hl-grid").get_by_role("gridcell").first
    expect(first).to_have_attribute("data-name", f"L{layer} H{head}")
    first.click()
    here.selection(layer=layer, head=head)


def test_only_the_first_ones_are_shown_and_how_many_is_said(opened: Open) -> None:
    here = opened()
    choose(here, "entropy")
    here.at("hl-order-most").focus()
    here.page.keyboard.press("Home")
    for _ in range(4):
        here.page.keyboard.press("ArrowRight")
    state = here.until("state.top === 5 && state.grid.heads === 5")
    assert state["grid"]["cells"] == ranked("cross", "entropy")[:5]
    assert state["selection"]["step"] == 7
    expect(here.at("hl-order-count")).to_have_text("5 of 24 heads")
    values = np.sort(
        np.array(head_traits(trace().sites["cross"], trace().source)["entropy"]).ravel()
    )
    said = f"entropy, most first: {values[-1]:.2f} bits to {values[-5]:.2f} bits."
    expect(here.at("hl-grid-note")).to_contain_text(said)
    expect(here.at("hl-grid").locator('[aria-selected="true"]')).to_have_count(
        int([2, 5] in ranked("cross", "entropy")[:5])
    )


def test_arrow_keys_follow_what_is_seen(opened: Open) -> None:
    here = opened()
    cells = choose(here, "entropy")["grid"]["cells"]
    here.at("hl-grid").get_by_role("gridcell").first.click()
    boxes = [box.bounding_box() for box in here.at("hl-grid").get_by_role("gridcell").all()]
    tops = [box["y"] for box in boxes if box]
    columns = tops.count(tops[0])
    last = len(cells) - 1
    row = (last // columns) * columns
    for key, at in [
        ("ArrowRight", 1),
        ("ArrowDown", 1 + columns),
        ("ArrowUp", 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", columns - 1),
        ("ArrowRight", columns),  # the order goes on in the next row
        ("PageDown", row),
    ]:
        here.page.keyboard.press(key)
        here.selection(layer=cells[at][0], head=cells[at][1])
        expect(here.at("hl-grid").get_by_role("gridcell").nth(at)).to_be_focused()


def test_the_order_stays_where_it_fits(opened: Open, shelf: Shelf) -> None:
    put(shelf, "other", trace(seed=70))
    here = opened()
    choose(here, "special")
    here.page.get_by_role("radio", name="Decoder self").click()
    state = here.until("state.selection.kind === 'decoder_self' && state.grid.of === 24")
    assert state["grid"]["cells"] == ranked("decoder_self", "special")
    choose(here, "diagonal")
    here.page.get_by_role("radio", name="Cross").click()
    state = here.until("state.selection.kind === 'cross'")
    assert state["grid"]["cells"][:2] == [[1, 1], [1, 2]]
    expect(here.at("hl-order")).to_have_value("layer")
    here.page.get_by_role("radio", name="Encoder self").click()
    state = here.until("state.selection.kind === 'encoder_self'")
    assert state["grid"]["cells"] == ranked("encoder_self", "diagonal")
    here.show("other")
    assert here.until("state.ready && !state.pending")["order"] == "diagonal"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_has_the_order_too(opened: Open, shelf: Shelf, language: Any) -> None:
    put(shelf, "phone", trace(), language=language)
    here = opened("phone", size=(390, 800), touch=True)
    choose(here, "distance")
    here.at("hl-grid").get_by_role("gridcell").nth(3).tap()
    layer, head = ranked("cross", "distance")[3]
    here.selection(layer=layer, head=head)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
