"""What the inspector asks the server for, and when."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.twins.packed import whole
from tests.viz.inspector.made import long_trace, trace
from viz.text.inspector import TEXT

pytestmark = pytest.mark.e2e

LATER = "performance.now = ((now) => () => now() + 6000)(performance.now.bind(performance))"


def test_a_kind_is_fetched_when_it_is_chosen_and_once(opened: Open, shelf: Shelf) -> None:
    here = opened()
    asked: list[str] = []
    here.page.on("request", lambda sent: asked.append(sent.url.partition("/trace/")[2]))
    radios = here.at("hl-kinds").get_by_role("radio")
    for kind, index in (("encoder_self", 0), ("cross", 2), ("encoder_self", 0)):
        radios.nth(index).click()
        here.until(f"state.selection.kind === '{kind}' && state.status === 'exact'")
    assert asked == ["default/encoder_self", "default/encoder_self/1/4"]


def test_a_kind_that_does_not_arrive_is_said_and_can_be_chosen_again(
    opened: Open, shelf: Shelf
) -> None:
    words = TEXT["en"]
    here = opened()
    shelf.refuse_packed = True
    encoder = here.at("hl-kinds").get_by_role("radio").nth(0)
    encoder.click()
    said = words.kind_missing.format(kind=words.kind_encoder_self)
    expect(here.page.locator(".hl-problem")).to_have_text(said)
    here.selection(kind="cross")
    shelf.refuse_packed = False
    encoder.click()
    here.until("state.selection.kind === 'encoder_self' && state.status === 'exact'")
    expect(here.page.locator(".hl-problem")).to_have_text("")
    here.problems.clear()  # the browser's own line about the refused request


def test_what_is_chosen_while_a_kind_is_on_its_way_stays(opened: Open) -> None:
    here = opened()
    held: list[object] = []
    here.page.route("**/trace/default/decoder_self", lambda route: held.append(route))
    here.at("hl-kinds").get_by_role("radio").nth(1).click()
    while not held:
        here.page.evaluate("new Promise(requestAnimationFrame)")
    here.page.get_by_role("gridcell", name="Layer 3, head 3").click()
    here.at("hl-steps").press("ArrowLeft")
    here.selection(step=6)
    held[0].continue_()  # type: ignore[attr-defined]
    here.until("state.selection.kind === 'decoder_self' && state.status === 'exact'")
    here.selection(layer=3, head=3, step=6)


def test_a_head_that_failed_is_asked_for_again_once_it_is_chosen_again(
    opened: Open, shelf: Shelf
) -> None:
    shelf.refuse_exact = True
    here = opened(status="failed")
    asked: list[str] = []
    here.page.on("request", lambda sent: asked.append(sent.url.partition("/trace/")[2]))
    other, own = (here.page.get_by_role("gridcell", name=f"Layer 2, head {n}") for n in (3, 5))
    other.click()
    here.until("state.selection.head === 3 && state.status === 'failed'")
    own.click()
    here.until("state.selection.head === 5 && state.status === 'failed'")
    assert asked == ["default/cross/1/2"]  # too soon
    shelf.refuse_exact = False
    here.page.evaluate(LATER)
    here.page.mouse.move(*here.cell(0, 0))
    here.until("state.status === 'exact'")
    here.problems.clear()  # the browser's own lines about refused requests


def test_the_last_sentence_stays_until_the_next_is_here(opened: Open, shelf: Shelf) -> None:
    put(shelf, "other", trace(seed=20))
    here = opened()
    held: list[object] = []
    here.page.route("**/trace/other/cross", lambda route: held.append(route))
    here.page.evaluate("window.show('other')")
    while not held:
        here.page.evaluate("new Promise(requestAnimationFrame)")
    assert here.state()["traceId"] == "default"
    assert here.state()["ready"]
    held[0].continue_()  # type: ignore[attr-defined]
    here.until("state.traceId === 'other' && state.status === 'exact'")


def test_a_long_sentence_is_coarse_until_its_head_is_exact(opened: Open, shelf: Shelf) -> None:
    traced = long_trace(320, layers=6, heads=8)
    packed = put(shelf, "long", traced, selection={**START, "step": 320})
    shelf.refuse_exact = True
    here = opened("long", status="failed")
    site = shelf.data["long"]["meta"]["sites"][2]
    assert site["fine"] == [223, 223]
    expect(here.at("hl-status")).to_have_text(TEXT["en"].approximate_coarse)
    values = np.array(here.state()["weights"]).reshape(-1)[:320]
    real = traced.sites["cross"].weights[1, 4][0]
    assert (values >= real * (1022 / 1024) - site["error"]).all()
    sites, array = packed.whole()
    slow = whole(next(at for at in sites if at["kind"] == "cross"), array)[1, 4, :12].ravel()
    np.testing.assert_allclose(here.state()["weights"][: slow.size], slow, atol=1e-6)
    assert values.argmax() == real.argmax()
    assert here.state()["grid"]["heads"] == 48
    shelf.refuse_exact = False
    here.page.get_by_role("gridcell", name="Layer 3, head 3").click()
    here.until("state.status === 'exact'")
    exact = np.array(here.state()["weights"]).reshape(-1)[:320]
    np.testing.assert_allclose(exact, traced.sites["cross"].weights[2, 2][0], rtol=1e-6)
    here.problems.clear()  # the browser's own lines about refused requests


def test_what_is_still_shown_while_another_trace_is_on_its_way_is_marked_as_old(
    opened: Open, shelf: Shelf
) -> None:
    put(shelf, "lifted", trace(lifted=True))
    here = opened()
    root, frame = here.at("headlight"), here.page.locator(".hl-frame")
    held: list[object] = []
    here.page.route("**/trace/lifted/cross", lambda route: held.append(route))
    here.page.evaluate("() => void window.show('lifted')")
    expect(root).to_have_attribute("aria-busy", "true")
    expect(frame).to_have_css("opacity", "0.4")
    assert here.state()["traceId"] == "default"
    held[0].continue_()  # type: ignore[attr-defined]
    here.until("state.traceId === 'lifted'")
    expect(root).to_have_attribute("aria-busy", "false")
    expect(frame).to_have_css("opacity", "1")
