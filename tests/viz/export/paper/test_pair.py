"""Two heads and their difference on paper: cells of one size, hung from one line, all named."""

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure

from core.trace import AttentionTrace
from tests.viz.inspector.made import trace
from viz.export.paper.both import both
from viz.export.paper.pair import pair
from viz.export.paper.style import paper
from viz.inspector.options import PLAIN
from viz.text.browser import inspector_words
from viz.text.pair import TEXT
from viz.text.rows import by_name

WORDS = inspector_words("en") | by_name(TEXT["en"])
LONG = "incomprehensibly"


@pytest.fixture(autouse=True)
def on_paper() -> Iterator[None]:
    with paper():
        yield


def traced(keys: int, queries: int, name: str = "z", *, start: str = "a") -> AttentionTrace:
    """With so many tokens on either side, of which the first of the source has this name."""
    source = (name, *(f"{start}{at}" for at in range(keys - 2)))  # and the end
    target = tuple(f"{start}{at}" for at in range(queries - 1))
    places = tuple(range(keys - 1)), tuple(range(queries - 1))
    return trace(source, places[0], target, places[1], layers=1, heads=1)


@cache
def drawn(first: AttentionTrace, second: AttentionTrace) -> Figure:
    """Laid out, and not to be changed."""
    laid = both((first, second), "cross")
    figure = pair((first, second), laid, ((0, 0), (0, 0)), PLAIN, WORDS)
    figure.draw_without_rendering()
    return figure


PAIRS = [
    (traced(9, 8, LONG), traced(16, 16, start="b")),
    (traced(9, 8), traced(16, 16, LONG, start="b")),
    (traced(3, 3), traced(4, 9, LONG, start="b")),
    (traced(2, 2), traced(2, 2)),
    (traced(60, 60), traced(7, 5, LONG, start="b")),
]


@pytest.mark.parametrize("traces", PAIRS)
def test_names_stand_in_one_line_above_all_labels(
    traces: tuple[AttentionTrace, AttentionTrace],
) -> None:
    figure = drawn(*traces)
    titles = [axes.title.get_window_extent() for axes in figure.axes]
    assert np.ptp([title.y1 for title in titles]) < 1, "dots of the screen"
    axis_names = [axes.xaxis.label.get_window_extent() for axes in figure.axes]
    assert np.ptp([name.y0 for name in axis_names]) < 1
    for axes, title, name in zip(figure.axes, titles, axis_names, strict=True):
        labels = [text.get_window_extent().y1 for text in axes.get_xticklabels()]
        assert max(labels) < name.y0 < name.y1 < title.y0


@pytest.mark.parametrize("traces", PAIRS)
def test_all_cells_are_of_one_size_and_hang_from_one_line(
    traces: tuple[AttentionTrace, AttentionTrace],
) -> None:
    figure = drawn(*traces)
    boxes = [axes.get_window_extent() for axes in figure.axes]
    assert np.ptp([box.y1 for box in boxes]) < 0.5
    sizes = []
    for axes, box in zip(figure.axes, boxes, strict=True):
        rows, columns = axes.images[0].get_size()
        sizes += [box.width / columns, box.height / rows]
    assert np.ptp(sizes) / min(sizes) < 0.02


def test_every_token_of_a_short_look_beside_a_longer_one_is_named() -> None:
    for traces in PAIRS[:4]:
        for axes in drawn(*traces).axes:
            rows, columns = axes.images[0].get_size()
            assert (len(axes.get_xticks()), len(axes.get_yticks())) == (columns, rows)


@pytest.mark.parametrize("traces", PAIRS)
def test_scales_are_as_tall_as_their_matrix_unless_their_numbers_need_more(
    traces: tuple[AttentionTrace, AttentionTrace],
) -> None:
    for axes in drawn(*traces).axes:
        [scale] = axes.child_axes
        matrix, own = axes.get_window_extent(), scale.get_window_extent()
        assert own.y1 == pytest.approx(matrix.y1, abs=0.5)
        assert own.height >= matrix.height - 0.5
        numbers = [text.get_window_extent() for text in scale.get_yticklabels()]
        numbers = sorted((box for box in numbers if box.width), key=lambda box: box.y0)
        assert all(low.y1 <= high.y0 for low, high in itertools.pairwise(numbers))
