"""A state or gate over time for paper: a row a unit, a column a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from core.trace import Floats, Token
from viz.export.paper.names import name_axes, room_of
from viz.export.paper.notes import noted
from viz.export.paper.style import (
    LINE,
    POINT,
    Words,
    colours,
    differences,
    labels,
    legible,
    shortened,
    side_of_cell,
)
from viz.text.tokens import visible

_WIDE: Final = 430.0  # points that a picture may be wide
_LARGEST: Final = 30.0  # points of a column
_TALL: Final = 10.0  # points of a row
_DEEP: Final = 640.0  # points that all rows may take
_NAMED: Final = 9.0  # points that the number of a unit needs
_ANSWER: Final = 12.0  # points of the row of an answer


def states_over_time(
    values: Floats,
    units: Sequence[int],
    tokens: Sequence[Token],
    words: Words,
    *,
    title: str,
    said: str,
    answers: tuple[Sequence[str], Floats] | None = None,
) -> Figure:
    """Signed values on one scale: to 1 on either side of 0, or as far as they go.

    Args:
        values: (position, unit).
        units: that are drawn, from above, counted from 0.
        tokens: read at each position.
        said: what it is of.
        answers: names, and how likely each is after each token, (answer, position): beneath it.
    """
    shown = values[:, units].T
    wide = side_of_cell((1, shown.shape[1]), _WIDE, _LARGEST)
    tall = min(_TALL, _DEEP / len(units))
    every = max(1, int(np.ceil(_NAMED / tall)))
    keys = labels(tokens, words)
    figure = Figure(layout="constrained")
    names = [shortened(legible(visible(name))) for name in answers[0]] if answers else []
    left, top = room_of(figure, keys, ["0000", *names], [])
    deep, more = len(units) * tall, len(names) * _ANSWER
    size = (shown.shape[1] * wide * POINT + left + 1.6, (deep + more) * POINT + top + 1.8)
    figure.set_size_inches(max(size[0], 3.6), size[1])
    if answers:
        axes, beneath = figure.subplots(2, sharex=True, height_ratios=[deep, more])
        _strip(beneath, answers[1], names)
    else:
        axes = figure.subplots()
    reach = max(1.0, float(np.abs(values).max()))
    image = axes.imshow(
        shown, cmap=differences(), vmin=-reach, vmax=reach, interpolation="none", aspect="auto"
    )
    name_axes(axes, keys, [], [], cell=wide)
    axes.set_yticks(range(0, len(units), every), [str(unit + 1) for unit in units[::every]])
    axes.tick_params(axis="y", labelsize=7)
    axes.spines[:].set_color(LINE)
    axes.set_ylabel(words["states_unit_axis"], fontsize=9)
    figure.suptitle(title, fontweight=600, fontsize=11)
    scale = figure.colorbar(
        image, ax=figure.axes, fraction=0.04, pad=0.03, ticks=[-reach, 0, reach]
    )
    scale.outline.set_edgecolor(LINE)
    noted(figure, [said])
    return figure


def _strip(axes: Axes, shares: Floats, names: Sequence[str]) -> None:
    """How likely each answer is after each token."""
    axes.imshow(shares, cmap=colours("cross"), vmin=0, vmax=1, interpolation="none", aspect="auto")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", labelsize=8, length=0)
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
    axes.spines[:].set_color(LINE)
