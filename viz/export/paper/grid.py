"""All heads of a kind of attention beside each other, for paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from viz.export.paper.notes import noted, swatches
from viz.export.paper.sheet import Box, sheet
from viz.export.paper.shown import Shown, ends_of_scale, highest
from viz.export.paper.style import HATCH, PAPER, SEVERAL, Words, colours
from viz.inspector.options import Options


def grid(
    shown: Shown,
    order: Sequence[tuple[int, int]] | None,
    numbered: Sequence[tuple[int, int]],
    options: Options,
    words: Words,
    measured: str = "",
    said: str = "",
) -> Figure:
    """Every head of a kind of attention: rows are layers, columns are heads; or in an order.

    Args:
        shown: at its last step: small pictures show every row.
        order: heads (layer, head) in reading order, None for the model's own.
        numbered: heads whose lines are drawn beside each other, which get their numbers.
        measured: what the order says.
        said: what it is of.
    """
    site = shown.site
    heads = order or list(product(range(site.layers), range(site.heads)))
    across = site.heads if order is None else min(len(heads), max(site.heads, 4))
    laid = sheet(len(heads), across, shown.shape, named=bool(order))
    hides = not all(shown.drawn(*head).all() for head in heads)
    figure, axes = laid.begun(hides=hides)
    table = colours(shown.kind)
    weights = [shown.weights(*head) for head in heads]
    for at, (head, own) in enumerate(zip(heads, weights, strict=True)):
        scale = Normalize(0, highest(own, options))
        laid.draw(axes, at, own, shown.drawn(*head), table, scale)
    if order is None:
        laid.number(axes)
    else:
        laid.name(axes, [head_short(head, words) for head in heads])
    if len(numbered) > 1:
        for head, box in zip(heads, laid.boxes, strict=True):
            if head in numbered:
                _badge(axes, box, numbered.index(head))
    ends = ["0", words["scale_each"]] if options.stretch else ends_of_scale(0, 1, *weights)
    add_scale(figure, axes, ScalarMappable(Normalize(0, 1), table), ends=ends)
    figure.suptitle(words[f"kind_{shown.kind}"], fontweight=600, fontsize=11)
    if hides:
        swatches(axes, [(HATCH, words["legend_forbidden"])])
    first = f"{measured or words['grid_note']} {words['grid_axes']}"
    pooled = words["pooled_note"] if laid.pooled else ""
    more = words["units_summed"] if shown.words else ""
    noted(figure, [first, pooled, words["stretch_note"] if options.stretch else "", more, said])
    laid.fit(figure, axes)
    return figure


def head_short(head: tuple[int, int], words: Words) -> str:
    """The name of a head that stands over a small picture; it counts from 0."""
    layer, which = head
    return words["head_short"].format(layer=layer + 1, head=which + 1)


def add_scale(figure: Figure, axes: Axes, shades: ScalarMappable, *, ends: Sequence[str]) -> None:
    """The scale beside all heads, with its ends and middle named.

    Args:
        ends: what stands there, of three at its middle as well.
    """
    low, high = shades.get_clim()
    assert low is not None
    assert high is not None
    places = [low, high] if len(ends) == 2 else [low, (low + high) / 2, high]
    shrink = min(1.0, 1.8 / figure.get_figheight())
    scale = figure.colorbar(shades, ax=axes, fraction=0.04, pad=0.02, shrink=shrink)
    scale.ax.set_yticks(places, ends)


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
