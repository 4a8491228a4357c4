"""Two traces beside each other, and what the second has less the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.transforms import Bbox

from core.trace import Bools, Floats
from viz.export.paper.both import Both, Heads, Places, Traces
from viz.export.paper.names import also_reads, name_axes, name_queries, readings, room_of
from viz.export.paper.notes import noted
from viz.export.paper.said import said_of
from viz.export.paper.shown import Shown, ends_of_scale, highest
from viz.export.paper.style import (
    EDGE,
    HATCH,
    LINE,
    PAPER,
    POINT,
    Words,
    colours,
    differences,
    labels,
    side_of_cell,
    signed,
    title,
)
from viz.export.paper.views import outline
from viz.inspector.options import Options
from viz.text.numbers import weighed

_LARGEST: Final = 17.0  # points of a cell
_WIDE: Final = 300.0  # points that one of the three may be wide: all names of 27 tokens fit
_NARROWEST: Final = 7.0  # inches
_AROUND: Final = 4.0  # inches for title and notes, more than they take
_SCALE: Final = (7.0, 36.0)  # points that a scale is wide, and tall at least


def pair(
    traces: Traces,
    laid: Both,
    heads: Heads,
    options: Options,
    words: Words,
    marked: tuple[int, int] | None = None,
) -> Figure:
    """Both heads and their difference, one scale for both, hatched where one has no such cell.

    Args:
        options: `stretch` is of use here.
        marked: place of the pinned cell.
    """
    kind = laid.kind
    shapes = [part.shape for part in laid.parts]
    shapes.append(laid.shape)
    most = max(rows for rows, _ in shapes), max(columns for _, columns in shapes)
    cell = side_of_cell(most, _WIDE, _LARGEST, beside=2)
    names = [_named(part, words) for part in laid.parts]
    places = laid.columns, laid.rows, laid.rows
    together = [merged(*own) for own in zip(places, *names, strict=True)]
    reads = together[2]
    names.append((together[0], together[1], reads))
    figure = Figure(layout="constrained")
    tall = most[0] * cell * POINT + max(room_of(figure, *own)[1] for own in names)
    figure.set_figheight(tall + _AROUND)
    panels = figure.subplots(1, 3, width_ratios=[columns for _, columns in shapes])
    for axes, (rows, columns) in zip(panels, shapes, strict=True):
        size = columns * cell * POINT, rows * cell * POINT
        axes.set_axes_locator(_hung(figure, size))
    weights, changed = laid.weights(heads), laid.minus(heads)
    high = max(highest(own, options) for own in weights)
    for axes, part, own, (layer, head), name, own_names in zip(
        panels, laid.parts, weights, heads, ("first", "second"), names, strict=False
    ):
        image = _cells(axes, own, part.drawn(layer, head))
        image.set(cmap=colours(kind), clim=(0, high))
        name_axes(axes, *own_names, cell=cell)
        called = words["head_name"].format(layer=layer + 1, head=head + 1)
        _titled(figure, axes, image, f"{words[name]} · {called}", words, cell)
    name_queries(panels[0], words, reads, 8)
    most_changed = highest(np.abs(changed), options)
    known = laid.known(heads)
    image = _cells(panels[2], changed, known)
    image.set(cmap=differences(), clim=(-most_changed, most_changed))
    name_axes(panels[2], *names[2], cell=cell)
    _titled(figure, panels[2], image, words["difference"], words, cell)
    figure.align_titles(panels)
    figure.align_xlabels(panels)
    figure.suptitle(
        title(words, kind, *heads[0]) if heads[0] == heads[1] else words[f"kind_{kind}"],
        fontweight=600,
        fontsize=11,
    )
    pinned = _pinned(panels, laid, heads, marked, words, names[2])
    _widen(figure, panels)
    hatches = [] if known.all() else [(HATCH, words["legend_pair"])]
    noted(figure, [*pinned, *sides(traces, words), summed(laid, words)], hatches)
    _heighten(figure, panels)
    return figure


def summed(laid: Both, words: Words) -> str:
    """What words are made of, where there are any."""
    return words["units_summed"] if any(part.words for part in laid.parts) else ""


def sides(traces: Traces, words: Words) -> list[str]:
    """What either trace is of."""
    both = zip(("first", "second"), traces, strict=True)
    return [f"{words[name]}: {said_of(trace, words)}" for name, trace in both]


def _pinned(
    panels: Sequence[Axes],
    laid: Both,
    heads: Heads,
    marked: tuple[int, int] | None,
    words: Words,
    names: tuple[list[str], list[str], list[str]],
) -> list[str]:
    """Outlines the pinned cell in all three, and says what it holds."""
    if marked is None:
        return []
    row, column = marked
    weights, changed, known = laid.weights(heads), laid.minus(heads), laid.known(heads)
    said = []
    for side, part in enumerate(laid.parts):
        cell = laid.rows[row][side], laid.columns[column][side]
        if min(cell) < 0:
            said.append(words["no_such_cell"])
            continue
        outline(panels[side], cell)
        forbidden = not part.drawn(*heads[side])[cell]
        said.append(words["cell_forbidden"] if forbidden else weighed(weights[side][cell]))
    if known[row, column]:
        outline(panels[2], (row, column))
    change = signed(changed[row, column]) if known[row, column] else "–"
    template = words["pair_reading" if laid.kind == "encoder_self" else "pair_writing"]
    keys, queries, reads = names
    named = {"query": queries[row], "key": keys[column], "change": change}
    told = template.format(first=said[0], second=said[1], **named)
    return [also_reads(told, reads, row, words)]


def _cells(axes: Axes, values: Floats, known: Bools) -> AxesImage:
    image = axes.imshow(np.ma.masked_array(values, ~known), interpolation="none")
    if not known.all():
        axes.patch.set(hatch=HATCH, facecolor=PAPER, edgecolor=LINE)
    return image


def _hung(figure: Figure, size: tuple[float, float]) -> Callable[[Any, Any], Bbox]:
    """Where axes of a size in inches hang in the middle of the room that they are given."""

    def box(axes: Axes, _: object) -> Bbox:
        room = axes.get_position(original=True)
        wide, tall = size / figure.get_size_inches()
        return Bbox.from_bounds(room.x0 + (room.width - wide) / 2, room.y1 - tall, wide, tall)

    return box


def _widen(figure: Figure, panels: Sequence[Axes]) -> None:
    """Makes a figure as wide as all that is beside its cells needs."""
    boxes = [axes.get_tightbbox() for axes in panels]
    wide = sum(box.width / figure.dpi + 2 * EDGE for box in boxes if box)
    figure.set_figwidth(max(wide, _NARROWEST))


def _heighten(figure: Figure, panels: Sequence[Axes]) -> None:
    """Makes a finished figure, which is too tall, as tall as all that is in it needs."""
    engine = figure.get_layout_engine()
    assert engine is not None
    engine.execute(figure)
    room = panels[0].get_position(original=True).height * figure.get_figheight()
    hanging = [
        axes.get_window_extent().y1 - box.y0 for axes in panels if (box := axes.get_tightbbox())
    ]
    figure.set_figheight(figure.get_figheight() - room + max(hanging) / figure.dpi)


def _titled(
    figure: Figure, axes: Axes, image: AxesImage, name: str, words: Words, cell: float
) -> None:
    """Names a matrix, and puts its scale beside it, as tall as it is or as has room for numbers."""
    axes.set_title(name, fontsize=10, fontweight=600, pad=8)
    axes.set_xlabel(words["axis_key"], fontsize=8)
    axes.xaxis.set_label_position("top")
    low, high = image.get_clim()
    ticks = [low, (low + high) / 2, high]
    rows, columns = (own * cell for own in image.get_size())  # points
    tall = max(1.0, _SCALE[1] / rows)
    beside = axes.inset_axes((1 + _SCALE[0] / columns, 1 - tall, _SCALE[0] / columns, tall))
    scale = figure.colorbar(image, cax=beside, ticks=ticks)
    if high == 1:
        cells = image.get_array()
        assert cells is not None
        scale.ax.set_yticks(ticks, ends_of_scale(low, high, np.ma.filled(cells, 0)))
    else:
        ends = ["0", "", f"{high:.3f}"] if low == 0 else [f"−{high:.3f}", "0", f"+{high:.3f}"]
        scale.ax.set_yticks(ticks, ends)
    scale.ax.tick_params(labelsize=7)


def _named(part: Shown, words: Words) -> tuple[list[str], list[str], list[str]]:
    """Columns and rows by name, and what the rows read."""
    keys, queries = labels(part.keys, words), labels(part.queries, words)
    return keys, queries, readings(part.reads, words)


def merged(places: Places, first: list[str], second: list[str]) -> list[str]:
    """One label for what stands in one place: once, where both say the same."""
    if not (first or second):  # rows that read nothing
        return []
    names = [[of[at] for of, at in zip((first, second), p, strict=True) if at >= 0] for p in places]
    return [" / ".join(dict.fromkeys(both)) for both in names]
