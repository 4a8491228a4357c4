"""One head, or several beside each other, as lines between tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from core.trace import Bools, Floats
from viz.figures.theme import KIND_HUES
from viz.inspector.looks import Looks
from viz.printing.shown import Shown
from viz.printing.style import (
    INK,
    MUTED,
    PAPER,
    POINT,
    SEVERAL,
    Words,
    labels,
    noted,
    percent,
    title,
)

_FAINT: Final = 0.005  # a line of less would not be seen
_MOST: Final = 1200  # lines of a figure, as in assets/lines.js
_BESIDE: Final = 2.0  # points between the lines of two heads
_LEGEND: Final = 15.0  # points of a head's name below the lines


def lines(
    shown: Shown,
    heads: Sequence[tuple[int, int]],
    chosen: tuple[int, int],
    looks: Looks,
    words: Words,
) -> Figure:
    """Lines from the tokens that look to those that are looked at.

    Args:
        heads: (layer, head) counted from 0, in the order of their numbers; several are told
            apart by colours and numbers.
        chosen: the one of them that the figure is called by.
        looks: `threshold` and `held` are of use here; how much mass they hide is printed.
    """
    columns = len(shown.keys)
    tall = max(columns, shown.live, 2)
    gap = float(np.clip(560 / tall, 5.0, 17.0))
    below = _LEGEND / gap * -(-len(heads) // 2) if len(heads) > 1 else 0.0
    height = (tall + below) * gap * POINT + 1.3
    figure = Figure(figsize=(5.2, height), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(-0.55, 1.55), ylim=(tall - 0.5 + below, -1.6))
    axes.axis("off")
    left = np.arange(columns) + (tall - columns) / 2
    right = np.arange(shown.live) + (tall - shown.live) / 2
    small = gap < 9
    held = _held(shown, looks)
    _names(axes, 0, left, labels(shown.keys, words), small=small, bold=held[1])
    _names(axes, 1, right, labels(shown.queries, words)[: shown.live], small=small, bold=held[0])
    axes.text(0, -1.3, words["axis_key"], ha="right", color=MUTED, fontsize=8)
    axes.text(1, -1.3, words["axis_query"], ha="left", color=MUTED, fontsize=8)
    masses, count, capped = [], 0, False
    for at, (layer, which) in enumerate(heads):
        weights = _only(shown.weights(layer, which)[: shown.live], held)
        colour = SEVERAL[at] if len(heads) > 1 else KIND_HUES[shown.kind]
        aside = (at - (len(heads) - 1) / 2) * _BESIDE / gap
        over, cut = _strongest(weights, looks.threshold, _MOST // len(heads))
        capped = capped or cut
        for row, column in zip(*np.nonzero(over), strict=True):
            weight = float(weights[row, column])
            axes.add_patch(_line(left[column] + aside, right[row] + aside, weight, colour))
        masses.append((float(weights[over].sum()), float(weights.sum())))
        count += int(over.sum())
    if len(heads) > 1:
        _numbered(axes, heads, masses, (tall - 0.5, _LEGEND / gap), words)
    drawn, whole = np.sum(masses, axis=0)
    note = words["lines_capped" if capped else "lines_note"].format(
        threshold=f"{looks.threshold:.2f}",
        count=count,
        hidden=percent(1 - drawn / max(whole, 1e-12)),
    )
    more = [words["lines_held"]] if held != (None, None) else []
    more += [words["lines_each"]] if len(heads) > 1 else []
    name = words[f"kind_{shown.kind}"] if len(heads) > 1 else title(words, shown.kind, *chosen)
    figure.suptitle(name, fontweight=600, fontsize=11)
    summed = words["units_summed"] if shown.words else ""
    noted(figure, [" · ".join([note, *more]), summed])
    return figure


def _held(shown: Shown, looks: Looks) -> tuple[int | None, int | None]:
    """(row, column) of the pinned token, one of them None; both where none is shown."""
    if looks.held is None:
        return None, None
    axis, place = looks.held
    at = shown.cell(place, 0) if axis == "query" else shown.cell(0, place)
    if at is None:
        return None, None
    return (at[0], None) if axis == "query" else (None, at[1])


def _only(weights: Floats, held: tuple[int | None, int | None]) -> Floats:
    """The weights of one row or column alone, or all of them."""
    row, column = held
    if row is None and column is None:
        return weights
    out = np.zeros_like(weights)
    place = (slice(None) if row is None else row, slice(None) if column is None else column)
    out[place] = weights[place]
    return out


def _strongest(weights: Floats, threshold: float, most: int) -> tuple[Bools, bool]:
    """Which weights are lines, the `most` largest at most, and whether there would be more."""
    over = weights > max(threshold, _FAINT)
    if over.sum() <= most:
        return over, False
    largest = np.zeros(weights.size, np.bool_)
    largest[np.argsort(-weights, axis=None, kind="stable")[:most]] = True
    return largest.reshape(weights.shape), True


def _numbered(
    axes: Axes,
    heads: Sequence[tuple[int, int]],
    masses: Sequence[tuple[float, float]],
    place: tuple[float, float],
    words: Words,
) -> None:
    """Which number and colour is which head, and how much of each is hidden."""
    top, spacing = place
    for at, ((layer, which), (drawn, whole)) in enumerate(zip(heads, masses, strict=True)):
        x, y = (-0.5, 0.55)[at % 2], top + (at // 2 + 0.5) * spacing
        named = words["head_short"].format(layer=layer + 1, head=which + 1)
        hidden = words["overlay_hidden"].format(hidden=percent(1 - drawn / max(whole, 1e-12)))
        axes.text(
            x, y, str(at + 1), ha="center", va="center", fontsize=7, fontweight=600, color=PAPER,
            bbox={"facecolor": SEVERAL[at], "edgecolor": "none", "boxstyle": "round,pad=0.25"},
        )  # fmt: skip
        axes.text(x + 0.06, y, f"{named}  {hidden}", va="center", fontsize=7.5, color=INK)


def _names(
    axes: Axes, x: int, places: Floats, names: list[str], *, small: bool, bold: int | None
) -> None:
    """Token names on the left (x 0) or on the right."""
    by, side = (-0.03, "right") if x == 0 else (0.03, "left")
    for at, (place, name) in enumerate(zip(places, names, strict=True)):
        weight = 600 if at == bold else 400
        axes.text(
            x + by, place, name, ha=side, va="center", fontsize=5.5 if small else 8.5,
            fontweight=weight,
        )  # fmt: skip


def _line(left: float, right: float, weight: float, colour: str) -> PathPatch:
    course = Curve(
        [(0, left), (0.5, left), (0.5, right), (1, right)],
        [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4],
    )
    return PathPatch(
        course, facecolor="none", edgecolor=colour, linewidth=0.4 + 3 * weight,
        alpha=0.25 + 0.7 * min(weight, 1.0), capstyle="round",
    )  # fmt: skip
