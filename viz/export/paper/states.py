"""A state or gate over time for paper: a row a unit, a column a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.figure import Figure

from core.trace import Floats, Token
from viz.export.paper.names import name_axes, room_of
from viz.export.paper.notes import noted
from viz.export.paper.style import LINE, POINT, Words, differences, labels, side_of_cell

_WIDE: Final = 430.0  # points that a picture may be wide
_LARGEST: Final = 30.0  # points of a column
_TALL: Final = 10.0  # points of a row
_DEEP: Final = 640.0  # points that all rows may take
_NAMED: Final = 9.0  # points that the number of a unit needs


def states_over_time(
    values: Floats,
    units: Sequence[int],
    tokens: Sequence[Token],
    words: Words,
    *,
    title: str,
    said: str,
) -> Figure:
    """Signed values on one scale: to 1 on either side of 0, or as far as they go.

    Args:
        values: (position, unit).
        units: that are drawn, from above, counted from 0.
        tokens: read at each position.
        said: what it is of.
    """
    shown = values[:, units].T
    wide = side_of_cell((1, shown.shape[1]), _WIDE, _LARGEST)
    tall = min(_TALL, _DEEP / len(units))
    every = max(1, int(np.ceil(_NAMED / tall)))
    keys = labels(tokens, words)
    figure = Figure(layout="constrained")
    left, top = room_of(figure, keys, ["0000"], [])
    size = (shown.shape[1] * wide * POINT + left + 1.6, len(units) * tall * POINT + top + 1.8)
    figure.set_size_inches(max(size[0], 3.6), size[1])
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
    scale = figure.colorbar(image, ax=axes, fraction=0.04, pad=0.03, ticks=[-reach, 0, reach])
    scale.outline.set_edgecolor(LINE)
    noted(figure, [said])
    return figure
