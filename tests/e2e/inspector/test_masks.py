"""Masks that differ by head: each head is drawn, read and compared with its own."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import expect

from core.probe import Edit, edits_as_json
from core.studies.words import words_of
from core.trace import AttentionTrace
from tests.e2e.inspector.page import START, Open, put
from tests.e2e.inspector.server import Shelf
from tests.e2e.inspector.test_pair import open_pair, put_pair
from tests.viz.inspector.made import windowed
from viz.inspector.payload import View
from viz.text.inspector import TEXT
from viz.text.language import LANGUAGES, Language

pytestmark = pytest.mark.e2e

LAST = {**START, "kind": "decoder_self", "layer": 3, "head": 1, "step": 14}


def forbidden(trace: AttentionTrace, layer: int, head: int) -> int:
    return int((~trace.sites["decoder_self"].mask(layer - 1, head - 1)).sum())


@pytest.mark.parametrize("view", ["inspect", "step"])
def test_a_head_is_drawn_with_its_own_mask(opened: Open, shelf: Shelf, view: View) -> None:
    trace = windowed(lifted=2)
    put(shelf, "windows", trace, view=view, selection={**LAST, "stages": "on"})
    here = opened("windows")
    for head in (1, 4, 8):
        if head > 1:
            here.at("hl-grid").locator(f'[data-layer="2"][data-head="{head - 1}"].hl-head').click()
        here.until(f"state.status === 'exact' && state.selection.head === {head}")
        expect(here.at("hl-legend").get_by_text("forbidden by the mask")).to_be_visible(
            visible=forbidden(trace, 3, head) > 0
        )
        if view == "inspect":
            assert here.state()["matrix"]["forbidden"] == forbidden(trace, 3, head)
        else:
            site = trace.sites["decoder_self"]
            assert site.scores is not None
            open_scores = site.scores[2, head - 1][site.mask(2, head - 1)]
            masked = here.state()["stages"]["masked"]
            assert masked["low"] == pytest.approx(float(open_scores.min()), rel=1e-6)
            assert masked["high"] == pytest.approx(float(open_scores.max()), rel=1e-6)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_edited_trace_says_so(opened: Open, shelf: Shelf, language: Language) -> None:
    edits = [Edit("outputs", "cross", layer=2, head=4), Edit("mask", "decoder_self", value=1.0)]
    many = [Edit("scores", "cross", layer=layer) for layer in range(9)]
    two, several = {
        "en": (
            "head outputs (Cross L3 H5) = 0, mask (Decoder self) = 1",
            "scores (Cross L5) = 0, scores (Cross L6) = 0, …",
        ),
        "ko": (
            "헤드 출력(크로스 3층 5번) = 0, 마스크(디코더 셀프) = 1",
            "점수(크로스 5층) = 0, 점수(크로스 6층) = 0, …",
        ),
    }[language]
    for name, told, said in (
        ("two", edits_as_json(edits), two),
        ("many", edits_as_json(many), several),
        ("odd", "<b>{}", "?"),
    ):
        made = replace(windowed(), meta={"edits": told})
        put(shelf, name, made, language=language)
        here = opened(name)
        expect(here.at("hl-edited")).to_contain_text(said)
        before, after = TEXT[language].edited.split("{edits}")
        assert here.at("hl-edited").inner_text().startswith(before)
        assert here.at("hl-edited").inner_text().endswith(after)
    put(shelf, "plain", windowed(), language=language)
    assert opened("plain").at("hl-edited").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view", ["inspect", "step"])
def test_a_lifted_mask_and_a_given_target_are_said_where_no_switch_says_it(
    opened: Open, shelf: Shelf, view: View, language: Language
) -> None:
    own = TEXT[language]
    for lifted, free in product((True, False), (True, False)):
        name = f"{lifted}-{free}"
        made = replace(windowed(), meta={"lift_mask": lifted, "free_running": free})
        put(shelf, name, made, view=view, language=language)
        here = opened(name)
        for note, there, said in (
            ("hl-lifted", lifted, own.lifted),
            ("hl-given", not free, own.given),
        ):
            assert here.at(note).all_inner_texts() == ([said] if there else [])
    asked = replace(windowed(), meta={"lift_mask": True, "free_running": False})
    put(shelf, "asked", asked, view=view, language=language, branches=True)
    here = opened("asked")
    assert (here.at("hl-lifted").count(), here.at("hl-given").count()) == (0, 0)


def test_what_is_forbidden_to_one_head_is_read_of_another(opened: Open, shelf: Shelf) -> None:
    trace = windowed()
    put(shelf, "windows", trace, selection=LAST)
    here = opened("windows")
    here.page.mouse.move(*here.cell(9, 6))
    expect(here.at("hl-tip")).to_contain_text("forbidden by the mask")
    here.at("hl-grid").locator('[data-layer="2"][data-head="7"].hl-head').click()
    here.until("state.status === 'exact' && state.selection.head === 8")
    here.page.mouse.move(*here.cell(9, 6))
    weight = trace.sites["decoder_self"].weights[2, 7, 9, 6]
    expect(here.at("hl-tip")).to_contain_text(f"{weight:.3f}")
    expect(here.at("hl-tip")).not_to_contain_text("forbidden")


def test_words_have_the_masks_of_their_pieces(opened: Open, shelf: Shelf) -> None:
    trace = windowed()
    put(shelf, "windows", trace, selection={**LAST, "words": "on"})
    here = opened("windows")
    counts = []
    for head in (1, 8):
        if head > 1:
            here.at("hl-grid").locator('[data-layer="2"][data-head="7"].hl-head').click()
        here.until(f"state.status === 'exact' && state.selection.head === {head}")
        counts.append(here.state()["matrix"]["forbidden"])
        mask = trace.sites["decoder_self"].mask(2, head - 1)
        shut = [
            not mask[np.ix_(row, column)].any()
            for row in words_of(trace.written)
            for column in words_of(trace.target)
        ]
        assert counts[-1] == sum(shut)
    assert 0 < counts[1] < counts[0]


def test_a_difference_is_hatched_where_neither_head_may_look(opened: Open, shelf: Shelf) -> None:
    first, second = windowed(), windowed(lifted=1)
    put_pair(shelf, (first, second), selection={**LAST, "step": None})
    here = open_pair(opened)
    for head in (1, 8):
        if head > 1:
            here.page.get_by_role("gridcell", name="Layer 3, head 8").first.click()
        here.until(f"state.selection.head === {head}")
        both = [trace.sites["decoder_self"].mask(2, head - 1) for trace in (first, second)]
        here.until(f"state.sides[2].matrix.forbidden === {int((~(both[0] | both[1])).sum())}")
        assert np.array_equal(both[0], both[1]) == (head == 1)
