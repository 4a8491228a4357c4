"""On paper a decoder row has both its names: what it writes leads, what it reads stands behind."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from core.trace import KINDS, AttentionTrace, Kind
from tests.viz.export.paper.test_views import LABELS
from tests.viz.export.test_one import packed_of, svg_texts
from tests.viz.inspector.made import long_trace, trace
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.paper.both import both
from viz.export.paper.lines import lines
from viz.export.paper.names import behind, readings
from viz.export.paper.next_token import next_tokens
from viz.export.paper.pair import pair
from viz.export.paper.shown import shown
from viz.export.paper.stages import stages
from viz.export.paper.style import labels, paper
from viz.export.paper.views import head
from viz.export.request import View
from viz.inspector.options import PLAIN, Options
from viz.text.browser import inspector_words
from viz.text.language import LANGUAGES, Language
from viz.text.pair import TEXT
from viz.text.rows import by_name

WORDS = inspector_words("en") | by_name(TEXT["en"])
ROWS: dict[Language, str] = {"en": "writes ← reads", "ko": "쓰는 토큰 ← 읽는 토큰"}
DECODER: tuple[Kind, ...] = ("cross", "decoder_self")
WIDE = trace(LABELS, (0, 1, 2, 3), LABELS, (0, 1, 2, 3))
SHORT = trace(("a",), (0,), ("b",), (0,))
TRACES = {
    "usual": trace(),
    "wide": WIDE,
    "short": SHORT,
    "long": long_trace(40, layers=3, heads=8),
}


@pytest.fixture
def on_paper() -> Iterator[None]:
    with paper():
        yield


PAPER = pytest.mark.usefixtures("on_paper")


@cache
def matrices(traced: AttentionTrace, kind: Kind, *, words: bool = False) -> list[Axes]:
    """The matrices of a head, of its stages, and of it beside itself, not to be changed."""
    laid = both((traced, traced), kind, by_words=words)
    figures = [
        head(shown(traced, kind, words=words), 0, 0, PLAIN, WORDS),
        pair((traced, traced), laid, ((0, 0), (0, 0)), PLAIN, WORDS),
    ]
    if not words:
        figures.append(stages(traced, kind, 0, 0, len(traced.queries(kind)), WORDS))
    return [axes for figure in figures for axes in figure.axes if axes.images]


def named(ticks: list[Text]) -> dict[float, str]:
    """Names by the places of their rows."""
    return {float(text.get_position()[1]): text.get_text() for text in ticks if text.get_text()}


def boxes(ticks: list[Text]) -> list[Bbox]:
    return [text.get_window_extent() for text in ticks if text.get_text()]


@PAPER
@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("kind", DECODER)
@pytest.mark.parametrize("traced", TRACES.values(), ids=TRACES)
def test_a_row_of_a_matrix_has_both_its_names(
    traced: AttentionTrace, kind: Kind, words: bool
) -> None:
    part = shown(traced, kind, words=words)
    written, read = labels(part.queries, WORDS), readings(part.reads, WORDS)
    found = [axes for axes in matrices(traced, kind, words=words) if axes.get_yticks().size]
    assert found
    for axes in found:
        lead, follow = (named(axes.get_yticklabels(minor=minor)) for minor in (False, True))
        assert lead.keys() == follow.keys()
        assert lead == {at: written[int(at)] for at in lead}
        assert follow == {at: behind(read[int(at)]) for at in lead}


@PAPER
@pytest.mark.parametrize("kind", DECODER)
@pytest.mark.parametrize("traced", TRACES.values(), ids=TRACES)
def test_neither_name_lies_on_the_other_or_on_the_cells(traced: AttentionTrace, kind: Kind) -> None:
    found = matrices(traced, kind)
    for figure in {axes.get_figure(root=True) for axes in found}:
        assert figure is not None
        figure.draw_without_rendering()
    for axes in found:
        lead, follow = (boxes(axes.get_yticklabels(minor=minor)) for minor in (False, True))
        edge = axes.get_window_extent().x0
        for before, after in zip(lead, follow, strict=True):
            assert before.x1 < after.x0 < after.x1 < edge
            assert abs((before.y0 + before.y1) - (after.y0 + after.y1)) < before.height
        for column in (lead, follow):
            assert all(upper.y0 > lower.y0 for upper, lower in pairwise(column))
        called = axes.yaxis.label
        assert not called.get_text() or called.get_window_extent().x1 < min(b.x0 for b in lead)


@PAPER
def test_an_encoder_s_rows_have_one_name() -> None:
    for axes in matrices(TRACES["usual"], "encoder_self"):
        assert not named(axes.get_yticklabels(minor=True))
        assert axes.get_ylabel() in ("", WORDS["axis_query"])
    part = shown(TRACES["usual"], "encoder_self", words=False)
    figure = lines(part, [(0, 0)], (0, 0), PLAIN, WORDS)
    assert not [text for text in figure.texts if "←" in text.get_text()]


@PAPER
@pytest.mark.parametrize("step", [None, 5])
@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("kind", DECODER)
@pytest.mark.parametrize("traced", TRACES.values(), ids=TRACES)
def test_lines_end_at_both_names(
    traced: AttentionTrace, kind: Kind, words: bool, step: int | None
) -> None:
    part = shown(traced, kind, words=words, step=step and min(step, len(traced.written)))
    figure = lines(part, [(0, 0)], (0, 0), PLAIN, WORDS)
    figure.draw_without_rendering()
    texts = figure.axes[0].texts
    written = [text for text in texts if text.get_horizontalalignment() == "left"][:-1]
    read = [text for text in figure.texts if text.get_text().startswith("←")]
    assert [text.get_text() for text in written] == labels(part.queries, WORDS)[: part.live]
    names = [behind(name) for name in readings(part.reads, WORDS)[: part.live]]
    assert [text.get_text() for text in read] == names
    for lead, follow in zip(written, read, strict=True):
        assert lead.get_position()[1] == follow.get_position()[1]
        assert lead.get_window_extent().x1 < follow.get_window_extent().x0
        assert follow.get_window_extent().x1 < figure.bbox.x1


@PAPER
def test_lines_that_are_close_have_both_names_in_one() -> None:
    traced = long_trace(120, layers=1, heads=1)
    figure = lines(shown(traced, "cross", words=False), [(0, 0)], (0, 0), PLAIN, WORDS)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert not [text for text in figure.texts if "←" in text.get_text()]
    written, read = labels(traced.written, WORDS), labels(traced.target, WORDS)
    assert {f"{w} ← {r}" for w, r in zip(written, read, strict=True)} <= set(texts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", ["head", "lines", "stages"])
def test_a_figure_says_which_of_two_names_is_which(
    view: View, kind: Kind, language: Language
) -> None:
    traced = packed_of(TRACES["usual"])
    body = exported(traced, Choice(view, kind, 2, 5), "svg", language=language)
    texts = svg_texts(body)
    marked = [text.removeprefix("← ") for text in texts if text.startswith("← ")]
    names = labels(traced.trace.target, inspector_words(language))
    drawn = 0 if kind == "encoder_self" else 4 if view == "stages" else 1
    assert marked == names * drawn
    assert texts.count(ROWS[language]) == drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_looks_say_it_once_and_name_what_either_reads(language: Language) -> None:
    first = TRACES["usual"]
    second = trace(target=("today", *(t.text for t in first.written[1:-1])))
    drawn = pair_exported((first, second), PairChoice(), "svg", language=language)
    texts = svg_texts(drawn)
    assert texts.count(ROWS[language]) == 1
    assert {"← yesterday", "← today", "← yesterday / today"} <= set(texts)


def test_what_is_pinned_is_told_by_both_names() -> None:
    traced = packed_of(TRACES["usual"])

    def said(options: Options, kind: Kind = "cross") -> str:
        choice = Choice("head", kind, 2, 5, options=options)
        return " ".join(svg_texts(exported(traced, choice, "svg", language="en")))

    pieces = said(Options(pinned=(6, 3), held=("query", 6)))
    assert pieces.count("· reads caf") == 2
    assert ". · reads" not in pieces
    assert "· reads the · caf" in said(Options(pinned=(6, 3), words=True))
    assert "reads" not in said(Options(pinned=(6, 3)), "encoder_self")
    pinned = PairChoice("head", "cross", options=Options(pinned=(6, 3)))
    both_said = svg_texts(pair_exported((traced.trace, traced.trace), pinned, "svg", language="en"))
    assert "· reads caf" in " ".join(both_said)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "writes went · reads I"), ("ko", "쓰는 토큰 went · 읽는 토큰 I")],
)
def test_next_tokens_stand_under_both_names(language: Language, said: str) -> None:
    body = exported(packed_of(TRACES["usual"]), Choice("next", step=3), "svg", language=language)
    assert said in svg_texts(body)


def test_a_word_of_many_pieces_reads_as_many_as_there_is_room_for() -> None:
    letters = tuple("strawberry")
    traced = trace(target=letters, target_words=(0,) * 10)
    part = shown(traced, "cross", words=True)
    assert readings(part.reads, WORDS) == ["[start] · s · t…", "y"]


@PAPER
@pytest.mark.parametrize("count", [2, 3, 5])
def test_few_next_tokens_have_room_beneath_each_other(count: int) -> None:
    traced, names = TRACES["usual"], {row: f"name {row}" for row in range(count)}
    assert traced.logits is not None
    few = replace(traced, logits=traced.logits[:, :count].copy(), vocabulary=None)
    figure = next_tokens(few, 3, names, (), PLAIN, WORDS, "said " * 20)
    figure.draw_without_rendering()
    found = boxes(figure.axes[0].get_yticklabels())
    assert len(found) == count
    assert all(upper.y0 > lower.y1 for upper, lower in pairwise(found))
