"""A tablet that stands upright: between a phone and a desk."""

import pytest

from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import KOREAN, KOREAN_WORDS, trace

pytestmark = pytest.mark.e2e

DECODER = {**START, "kind": "decoder_self"}


@pytest.mark.parametrize("width", [768, 834])
def test_a_tablet_shows_names_and_numbers_whole(opened: Open, shelf: Shelf, width: int) -> None:
    long_named = ("Yesterday", *KOREAN[1:])
    made = trace(long_named, KOREAN_WORDS, ("Yesterday", "afternoon", "I", "went"), (0, 1, 2, 3))
    put(shelf, "step", made, view="step", selection={**DECODER, "step": 4})
    here = opened("step", size=(width, 1100))
    rows = dict(here.state()["matrix"]["labels"]["rows"])
    assert (rows[0], rows[1]) == ("Yesterday", "afternoon")
    assert len(here.state()["matrix"]["labels"]["columns"]) == 5  # all that it reads
    rest = here.page.locator(".hl-bar-rest .hl-bar-name")
    assert rest.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_on_a_tablet_all_steps_are_to_be_seen(opened: Open) -> None:
    here = opened(size=(820, 1180))
    steps = here.at("hl-steps")
    assert steps.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    row = steps.bounding_box()
    assert row is not None
    for chip in steps.locator(".hl-chip").all():
        box = chip.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= row["y"] + row["height"]
