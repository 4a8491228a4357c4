"""Which weights of a head are lines on paper: the twin of web/data/strongest.js."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from core.trace import Bools, Floats

_MOST: Final = 1200  # lines at once
_ROWS: Final = 64  # that can have lines of their own
_EACH: Final = 16  # lines of such a row


@dataclass(frozen=True, slots=True)
class Budget:
    """How many lines there is room for.

    Attributes:
        most: in all.
        stretch: so many rows share lines; 1 where none do.
        each: lines that such a stretch has before others have more.
    """

    most: int
    stretch: int
    each: int


def budget(rows: int, heads: int) -> Budget:
    """What there is room for between so many rows, of each of some heads.

    Every stretch of a long text has lines of its own, so that one of steep rows leaves the others
    theirs.
    """
    stretch = max(1, ceil(rows / _ROWS))
    each = max(1, _EACH // stretch // heads)
    return Budget(_MOST // heads if stretch == 1 else ceil(rows / stretch) * each, stretch, each)


def strongest(
    weights: Floats, threshold: float, room: Budget, *, first: int = 0, whole: int | None = None
) -> tuple[Bools, int]:
    """Which weights are lines, and how many are over the threshold.

    Args:
        weights: (row, column) in view; of equal ones the first are the larger.
        first: the row of the whole matrix that the first one is: stretches are counted there.
        whole: a row in view of which all lines are drawn, where rows share them.
    """
    over = weights > np.float64(threshold)  # as the browser compares: 0.1 itself is no float32
    count = int(over.sum())
    if room.stretch == 1 or count <= room.most:
        return _largest(weights, over, room.most), count
    spoken = np.zeros_like(over)
    if whole is not None:
        spoken[whole] = over[whole]
    shared, out = over & ~spoken, np.zeros_like(over)
    stretches = (first + np.arange(len(weights))) // room.stretch
    for stretch in np.unique(stretches):
        rows = stretches == stretch
        out[rows] = _largest(weights[rows], shared[rows], room.each)
    out |= _largest(weights, shared & ~out, max(0, room.most - int(out.sum())))
    return out | spoken, count


def _largest(weights: Floats, over: Bools, most: int) -> Bools:
    """Of some weights the `most` largest at most."""
    if over.sum() <= most:
        return over
    places = np.flatnonzero(over)
    order = np.argsort(-weights.ravel()[places], kind="stable")
    largest = np.zeros(weights.size, np.bool_)
    largest[places[order[:most]]] = True
    return largest.reshape(weights.shape)
