"""Two looks beside each other, and what the second has less the first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from core.trace import AttentionTrace, Bools, Floats, Kind
from viz.inspector.pair import alignment
from viz.printing.shown import Shown, shown
from viz.printing.style import (
    HATCH,
    LINE,
    PAPER,
    POINT,
    Words,
    colours,
    differences,
    labels,
    name_axes,
    noted,
    room_of,
    side_of_cell,
    swatches,
    title,
)
from viz.text.tokens import spelt

_LARGEST: Final = 17.0  # points of a cell
_MILESTONE: Final = re.compile(
    "[0-9]{8}"
)  # its folder is called by its step (core.training.folder)
_WIDE: Final = 230.0  # points that one of the three may be wide

Traces = tuple[AttentionTrace, AttentionTrace]
Head = tuple[int, int]
"""Layer and head, counted from 0."""
Heads = tuple[Head, Head]


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One head less another, where both have the tokens: the twin of assets/pair/both.js.

    Attributes:
        parts: what is shown of either look, in pieces or in words.
        rows, columns: places of both looks' tokens (`viz.inspector.pair.alignment`).
        values: (row, column) of the second's weights less the first's, 0 where one has none.
        known: (row, column), True where both have the cell and one of them may look there.
    """

    parts: tuple[Shown, Shown]
    rows: list[list[int]]
    columns: list[list[int]]
    values: Floats
    known: Bools


def difference(traces: Traces, kind: Kind, heads: Heads, *, by_words: bool = False) -> Difference:
    """What a head of the second look has less one of the first.

    Args:
        by_words: between words, not pieces, where there are any of several pieces.

    Raises:
        KeyError: one of the two has no such kind.
        IndexError: one of the two has no such head.
    """
    first, second = parts = (
        shown(traces[0], kind, words=by_words),
        shown(traces[1], kind, words=by_words),
    )
    rows = alignment(first.queries, second.queries)
    columns = alignment(first.keys, second.keys)
    values = np.zeros((len(rows), len(columns)), np.float32)
    known = np.zeros(values.shape, np.bool_)
    at = [np.ix_(*_both(rows, columns, side)) for side in (0, 1)]
    places = np.ix_(*([n for n, p in enumerate(axis) if min(p) >= 0] for axis in (rows, columns)))
    weights = [part.weights(*head) for part, head in zip(parts, heads, strict=True)]
    values[places] = weights[1][at[1]] - weights[0][at[0]]
    known[places] = first.allowed[at[0]] | second.allowed[at[1]]
    return Difference(parts, rows, columns, values, known)


def pair(traces: Traces, found: Difference, heads: Heads, words: Words) -> Figure:
    """Both heads and their difference, one scale for both, hatched where one has no such cell."""
    first, second = found.parts
    kind = first.kind
    shapes = [part.allowed.shape for part in found.parts]
    shapes.append(found.known.shape)
    most = max(rows for rows, _ in shapes), max(columns for _, columns in shapes)
    cell = side_of_cell(most, _WIDE, _LARGEST, beside=2)
    names = [(labels(p.keys, words), labels(p.queries, words)) for p in found.parts]
    merged = [_merged(*own) for own in zip((found.columns, found.rows), *names, strict=True)]
    names.append((merged[0], merged[1]))
    figure = Figure(layout="constrained")
    rooms = [room_of(figure, *own) for own in names]
    wide = sum(
        c * cell * POINT + left + 1.2 for (_, c), (left, _) in zip(shapes, rooms, strict=True)
    )
    tall = most[0] * cell * POINT + max(top for _, top in rooms) + 1.7
    figure.set_size_inches(max(wide, 7.0), tall)
    panels = figure.subplots(1, 3, width_ratios=[columns for _, columns in shapes])
    for axes, part, (layer, head), name, own_names in zip(
        panels, found.parts, heads, ("first", "second"), names, strict=False
    ):
        image = _cells(axes, part.weights(layer, head), part.allowed)
        image.set(cmap=colours(kind), clim=(0, 1))
        name_axes(axes, *own_names, cell=cell)
        own = words["head_name"].format(layer=layer + 1, head=head + 1)
        _titled(figure, axes, image, f"{words[name]} · {own}", [0, 0.5, 1], words)
    panels[0].set_ylabel(words["axis_query"], fontsize=8)
    image = _cells(panels[2], found.values, found.known)
    image.set(cmap=differences(), clim=(-1, 1))
    name_axes(panels[2], *names[2], cell=cell)
    _titled(figure, panels[2], image, words["difference"], [-1, 0, 1], words)
    swatches(panels[2], [] if found.known.all() else [(HATCH, words["legend_pair"])])
    figure.suptitle(
        title(words, kind, *heads[0]) if heads[0] == heads[1] else words[f"kind_{kind}"],
        fontweight=600,
        fontsize=11,
    )
    said = (
        f"{words[n]}: {_said(t, words)}" for n, t in zip(("first", "second"), traces, strict=True)
    )
    in_words = words["units_summed"] if first.words or second.words else ""
    noted(figure, [*said, in_words])
    return figure


def _both(
    rows: list[list[int]], columns: list[list[int]], side: int
) -> tuple[list[int], list[int]]:
    """Rows and columns of one side whose token the other has, too."""
    return [p[side] for p in rows if min(p) >= 0], [p[side] for p in columns if min(p) >= 0]


def _cells(axes: Axes, values: Floats, known: Bools) -> AxesImage:
    image = axes.imshow(np.ma.masked_array(values, ~known), interpolation="none")
    if not known.all():
        axes.patch.set(hatch=HATCH, facecolor=PAPER, edgecolor=LINE)
    axes.spines[:].set_color(LINE)
    return image


def _titled(
    figure: Figure, axes: Axes, image: AxesImage, name: str, ticks: list[float], words: Words
) -> None:
    axes.set_title(name, fontsize=10, fontweight=600, pad=8)
    axes.set_xlabel(words["axis_key"], fontsize=8)
    axes.xaxis.set_label_position("top")
    scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03, ticks=ticks)
    scale.outline.set_edgecolor(LINE)
    scale.ax.tick_params(labelsize=7)


def _merged(places: list[list[int]], first: list[str], second: list[str]) -> list[str]:
    """One label for what stands in one place: once, where both say the same."""
    names = [[of[at] for of, at in zip((first, second), p, strict=True) if at >= 0] for p in places]
    return [" / ".join(dict.fromkeys(both)) for both in names]


def _said(trace: AttentionTrace, words: Words) -> str:
    """What a look is of: its sentence and its model, or how far that was trained."""
    sentence = str(trace.meta.get("source_text", "")) or " ".join(t.text for t in trace.source)
    model = spelt(trace.model_id)
    if _MILESTONE.fullmatch(trace.model_id):
        step = int(trace.model_id)
        model = words["after_updates"].format(step=f"{step:,}") if step else words["untrained"]
    return f"{spelt(sentence)} ({model})"
