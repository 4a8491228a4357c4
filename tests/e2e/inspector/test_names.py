"""Names of tokens beside the cells of the large head."""

import pytest

from tests.e2e.inspector.page import Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import long_trace
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
