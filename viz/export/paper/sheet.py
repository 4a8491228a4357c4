"""Many heads of equal shape in one picture, for paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import Colormap, Normalize
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from core.trace import Bools, Floats
from viz.export.paper.style import HATCH, LINE, MUTED, PAPER, POINT
from viz.inspector.quantise import coarse

_WIDE: Final = 7.2  # inches that a row of heads may be wide
_SIDE: Final = (0.45, 1.1)  # inches of a head, smallest and largest
_LEAN: Final = (0.6, 1.4)  # how much taller than wide a head may be
_DOTS: Final = 150  # an inch, at most: half of what is printed, so that none gets lost
_BETWEEN: Final = 5.0  # points between heads
_NAME: Final = 9.0  # points over a head that has its name there
_BESIDE: Final = (1.5, 1.3, 0.4)  # inches for the scale, for title and notes, and for a legend
_NARROWEST: Final = 3.9  # inches

Box = tuple[float, float, float, float]
"""Left, right, bottom and top, in points."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where the heads stand.

    Attributes:
        across: heads of a row.
        shape: rows and columns of a head.
        width, height: of a head, in points.
        boxes: of all heads, in reading order.
    """

    across: int
    shape: tuple[int, int]
    width: float
    height: float
    boxes: tuple[Box, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of all, in points."""
        down = -(-len(self.boxes) // max(self.across, 1))
        return self.across * (self.width + _BETWEEN), down * self._step

    @property
    def _step(self) -> float:
        return self.boxes[0][2] + _BETWEEN / 2

    @property
    def _dots(self) -> tuple[int, int]:
        return round(self.height * POINT * _DOTS), round(self.width * POINT * _DOTS)

    @property
    def pooled(self) -> bool:
        """A head has more cells than there is room for."""
        return self.shape[0] > self._dots[0] or self.shape[1] > self._dots[1]

    def begun(self, *, hides: bool) -> tuple[Figure, Axes]:
        """A figure with the frames of all heads.

        Args:
            hides: some cells are not drawn: a hatch shows there.
        """
        wide, tall = self.size
        legend = _BESIDE[2] if hides else 0.0
        inches = max(wide * POINT + _BESIDE[0], _NARROWEST), tall * POINT + _BESIDE[1] + legend
        figure = Figure(figsize=inches, layout="constrained")
        # One picture in points: a picture of its own for each of a thousand heads takes long.
        axes = figure.subplots()
        axes.set(xlim=(0, wide), ylim=(tall, 0), xticks=[], yticks=[], aspect="equal")
        axes.spines[:].set_visible(False)
        corners = [[(a, c), (b, c), (b, d), (a, d)] for a, b, c, d in self.boxes]
        hatch = HATCH if hides else None
        beneath = PolyCollection(
            corners, facecolors=PAPER, edgecolors=LINE, hatch=hatch, linewidths=0
        )
        axes.add_collection(beneath)
        around = PolyCollection(
            corners, facecolors="none", edgecolors=LINE, linewidths=0.8, zorder=3
        )
        axes.add_collection(around)
        return figure, axes

    def draw(
        self, axes: Axes, at: int, values: Floats, known: Bools, table: Colormap, scale: Normalize
    ) -> None:
        """One head.

        Args:
            at: its place in reading order.
            values: (row, column); of several in one dot the one that is farthest from 0 shows.
            known: (row, column), False where nothing is drawn.
        """
        drawn = table(scale(self._fine(values)))
        drawn[..., 3] = self._fine(known.astype(np.float32))
        axes.imshow(drawn, extent=self.boxes[at], interpolation="none", aspect="equal", zorder=2)
        wide, tall = self.size
        axes.set(xlim=(0, wide), ylim=(tall, 0))

    def fit(self, figure: Figure, axes: Axes) -> None:
        """Gives a finished figure the height that its heads need at their width, and centres them.

        How tall the notes below are is known only now; heads that they press together would
        leave room at their left, where nothing is.
        """
        engine = figure.get_layout_engine()
        assert isinstance(engine, ConstrainedLayoutEngine)
        wide, tall = self.size
        for _ in range(2):  # a legend hangs on the heads: where they end is where it begins
            engine.execute(figure)
            slot = axes.get_position(original=True)
            room = slot.width * figure.get_figwidth()
            across = min(room, wide * POINT)
            more = across * tall / wide - slot.height * figure.get_figheight()
            figure.set_figheight(figure.get_figheight() + more)
        aside = (room - across) / 2 / figure.get_figwidth()
        engine.set(rect=(aside, 0, 1 - 2 * aside, 1))

    def _fine(self, values: Floats) -> Floats:
        """Values in no more cells than there are dots."""
        rows, columns = (min(*pair) for pair in zip(values.shape, self._dots, strict=True))
        most = coarse(values, rows, columns)
        if values.min(initial=0.0) >= 0:
            return most
        least = -coarse(-values, rows, columns)
        return np.where(-least > most, least, most)

    def name(self, axes: Axes, names: Sequence[str]) -> None:
        """Names over the heads, in reading order."""
        for named, (left, right, _, top) in zip(names, self.boxes, strict=True):
            axes.text((left + right) / 2, top - 2, named, ha="center", va="bottom", fontsize=7,
                      color=MUTED)  # fmt: skip

    def number(self, axes: Axes) -> None:
        """Numbers of the layers on the left, of the heads above."""
        for at, (left, right, bottom, top) in enumerate(self.boxes):
            if at < self.across:
                axes.text((left + right) / 2, top - 4, str(at + 1), ha="center", va="bottom",
                          fontsize=8, color=MUTED)  # fmt: skip
            if at % self.across == 0:
                axes.text(left - 5, (bottom + top) / 2, str(at // self.across + 1), ha="right",
                          va="center", fontsize=8, color=MUTED)  # fmt: skip


def sheet(heads: int, across: int, shape: tuple[int, int], *, named: bool) -> Sheet:
    """Lays out heads.

    Args:
        heads: how many.
        across: how many of them a row has.
        shape: rows and columns of each.
        named: there is room for a name over each.
    """
    rows, columns = shape
    width = float(np.clip(_WIDE / max(across, 1), *_SIDE)) / POINT
    height = width * float(np.clip(rows / max(columns, 1), *_LEAN))
    step = height + _BETWEEN + (_NAME if named else 0)
    boxes = []
    for at in range(heads):
        down, right = divmod(at, across)
        left, bottom = right * (width + _BETWEEN), (down + 1) * step - _BETWEEN / 2
        boxes.append((left, left + width, bottom, bottom - height))
    return Sheet(across, shape, width, height, tuple(boxes))
