"""Two traces laid over each other: the twin of web/compare/both.js.

What a figure of two traces shows, and how much each head of them changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from core.trace import AttentionTrace, Bools, Floats, Kind
from viz.export.paper.shown import Shown, shown
from viz.inspector.pair import alignment

Traces = tuple[AttentionTrace, AttentionTrace]
Head = tuple[int, int]
"""Layer and head, counted from 0."""
Heads = tuple[Head, Head]
Places = list[list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """One kind of attention of two traces.

    Attributes:
        parts: what is shown of either trace, in pieces or in words.
        rows, columns: places of both traces' tokens (`viz.inspector.pair.alignment`).
    """

    parts: tuple[Shown, Shown]
    rows: Places
    columns: Places

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, in places."""
        return len(self.rows), len(self.columns)

    @property
    def one_known(self) -> bool:
        """Whether `known` is the same of all heads."""
        return all(part.site.one_mask and not part.site.forced for part in self.parts)

    @property
    def kind(self) -> Kind:
        """The kind of attention."""
        return self.parts[0].kind

    @property
    def alike(self) -> bool:
        """Both have as many layers and heads."""
        first, second = self.parts
        return first.site.weights.shape[:2] == second.site.weights.shape[:2]

    def weights(self, heads: Heads) -> tuple[Floats, Floats]:
        """(row, column) of either trace, in its own tokens."""
        first, second = (part.weights(*at) for part, at in zip(self.parts, heads, strict=True))
        return first, second

    def known(self, heads: Heads) -> Bools:
        """(row, column) in places: where both have the cell and one of the heads may look there.

        Or was made to, by an edit.
        """
        first, second = (part.drawn(*at) for part, at in zip(self.parts, heads, strict=True))
        known = np.zeros(self.shape, np.bool_)
        shared = np.ix_(_shared(self.rows), _shared(self.columns))
        known[shared] = first[_cells(self, 0)] | second[_cells(self, 1)]
        return known

    def minus(self, heads: Heads) -> Floats:
        """(row, column) in places: the second's weights less the first's.

        0 where one has no such cell.

        Raises:
            IndexError: one of the two has no such head.
        """
        values = np.zeros(self.shape, np.float32)
        first, second = self.weights(heads)
        shared = np.ix_(_shared(self.rows), _shared(self.columns))
        values[shared] = second[_cells(self, 1)] - first[_cells(self, 0)]
        return values

    def place_of(self, side: int, row: int, column: int) -> tuple[int, int] | None:
        """Where a cell between pieces of one side is shown, None where there is no such cell."""
        own = self.parts[side].cell(row, column)
        if own is None:
            return None
        places = (self.rows, self.columns)
        found = [
            next(place for place, pair in enumerate(axis) if pair[side] == at)
            for axis, at in zip(places, own, strict=True)
        ]
        return found[0], found[1]

    def change(self, heads: Heads) -> float:
        """How much of the second's attention lies elsewhere than the first's, 0 to 1.

        The total variation distance of two rows, averaged over the rows that both have. What
        lies on a token that the other has not lies elsewhere, and so does what goes to no key in
        one alone; of a row that was made to sum to more than 1, its shares count.
        """
        rows = [pair for pair in self.rows if min(pair) >= 0]
        if not rows:
            return 0.0
        spread = []
        for side, weights in enumerate(self.weights(heads)):
            own = [column for column, pair in enumerate(self.columns) if pair[side] >= 0]
            laid = np.zeros((len(rows), len(self.columns) + 1))
            keys = [self.columns[column][side] for column in own]
            mine = weights[[pair[side] for pair in rows]]
            sums = mine.sum(axis=1, dtype=np.float64)
            laid[:, own] = mine[:, keys] / np.maximum(1, sums)[:, None]
            laid[:, -1] = np.maximum(0, 1 - sums)
            spread.append(laid)
        return min(1.0, float(np.abs(spread[1] - spread[0]).sum()) / 2 / len(rows))

    def changes(self) -> dict[Head, float]:
        """Every head by how much it changed, most first; empty where the two have unlike heads."""
        if not self.alike:
            return {}
        layers, heads = self.parts[0].site.weights.shape[:2]
        found = {at: self.change((at, at)) for at in product(range(layers), range(heads))}
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def both(traces: Traces, kind: Kind, *, by_words: bool = False) -> Both:
    """Lays two traces over each other.

    Args:
        by_words: between words, not pieces, where there are any of several pieces.

    Raises:
        KeyError: one of the two has no such kind.
    """
    first, second = (shown(trace, kind, words=by_words) for trace in traces)
    rows = alignment(first.queries, second.queries)
    columns = alignment(first.keys, second.keys)
    return Both((first, second), rows, columns)


def _shared(places: Places) -> list[int]:
    """Places that hold a token of both."""
    return [place for place, pair in enumerate(places) if min(pair) >= 0]


def _cells(laid: Both, side: int) -> tuple[np.ndarray, ...]:
    """The cells of one side that the other has, too."""
    return np.ix_(*([p[side] for p in axis if min(p) >= 0] for axis in (laid.rows, laid.columns)))
