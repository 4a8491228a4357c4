"""Two looks and their difference as one file: opened from disk, without a network, all alive."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.inspector.disk import fits_a_phone_in_the_dark, opened_from_disk
from tests.e2e.inspector.hostile_page import FOREIGN, Bare, baring, clear, said
from tests.e2e.inspector.page import Harness
from tests.e2e.inspector.test_pair import cell, minus, two_traces
from tests.viz.inspector.hostile import MODEL, TEXTS, hostile_trace
from tests.viz.inspector.made import long_trace, trace
from viz.export.pair import PairChoice, pair_exported
from viz.export.paper.both import Traces
from viz.inspector.options import Options
from viz.inspector.single import EXACT
from viz.text.film import TEXT as FILM
from viz.text.inspector import TEXT
from viz.text.language import Language
from viz.text.pair import EN
from viz.text.tokens import spelt

pytestmark = pytest.mark.e2e
HEAD = '[data-side="{}"] [data-layer="{}"][data-head="{}"]'


@pytest.fixture
def bare(browser: Browser) -> Iterator[Bare]:
    with baring(browser) as open_page:
        yield open_page


def opened(
    here: Harness,
    folder: Path,
    traces: Traces,
    choice: PairChoice,
    language: Language = "en",
    status: str = "exact",
) -> dict[str, Any]:
    path = folder / "pair.html"
    path.write_bytes(pair_exported(traces, choice, "html", language=language))
    return opened_from_disk(here, path, status)


def heads_in(folder: Path) -> list[list[str]]:
    """Heads whose exact floats the file holds, of either look."""
    held = re.search(r'id="held">(.*?)</script>', (folder / "pair.html").read_text("utf-8"))
    assert held is not None
    both = json.loads(held[1])["bytes"].values()
    return [[name for name in own if re.fullmatch(r"\w+/\d+/\d+", name)] for own in both]


def test_it_is_the_whole_comparison(here: Harness, tmp_path: Path) -> None:
    traces = two_traces()
    state = opened(here, tmp_path, traces, PairChoice("head", "cross", 2, 5, (1, 3)))
    first, second = traces[0].sites["cross"].weights[1, 4], traces[1].sites["cross"].weights[0, 2]
    for shown, own in zip(state["weights"], (first, second), strict=True):
        assert np.array_equal(np.array(shown, np.float32), own.ravel())
    expected = minus(traces, "cross", first, second)
    np.testing.assert_allclose(state["values"], expected.ravel(), atol=1e-7)
    expect(here.at("hl-status")).to_have_text(TEXT["en"].exact)
    expect(here.at("hl-export")).to_have_count(0)  # there is no server to make files
    here.at("hl-linked").check()
    here.until("state.selection.other === 'same'")
    here.page.locator(HEAD.format("difference", 2, 2)).click()
    here.until("state.selection.layer === 3 && state.selection.head === 3")
    here.page.locator('[data-testid="hl-kinds"] [data-value="encoder_self"]').click()
    here.until("state.selection.kind === 'encoder_self' && state.status === 'exact'")
    here.page.locator('[data-testid="hl-units"] [data-value="words"]').click()
    here.until("state.words")
    here.at("hl-scale").click()
    here.until("state.stretch")


def test_it_is_worked_by_keys_alone(here: Harness, tmp_path: Path) -> None:
    opened(here, tmp_path, two_traces(), PairChoice("head", "cross", 2, 5))
    side = here.page.locator('[data-side="second"] [data-testid="hl-matrix"]')
    for _ in range(20):
        here.page.keyboard.press("Tab")
        if side.evaluate("one => one.matches(':focus')"):
            break
    expect(side).to_be_focused()
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("ArrowDown")
    here.until("state.hover?.[0] === 1 && state.hover?.[1] === 0")
    here.page.keyboard.press("Enter")
    here.selection(pinned="[2,1]")


def test_it_opens_as_it_was_seen(here: Harness, tmp_path: Path) -> None:
    own = Options(pinned=(2, 1), words=True, stretch=True)
    choice = PairChoice("head", "decoder_self", 2, 5, (1, 3), own)
    state = opened(here, tmp_path, two_traces(), choice)
    assert state["selection"] == {
        "kind": "decoder_self", "layer": 2, "head": 5, "other": "1.3", "pinned": [3, 2],
        "place": None, "words": "on", "stretch": "on",
    }  # fmt: skip
    traces = two_traces()
    opened(here, tmp_path, traces, PairChoice())
    row = traces[1].written.index(next(t for t in traces[1].written if t.text == "school"))
    here.page.mouse.click(*cell(here, "second", row, 1))
    seen = here.until("state.selection.place !== null")["selection"]
    read = here.at("hl-reading").inner_text()
    assert EN.no_such_cell in read
    row, column = map(int, seen["place"].split("."))
    state = opened(here, tmp_path, traces, replace(choice_of(seen), place=(row, column)))
    assert state["selection"] == seen
    expect(here.at("hl-reading")).to_have_text(read)


def choice_of(seen: dict[str, Any]) -> PairChoice:
    return PairChoice("head", seen["kind"], seen["layer"], seen["head"])


def test_on_a_phone_in_korean_and_in_the_dark(here: Harness, tmp_path: Path) -> None:
    fits_a_phone_in_the_dark(here, lambda: opened(here, tmp_path, two_traces(), PairChoice(), "ko"))


def test_its_title_says_what_either_is(here: Harness, tmp_path: Path) -> None:
    first, second = two_traces()
    traces = (replace(first, model_id="one"), replace(second, model_id="mine@1592"))
    opened(here, tmp_path, traces, PairChoice())
    after = FILM["en"].after_updates.format(step="1,592")
    for part in ("A: ", "(one)", " / B: ", f"(mine, {after})"):
        assert part in here.page.title()


def test_one_look_beside_itself_is_held_once(here: Harness, tmp_path: Path) -> None:
    traced = trace()
    state = opened(here, tmp_path, (traced, traced), PairChoice(kind="cross", other=(2, 3)))
    assert len(heads_in(tmp_path)) == 1
    weights = traced.sites["cross"].weights
    expected = weights[1, 2] - weights[0, 0]
    np.testing.assert_allclose(state["values"], expected.ravel(), atol=1e-7)


def test_of_long_looks_both_heads_and_those_around_them_are_exact(
    here: Harness, tmp_path: Path
) -> None:
    traced = long_trace(96, layers=12, heads=16)
    traces = (traced, replace(traced, model_id="other"))
    opened(here, tmp_path, traces, PairChoice(kind="cross", layer=8, head=8, other=(1, 2)))
    first, second = heads_in(tmp_path)
    assert (first[0], second[0]) == ("cross/7/7", "cross/0/1")
    assert len(first) + len(second) == EXACT // (96 * 96 * 4)  # no scores, which are not shown
    assert abs(len(first) - len(second)) <= 1
    here.page.locator('[data-testid="hl-kinds"] [data-value="encoder_self"]').click()
    here.until("state.selection.kind === 'encoder_self' && state.status === 'failed'")
    expect(here.at("hl-status")).to_contain_text("not in this file")


def test_both_heads_are_exact_however_long_the_looks_are(here: Harness, tmp_path: Path) -> None:
    """Each larger than all that a file has room for."""
    traced = long_trace(1800, layers=1, heads=2)
    assert traced.sites["cross"].weights[0, 1].nbytes > EXACT
    opened(here, tmp_path, (traced, replace(traced)), PairChoice(kind="cross", head=2))
    assert heads_in(tmp_path) == [["cross/0/1"], ["cross/0/1"]]
    expect(here.at("hl-status")).to_have_text(TEXT["en"].exact)


def test_unlike_heads_are_chosen_apart(here: Harness, tmp_path: Path) -> None:
    traces = (trace(), trace(layers=1, heads=2, seed=3))
    opened(here, tmp_path, traces, PairChoice("head", "cross", 3, 8, (1, 2)))
    expect(here.page.get_by_text(EN.unlike)).to_be_visible()
    here.page.locator(HEAD.format("second", 0, 0)).click()
    here.until("state.selection.other === '1.1' && state.status === 'exact'")


def test_hostile_strings_stay_text(bare: Bare, tmp_path: Path) -> None:
    here = bare("file:///")
    backwards = hostile_trace(tuple(reversed(TEXTS)))
    opened(here, tmp_path, (hostile_trace(), backwards), PairChoice("head", "encoder_self"))
    assert spelt(MODEL) in here.page.title()
    for side in ("first", "second", "difference"):
        here.page.locator(f'[data-side="{side}"] [data-testid="hl-matrix"]').focus()
        for _ in TEXTS:
            here.page.keyboard.press("ArrowDown")
            here.page.keyboard.press("ArrowRight")
        here.until("state.hover !== null")
        said(here)
    here.page.locator('[data-testid="hl-units"] [data-value="words"]').click()
    here.until("state.words")
    clear(said(here))
    expect(here.page.locator(f"#place :is({FOREIGN})")).to_have_count(0)
    expect(here.page.locator("script")).to_have_count(3)  # the page's own
