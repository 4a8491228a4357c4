"""Two looks beside each other, and what the second has less the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from core.trace import AttentionTrace, Bools, Floats, Kind
from viz.inspector.pair import alignment
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
    swatches,
    title,
)
from viz.text.tokens import spelt

_CELL: Final = (3.0, 17.0)  # points, smallest and largest
_WIDE: Final = 230.0  # points that one of the three may be wide

Head = tuple[int, int]
"""Layer and head, counted from 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """One head less another, where both have the tokens: the twin of assets/pair/both.js.

    Attributes:
        rows, columns: places of both looks' tokens (`viz.inspector.pair.alignment`).
        values: (row, column) of the second's weights less the first's, 0 where one has none.
        known: (row, column), True where both have the cell and one of them may look there.
    """

    rows: list[list[int]]
    columns: list[list[int]]
    values: Floats
    known: Bools


def difference(
    traces: tuple[AttentionTrace, AttentionTrace], kind: Kind, heads: tuple[Head, Head]
) -> Difference:
    """What a head of the second look has less one of the first.

    Raises:
        KeyError: one of the two has no such kind.
        IndexError: one of the two has no such head.
    """
    first, second = traces
    rows = alignment(first.queries(kind), second.queries(kind))
    columns = alignment(first.keys(kind), second.keys(kind))
    values = np.zeros((len(rows), len(columns)), np.float32)
    known = np.zeros(values.shape, np.bool_)
    at = [np.ix_(*_both(rows, columns, side)) for side in (0, 1)]
    places = np.ix_(*([n for n, p in enumerate(axis) if min(p) >= 0] for axis in (rows, columns)))
    weights = [trace.sites[kind].weights[head] for trace, head in zip(traces, heads, strict=True)]
    open_cells = [trace.sites[kind].allowed for trace in traces]
    values[places] = weights[1][at[1]] - weights[0][at[0]]
    known[places] = open_cells[0][at[0]] | open_cells[1][at[1]]
    return Difference(rows, columns, values, known)


def pair(
    traces: tuple[AttentionTrace, AttentionTrace],
    kind: Kind,
    heads: tuple[Head, Head],
    words: Words,
) -> Figure:
    """Both heads and their difference, one scale for both, hatched where one has no such cell.

    Raises:
        KeyError, IndexError: as `difference`.
    """
    found = difference(traces, kind, heads)
    shapes = [trace.sites[kind].allowed.shape for trace in traces]
    shapes.append(found.known.shape)
    cell = float(np.clip(_WIDE / max(columns for _, columns in shapes), *_CELL))
    wide = sum(columns * cell * POINT + 1.7 for _, columns in shapes)
    tall = max(rows for rows, _ in shapes) * cell * POINT + 1.9
    figure = Figure(figsize=(max(wide, 7.0), tall), layout="constrained")
    panels = figure.subplots(1, 3, width_ratios=[columns for _, columns in shapes])
    for axes, trace, (layer, head), name in zip(
        panels, traces, heads, ("first", "second"), strict=False
    ):
        site = trace.sites[kind]
        image = _cells(axes, site.weights[layer, head], site.allowed)
        image.set(cmap=colours(kind), clim=(0, 1))
        name_axes(
            axes, labels(trace.keys(kind), words), labels(trace.queries(kind), words), cell=cell
        )
        own = words["head_name"].format(layer=layer + 1, head=head + 1)
        _titled(figure, axes, image, f"{words[name]} · {own}", [0, 0.5, 1], words)
    panels[0].set_ylabel(words["axis_query"], fontsize=8)
    image = _cells(panels[2], found.values, found.known)
    image.set(cmap=differences(), clim=(-1, 1))
    first, second = traces
    names = (
        _merged(found.columns, labels(first.keys(kind), words), labels(second.keys(kind), words)),
        _merged(
            found.rows, labels(first.queries(kind), words), labels(second.queries(kind), words)
        ),
    )
    name_axes(panels[2], *names, cell=cell)
    _titled(figure, panels[2], image, words["difference"], [-1, 0, 1], words)
    swatches(panels[2], [] if found.known.all() else [(HATCH, words["legend_pair"])])
    figure.suptitle(
        title(words, kind, *heads[0]) if heads[0] == heads[1] else words[f"kind_{kind}"],
        fontweight=600,
        fontsize=11,
    )
    noted(
        figure,
        [
            f"{words[n]}: {_said(trace)}"
            for n, trace in zip(("first", "second"), traces, strict=True)
        ],
    )
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


def _said(trace: AttentionTrace) -> str:
    """What a look is of: its sentence and its model."""
    sentence = str(trace.meta.get("source_text", "")) or " ".join(t.text for t in trace.source)
    return f"{spelt(sentence)} ({spelt(trace.model_id)})"
