"""One head stage by stage, as the Step page has it: scores, mask, masked scores, softmax."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from core.trace import AttentionSite, AttentionTrace, Bools, Floats, Kind
from viz.figures.theme import PALETTES
from viz.printing.style import (
    HATCH,
    INK,
    LINE,
    MUTED,
    PAPER,
    POINT,
    UNWRITTEN,
    Words,
    colours,
    differences,
    labels,
    name_axes,
    swatches,
    title,
)

_CELL: Final = (3.0, 17.0)  # points, smallest and largest
_WIDE: Final = 240.0  # points that one of the four may be wide
_NOTE: Final[dict[str, Any]] = {"ha": "center", "va": "top", "fontsize": 8, "color": MUTED}


def stages(
    trace: AttentionTrace, kind: Kind, layer: int, head: int, live: int, words: Words
) -> Figure:
    """Raw scores, the mask over them, the masked scores and their softmax, beside each other.

    Args:
        layer, head: counted from 0.
        live: rows that are written at the step in view.

    Raises:
        ValueError: the model does not expose its scores.
    """
    site = trace.sites[kind]
    if site.scores is None:
        raise ValueError(words["scores_missing"])
    queries = trace.source if kind == "encoder_self" else trace.written
    rows, columns = site.allowed.shape
    cell = float(np.clip(_WIDE / max(columns, 1), *_CELL))
    size = (2 * (columns * cell * POINT + 1.9), 2 * (rows * cell * POINT + 1.4) + 0.3)
    figure = Figure(figsize=(max(size[0], 6.4), size[1]), layout="constrained")
    panels = figure.subplots(2, 2).ravel()
    names = labels(trace.keys(kind), words), labels(queries, words)
    for number, (axes, name) in enumerate(zip(panels, _NAMES, strict=True), 1):
        image = _stage(axes, site, name, layer, head, live)
        name_axes(axes, *names, cell=cell)
        axes.set_title(f"{number}  {words[f'stage_{name}']}", fontsize=10, fontweight=600, pad=8)
        axes.set_xlabel(words["axis_key"], fontsize=8)
        axes.xaxis.set_label_position("top")
        axes.set_ylabel(words["axis_query"], fontsize=8)
        note = words[f"stage_{name}_note"]
        axes.text(0.5, -0.02, note, transform=axes.transAxes, **_NOTE)
        scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03)
        scale.outline.set_edgecolor(LINE)
        scale.ax.tick_params(labelsize=7)
        if name == "weights":
            _sums(axes, site.weights[layer, head], live)
    figure.suptitle(title(words, kind, layer, head), fontweight=600, fontsize=11)
    if live < rows:
        swatches(figure, [(UNWRITTEN, words["legend_unwritten"])])
    return figure


_NAMES: Final = ("scores", "mask", "masked", "weights")


def _stage(
    axes: Axes, site: AttentionSite, name: str, layer: int, head: int, live: int
) -> AxesImage:
    """One of the four, drawn up to the row that is written last."""
    assert site.scores is not None
    rows, columns = site.allowed.shape
    written = np.broadcast_to((np.arange(rows) < live)[:, None], (rows, columns))
    forbidden = np.zeros_like(site.allowed) if name == "scores" else ~site.allowed
    if name == "weights":
        values, most, table = site.weights[layer, head], 1.0, colours(site.kind)
    else:
        values, table = site.scores[layer, head], differences()
        most = _reach(values, site.allowed if name == "masked" else None)
    # The mask lies over the scores that it will take away: they are seen through it.
    hidden = ~written if name == "mask" else forbidden | ~written
    low = 0.0 if name == "weights" else -most
    image = axes.imshow(
        np.ma.masked_array(values, hidden), cmap=table, vmin=low, vmax=most, interpolation="none"
    )
    for row, column in np.argwhere(forbidden & written):
        cell = Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=MUTED, linewidth=0)
        cell.set_hatch(HATCH)
        axes.add_patch(cell)
    if live < rows:
        place = (-0.5, live - 0.5)
        later = Rectangle(place, columns, rows - live, facecolor=PAPER, edgecolor=LINE)
        later.set_hatch(UNWRITTEN)
        axes.add_patch(later)
    step = Rectangle((-0.5, live - 1.5), columns, 1, fill=False, clip_on=False, zorder=4)
    step.set(edgecolor=PALETTES["light"].accent, linewidth=1.6)
    axes.add_patch(step)
    axes.spines[:].set_color(LINE)
    return image


def _reach(scores: Floats, allowed: Bools | None) -> float:
    """Largest distance from 0 of the scores that count."""
    counted = scores if allowed is None else scores[allowed]
    return float(np.abs(counted).max(initial=0.0)) or 1.0


def _sums(axes: Axes, weights: Floats, live: int) -> None:
    """What each row sums to, beside it."""
    columns = weights.shape[1]
    for row in range(live):
        total = float(weights[row].sum(dtype=np.float64))
        axes.text(columns - 0.3, row, f"{total:.3f}", va="center", fontsize=6.5, color=INK)
