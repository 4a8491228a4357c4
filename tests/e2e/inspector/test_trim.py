"""The smallest weights of each row left out of the matrix, and how much that hides."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import trace
from viz.text.browser import inspector_words
from viz.text.inspector import EN
from viz.text.language import Language

pytestmark = pytest.mark.e2e

Floats = npt.NDArray[np.float32]


def kept(weights: Floats, share: float) -> Floats:
    """The slow twin: row by row, the smallest first, of equal ones all or none."""
    out = weights.copy()
    for row in out:
        most = share * np.sort(row).astype(np.float64).sum()
        for value in np.unique(row):
            if row[row <= value].astype(np.float64).sum() > most:
                row[row < value] = 0
                break
    return out


def test_nothing_is_left_out_until_asked(opened: Open) -> None:
    here = opened()
    expect(here.at("hl-trim-note")).to_have_text("every weight drawn")


def test_small_weights_go_and_their_share_is_printed(opened: Open) -> None:
    here = opened()
    weights = trace().sites["cross"].weights[1, 4]
    left = kept(weights, 0.2)
    gone = np.argwhere((left == 0) & (weights > 0.03))
    row, column = next((int(r), int(c)) for r, c in gone if r < 6)
    before = here.pixels(row, column)
    here.at("hl-trim").focus()
    for _ in range(4):
        here.page.keyboard.press("ArrowRight")
    state = here.until("state.trim === 0.2")
    assert here.pixels(row, column) != before
    hidden = 1 - left[:7].sum() / weights[:7].sum()
    expect(here.at("hl-trim-note")).to_contain_text(
        f"{round(float(hidden) * 100)}\u00a0% of the mass"
    )
    assert {(r, c) for r, c, _ in state["matrix"]["printed"]} == {
        (6, int(c)) for c in np.flatnonzero(left[6] >= 0.05)
    }
    here.page.mouse.move(*here.cell(row, column))
    expect(here.at("hl-tip")).to_contain_text(f"weight {weights[row, column]:.3f}")
    assert here.state()["selection"]["step"] == 7


@pytest.mark.parametrize("language", ["en", "ko"])
def test_on_a_phone_and_between_words(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "phone", trace(), language=language, selection={**START, "step": 14})
    here = opened("phone", size=(390, 800), touch=True)
    here.at("hl-units").get_by_role("radio").nth(1).tap()
    here.at("hl-trim").press("End")
    here.until("state.trim === 0.5 && state.words")
    start = inspector_words(language)["trim_note"].split("{")[0]
    expect(here.at("hl-trim-note")).to_contain_text(start)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "both"), [(1366, True), (1000, False)])
def test_what_belongs_to_the_matrix_goes_with_it(
    opened: Open, shelf: Shelf, width: int, both: bool
) -> None:
    selection = {**START, "kind": "decoder_self", "step": 7, "mode": "lines"}
    put(shelf, "lines", trace(), selection=selection)
    here = opened("lines", size=(width, 900))
    expect(here.at("hl-lines")).to_be_visible()
    for part in (here.at("hl-matrix"), here.at("hl-trim")):
        expect(part).to_be_visible(visible=both)
    for said in (EN.legend_forbidden, EN.legend_unwritten):
        expect(here.at("hl-legend").get_by_text(said)).to_be_visible(visible=both)
    expect(here.at("hl-status")).to_be_visible()
    if not both:
        here.at("hl-modes").get_by_role("radio").first.click()
        for part in (here.at("hl-matrix"), here.at("hl-trim")):
            expect(part).to_be_visible()


@pytest.fixture
def one(opened: Open) -> Harness:
    return opened()


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    counts=st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1, max_size=5),
    share=st.sampled_from([0.0, 0.05, 0.2, 0.35, 0.5]),
)
def test_the_browser_agrees_with_the_slow_twin(
    one: Harness, counts: list[list[int]], share: float
) -> None:
    weights = np.array(counts, np.float32) / np.float32(64)  # sums are exact
    got = one.page.evaluate(
        """async ([weights, ...size]) => {
          const { trimmed } = await import("/inspector/views/trim.js");
          const { drawn, hidden, totals } = trimmed(new Float32Array(weights), ...size);
          return [drawn, hidden, totals].map((values) => Array.from(values));
        }""",
        [weights.ravel().tolist(), *weights.shape, share],
    )
    left = kept(weights, share)
    assert got[0] == left.ravel().tolist()
    assert got[1] == (weights - left).sum(axis=1).tolist()
    assert all(hid <= share * all_ for hid, all_ in zip(got[1], got[2], strict=True))
