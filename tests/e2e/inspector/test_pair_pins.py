"""A cell of a pair that is chosen is the one that is pinned, read and in the address."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace
from tests.e2e.inspector.page import Harness, Open
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import PAIR, START, cell, open_pair, point, put_pair
from tests.e2e.test_app import asked
from tests.viz.inspector.made import KOREAN, trace

pytestmark = pytest.mark.e2e

Cell = tuple[int, int]
SOURCE, SOURCE_WORDS = KOREAN[1:4], (0, 1, 1)
TARGETS = (("caf", "é", "were", "clo", "sed"), ("caf", "é", "were", "once", "full"))
TARGET_WORDS = ((0, 0, 1, 2, 2), (0, 0, 1, 2, 3))
UNITS = ("pieces", "words")


def two_traces() -> tuple[AttentionTrace, AttentionTrace]:
    """Two looks in which most words stand after one of several pieces."""
    first, second = (
        trace(SOURCE, SOURCE_WORDS, target, words, layers=2, heads=2, seed=seed)
        for target, words, seed in zip(TARGETS, TARGET_WORDS, (7, 30), strict=True)
    )
    return first, second


def starts(words: tuple[int, ...], unit: str) -> list[int]:
    """The first piece of each row or column, that of the end token last."""
    ends = [at for at, word in enumerate(words) if unit == "pieces" or word not in words[:at]]
    return [*ends, len(words)]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


def left(here: Harness) -> str:
    """What is read once nothing is pointed at."""
    here.page.mouse.move(1, 1)
    here.page.evaluate("document.querySelector('#place').shadowRoot.activeElement?.blur()")
    here.until("state.hover === null")
    return here.at("hl-reading").inner_text()


def pick(here: Harness, side: str, at: Cell, by: str) -> str:
    """Chooses a cell, and says what was read while it was pointed at."""
    if by == "mouse":
        point(here, side, *at)
    else:
        here.page.locator(f'[data-side="{side}"] [data-testid="hl-matrix"]').focus()
        for key, steps in (("ArrowUp", 9), ("ArrowLeft", 9), ("ArrowDown", at[0])):
            for _ in range(steps):
                here.page.keyboard.press(key)
        for _ in range(at[1]):
            here.page.keyboard.press("ArrowRight")
        here.until("state.hover !== null")
    read = here.at("hl-reading").inner_text()
    if by == "mouse":
        here.page.mouse.click(*cell(here, side, *at))
    else:
        here.page.keyboard.press("Enter")
    return read


def chosen(here: Harness) -> dict[str, Any]:
    selection = here.state()["selection"]
    return {name: selection[name] for name in ("pinned", "place", "words")}


@pytest.mark.parametrize("by", ["mouse", "keys"])
@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("unit", UNITS)
def test_the_cell_that_was_chosen_is_pinned_read_and_addressed(
    opened: Open, shelf: Shelf, unit: str, side: str, by: str
) -> None:
    own = ("first", "second").index(side)
    rows, columns = starts(TARGET_WORDS[own], unit), starts(SOURCE_WORDS, unit)
    start = {**START, "layer": 1, "head": 1, "words": "on" if unit == "words" else "off"}
    put_pair(shelf, two_traces(), selection=start)
    here = open_pair(opened)
    there: Harness | None = None
    seen = set()
    cells = list(product(range(len(rows)), range(len(columns))))
    for row, column in cells:
        read = pick(here, side, (row, column), by)
        assert left(here) == read, (row, column)
        picked = chosen(here)
        if side == "first":
            assert picked["pinned"] == [rows[row] + 1, columns[column] + 1]
        name = "pinned" if picked["pinned"] else "place"
        said = ".".join(map(str, picked["pinned"])) if picked["pinned"] else picked["place"]
        here.page.wait_for_function(
            "([name, said]) => new URLSearchParams(location.search).get(name) === said",
            arg=[name, said],
        )
        seen.add((name, said))
        if column == row % len(columns):  # one of each row is opened afresh
            told = asked(here.page)
            put_pair(shelf, two_traces(), "again", selection={**start, **picked})
            there = there or open_pair(opened, "again")
            there.open("again", PAIR)
            assert (told[name], chosen(there)) == (said, picked)
            expect(there.at("hl-reading")).to_have_text(read)
    assert len(seen) == len(cells)


@pytest.mark.parametrize("unit", UNITS)
def test_a_cell_that_is_chosen_again_is_let_go(opened: Open, shelf: Shelf, unit: str) -> None:
    selection = {**START, "layer": 1, "head": 1, "words": "on" if unit == "words" else "off"}
    put_pair(shelf, two_traces(), selection=selection)
    here = open_pair(opened)
    for side in ("first", "second", "difference"):
        at = len(starts(TARGET_WORDS[0], unit)) - 1, len(starts(SOURCE_WORDS, unit)) - 1
        pick(here, side, at, "mouse")
        here.until("state.selection.pinned !== null || state.selection.place !== null")
        pick(here, side, at, "mouse")
        here.until("state.selection.pinned === null && state.selection.place === null")
