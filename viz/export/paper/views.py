"""One trace as a figure for paper: the matrix of a head."""

from __future__ import annotations

from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from core.trace import Bools, Floats
from viz.export.paper.names import also_reads, name_axes, name_queries, readings, room_of
from viz.export.paper.notes import noted, swatches
from viz.export.paper.shown import Shown, ends_of_scale, highest, trimmed, zoomed
from viz.export.paper.style import (
    HATCH,
    INK,
    LINE,
    MUTED,
    PAPER,
    POINT,
    UNWRITTEN,
    Words,
    colours,
    labels,
    mentioned,
    side_of_cell,
    title,
)
from viz.figures.theme import PALETTES
from viz.inspector.options import Options
from viz.text.numbers import weighed, whole_percent

_LARGEST: Final = 22.0  # points of a cell
_WIDE: Final = 430.0  # points that a matrix may be wide
_SPELLED: Final = 15.0  # points of a cell that has room for its number


def head(
    shown: Shown, layer: int, which: int, options: Options, words: Words, said: str = ""
) -> Figure:
    """The matrix of one head with its tokens, its mask hatched and its scale printed.

    Args:
        layer, which: the head, counted from 0.
        options: `trim`, `stretch`, `pinned` and `held` are of use here.
        said: what it is of.
    """
    allowed = shown.drawn(layer, which)[shown.part]
    rows, columns = allowed.shape
    cell = side_of_cell(allowed.shape, _WIDE, _LARGEST)
    keys = labels(shown.keys, words)[shown.part[1]]
    queries = labels(shown.queries, words)[shown.part[0]]
    reads = readings(shown.reads, words)[shown.part[0]]
    figure = Figure(layout="constrained")
    left, top = room_of(figure, keys, queries, reads)
    wide, tall = columns * cell * POINT + left + 1.6, rows * cell * POINT + top + 1.6
    figure.set_size_inches(max(wide, 3.6), tall)
    axes = figure.subplots()
    weights = shown.weights(layer, which)
    drawn = trimmed(weights, options.trim) if options.trim else weights
    high = highest(weights, options)
    image = _matrix(axes, drawn[shown.part], allowed, shown, high)
    name_axes(axes, keys, queries, reads, cell=cell, chosen=shown.step_in_view)
    if cell >= _SPELLED:
        pinned = shown.cell(*options.pinned) if options.pinned else None
        place = pinned and shown.in_view(*pinned)
        parts = weights[shown.part], drawn[shown.part]
        _numbers(axes, *parts, allowed, shown.live_in_view, high, place)
    axes.set_xlabel(words["axis_key"])
    axes.xaxis.set_label_position("top")
    name_queries(axes, words, reads, 9)
    figure.suptitle(title(words, shown.kind, layer, which), fontweight=600, fontsize=11)
    scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03, ticks=[0, high / 2, high])
    if options.stretch:
        own = words["scale_own"].format(largest=weighed(high))
        scale.ax.set_yticks([0, high], ["0", own.replace(", ", "\n")])
    else:
        scale.ax.set_yticks([0, 0.5, 1], ends_of_scale(0, high, weights))
    _legend(axes, allowed, shown, words)
    derived = words["units_summed"] if shown.words else ""
    left_out = _left_out(weights, drawn, shown, options, words)
    pins = _pins(axes, shown, weights, options, words)
    noted(figure, [derived, zoomed(shown, words), *left_out, *pins, said])
    return figure


def _matrix(axes: Axes, weights: Floats, allowed: Bools, shown: Shown, high: float) -> AxesImage:
    """Weights as cells from 0 to `high`; what is forbidden or not written is hatched.

    Args:
        allowed: what is drawn of those that are written.
    """
    live = shown.live_in_view
    rows, columns = allowed.shape
    hidden = ~allowed | (np.arange(rows) >= live)[:, None]
    image = axes.imshow(
        np.ma.masked_array(weights, hidden), cmap=colours(shown.kind), vmin=0, vmax=high,
        interpolation="none",
    )  # fmt: skip
    if not allowed[:live].all():
        axes.patch.set(hatch=HATCH, facecolor=PAPER, edgecolor=LINE)
    if live < rows:
        place, size = (-0.5, live - 0.5), (columns, rows - live)
        axes.add_patch(Rectangle(place, *size, facecolor=PAPER, edgecolor=LINE, hatch=UNWRITTEN))
    if shown.step_in_view is not None:
        step = Rectangle((-0.5, live - 1.5), columns, 1, fill=False, clip_on=False, zorder=4)
        step.set(edgecolor=PALETTES["light"].accent, linewidth=1.8)
        axes.add_patch(step)
    return image


def _numbers(
    axes: Axes,
    weights: Floats,
    drawn: Floats,
    allowed: Bools,
    live: int,
    high: float,
    pinned: tuple[int, int] | None,
) -> None:
    """Weights that show, and the pinned one; a dot marks one that was left out: it is no zero."""
    for (row, column), weight in np.ndenumerate(weights):
        if not allowed[row, column] or row >= live:
            continue
        chosen = (row, column) == pinned
        if drawn[row, column] == 0 and weight > 0 and not chosen:
            axes.text(column, row, "·", ha="center", va="center", fontsize=8, color=MUTED)
        elif weight >= 0.005 or chosen:
            ink = PAPER if drawn[row, column] / high > 0.55 else INK
            said = f"{weight:.2f}"
            axes.text(column, row, said, ha="center", va="center", fontsize=5.5, color=ink)


def _legend(axes: Axes, allowed: Bools, shown: Shown, words: Words) -> None:
    """What the hatches mean, below the matrix."""
    hatches = []
    if not allowed[: shown.live_in_view].all():
        hatches.append((HATCH, words["legend_forbidden"]))
    if shown.live_in_view < len(allowed):
        hatches.append((UNWRITTEN, words["legend_unwritten"]))
    swatches(axes, hatches)


def _left_out(
    weights: Floats, drawn: Floats, shown: Shown, options: Options, words: Words
) -> list[str]:
    if not options.trim:
        return []
    whole = float(weights[: shown.live].sum(dtype=np.float64))
    left_out = float((weights - drawn)[: shown.live].sum(dtype=np.float64))
    hidden = whole_percent(left_out / whole if whole else 0.0)
    return [words["trim_note"].format(share=whole_percent(options.trim), hidden=hidden)]


def _pins(axes: Axes, shown: Shown, weights: Floats, options: Options, words: Words) -> list[str]:
    """Outlines the pinned cell, row or column, as far as it is in view; returns what they say.

    Of a row or column that is its strongest cell.
    """
    rows, columns = shown.part
    row, column = shown.held(options)
    cell = options.pinned and shown.cell(*options.pinned)
    framed = [("pinned_put", cell, cell, (1, 1))] if cell else []
    if row is not None:
        cell = row, int(weights[row].argmax())
        framed.append(("held_query", cell, (row, columns.start), (columns.stop - columns.start, 1)))
    if column is not None:
        cell = int(weights[: shown.live, column].argmax()), column
        framed.append(("held_key", cell, (rows.start, column), (1, rows.stop - rows.start)))
    said = []
    for name, (row, column), corner, size in framed:
        seen = shown.in_view(*corner)
        if seen is not None:
            outline(axes, seen, size)
        ends = labels(shown.queries, words)[row], labels(shown.keys, words)[column]
        query, key = map(mentioned, ends)
        told = words[name].format(query=query, key=key, weight=weighed(weights[row, column]))
        said.append(also_reads(told, readings(shown.reads, words), row, words))
    return said


def outline(axes: Axes, cell: tuple[int, int], size: tuple[int, int] = (1, 1)) -> None:
    """Frames cells, so many across and down from one on."""
    row, column = cell
    frame = Rectangle((column - 0.5, row - 0.5), *size, fill=False, clip_on=False, zorder=5)
    frame.set(edgecolor=INK, linewidth=1.6)
    axes.add_patch(frame)
