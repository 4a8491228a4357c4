"""A figure of a part shows what was in view, coloured and counted as on the screen."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matplotlib.image import AxesImage
from matplotlib.text import Text

from core.errors import HeadlightError
from core.trace import Kind
from tests.viz.export.paper.test_lines import curves
from tests.viz.export.test_one import packed_of, svg_texts
from tests.viz.inspector.made import trace
from viz.export.one import Choice, exported
from viz.export.paper.lines import lines
from viz.export.paper.shown import shown
from viz.export.paper.style import labels, paper
from viz.export.paper.views import head
from viz.inspector.options import Options, change, within
from viz.text.browser import inspector_words
from viz.text.numbers import whole_percent

WORDS = inspector_words("en")
ZOOM = ((3, 9), (2, 6))
PART = (slice(3, 9), slice(2, 6))


@pytest.fixture
def on_paper() -> Iterator[None]:
    with paper():
        yield


on_its_own = pytest.mark.usefixtures("on_paper")


def cells(options: Options) -> Any:
    """What is drawn, masked where nothing is."""
    return np.ma.asarray(image(options).get_array())


def image(options: Options, kind: Kind = "cross") -> AxesImage:
    part = shown(trace(), kind, words=False, step=8, zoom=options.zoom)
    return head(part, 1, 4, options, WORDS).axes[0].images[0]


@on_its_own
def test_a_part_is_its_cells_and_its_tokens() -> None:
    weights = trace().sites["cross"].weights[1, 4]
    drawn = cells(Options(zoom=ZOOM))
    assert drawn.shape == (6, 4)
    assert np.array_equal(drawn.data[:5], weights[3:8, 2:6])
    assert drawn.mask.tolist() == [[False] * 4] * 5 + [[True] * 4], "the ninth row is not written"


@on_its_own
def test_the_scale_is_that_of_the_whole_head() -> None:
    weights = trace().sites["cross"].weights[1, 4]
    assert image(Options(zoom=ZOOM, stretch=True)).norm.vmax == weights.max()


@on_its_own
def test_what_is_trimmed_is_of_whole_rows() -> None:
    trim = cells(Options(trim=0.3)).data
    part = cells(Options(trim=0.3, zoom=ZOOM)).data
    assert np.array_equal(part, trim[PART])


def test_the_file_says_which_part_it_is() -> None:
    choice = Choice("head", "cross", 2, 5, None, Options(zoom=ZOOM))
    said = svg_texts(exported(packed_of(trace()), choice, "svg", language="en"))
    assert "queries 4–9 of 14 · keys 3–6 of 9" in " ".join(said)
    names = labels(trace().source, WORDS)
    assert set(names[2:6]) <= set(said)
    assert not set(names[:2]) & set(said)


@on_its_own
def test_lines_of_a_part_are_those_between_what_is_in_view() -> None:
    part = shown(trace(), "cross", words=False, zoom=ZOOM)
    figure = lines(part, [(1, 4)], (1, 4), Options(zoom=ZOOM, threshold=0.1), WORDS)
    weights = trace().sites["cross"].weights[1, 4][PART[0]]
    over = np.argwhere(weights[:, PART[1]] > 0.1)
    drawn = {(line.row, line.column) for line in curves(figure)[0]}
    assert drawn == {(int(row), int(column)) for row, column in over}
    seen = weights[:, PART[1]]
    hidden = whole_percent(float(1 - seen[seen > 0.1].sum() / weights.sum()))
    texts = [at.get_text() for at in figure.findobj(Text) if isinstance(at, Text)]
    assert f"{hidden} of the mass hidden" in " ".join(texts).replace("\n", " ")


def test_a_part_between_words_is_the_words_that_it_lies_in() -> None:
    part = shown(trace(), "encoder_self", words=True, zoom=((3, 7), (0, 1)))
    assert part.part == (
        slice(2, 6),
        slice(0, 1),
    )  # pieces 2 and 3 are one word, and so are 6 and 7


def test_of_a_text_too_long_for_paper_a_part_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.export.one.SIDE", 10)
    packed = packed_of(trace())
    with pytest.raises(HeadlightError):
        exported(packed, Choice("head", "cross", 1, 1), "svg", language="en")
    part = Choice("head", "cross", 1, 1, None, Options(zoom=ZOOM))
    assert exported(packed, part, "svg", language="en").startswith(b"<?xml")


def test_a_part_that_is_not_there_is_refused() -> None:
    part = Choice("head", "cross", 1, 1, None, change(Options(), "zoom", "1-99.1-2"))
    with pytest.raises(HeadlightError, match="zoom"):
        exported(packed_of(trace()), part, "svg", language="en")


def test_an_address_shows_what_there_is_of_a_part() -> None:
    stacks = [(1, 1)]
    assert within(Options(zoom=((3, 99), (0, 4))), (14, 9), stacks).zoom == ((3, 14), (0, 4))
    assert within(Options(zoom=((20, 30), (0, 4))), (14, 9), stacks).zoom is None
    assert Options(zoom=ZOOM).unpinned().zoom is None
