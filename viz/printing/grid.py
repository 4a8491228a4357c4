"""All heads of a kind of attention beside each other, for paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from core.trace import Floats
from viz.inspector.looks import Looks
from viz.inspector.quantise import coarse
from viz.printing.shown import Shown, highest
from viz.printing.style import (
    HATCH,
    LINE,
    MUTED,
    PAPER,
    POINT,
    SEVERAL,
    Words,
    colours,
    noted,
    swatches,
)

_WIDE: Final = 7.2  # inches that a row of heads may be wide
_SIDE: Final = (0.45, 1.1)  # inches of a head, smallest and largest
_LEAN: Final = (0.6, 1.4)  # how much taller than wide a head may be
_DOTS: Final = 150  # an inch, at most: half of what is printed, so that none gets lost
_BETWEEN: Final = 5.0  # points between heads
_NAME: Final = 9.0  # points over a head that has its name there

Box = tuple[float, float, float, float]
"""Left, right, bottom and top, in points."""


def grid(
    shown: Shown,
    order: Sequence[tuple[int, int]] | None,
    numbered: Sequence[tuple[int, int]],
    looks: Looks,
    words: Words,
    measured: str = "",
) -> Figure:
    """Every head of a kind of attention: rows are layers, columns are heads; or in an order.

    Args:
        shown: at its last step: small pictures show every row.
        order: heads (layer, head) in reading order, None for the model's own.
        numbered: heads whose lines are drawn beside each other, which get their numbers.
        measured: what the order says.
    """
    site = shown.site
    heads = order or list(product(range(site.layers), range(site.heads)))
    across = site.heads if order is None else min(len(heads), max(site.heads, 4))
    down = -(-len(heads) // max(across, 1))
    rows, columns = shown.allowed.shape
    side = float(np.clip(_WIDE / max(across, 1), *_SIDE)) / POINT
    tall = side * float(np.clip(rows / max(columns, 1), *_LEAN))
    step = tall + _BETWEEN + (_NAME if order else 0)
    size = across * (side + _BETWEEN), down * step
    legend = 0.0 if shown.allowed.all() else 0.4
    inches = max(size[0] * POINT + 1.5, 3.9), size[1] * POINT + 1.3 + legend
    figure = Figure(figsize=inches, layout="constrained")
    # One picture in points, since a picture of its own for each of a thousand heads takes long.
    axes = figure.subplots()
    axes.set(xlim=(0, size[0]), ylim=(size[1], 0), xticks=[], yticks=[], aspect="equal")
    axes.spines[:].set_visible(False)
    boxes = [_box(at, across, (side, tall), step) for at in range(len(heads))]
    _frames(axes, boxes, shown)
    dots = round(tall * POINT * _DOTS), round(side * POINT * _DOTS)
    table = colours(shown.kind)
    for (layer, which), box in zip(heads, boxes, strict=True):
        weights = shown.weights(layer, which)
        drawn = table(_fine(weights, dots) / highest(weights, looks))
        drawn[..., 3] = _fine(shown.allowed.astype(np.float32), dots)
        axes.imshow(drawn, extent=box, interpolation="none", aspect="equal", zorder=2)
    axes.set(xlim=(0, size[0]), ylim=(size[1], 0))
    if order is None:
        _layers_and_heads(axes, boxes, across)
    else:
        for (layer, which), (left, right, _, top) in zip(heads, boxes, strict=True):
            named = words["head_short"].format(layer=layer + 1, head=which + 1)
            middle = (left + right) / 2
            axes.text(middle, top - 2, named, ha="center", va="bottom", fontsize=7, color=MUTED)
    if len(numbered) > 1:
        for at, box in zip(heads, boxes, strict=True):
            if at in numbered:
                _badge(axes, box, numbered.index(at))
    scale = figure.colorbar(ScalarMappable(cmap=table), ax=axes, fraction=0.04, pad=0.02,
                            shrink=min(1.0, 1.8 / inches[1]), ticks=[0, 0.5, 1])  # fmt: skip
    scale.outline.set_edgecolor(LINE)
    if looks.stretch:
        scale.ax.set_yticks([0, 1], ["0", words["scale_each"]])
    figure.suptitle(words[f"kind_{shown.kind}"], fontweight=600, fontsize=11)
    if legend:
        swatches(axes, [(HATCH, words["legend_forbidden"])])
    first = f"{measured or words['grid_note']} {words['grid_axes']}"
    pooled = words["pooled_note"] if rows > dots[0] or columns > dots[1] else ""
    more = words["units_summed"] if shown.words else ""
    noted(figure, [first, pooled, words["stretch_note"] if looks.stretch else "", more])
    return figure


def _box(at: int, across: int, size: tuple[float, float], step: float) -> Box:
    """Where the head of that place is drawn."""
    row, column = divmod(at, across)
    left, bottom = column * (size[0] + _BETWEEN), (row + 1) * step - _BETWEEN / 2
    return left, left + size[0], bottom, bottom - size[1]


def _fine(values: Floats, dots: tuple[int, int]) -> Floats:
    """Values in no more cells than there are dots, each the largest of those beneath it."""
    rows, columns = values.shape
    return coarse(values, min(rows, dots[0]), min(columns, dots[1]))


def _frames(axes: Axes, boxes: Sequence[Box], shown: Shown) -> None:
    """A line around each head, and the hatch that shows where the mask forbids."""
    corners = [[(a, c), (b, c), (b, d), (a, d)] for a, b, c, d in boxes]
    hatch = None if shown.allowed.all() else HATCH
    beneath = PolyCollection(corners, facecolors=PAPER, edgecolors=LINE, hatch=hatch, linewidths=0)
    axes.add_collection(beneath)
    around = PolyCollection(corners, facecolors="none", edgecolors=LINE, linewidths=0.8, zorder=3)
    axes.add_collection(around)


def _layers_and_heads(axes: Axes, boxes: Sequence[Box], across: int) -> None:
    """Numbers of the layers on the left, of the heads above."""
    for at, (left, right, bottom, top) in enumerate(boxes):
        if at < across:
            axes.text((left + right) / 2, top - 4, str(at + 1), ha="center", va="bottom",
                      fontsize=8, color=MUTED)  # fmt: skip
        if at % across == 0:
            axes.text(left - 5, (bottom + top) / 2, str(at // across + 1), ha="right", va="center",
                      fontsize=8, color=MUTED)  # fmt: skip


def _badge(axes: Axes, box: Box, number: int) -> None:
    left, right, bottom, top = box
    colour = SEVERAL[number]
    corners = [[(left, bottom), (right, bottom), (right, top), (left, top)]]
    frame = PolyCollection(corners, facecolors="none", edgecolors=colour, linewidths=1.6, zorder=4)
    axes.add_collection(frame)
    axes.text(
        left + 3, top + 3, str(number + 1), ha="left", va="top", fontsize=7, color=PAPER,
        fontweight=600, bbox={"facecolor": colour, "edgecolor": "none", "pad": 1.4}, zorder=5,
    )  # fmt: skip
