"""Names of tokens beside the cells of the large head."""

import pytest

from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import long_trace, trace
from viz.inspector.payload import View

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_the_mark_of_a_thin_row_leaves_its_name_alone(
    opened: Open, shelf: Shelf, view: View
) -> None:
    at = {"kind": "decoder_self", "layer": 1, "head": 1, "step": 70, "pinned": None}
    put(shelf, "long", long_trace(120, layers=1, heads=2), view=view, selection=at)
    here = opened("long")
    assert here.state()["box"]["height"] < 6
    beside: list[int] = here.page.evaluate(
        """() => {
          const canvas = document.querySelector("#place").shadowRoot.querySelector(
            "[data-testid=hl-matrix-canvas]");
          const { x, y, height } = window.headlight().box;
          const middle = Math.round(y + 69.5 * height);
          const context = canvas.getContext("2d");
          const pixels = context.getImageData(Math.floor(x) - 10, middle - 6, 1, 12);
          return [...new Set(Array.from(new Uint32Array(pixels.data.buffer)))];
        }"""
    )
    assert beside == [0]  # nothing is drawn between the name and the mark


def test_the_bold_name_of_a_line_is_whole(opened: Open, shelf: Shelf) -> None:
    words = ("illillillillill", "a", "b")
    put(shelf, "wide", trace(target=words, target_words=(0, 1, 2)), selection={**START, "step": 1})
    here = opened("wide", size=(1280, 800))
    here.until("state.lines.lines > 0")
    edges: list[int] = here.page.evaluate(
        """() => {
          const canvas = document.querySelector("#place").shadowRoot.querySelector(
            "[data-testid=hl-lines-canvas]");
          const context = canvas.getContext("2d");
          const columns = [0, canvas.width - 1].map((x) =>
            context.getImageData(x, 0, 1, canvas.height).data);
          return [...new Set(columns.flatMap((pixels) => [...pixels]))];
        }"""
    )
    assert edges == [0]  # nothing reaches over an edge
