"""One head stage by stage, as the Step page has it: scores, mask, masked scores, softmax."""

from __future__ import annotations

from math import ceil
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from core.studies.forced import forced_rows
from core.trace import AttentionSite, AttentionTrace, Bools, Floats, Kind
from viz.export.paper.names import name_axes, name_queries, readings, room_of
from viz.export.paper.notes import fitting, noted
from viz.export.paper.shown import ends_of_scale, reads_of
from viz.export.paper.style import (
    HATCH,
    INK,
    LEADING,
    LINE,
    MUTED,
    PAPER,
    POINT,
    UNWRITTEN,
    Words,
    colours,
    differences,
    faces,
    labels,
    side_of_cell,
    title,
)
from viz.figures.theme import PALETTES
from viz.inspector.conditions import scores_edited

_LARGEST: Final = 17.0  # points of a cell
_WIDE: Final = 240.0  # points that one of the four may be wide
_SUM: Final = 8.0  # points from one sum to the next
_LETTERS: Final = 7.5  # points of a note's letters
_BELOW: Final = 0.42  # of the figure, that a note below one of the four is wide
_NOTE: Final[dict[str, Any]] = {
    "ha": "center", "va": "top", "fontsize": _LETTERS, "linespacing": LEADING, "color": MUTED,
    "xycoords": "axes fraction", "textcoords": "offset points",
}  # fmt: skip
_NAME: Final = 84.0  # points that the name of the rows is long, which may be longer than they are


def stages(
    trace: AttentionTrace,
    kind: Kind,
    layer: int,
    head: int,
    live: int,
    words: Words,
    said: str = "",
) -> Figure:
    """Raw scores, the mask over them, the masked scores and their softmax, beside each other.

    Args:
        layer, head: counted from 0.
        live: rows that are written at the step in view.
        said: what it is of.
    """
    site = trace.sites[kind]
    queries, allowed = trace.tokens(site.query_axis), site.mask(layer, head)
    rows, columns = site.shape
    cell = side_of_cell(site.shape, _WIDE, _LARGEST, beside=2)
    reads = readings(reads_of(trace, kind, words=False), words)
    names = labels(trace.keys(kind), words), labels(queries, words), reads
    figure = Figure(layout="constrained")
    left, top = room_of(figure, *names)
    below = max(0.02 * rows * cell, (_NAME - rows * cell) / 2)  # points from a matrix to its note
    wide, tall = columns * cell * POINT + left + 1.6, (rows * cell + below) * POINT + top + 1.2
    notes = {name: words[f"stage_{name}_note"] for name in _NAMES}
    said_of = words.get(f"stage_scores_{trace.meta.get('bias')}_note", notes["scores"])
    score = words.get(f"score_is_{trace.meta.get('score')}", words["score_is"])
    notes["scores"] = said_of.format(score=score)
    if scores_edited(trace, kind)[layer, head]:
        notes["scores"] = words["scores_edited"].format(scores=notes["scores"])
    forced = forced_rows(site)
    if forced is not None and forced[layer, head].any():
        notes["weights"] = words["stage_weights_forced_note"]
    elif site.sinks is not None:
        notes["weights"] = words["stage_weights_sink_note"]
    if allowed[:live].all():
        notes["mask"] = words["stage_mask_open"]
    family = faces(*notes.values())
    figure.set_figwidth(max(2 * wide, 6.4))
    lines = {
        name: fitting(note, figure, _LETTERS, _BELOW, fontfamily=family)
        for name, note in notes.items()
    }
    tall += (max(map(len, lines.values())) - 1) * _LETTERS * LEADING * POINT
    figure.set_figheight(2 * tall + 0.3)
    panels = figure.subplots(2, 2).ravel()
    for number, (axes, (name, own)) in enumerate(zip(panels, lines.items(), strict=True), 1):
        image = _stage(axes, site, name, layer, head, live)
        name_axes(axes, *names, cell=cell, chosen=live - 1)
        axes.set_title(f"{number}  {words[f'stage_{name}']}", fontsize=10, fontweight=600, pad=8)
        axes.set_xlabel(words["axis_key"], fontsize=8)
        axes.xaxis.set_label_position("top")
        name_queries(axes, words, reads, 8)
        axes.annotate("\n".join(own), (0.5, 0), (0, -below), fontfamily=family, **_NOTE)
        scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03)
        scale.ax.tick_params(labelsize=7)
        if name == "weights":
            written = site.weights[layer, head, :live]
            scale.ax.set_yticks([0, 0.5, 1], ends_of_scale(0, 1, written))
            _sums(axes, written, cell)
        scale.ax.set_visible(name != "mask")  # 0 and −∞ are no scale
    figure.suptitle(title(words, kind, layer, head), fontweight=600, fontsize=11)
    hatches = [] if allowed[:live].all() else [(HATCH, words["legend_forbidden"])]
    hatches += [(UNWRITTEN, words["legend_unwritten"])] if live < rows else []
    noted(figure, [said], hatches)
    return figure


_NAMES: Final = ("scores", "mask", "masked", "weights")


def _stage(
    axes: Axes, site: AttentionSite, name: str, layer: int, head: int, live: int
) -> AxesImage:
    """One of the four, drawn up to the row that is written last."""
    assert site.scores is not None
    rows, columns = site.shape
    allowed = site.mask(layer, head)
    written = np.broadcast_to((np.arange(rows) < live)[:, None], (rows, columns))
    forbidden = np.zeros_like(allowed) if name == "scores" else ~allowed
    if name == "weights":
        values, most, table = site.weights[layer, head], 1.0, colours(site.kind)
        forbidden &= values == 0  # an edit may have put some all the same
    elif name == "mask":
        values, most, table = np.zeros(site.shape, np.float32), 1.0, differences()
    else:
        values, table = site.scores[layer, head], differences()
        most = _reach(values, allowed if name == "masked" else None)
    low = 0.0 if name == "weights" else -most
    seen = np.ma.masked_array(values, forbidden | ~written)
    image = axes.imshow(seen, cmap=table, vmin=low, vmax=most, interpolation="none")
    if (forbidden & written).any():
        shut = PathPatch(_outline(forbidden & written), fill=False, edgecolor=MUTED, linewidth=0)
        shut.set_hatch(HATCH)
        axes.add_patch(shut)
    if live < rows:
        place = (-0.5, live - 0.5)
        later = Rectangle(place, columns, rows - live, facecolor=PAPER, edgecolor=LINE)
        later.set_hatch(UNWRITTEN)
        axes.add_patch(later)
    step = Rectangle((-0.5, live - 1.5), columns, 1, fill=False, clip_on=False, zorder=4)
    step.set(edgecolor=PALETTES["light"].accent, linewidth=1.6)
    axes.add_patch(step)
    return image


def _outline(cells: Bools) -> Path:
    """All of the cells as one path: a box for each run of them in a row."""
    edges = np.diff(np.pad(cells, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    runs = zip(np.argwhere(edges == 1), np.argwhere(edges == -1)[:, 1], strict=True)
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)])
    boxes = [corners * (to - at, 1) + (at - 0.5, row - 0.5) for (row, at), to in runs]
    return Path.make_compound_path(*(Path(box, closed=True) for box in boxes))


def _reach(scores: Floats, allowed: Bools | None) -> float:
    """Largest distance from 0 of the scores that count."""
    counted = scores if allowed is None else scores[allowed]
    return float(np.abs(counted).max(initial=0.0)) or 1.0


def _sums(axes: Axes, weights: Floats, cell: float) -> None:
    """What each row sums to, beside it, as far as there is room."""
    rows, columns = weights.shape
    for row in range(0, rows, ceil(_SUM / cell)):
        total = float(weights[row].sum(dtype=np.float64))
        axes.text(columns - 0.3, row, f"{total:.3f}", va="center", fontsize=6.5, color=INK)
