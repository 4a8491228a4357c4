"""The matrices of a pair that stand beside each other are read across: their rows lie level."""

from __future__ import annotations

from typing import Any

import pytest

from core.trace import KINDS, AttentionTrace
from tests.e2e.inspector.page import PAINTED, Harness, Open
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import SIDES, START, open_pair, put_pair
from tests.e2e.inspector.test_pair import two_traces as unlike
from tests.viz.inspector.made import trace

pytestmark = pytest.mark.e2e


def branched() -> tuple[AttentionTrace, AttentionTrace]:
    """One source, and two translations that part after a few words."""
    source, words = ("책", "읽", "었다"), (0, 1, 1)
    first, second = (
        trace(source, words, target, tuple(range(len(target))), seed=seed)
        for target, seed in (
            (("I", "read", "it"), 7),
            (("I", "once", "had", "wondered", "about", "it"), 30),
        )
    )
    return first, second


def rows_of(here: Harness) -> list[tuple[float, float]]:
    """Where the rows of each matrix begin on the page, and how high they are, in pixels."""
    here.until("state.sides.every(({box}) => box)")
    found: list[Any] = []
    for side, drawn in zip(SIDES, here.state()["sides"], strict=True):
        place = here.page.locator(f'[data-side="{side}"] [data-testid="hl-matrix"]').bounding_box()
        assert place is not None
        found.append((place["y"] + drawn["box"]["y"], drawn["box"]["height"]))
    return found


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.mark.parametrize("unit", ["pieces", "words"])
@pytest.mark.parametrize("made", [unlike, branched])
def test_rows_lie_level(opened: Open, shelf: Shelf, made: Any, unit: str) -> None:
    words = "on" if unit == "words" else "off"
    for kind in KINDS:
        put_pair(shelf, made(), kind, selection={**START, "kind": kind, "words": words})
    here = open_pair(opened, KINDS[0])
    for kind in KINDS:
        here.open(kind, "&module=compare/main.js")
        for width, abreast in ((1366, 3), (1180, 3), (800, 2)):
            here.page.set_viewport_size({"width": width, "height": 768})
            here.page.evaluate(PAINTED)
            rows = rows_of(here)
            assert len(set(rows[:abreast])) == 1, (kind, width)
