"""What stands below a figure is wrapped evenly, and in a face that draws all its signs."""

import io
import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image

from core.trace import KINDS, Kind
from tests.viz.export.test_one import packed_of
from tests.viz.inspector.made import trace
from viz.export.one import Choice, exported
from viz.export.paper.notes import noted
from viz.export.paper.style import paper
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language
from viz.text.tokens import wide


def wrapped(note: str, inches: float) -> list[str]:
    with paper():
        figure = Figure(figsize=(inches, 2))
        noted(figure, [note])
        return figure.get_supxlabel().split("\n")


def evenness(lines: list[str]) -> int:
    return sum(wide(line) ** 2 for line in lines)


@given(st.lists(st.sampled_from(("a", "is", "head", "weights", "어텐션")), min_size=1, max_size=9))
def test_no_other_breaks_are_evener(words: list[str]) -> None:
    lines = wrapped(" ".join(words), 1.2)
    assert " ".join(lines) == " ".join(words)
    longest = max(map(wide, lines))
    for breaks in combinations(range(1, len(words)), len(lines) - 1):
        edges = (0, *breaks, len(words))
        other = [" ".join(words[a:b]) for a, b in pairwise(edges)]
        if max(map(wide, other)) <= longest:
            assert evenness(lines) <= evenness(other), other


@pytest.mark.parametrize("inches", [2.4, 3.1, 4.7, 5.2])
def test_the_last_line_holds_no_odd_word(inches: float) -> None:
    words = "of every head the largest weight beneath a dot is what this small picture shows here"
    for count in range(4, len(words.split(" "))):
        *lines, last = wrapped(" ".join(words.split(" ")[:count]), inches)
        assert all(wide(last) > wide(line) / 2 for line in lines), (lines, last)


def test_what_is_one_line_stays_one() -> None:
    assert wrapped("a short note", 5.2) == ["a short note"]


def test_a_word_longer_than_a_line_is_broken() -> None:
    lines = wrapped(f"before {'x' * 300} after", 3)
    assert len(lines) > 3
    assert "".join(lines).replace("before", "").replace("after", "").strip() == "x" * 300


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_formulas_are_in_the_face_of_the_notes_beside_them(kind: Kind, language: Language) -> None:
    """A Korean face draws their signs as hairlines."""
    traced = packed_of(trace())
    root = ElementTree.fromstring(
        exported(traced, Choice("stages", kind, 2, 5), "svg", language=language)
    )
    styles = {"".join(node.itertext()): node.get("style", "") for node in root.iter()}
    words = inspector_words(language)
    mask = "stage_mask_note" if kind == "decoder_self" else "stage_mask_open"
    notes = ("stage_scores_note", mask, "stage_masked_note", "stage_weights_note")
    said = [words[name].format(score=words["score_is"]) for name in notes]
    own = {re.sub(r"text-anchor.*", "", styles[note]) for note in said}
    assert len(own) == 1
    assert "'DejaVu Sans', 'NanumGothic'" in own.pop()


@pytest.mark.parametrize("sign", ["√2", "∞", "a\\b"])
def test_a_note_is_measured_in_the_face_that_it_is_drawn_in(sign: str) -> None:
    traced = replace(trace(), meta={"source_text": sign + "n" * 110})
    body = exported(packed_of(traced), Choice("lines"), "png", language="en")
    drawn = np.asarray(Image.open(io.BytesIO(body)).convert("L")) < 200
    assert not drawn[:, :9].any(), "the left edge, of 0.03 inches"
    assert not drawn[:, -9:].any()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("bias", [None, "alibi", "relative"])
@pytest.mark.parametrize("score", [None, "additive", "capped", "scaled"])
def test_what_a_score_is_has_room_below_a_small_matrix(
    score: str | None, bias: str | None, language: Language
) -> None:
    facts = {"score": score, "bias": bias}
    meta = {name: value for name, value in facts.items() if value is not None}
    small = replace(trace(("a", "b"), (0, 1), ("c", "d"), (0, 1)), meta=meta)
    body = exported(packed_of(small), Choice("stages", "cross", 1, 1), "png", language=language)
    drawn = np.asarray(Image.open(io.BytesIO(body)).convert("L")) < 200
    assert not drawn[:, :9].any()
    assert not drawn[:, -9:].any()
