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
        most: of rows that have lines of their own, all together.
        stretch: so many rows share theirs; 1 where each has its own.
        each: lines of such a stretch.
    """

    most: int
    stretch: int
    each: int


def budget(rows: int, heads: int) -> Budget:
    """What there is room for between so many rows, of each of some heads.

    Of many rows those are drawn that are largest in their stretch of the text: every stretch has
    its own, so that one of steep rows leaves the others theirs.
    """
    stretch = max(1, ceil(rows / _ROWS))
    return Budget(_MOST // heads, stretch, max(1, _EACH // stretch // heads))


def strongest(
    weights: Floats, threshold: float, room: Budget, *, first: int = 0, whole: int | None = None
) -> tuple[Bools, int]:
    """Which weights are lines, and how many are over the threshold.

    Args:
        weights: (row, column) in view; of equal ones the first are the larger.
        first: the row of the whole matrix that the first one is: stretches are counted there.
        whole: a row in view of which all lines are drawn, where stretches share theirs.
    """
    over = weights > np.float64(threshold)  # as the browser compares: 0.1 itself is no float32
    count = int(over.sum())
    if room.stretch == 1:
        return _largest(weights, over, room.most), count
    out = np.zeros_like(over)
    stretches = (first + np.arange(len(weights))) // room.stretch
    shared = over.copy()
    if whole is not None:
        shared[whole], out[whole] = False, over[whole]
    for stretch in np.unique(stretches):
        rows = stretches == stretch
        out[rows] |= _largest(weights[rows], shared[rows], room.each)
    return out, count


def _largest(weights: Floats, over: Bools, most: int) -> Bools:
    """Of some weights the `most` largest at most."""
    if over.sum() <= most:
        return over
    places = np.flatnonzero(over)
    order = np.argsort(-weights.ravel()[places], kind="stable")
    largest = np.zeros(weights.size, np.bool_)
    largest[places[order[:most]]] = True
    return largest.reshape(weights.shape)
