"""What the rows and the columns of a printed figure are called; decoder rows by both names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from math import ceil, radians, sin
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from core.trace import Token
from viz.export.paper.shown import READ_TOGETHER
from viz.export.paper.style import (
    LEADING,
    MUTED,
    POINT,
    Words,
    labels,
    mentioned,
    shortened,
    width_of,
)
from viz.text.tokens import wide

READ_SIZE: Final = 7.0
"""Points of the letters of what a row reads."""
_SLANT: Final = 55  # degrees
_MEASURED: Final = 40  # labels among which the longest is
_REACH: Final = 17.0  # points to where a slanted name no longer leans over a letter
_LETTER: Final = re.compile("-?.", re.DOTALL)
_PAD: Final = 3.0  # points between a matrix and what stands beside it
_BESIDE: Final = 5.0  # points between what a row writes and what it reads
_SECOND: Final = 13.0  # points of the second line of what rows are called


def readings(rows: Sequence[Sequence[Token]], words: Words) -> list[str]:
    """What decoder rows read, as a figure shows it.

    Args:
        rows: tokens of each, of which a word has several.
    """
    names = iter(labels([token for own in rows for token in own], words))
    return [_as_fits(list(islice(names, len(own)))) for own in rows]


def _as_fits(names: Sequence[str]) -> str:
    """Names one after the other, as many of the first as an axis has room for."""
    whole = READ_TOGETHER.join(names)
    if len(names) == 1 or shortened(whole) == whole:
        return whole
    return f"{shortened(whole)[:-1].rstrip(READ_TOGETHER)}…"


def behind(read: str) -> str:
    """What a row reads, as it stands behind what it writes."""
    return f"← {read}"


def also_reads(said: str, reads: Sequence[str], row: int, words: Words) -> str:
    """What is said of a row, and beside it what the row reads, where it reads something else."""
    if not reads:
        return said
    return f"{said.removesuffix('.')} · {words['cell_reads'].format(token=mentioned(reads[row]))}"


def query_axis(words: Words, reads: Sequence[str]) -> str:
    """What rows are called; in a second line, which of their two names leads, where they read."""
    writes, read = (words[name].format(token="").strip() for name in ("cell_writes", "cell_reads"))
    return f"{words['axis_query']}\n{writes} {behind(read)}" if reads else words["axis_query"]


def name_queries(axes: Axes, words: Words, reads: Sequence[str], size: float) -> None:
    """The name of the rows, beside theirs."""
    axes.set_ylabel(query_axis(words, reads), fontsize=size, linespacing=LEADING)


def name_axes(
    axes: Axes,
    columns: Sequence[str],
    rows: Sequence[str],
    reads: Sequence[str],
    *,
    cell: float,
    chosen: int | None = None,
) -> None:
    """Token names along a matrix, above it slanted where they would touch; some are left out.

    A letter alone is never slanted: it would be another one, as ㅡ and ㅣ are.

    Args:
        reads: what the rows read, in a column of its own between their names and the matrix.
        cell: side of a cell in points.
        chosen: the row that is named in any case.
    """
    step = max(1, ceil(11 / cell))
    places = [at for at in range(0, len(rows), step) if chosen is None or abs(at - chosen) >= step]
    places += [] if chosen is None else [chosen]
    axes.set_xticks(range(0, len(columns), step), columns[::step])
    axes.set_yticks(places, [rows[at] for at in places])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False, pad=2)
    named = axes.get_xticklabels()
    if not _fit(axes, named, step * cell):
        beside = "center" if step * cell >= _REACH else "left"
        for text in named:
            if _LETTER.fullmatch(text.get_text()):
                text.set(ha=beside, va="bottom")
            else:
                text.set(rotation=_SLANT, rotation_mode="anchor", ha="left", va="center")
    if reads:
        _name_reads(axes, reads, places)


def _fit(axes: Axes, names: Sequence[Text], room: float) -> bool:
    """Whether names can stand upright beside each other, each in so many points."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    if not names:
        return True
    size = names[0].get_fontsize()
    longest = _longest(figure, [name.get_text() for name in names], float(size))
    return longest / POINT + _PAD <= room


def _name_reads(axes: Axes, reads: Sequence[str], places: Sequence[int]) -> None:
    """Small ticks of their own, which start in one line; the names of the rows make room."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    shown = list(map(behind, reads))
    room = _longest(figure, shown, READ_SIZE) / POINT + _PAD
    axes.yaxis.remove_overlapping_locs = False
    axes.set_yticks(places, [shown[at] for at in places], minor=True)
    axes.tick_params("y", which="minor", left=False, pad=room)
    axes.tick_params("y", which="minor", labelsize=READ_SIZE, labelcolor=MUTED)
    axes.tick_params("y", which="major", pad=room + _BESIDE)
    for text in axes.get_yticklabels(minor=True):
        text.set(ha="left")


def room_of(
    figure: Figure, columns: Sequence[str], rows: Sequence[str], reads: Sequence[str]
) -> tuple[float, float]:
    """Inches that the names beside a matrix, and those above it, take (`name_axes`)."""
    size = mpl.rcParams["xtick.labelsize"]
    beside = _longest(figure, rows, size)
    if reads:
        beside += _longest(figure, list(map(behind, reads)), READ_SIZE)
        beside += (_BESIDE + _SECOND) * POINT
    return beside, _longest(figure, columns, size) * sin(radians(_SLANT))


def _longest(figure: Figure, names: Sequence[str], size: float | str) -> float:
    """Inches that the widest of some names takes."""
    text = Text(fontsize=size)
    text.set_figure(figure)
    inches = [0.0]
    for name in sorted(set(names), key=wide)[-_MEASURED:]:
        text.set_text(name)
        inches.append(width_of(text, figure))
    return max(inches)
