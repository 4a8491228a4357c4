"""Names on both sides of lines between tokens, and the room that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from core.trace import Floats
from viz.export.paper.names import READ_SIZE, behind, query_axis, readings
from viz.export.paper.shown import NOTHING, Place, Shown
from viz.export.paper.style import INK, LEADING, MUTED, POINT, Words, labels, width_of

_GAP: Final = (5.0, 17.0)  # points between tokens, smallest and largest, as long as a side is
_TALL: Final = (560.0, 1400.0)  # points tall, preferred and at most
_SPAN: Final = 2.5  # inches that lines go across
_ROOM: Final = 1.2  # inches for names on either side, at least
_ASIDE: Final = 0.15  # inches beside them
LEGEND: Final = 15.0  # points of a head's name below the lines
_CLOSE: Final = 9.0  # points between tokens that have small names
_NEAR: Final = 0.03  # of the span, between lines and names
_APART: Final = 6.0  # points between what a row writes and what it reads
_SECOND: Final = 11.0  # points of the second line of what rows are called


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand, in units of the space between two tokens; y grows downwards.

    Attributes:
        rows, columns: those in view.
        between: rows in view, with those of steps that are not yet written.
        reads: what each row reads where it writes, () where that is not told.
        gap: points of a unit.
        above, below: units for what the axes are called, and for the names of heads.
        left, right: (column,), (row,), where each token stands.
    """

    rows: slice
    columns: slice
    between: int
    reads: Sequence[str]
    gap: float
    above: float
    below: float
    left: Floats
    right: Floats

    @property
    def tall(self) -> int:
        """Units of the longer side."""
        return max(len(self.left), len(self.right), 2)

    @property
    def inches(self) -> float:
        """Of the whole figure's height."""
        return (self.tall + self.below + self.above) * self.gap * POINT + 1.2


def layout_of(shown: Shown, heads: int, words: Words) -> Layout:
    """As far apart as the longer side lets them be, both sides centred."""
    part, columns = shown.part
    live, wide = shown.live_in_view, columns.stop - columns.start
    rows = slice(part.start, part.start + live)
    tall = max(wide, live, 2)
    gap = min(_GAP[1], max(_TALL[0] / tall, min(_GAP[0], _TALL[1] / tall)))
    reads = readings(shown.reads, words)[rows]
    return Layout(
        rows,
        columns,
        between=part.stop - part.start,
        reads=reads,
        gap=gap,
        above=1 + (10 + _SECOND * bool(reads)) / gap,
        below=LEGEND / gap * ceil(heads / 2) if heads > 1 else 0.0,
        left=np.arange(wide) + (tall - wide) / 2,
        right=np.arange(live) + (tall - live) / 2,
    )


def name_sides(
    axes: Axes, shown: Shown, layout: Layout, focus: Place, words: Words
) -> tuple[float, float]:
    """Names of tokens on both sides, and of the sides above them: the inches that they take."""
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    gap, reads = layout.gap, layout.reads
    keys = labels(shown.keys, words)[layout.columns]
    queries = labels(shown.queries, words)[layout.rows]
    if reads and gap < _CLOSE:  # too small for two sizes
        queries = [f"{query} {behind(read)}" for query, read in zip(queries, reads, strict=True)]
    plain = INK if focus == NOTHING else MUTED
    sides = (
        _names(axes, 0, layout.left, keys, gap=gap, bold=focus[1], colour=plain),
        _names(axes, 1, layout.right, queries, gap=gap, bold=focus[0], colour=plain),
    )
    widths = [_widest(own, figure) for own in sides]
    if reads and gap >= _CLOSE:
        widths[1] += _read(axes, layout.right, reads, widths[1] + _APART * POINT)
    called = words["axis_key"], query_axis(words, reads)
    for x, (name, side) in enumerate(zip(called, ("right", "left"), strict=True)):
        text = axes.text(x, -layout.above - 0.2, name, ha=side, va="top", color=MUTED, fontsize=8)
        text.set(linespacing=LEADING, in_layout=False)
        widths[x] = max(_ROOM, widths[x], width_of(text, figure)) + _ASIDE
    return widths[0], widths[1]


def fit(axes: Axes, layout: Layout, widths: tuple[float, float]) -> None:
    """Room for the names on both sides, and for what stands above and below."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.set_figwidth(sum(widths) + _SPAN)
    across = -widths[0] / _SPAN, 1 + widths[1] / _SPAN
    axes.set(xlim=across, ylim=(layout.tall - 0.5 + layout.below, -0.5 - layout.above))


def _names(
    axes: Axes,
    x: int,
    places: Floats,
    names: list[str],
    *,
    gap: float,
    bold: int | None,
    colour: str,
) -> list[Text]:
    """Token names on the left (x 0) or on the right, as many as have room; the bold one has."""
    by, side = (-_NEAR, "right") if x == 0 else (_NEAR, "left")
    size = 5.5 if gap < _CLOSE else 8.5
    step = ceil(size * 0.9 / gap)
    bold = bold if bold in range(len(names)) else None  # out of view
    texts = []
    for at, (place, name) in enumerate(zip(places, names, strict=True)):
        near = bold is not None and abs(at - bold) < step
        if at != bold if near else at % step:
            continue
        text = axes.text(x + by, place, name, ha=side, va="center", fontsize=size, color=colour)
        if at == bold:
            text.set(fontweight=600, color=INK)
        texts.append(text)
    return texts


def _widest(texts: Sequence[Text], figure: Figure) -> float:
    """Inches that some names take, which the layout need not measure again."""
    for text in texts:
        text.set_in_layout(False)
    return max((width_of(text, figure) for text in texts), default=0.0)


def _read(axes: Axes, places: Floats, reads: Sequence[str], aside: float) -> float:
    """What rows read, in a column of its own behind their names.

    Args:
        aside: inches from where the names begin.

    Returns:
        Inches that it takes.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    across = axes.transData + ScaledTranslation(aside, 0, figure.dpi_scale_trans)
    texts = [
        figure.text(
            1 + _NEAR, place, behind(read), va="center", fontsize=READ_SIZE, color=MUTED,
            transform=across,
        )
        for place, read in zip(places, reads, strict=True)
    ]  # fmt: skip
    return _APART * POINT + _widest(texts, figure)
