"""Lines on paper stand out as on the screen: a step's, a pinned token's, those of every head."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from core.errors import HeadlightError
from core.trace import Floats, Kind
from tests.viz.inspector.made import trace
from viz.export.paper.lines import lines
from viz.export.paper.shown import Shown, shown
from viz.export.paper.style import INK, MUTED, SEVERAL, labels, paper
from viz.export.paper.views import head
from viz.export.request import refuse_unminded
from viz.figures.theme import KIND_HUES
from viz.inspector.options import PLAIN, Options
from viz.text.browser import inspector_words

WORDS = inspector_words("en")
SCREEN = (Path(__file__).parents[4] / "viz/inspector/web/views/curves.js").read_text("utf-8")
LOW = Options(threshold=0.0)


def part(kind: Kind = "cross", step: int | None = None, *, words: bool = False) -> Shown:
    return shown(trace(), kind, words=words, step=step)


@pytest.fixture(autouse=True)
def on_paper() -> Iterator[None]:
    with paper():
        yield


@dataclass(frozen=True, slots=True)
class Line:
    """A curve between two names; its width is in points."""

    row: int
    column: int
    width: float
    alpha: float


def curves(figure: Figure) -> list[list[Line]]:
    """The lines of every head, as they lie over each other."""
    left, right = heights(figure, "right"), heights(figure, "left")
    heads = []
    for own in figure.axes[0].collections:
        assert isinstance(own, PathCollection)
        ends = [np.asarray(path.vertices, np.float32)[[0, -1], 1] for path in own.get_paths()]
        alphas = np.asarray(own.get_edgecolor())[:, 3]
        widths = np.asarray(own.get_linewidth())
        heads.append(
            [
                Line(int(np.abs(right - to).argmin()), int(np.abs(left - at).argmin()), w, alpha)
                for (at, to), w, alpha in zip(ends, widths, alphas, strict=True)
            ]
        )
    return heads


def heights(figure: Figure, side: str) -> Floats:
    """Of the names on a side, without the one that the axis has."""
    names = [t for t in figure.axes[0].texts if t.get_horizontalalignment() == side][:-1]
    return np.array([text.get_position()[1] for text in names], np.float32)


def bold(figure: Figure) -> list[str]:
    return [t.get_text() for t in figure.axes[0].texts if t.get_fontweight() == 600]


def strong(figure: Figure) -> set[tuple[int, int]]:
    """Rows and columns of the lines that are no fainter than what stands out."""
    return {(own.row, own.column) for head in curves(figure) for own in head if own.alpha >= 0.35}


def numbers(pattern: str) -> list[float]:
    found = re.search(pattern, SCREEN)
    assert found is not None, pattern
    return [float(number) for number in found.groups()]


@pytest.mark.parametrize("step", [1, 5, 14])
@pytest.mark.parametrize("kind", ["cross", "decoder_self"])
def test_the_row_of_the_step_stands_out(kind: Kind, step: int) -> None:
    seen = part(kind, step)
    figure = lines(seen, [(1, 4)], (1, 4), LOW, WORDS)
    [own] = curves(figure)
    chosen = [line for line in own if line.row == step - 1]
    others = [line for line in own if line.row != step - 1]
    assert chosen
    assert own[-len(chosen) :] == chosen, "over the others"
    assert min(line.alpha for line in chosen) > max((line.alpha for line in others), default=0.0)
    assert bold(figure) == [labels(seen.queries, WORDS)[step - 1]]


def test_lines_are_as_wide_and_full_as_on_the_screen() -> None:
    wide, more = numbers(r"lineWidth = ([\d.]+) \+ ([\d.]+) \* weights\[at\]")
    full, fuller = numbers(r"globalAlpha = ([\d.]+) \+ ([\d.]+) \* Math.min\(1, weights\[at\]\)")
    alone, beside = numbers(r"strong === null \? ([\d.]+) : ([\d.]+)")
    least, range_ = numbers(r"quiet \* \(([\d.]+) \+ \(([\d.]+) \* \(band \+ 1\)\)")
    thin, thicker = numbers(r"lineWidth = ([\d.]+) \+ \(([\d.]+) \* \(band \+ 0\.5\)")
    weights = part().weights(1, 4)
    pixels = []
    for step, quiet in ((7, beside), (None, alone)):
        [own] = curves(lines(part(step=step), [(1, 4)], (1, 4), LOW, WORDS))
        for line in own:
            weight = weights[line.row, line.column]
            if step is not None and line.row == step - 1:
                assert line.alpha == pytest.approx(full + fuller * weight)
                pixels.append(line.width / (wide + more * weight))
            else:
                assert line.alpha == pytest.approx(quiet * (least + range_ * weight))
                pixels.append(line.width / (thin + thicker * weight))
    assert pixels == pytest.approx([pixels[0]] * len(pixels), rel=1e-5), "points of a pixel"


@pytest.mark.parametrize("kind", ["cross", "encoder_self"])
def test_without_a_step_all_lines_are_alike(kind: Kind) -> None:
    figure = lines(part(kind), [(1, 4)], (1, 4), LOW, WORDS)
    assert bold(figure) == []
    [own] = curves(figure)
    by_weight = sorted((line.width, line.alpha) for line in own)
    assert all(less[1] <= more[1] for less, more in pairwise(by_weight))
    assert {t.get_color() for t in figure.axes[0].texts[:-2]} == {INK}


def test_a_pinned_token_stands_out_alone() -> None:
    for held, name, cells in (
        (("query", 2), "went", {(2, column) for column in range(9)}),
        (("key", 1), "카페", {(row, 1) for row in range(7)}),
    ):
        options = Options(threshold=0.0, held=held)  # type: ignore[arg-type]
        figure = lines(part(step=7), [(1, 4)], (1, 4), options, WORDS)
        assert bold(figure) == [name]
        assert strong(figure) == cells
        others = [t for t in figure.axes[0].texts[:-2] if t.get_text() != name]
        assert {t.get_color() for t in others} == {MUTED}


def test_of_an_encoder_the_row_of_the_pinned_cell_stands_out() -> None:
    """It has no step; in a decoder the step's row does, as on the screen."""
    options = Options(threshold=0.0, pinned=(2, 3))
    for own, row, name in ((part("encoder_self"), 2, "갔"), (part(step=7), 6, "-é")):
        figure = lines(own, [(1, 4)], (1, 4), options, WORDS)
        assert bold(figure) == [name]
        assert strong(figure) >= {(row, column) for column in range(9)}
        assert {line.row for line in curves(figure)[0][-9:]} == {row}


def test_a_pinned_cell_is_nothing_that_lines_would_not_mind() -> None:
    refuse_unminded("lines", "svg", {"pinned": "3.4", "held": "query.3"})
    with pytest.raises(HeadlightError, match="trim"):
        refuse_unminded("lines", "svg", {"trim": "0.2"})


def test_the_word_of_the_step_stands_out() -> None:
    figure = lines(part(step=7, words=True), [(1, 4)], (1, 4), LOW, WORDS)
    assert bold(figure) == ["café"]


def test_of_several_heads_each_has_its_row_in_its_colour() -> None:
    heads = [(2, 6), (0, 1), (1, 4)]
    figure = lines(part(step=7), heads, (1, 4), LOW, WORDS)
    each = curves(figure)
    assert len(each) == 3
    for own in each:
        assert {line.row for line in own[-9:]} == {6}
        assert min(line.alpha for line in own[-9:]) > max(line.alpha for line in own[:-9])
    drawn = [c for c in figure.axes[0].collections if isinstance(c, PathCollection)]
    assert [to_hex(np.asarray(c.get_edgecolor())[0]) for c in drawn] == list(SEVERAL[:3])
    [alone] = lines(part(step=7), [(1, 4)], (1, 4), LOW, WORDS).axes[0].collections
    assert to_hex(np.asarray(alone.get_edgecolor())[0]) == KIND_HUES["cross"].lower()


@pytest.mark.parametrize(("step", "outlined"), [(3, True), (14, True), (None, False)])
def test_a_matrix_has_its_step_outlined_at_the_last_one_too(
    step: int | None, outlined: bool
) -> None:
    axes = head(part(step=step), 1, 4, PLAIN, WORDS).axes[0]
    rows = [patch.get_xy()[1] for patch in axes.patches if not patch.get_fill()]  # type: ignore[attr-defined]
    assert rows == ([step - 1.5] if outlined and step else [])
