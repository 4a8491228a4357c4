"""A state or gate over time for paper: a row a unit, a column a token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from core.trace import Floats, Token
from viz.export.paper.names import name_axes, room_of
from viz.export.paper.notes import noted
from viz.export.paper.style import (
    HATCH,
    LINE,
    PAPER,
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
_WIDE_BESIDE: Final = 200.0  # points that one of three may be
_PANEL: Final = 0.9  # inches that one of three is wide at least: its title fits
_LARGEST: Final = 30.0  # points of a column
_TALL: Final = 10.0  # points of a row
_DEEP: Final = 640.0  # points that all rows may take
_NAMED: Final = 9.0  # points that the number of a unit needs
_ANSWER: Final = 12.0  # points of the row of an answer

MaskedFloats = np.ma.MaskedArray[tuple[int, ...], np.dtype[np.float32]]


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
    wide = side_of_cell((1, len(values)), _WIDE, _LARGEST)
    tall = min(_TALL, _DEEP / len(units))
    keys = labels(tokens, words)
    figure = Figure(layout="constrained")
    names = [shortened(legible(visible(name))) for name in answers[0]] if answers else []
    left, top = room_of(figure, keys, ["0000", *names], [])
    deep, more = len(units) * tall, len(names) * _ANSWER
    size = (len(values) * wide * POINT + left + 1.6, (deep + more) * POINT + top + 1.8)
    figure.set_size_inches(max(size[0], 3.6), size[1])
    if answers:
        axes, beneath = figure.subplots(2, sharex=True, height_ratios=[deep, more])
        _strip(beneath, answers[1], names)
    else:
        axes = figure.subplots()
    image = _heat(axes, values, units, keys, reach=_reach(values), cell=(wide, tall))
    axes.set_ylabel(words["states_unit_axis"], fontsize=9)
    figure.suptitle(title, fontweight=600, fontsize=11)
    _scale(figure, image, figure.axes)
    noted(figure, [said])
    return figure


def states_beside(
    values: tuple[Floats, Floats, MaskedFloats],
    units: Sequence[int],
    keys: tuple[Sequence[str], Sequence[str], Sequence[str]],
    words: Words,
    *,
    title: str,
    said: Sequence[str],
) -> Figure:
    """Two traces on one scale and their difference on its own, a unit in one row of all three.

    Args:
        values: (position, unit) of the first and of the second; (place, unit) of the second less
            the first, masked, and hatched, where one has no such token.
        units: as `states_over_time` has them.
        keys: names of the tokens of each of the three.
    """
    counts = [len(part) for part in values]
    wide = side_of_cell((1, max(counts)), _WIDE_BESIDE, _LARGEST, beside=2)
    tall = min(_TALL, _DEEP / len(units))
    figure = Figure(layout="constrained")
    rooms = [room_of(figure, own, ["0000"], []) for own in keys]
    across = sum(max(count * wide * POINT, _PANEL) for count in counts)
    deep = len(units) * tall * POINT + max(top for _, top in rooms)
    figure.set_size_inches(across + sum(left for left, _ in rooms) + 3.2, deep + 2.2)
    panels = figure.subplots(1, 3, width_ratios=[max(c * wide, _PANEL / POINT) for c in counts])
    both = max(map(_reach, values[:2]))
    reaches = (both, both, max(both, _reach(values[2])))
    titles = (words["first"], words["second"], words["difference"])
    images = []
    for axes, part, own, name, reach in zip(panels, values, keys, titles, reaches, strict=True):
        images.append(_heat(axes, part, units, own, reach=reach, cell=(wide, tall)))
        axes.set_title(name, fontsize=10, fontweight=600, pad=8)
    panels[0].set_ylabel(words["states_unit_axis"], fontsize=9)
    alone = np.ma.getmaskarray(values[2]).any()
    if alone:
        panels[2].patch.set(hatch=HATCH, facecolor=PAPER, edgecolor=LINE)
    figure.suptitle(title, fontweight=600, fontsize=11)
    _scale(figure, images[1], panels[:2])
    _scale(figure, images[2], panels[2:])
    noted(figure, said, [(HATCH, words["states_alone"])] if alone else [])
    return figure


def _reach(values: Floats | MaskedFloats) -> float:
    """How far the colours go to either side of 0."""
    return max(1.0, float(np.abs(values).max()))


def _heat(
    axes: Axes,
    values: Floats | MaskedFloats,
    units: Sequence[int],
    keys: Sequence[str],
    *,
    reach: float,
    cell: tuple[float, float],
) -> AxesImage:
    """A row a unit by its number, a column a token by its name.

    Args:
        cell: points that one is wide and tall.
    """
    image = axes.imshow(
        values[:, units].T,
        cmap=differences(),
        vmin=-reach,
        vmax=reach,
        interpolation="none",
        aspect="auto",
    )
    name_axes(axes, keys, [], [], cell=cell[0])
    every = max(1, int(np.ceil(_NAMED / cell[1])))
    axes.set_yticks(range(0, len(units), every), [str(unit + 1) for unit in units[::every]])
    axes.tick_params(axis="y", labelsize=7)
    return image


def _scale(figure: Figure, image: AxesImage, beside: Sequence[Axes]) -> None:
    """What colours mean."""
    low, high = image.get_clim()
    scale = figure.colorbar(image, ax=beside, fraction=0.04, pad=0.03, ticks=[low, 0, high])
    scale.ax.set_yticks([low, 0, high], [f"{end:.3g}".replace("-", "−") for end in (low, 0, high)])


def _strip(axes: Axes, shares: Floats, names: Sequence[str]) -> None:
    """How likely each answer is after each token."""
    axes.imshow(shares, cmap=colours("cross"), vmin=0, vmax=1, interpolation="none", aspect="auto")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", labelsize=8, length=0)
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
