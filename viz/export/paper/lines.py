"""One head, or several beside each other, as lines between tokens."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.path import Path as Curve
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from core.trace import Bools, Floats
from viz.export.paper.names import READ_SIZE, behind, query_axis, readings
from viz.export.paper.notes import noted
from viz.export.paper.shown import Place, Shown, zoomed
from viz.export.paper.strongest import Budget, budget, strongest
from viz.export.paper.style import (
    INK,
    LEADING,
    MUTED,
    PAPER,
    POINT,
    SEVERAL,
    Words,
    labels,
    title,
    width_of,
)
from viz.figures.theme import KIND_HUES
from viz.inspector.options import Options
from viz.text.numbers import whole_percent

_GAP: Final = (5.0, 17.0)  # points between tokens, smallest and largest, as long as a side is
_TALL: Final = (560.0, 1400.0)  # points tall, preferred and at most
_SPAN: Final = 2.5  # inches that lines go across
_ROOM: Final = 1.2  # inches for names on either side, at least
_ASIDE: Final = 0.15  # inches beside them
_BESIDE: Final = 2.0  # points between the lines of two heads
_LEGEND: Final = 15.0  # points of a head's name below the lines
_QUIET: Final = (0.75, 0.26)  # how full lines are that do not stand out, and beside those that do
_CLOSE: Final = 9.0  # points between tokens that have small names
_FULL: Final = 12.0  # pixels between lines so that they are as wide as can be
_NEAR: Final = 0.03  # of the span, between lines and names
_APART: Final = 6.0  # points between what a row writes and what it reads
_SECOND: Final = 11.0  # points of the second line of what rows are called
_PIXEL: Final = 0.6  # points of a pixel on the screen, where names are as much larger

NOTHING: Final[Place] = (None, None)


def lines(
    shown: Shown,
    heads: Sequence[tuple[int, int]],
    chosen: tuple[int, int],
    options: Options,
    words: Words,
    said: str = "",
) -> Figure:
    """Lines from the tokens that look to those that are looked at.

    Args:
        heads: (layer, head) counted from 0, in the order of their numbers; several are told
            apart by colours and numbers.
        chosen: the one of them that the figure is called by.
        options: `threshold`, `held` and, where no step is in view, `pinned` are of use here; how
            much mass they hide is printed: of rows in view, what lies out of view as well.
    """
    top, live, columns = shown.part[0].start, shown.live_in_view, shown.part[1]
    rows, wide = slice(top, top + live), columns.stop - columns.start
    tall = max(wide, live, 2)
    gap = min(_GAP[1], max(_TALL[0] / tall, min(_GAP[0], _TALL[1] / tall)))
    below = _LEGEND / gap * -(-len(heads) // 2) if len(heads) > 1 else 0.0
    reads = readings(shown.reads, words)[rows]
    above = 1 + (10 + _SECOND * bool(reads)) / gap  # what the axes are called
    height = (tall + below + above) * gap * POINT + 1.2
    figure = Figure(figsize=(5.2, height), layout="constrained")
    axes = figure.subplots()
    axes.axis("off")
    left = np.arange(wide) + (tall - wide) / 2
    right = np.arange(live) + (tall - live) / 2
    held = shown.held(options)
    focus = _from(_focus(shown, options, held), top, columns.start)
    plain = INK if focus == NOTHING else MUTED
    keys, queries = labels(shown.keys, words)[columns], labels(shown.queries, words)[rows]
    if reads and gap < _CLOSE:  # too small for two sizes
        queries = [f"{query} {behind(read)}" for query, read in zip(queries, reads, strict=True)]
    sides = (
        _names(axes, 0, left, keys, gap=gap, bold=focus[1], colour=plain),
        _names(axes, 1, right, queries, gap=gap, bold=focus[0], colour=plain),
    )
    widths = [_widest(own, figure) for own in sides]
    if reads and gap >= _CLOSE:
        widths[1] += _read(axes, right, reads, widths[1] + _APART * POINT)
    called = words["axis_key"], query_axis(words, reads)
    for x, (name, side) in enumerate(zip(called, ("right", "left"), strict=True)):
        text = axes.text(x, -above - 0.2, name, ha=side, va="top", color=MUTED, fontsize=8)
        text.set(linespacing=LEADING, in_layout=False)
        widths[x] = max(_ROOM, widths[x], width_of(text, figure)) + _ASIDE
    figure.set_figwidth(sum(widths) + _SPAN)
    edges = -widths[0] / _SPAN, 1 + widths[1] / _SPAN
    axes.set(xlim=edges, ylim=(tall - 0.5 + below, -0.5 - above))
    between = shown.part[0].stop - top
    room = budget(between if held == NOTHING else 0, len(heads))
    pitch = gap * budget(between, 1).stretch / _PIXEL
    spoken = focus[0] if focus[0] in range(live) else None
    masses, count, of = [], 0, 0
    for at, (layer, which) in enumerate(heads):
        weights = _only(shown.weights(layer, which), held)[rows]
        colour = SEVERAL[at] if len(heads) > 1 else KIND_HUES[shown.kind]
        aside = (at - (len(heads) - 1) / 2) * _BESIDE / gap
        seen = weights[:, columns]
        over, all_over = strongest(seen, options.threshold, room, first=top, whole=spoken)
        lookers, places = np.nonzero(over)
        ends = (left[places] + aside, right[lookers] + aside)
        strong = None if focus == NOTHING else (lookers == focus[0]) | (places == focus[1])
        axes.add_collection(_lines(*ends, seen[over], colour, strong, pitch), autolim=False)
        beside = np.delete(weights, columns, axis=1)
        left_out = sum(float(part.sum(dtype=np.float64)) for part in (seen[~over], beside))
        masses.append([left_out, float(weights.sum(dtype=np.float64))])
        count, of = count + int(over.sum()), of + all_over
    if len(heads) > 1:
        _numbered(axes, heads, masses, (tall - 0.5, _LEGEND / gap), words)
    left_out, whole = np.sum(masses, axis=0)
    note = words[_note(count, of, room)].format(
        threshold=f"{options.threshold:.2f}",
        count=count,
        all=of,
        rows=room.stretch,
        hidden=_hidden(left_out, whole),
    )
    ranged = zoomed(shown, words)
    more = [words["lines_held"]] if held != NOTHING else []
    more += [words["lines_zoomed"]] if ranged else []
    more += [words["lines_each"]] if len(heads) > 1 else []
    name = words[f"kind_{shown.kind}"] if len(heads) > 1 else title(words, shown.kind, *chosen)
    figure.suptitle(name, fontweight=600, fontsize=11)
    summed = words["units_summed"] if shown.words else ""
    noted(figure, [" · ".join([note, *more]), ranged, summed, said])
    return figure


def _focus(shown: Shown, options: Options, held: Place) -> Place:
    """What stands out: the pinned token, else the row of the step or else of the pinned cell."""
    if held != NOTHING:
        return held
    if shown.stepped:
        return shown.live - 1, None
    pinned = options.pinned and shown.cell(*options.pinned)
    return (pinned[0], None) if pinned else NOTHING


def _from(place: Place, top: int, left: int) -> Place:
    """The same counted from the first row and column in view."""
    row, column = place
    return None if row is None else row - top, None if column is None else column - left


def _only(weights: Floats, held: Place) -> Floats:
    """The weights of one row or column alone, or all of them."""
    row, column = held
    if held == NOTHING:
        return weights
    out = np.zeros_like(weights)
    place = (slice(None) if row is None else row, slice(None) if column is None else column)
    out[place] = weights[place]
    return out


def _note(count: int, of: int, room: Budget) -> str:
    """The name of what says how many lines there are of how many."""
    if count == of:
        return "lines_note"
    return "lines_capped" if room.stretch == 1 else "lines_shared"


def _hidden(left_out: float, whole: float) -> str:
    """The share of a mass that no line shows; of nothing, nothing is hidden."""
    return whole_percent(left_out / whole if whole > 0 else 0.0)


def _numbered(
    axes: Axes,
    heads: Sequence[tuple[int, int]],
    masses: Sequence[Sequence[float]],
    place: tuple[float, float],
    words: Words,
) -> None:
    """Which number and colour is which head, and how much of each is hidden."""
    top, spacing = place
    for at, ((layer, which), mass) in enumerate(zip(heads, masses, strict=True)):
        x, y = (-0.5, 0.55)[at % 2], top + (at // 2 + 0.5) * spacing
        named = words["head_short"].format(layer=layer + 1, head=which + 1)
        hidden = words["overlay_hidden"].format(hidden=_hidden(*mass))
        axes.text(
            x, y, str(at + 1), ha="center", va="center", fontsize=7, fontweight=600, color=PAPER,
            bbox={"facecolor": SEVERAL[at], "edgecolor": "none", "boxstyle": "round,pad=0.25"},
        )  # fmt: skip
        axes.text(x + 0.06, y, f"{named}  {hidden}", va="center", fontsize=7.5, color=INK)


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


def _lines(
    left: Floats,
    right: Floats,
    weights: Floats,
    colour: str,
    strong: Bools | None,
    pitch: float,
) -> PathCollection:
    """A curve from each place on the left to one on the right, wide and full by its weight.

    As web/views/curves.js has it, where it draws those in bands of equal width.

    Args:
        strong: (line,), those that stand out from the others and lie over them; None where all
            are alike.
        pitch: pixels between what has lines of its own.
    """
    codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4]
    across = np.array([0, 0.5, 0.5, 1.0])
    heights = np.stack([left, left, right, right], axis=1)
    out = np.zeros(len(weights), np.bool_) if strong is None else strong
    full = np.minimum(weights, 1)
    thin = min(1.0, pitch / _FULL)
    quiet = (_QUIET[0] if strong is None else _QUIET[1] * thin) * (0.25 + 0.75 * full)
    alphas = np.where(out, 0.35 + 0.65 * full, quiet)
    widths = _PIXEL * np.where(out, 1 + 5 * weights * thin, 0.6 + 4.4 * weights * thin)
    order = np.argsort(out, kind="stable")
    return PathCollection(
        [Curve(np.stack([across, own], axis=1), codes) for own in heights[order]],
        facecolors="none", linewidths=widths[order], capstyle="round",
        edgecolors=[to_rgba(colour, float(alpha)) for alpha in alphas[order]],
    )  # fmt: skip
