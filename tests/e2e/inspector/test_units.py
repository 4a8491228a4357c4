"""Words instead of pieces: derived numbers, the same everywhere and said to be derived."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from core.trace import AttentionTrace, Token
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.twins.words import word_weights
from tests.viz.inspector.made import long_trace, trace
from viz.text.browser import inspector_words
from viz.text.heads import TEXT as HEADS
from viz.text.inspector import TEXT
from viz.text.language import Language

pytestmark = pytest.mark.e2e


def choose(here: Harness, name: str) -> dict[str, Any]:
    here.at("hl-units").get_by_role("radio", name=name).click()
    wanted = str(name == "Words").lower()
    return here.until(f"state.words === {wanted} && state.grid.heads === state.grid.of")


def expected(traced: AttentionTrace, written: int) -> np.ndarray[Any, Any]:
    """Cross, layer 2, head 5 between words, of the first `written` rows."""
    rows = traced.written[:written]
    return word_weights(traced.sites["cross"].weights[1, 4, :written], rows, traced.source)


def test_every_number_is_summed_to_words(opened: Open) -> None:
    here = opened()
    state = choose(here, "Words")
    real = expected(trace(), 14)
    assert (state["rows"], state["columns"]) == real.shape == (13, 7)
    assert np.array(state["weights"]) == pytest.approx(real.ravel(), abs=1e-6)
    assert [text for _, text in state["matrix"]["labels"]["columns"]][2] == "갔었어"
    assert [text for _, text in state["matrix"]["labels"]["rows"]][5] == "café"
    assert state["row"] == 5
    expect(here.at("hl-status")).to_have_text(
        "exact numbers (float32) · summed to words: keys added, queries averaged"
    )
    row = real[5]
    top = int(row.argmax())
    expect(here.at("hl-sentence")).to_contain_text(f"Writing café, this head put {row[top]:.3f}")
    first = here.at("hl-table").locator("tbody tr").first
    expect(first).to_contain_text(f"{row[top]:.3f}")
    assert state["lines"]["lines"] == int((real[:6] > 0.06).sum())
    here.page.mouse.move(*here.cell(5, 2))
    expect(here.at("hl-tip")).to_contain_text("writes café")
    lines = here.at("hl-tip").inner_text().split("\n")
    assert lines == [
        "writes café",
        "reads the · caf",
        "key 갔었어",
        "average of queries: 2 · sum of keys: 2",
        f"weight {row[2]:.3f}",
    ]


def test_a_word_half_written_averages_what_is_written(opened: Open, shelf: Shelf) -> None:
    put(shelf, "half", trace(), selection={**START, "step": 6})
    here = opened("half")
    state = choose(here, "Words")
    assert np.array(state["weights"][5 * 7 : 6 * 7]) == pytest.approx(
        expected(trace(), 6)[5], abs=1e-6
    )
    assert state["matrix"]["unwritten"] == 7 * 7
    here.at("hl-steps").press("ArrowRight")
    state = here.until("state.selection.step === 7 && state.row === 5")
    assert np.array(state["weights"][5 * 7 : 6 * 7]) == pytest.approx(
        expected(trace(), 7)[5], abs=1e-6
    )


def test_words_say_that_exact_numbers_did_not_come(opened: Open, shelf: Shelf) -> None:
    shelf.refuse_exact = True
    put(shelf, "worded", trace(), selection={**START, "words": "on"})
    here = opened("worded", status="failed")
    expect(here.at("hl-status")).to_contain_text(TEXT["en"].approximate.split("{")[0])
    here.problems.clear()  # the browser's own lines about refused requests


def test_a_coarse_word_half_written_has_nothing_of_what_is_not_written(
    opened: Open, shelf: Shelf
) -> None:
    traced = long_trace(320, layers=1, heads=1, pieces=2)
    shelf.refuse_exact = True
    start = {"kind": "decoder_self", "layer": 1, "head": 1, "step": 1, "words": "on"}
    put(shelf, "coarse", traced, selection=start)
    here = opened("coarse", status="failed")
    alone = here.state()["weights"][:2]
    here.at("hl-steps").press("ArrowRight")
    here.until("state.selection.step === 2")
    assert here.state()["weights"][:2] != alone  # the second piece came
    assert alone[0] == pytest.approx(1, abs=1e-3)  # the first one saw itself alone
    here.problems.clear()


@pytest.mark.parametrize("refused", [False, True])
def test_a_piece_that_looks_at_no_key_is_averaged_with_its_word(
    opened: Open, shelf: Shelf, refused: bool
) -> None:
    """All of a row flows into its sink: that it may look, its mask says."""
    plain = trace()
    site = plain.sites["cross"]
    weights, sinks = site.weights.copy(), np.zeros(site.weights.shape[:3], np.float32)
    weights[:, :, 5], sinks[:, :, 5] = 0, 1  # caf, of café
    traced = replace(
        plain, sites={**plain.sites, "cross": replace(site, weights=weights, sinks=sinks)}
    )
    shelf.refuse_exact = refused
    put(shelf, "sunk", traced)
    here = opened("sunk", status="failed" if refused else "exact")
    state = choose(here, "Words")
    wanted = expected(traced, 14)
    assert wanted[5].sum() == pytest.approx(0.5, abs=1e-6)
    error = 0.005 if refused else 1e-6
    assert np.array(state["weights"]) == pytest.approx(wanted.ravel(), abs=error)
    here.problems.clear()  # the browser's own lines about refused requests


@pytest.mark.parametrize("step", [6, 14])  # café half and wholly written
@pytest.mark.parametrize("shut", [False, True])
def test_a_cell_says_of_how_many_queries_it_is_the_average(
    opened: Open, shelf: Shelf, shut: bool, step: int
) -> None:
    """A piece that may look at nothing is none of them."""
    plain = trace()
    site = plain.sites["cross"]
    weights, allowed = site.weights.copy(), site.allowed.copy()
    if shut:
        weights[:, :, 5], allowed[..., 5, :] = 0, False  # caf, of café
    made = replace(site, weights=weights, allowed=allowed)
    put(
        shelf,
        "shut",
        replace(plain, sites={**plain.sites, "cross": made}),
        selection={**START, "kind": "cross", "step": max(step, 7 if shut else step)},
    )
    here = opened("shut")
    choose(here, "Words")
    here.page.mouse.move(*here.cell(5, 2))
    queries = 2 if step == 14 and not shut else 1
    said = HEADS["en"].cell_made_of.format(queries=queries, keys=2)
    expect(here.at("hl-tip")).to_contain_text(said)


def test_pins_and_steps_keep_their_meaning(opened: Open) -> None:
    here = opened()
    here.page.mouse.click(*here.cell(6, 3))
    here.until("JSON.stringify(state.selection.pinned) === '[7,4]'")
    choose(here, "Words")
    assert here.state()["selection"]["pinned"] == [7, 4]
    value = expected(trace(), 7)[5, 2]
    expect(here.at("hl-sentence")).to_contain_text(f"Pinned: café → 갔었어 {value:.3f}")
    here.page.mouse.click(*here.cell(5, 2))
    here.until("state.selection.pinned === null")
    here.page.mouse.click(*here.cell(10, 1))  # people, not written yet
    here.selection(step=12)
    here.page.mouse.click(*here.cell(2, 2))
    here.until("JSON.stringify(state.selection.pinned) === '[3,3]'")
    choose(here, "Pieces")
    expect(here.at("hl-sentence")).to_contain_text("Pinned: went → 갔 ")


def test_without_pieces_there_is_nothing_to_switch(opened: Open, shelf: Shelf) -> None:
    whole = trace(("가", "나"), (0, 1), ("a", "b"), (0, 1))
    put(shelf, "whole", whole, selection={**START, "step": 2})
    here = opened("whole")
    expect(here.at("hl-units")).to_have_count(0)


def test_the_switch_stays_with_the_next_sentence(opened: Open, shelf: Shelf) -> None:
    put(shelf, "whole", trace(("가", "나"), (0, 1), ("a", "b"), (0, 1)))
    put(shelf, "other", trace(seed=4))
    here = opened()
    choose(here, "Words")
    here.show("whole")
    assert not here.state()["words"]
    here.show("other")
    assert here.until("state.ready && !state.pending")["words"]


def test_bytes_and_jamo_are_read_as_hangul(opened: Open, shelf: Shelf) -> None:
    raw = "뷁".encode()
    bytes_ = [Token(f"<0x{b:02X}>", f"뷁 {at + 1}/3", 9 + at, 0) for at, b in enumerate(raw)]
    jamo = [Token("ᄒ", "ㅎ", 20, 1), Token("ᅡ", "ㅏ", 21, 1), Token("ᆫ", "-ㄴ", 22, 1)]
    made = trace(tuple("abcdefg"), tuple(range(7)))
    source = (Token("▁", "␣", 8, 0), *bytes_, *jamo, made.source[-1])
    traced = AttentionTrace("m", source, made.target, made.written, made.sites, made.logits)
    put(shelf, "bytes", traced)
    here = opened("bytes")
    state = choose(here, "Words")
    assert [text for _, text in state["matrix"]["labels"]["columns"]] == ["뷁", "한", "end"]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_phone_switches_by_touch_and_keys(opened: Open, shelf: Shelf, language: Language) -> None:
    put(shelf, "phone", trace(), language=language)
    here = opened("phone", size=(390, 800), touch=True)
    words = inspector_words(language)
    here.at("hl-units").get_by_role("radio", name=words["units_words"]).tap()
    here.until("state.words")
    expect(here.at("hl-status")).to_contain_text(words["units_summed"])
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
    here.page.keyboard.press("ArrowLeft")
    here.until("!state.words")


@pytest.fixture
def one(opened: Open) -> Harness:
    return opened()


starts = st.lists(st.booleans(), min_size=1, max_size=7)


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=starts,
    columns=starts,
    seed=st.integers(0, 2**32 - 1),
    empty=st.integers(-1, 6),
    shut=st.integers(-1, 6),
)
def test_the_browser_agrees_with_the_slow_twin(
    one: Harness, rows: list[bool], columns: list[bool], seed: int, empty: int, shut: int
) -> None:
    axes = []
    for begins in (rows, columns):
        words = np.cumsum([True, *begins[1:]]).tolist()
        axes.append([Token("p", "p", at, word) for at, word in enumerate(words)])
    random = np.random.default_rng(seed)
    odds = random.random((len(rows), len(columns))) + 1e-3
    weights = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)
    allowed = random.random(weights.shape) < 0.7
    weights[empty : empty + 1] = 0
    allowed[shut : shut + 1] = False
    got = one.page.evaluate(
        """async ([weights, allowed, rows, columns]) => {
          const { summed, wordsOf } = await import("/inspector/views/units.js");
          const units = [rows, columns].map((axis) => wordsOf(axis.map((starts, at) =>
            ({ joint: at > 0 && !starts }))));
          return Array.from(summed(Float32Array.from(weights), Uint8Array.from(allowed), ...units));
        }""",
        [weights.ravel().tolist(), allowed.astype(int).ravel().tolist(), rows, columns],
    )
    assert got == pytest.approx(word_weights(weights, axes[0], axes[1], allowed).ravel(), abs=1e-6)


def test_what_was_measured_on_pieces_says_so_between_words(opened: Open) -> None:
    """The order of the heads, and what a head does, are of the model's own tokens."""
    here = opened()
    here.at("hl-order").select_option("entropy")
    said = inspector_words("en")["units_measured"]
    for name in ("Words", "Pieces", "Words"):
        choose(here, name)
        label = re.compile(re.escape(said) if name == "Words" else f"^(?!.*{re.escape(said)})")
        expect(here.page.locator(".hl-head").first).to_have_attribute("aria-label", label)
        assert (said in here.page.locator(".hl-root").inner_text()) == (name == "Words")
