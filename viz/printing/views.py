"""One look as a figure for paper: a head, its lines, all heads, the next-token distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from core.trace import AttentionTrace, Bools, Floats, Kind, Token
from viz.figures.theme import KIND_HUES, PALETTES
from viz.printing.style import (
    HATCH,
    INK,
    LINE,
    MUTED,
    PAPER,
    Words,
    colours,
    label,
    labels,
    name_axes,
)

_POINT: Final = 1 / 72  # inches
_CELL: Final = (3.0, 22.0)  # points, smallest and largest
_WIDE: Final = 430.0  # points that a matrix may be wide
_SPELLED: Final = 15.0  # points of a cell that has room for its number
_FAINT: Final = 0.005  # a line of less would not be seen


def head(trace: AttentionTrace, kind: Kind, layer: int, which: int, words: Words) -> Figure:
    """The matrix of one head with its tokens, its mask hatched and its scale printed.

    Args:
        kind, layer, which: the head, counted from 0.
    """
    site = trace.sites[kind]
    rows, columns = site.allowed.shape
    cell = float(np.clip(_WIDE / max(columns, 1), *_CELL))
    size = (columns * cell * _POINT + 2.2, rows * cell * _POINT + 1.9)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots()
    image = _matrix(axes, site.weights[layer, which], site.allowed, kind)
    keys, queries = trace.keys(kind), _queries(trace, kind)
    name_axes(axes, labels(keys, words), labels(queries, words), cell=cell)
    if cell >= _SPELLED:
        _numbers(axes, site.weights[layer, which], site.allowed)
    axes.set_xlabel(words["axis_key"])
    axes.xaxis.set_label_position("top")
    axes.set_ylabel(words["axis_query"])
    figure.suptitle(_title(words, kind, layer, which), fontweight=600, fontsize=11)
    scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03, ticks=[0, 0.5, 1])
    scale.outline.set_edgecolor(LINE)
    if not site.allowed.all():
        axes.annotate(
            f"//// {words['legend_forbidden']}", (0, 0), (0, -12), "axes fraction",
            "offset points", color=MUTED, fontsize=8, va="top",
        )  # fmt: skip
    return figure


def lines(
    trace: AttentionTrace, kind: Kind, layer: int, which: int, words: Words, threshold: float = 0.06
) -> Figure:
    """One head as lines from the tokens that look to those that are looked at.

    Args:
        threshold: weights up to this are not drawn; how much mass that hides is printed.
    """
    site = trace.sites[kind]
    weights = site.weights[layer, which]
    keys, queries = trace.keys(kind), _queries(trace, kind)
    tall = max(len(keys), len(queries), 2)
    gap = float(np.clip(560 / tall, 5.0, 17.0))
    figure = Figure(figsize=(5.2, tall * gap * _POINT + 1.3), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(-0.55, 1.55), ylim=(tall - 0.5, -1.6))
    axes.axis("off")
    left = np.arange(len(keys)) + (tall - len(keys)) / 2
    right = np.arange(len(queries)) + (tall - len(queries)) / 2
    for x, places, tokens, side in ((0, left, keys, "right"), (1, right, queries, "left")):
        _names(axes, x, places, labels(tokens, words), side, small=gap < 9)
    axes.text(0, -1.3, words["axis_key"], ha="right", color=MUTED, fontsize=8)
    axes.text(1, -1.3, words["axis_query"], ha="left", color=MUTED, fontsize=8)
    shown = 0.0
    for row, column in zip(*np.nonzero(weights > max(threshold, _FAINT)), strict=True):
        weight = float(weights[row, column])
        shown += weight
        axes.add_patch(_line(left[column], right[row], weight, KIND_HUES[kind]))
    hidden = 1 - shown / max(float(weights.sum()), 1e-12)
    note = words["lines_note"].format(
        threshold=f"{threshold:.2f}", count="", hidden=f"{hidden:.0%}".replace("%", " %")
    )
    figure.suptitle(_title(words, kind, layer, which), fontweight=600, fontsize=11)
    figure.supxlabel(note, fontsize=8, color=MUTED)
    return figure


def grid(trace: AttentionTrace, kind: Kind, words: Words) -> Figure:
    """Every head of a kind of attention: rows are layers, columns are heads."""
    site = trace.sites[kind]
    side = float(np.clip(7.2 / site.heads, 0.45, 1.1))
    tall = side * float(np.clip(site.allowed.shape[0] / max(site.allowed.shape[1], 1), 0.6, 1.4))
    figure = Figure(
        figsize=(site.heads * side + 0.7, site.layers * tall + 1.0), layout="constrained"
    )
    panels = figure.subplots(site.layers, site.heads, squeeze=False)
    for layer in range(site.layers):
        for which in range(site.heads):
            axes = panels[layer, which]
            _matrix(axes, site.weights[layer, which], site.allowed, kind, aspect="auto")
            axes.set(xticks=[], yticks=[])
            if layer == 0:
                axes.set_title(str(which + 1), fontsize=8, color=MUTED, pad=2)
            if which == 0:
                axes.set_ylabel(str(layer + 1), rotation=0, fontsize=8, labelpad=8, va="center")
    figure.suptitle(words[f"kind_{kind}"], fontweight=600, fontsize=11)
    figure.supxlabel(f"{words['grid_note']} {words['grid_axes']}", fontsize=8, color=MUTED)
    return figure


def next_tokens(
    trace: AttentionTrace, step: int, names: Mapping[int, str], words: Words, most: int = 8
) -> Figure:
    """The likeliest next tokens at a decoder step, the written one marked.

    Args:
        step: counted from 0.
        names: of vocabulary rows, as far as they are known.

    Raises:
        ValueError: the trace has no logits.
    """
    if trace.logits is None:
        raise ValueError(words["next_missing"])
    logits = trace.logits[step].astype(np.float64)
    odds = np.exp(logits - logits.max())
    odds /= odds.sum()
    likeliest = np.argsort(-odds, kind="stable")[:most].tolist()
    written = trace.written[step]
    if 0 <= written.id < odds.size and written.id not in likeliest:
        likeliest[-1] = written.id
    shown = {row: names.get(row, f"#{row}") for row in likeliest}
    shown |= {written.id: label(written, words)} if written.id in shown else {}
    figure = Figure(figsize=(4.6, 0.24 * len(likeliest) + 0.9), layout="constrained")
    axes = figure.subplots()
    chosen, other = PALETTES["light"].accent, PALETTES["light"].series_soft
    places = range(len(likeliest))
    axes.barh(
        places, odds[likeliest], color=[chosen if r == written.id else other for r in likeliest]
    )
    axes.set_yticks(places, [shown[row] for row in likeliest])
    axes.invert_yaxis()
    axes.set_xlim(0, float(odds[likeliest].max()) * 1.18)
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for place, row in zip(places, likeliest, strict=True):
        axes.annotate(
            _percent(float(odds[row])), (odds[row], place), (4, 0), textcoords="offset points",
            va="center", color=MUTED, fontsize=8,
        )  # fmt: skip
    title = words["next_title"].format(step=step + 1)
    figure.suptitle(title, fontweight=600, fontsize=11)
    return figure


def _queries(trace: AttentionTrace, kind: Kind) -> tuple[Token, ...]:
    """What names a query row: in a decoder, the token that the row writes."""
    return trace.source if kind == "encoder_self" else trace.written


def _title(words: Words, kind: Kind, layer: int, which: int) -> str:
    return words["title"].format(kind=words[f"kind_{kind}"], layer=layer + 1, head=which + 1)


def _matrix(
    axes: Axes,
    weights: Floats,
    allowed: Bools,
    kind: Kind,
    aspect: Literal["equal", "auto"] = "equal",
) -> AxesImage:
    """Weights as cells from 0 to 1; what the mask forbids is hatched, not coloured."""
    shown = np.ma.masked_array(weights, ~allowed)
    image = axes.imshow(
        shown, cmap=colours(kind), vmin=0, vmax=1, aspect=aspect, interpolation="none"
    )
    if not allowed.all():
        axes.patch.set(hatch=HATCH, facecolor=PAPER, edgecolor=LINE)
    axes.spines[:].set_color(LINE)
    return image


def _numbers(axes: Axes, weights: Floats, allowed: Bools) -> None:
    for (row, column), weight in np.ndenumerate(weights):
        if allowed[row, column] and weight >= 0.005:
            ink = PAPER if weight > 0.55 else INK
            axes.text(
                column, row, f"{weight:.2f}", ha="center", va="center", fontsize=5.5, color=ink
            )


def _names(
    axes: Axes, x: float, places: Floats, names: list[str], side: str, *, small: bool
) -> None:
    by = -0.03 if side == "right" else 0.03
    for place, name in zip(places, names, strict=True):
        axes.text(x + by, place, name, ha=side, va="center", fontsize=5.5 if small else 8.5)


def _percent(share: float) -> str:
    return "< 0.1 %" if share < 0.001 else f"{share * 100:.1f} %"


def _line(left: float, right: float, weight: float, colour: str) -> PathPatch:
    course = Curve(
        [(0, left), (0.5, left), (0.5, right), (1, right)],
        [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4],
    )
    return PathPatch(
        course, facecolor="none", edgecolor=colour, linewidth=0.4 + 3 * weight,
        alpha=0.25 + 0.7 * min(weight, 1.0), capstyle="round",
    )  # fmt: skip
