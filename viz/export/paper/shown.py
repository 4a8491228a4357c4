"""What a figure shows of one kind of attention: pieces or words, up to a step, all or a part.

The twin of web/views/units.js (with viz.inspector.words) and of web/views/trim.js, so that a figure
is the view that it was taken from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.studies.words import words_of
from core.trace import AttentionSite, AttentionTrace, Bools, Floats, Kind, Token
from viz.inspector.options import Options
from viz.inspector.spelling import Part, Range
from viz.inspector.words import as_words
from viz.text.numbers import fixed

READ_TOGETHER: Final = " · "
"""Between what the pieces of a word read, as in web/views/units.js."""
Place = tuple[int | None, int | None]
"""A row (place, None), a column (None, place), or neither."""
NOTHING: Final[Place] = (None, None)
_ROUNDING: Final = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One kind of attention as a figure has it.

    Attributes:
        site: its heads, between pieces.
        queries, keys: what names the rows and the columns; a decoder row is what it writes.
        reads: what each decoder row reads, a word what its pieces do; empty in an encoder.
        masks: True = may attend: (row, column), or (layer, head, row, column) where heads differ.
        live: rows that are written at the step in view; all of them in an encoder.
        stepped: a step of a decoder is in view, which writes the last live row.
        words: rows and columns are words.
        part: rows and columns in view; all else here is of the whole.
    """

    kind: Kind
    site: AttentionSite
    queries: tuple[Token, ...]
    keys: tuple[Token, ...]
    reads: tuple[tuple[Token, ...], ...]
    masks: Bools
    live: int
    stepped: bool
    words: bool
    part: tuple[slice, slice]
    _pieces: tuple[tuple[Token, ...], tuple[Token, ...]]
    _step: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.masks.shape[-2], self.masks.shape[-1]

    @property
    def live_in_view(self) -> int:
        """Rows in view that are written: the first ones."""
        first, beyond = self.part[0].start, min(self.live, self.part[0].stop)
        return int(max(0, beyond - first))

    def in_view(self, row: int, column: int) -> tuple[int, int] | None:
        """Where a cell lies among those in view; None where it does not."""
        rows, columns = self.part
        inside = rows.start <= row < rows.stop and columns.start <= column < columns.stop
        return (row - rows.start, column - columns.start) if inside else None

    @property
    def step_in_view(self) -> int | None:
        """Where the row of the step lies among those in view; None where no such row does."""
        place = self.in_view(self.live - 1, self.part[1].start) if self.stepped else None
        return None if place is None else place[0]

    def mask(self, layer: int, head: int) -> Bools:
        """(row, column) of one head, counted from 0."""
        return self.masks if self.site.one_mask else self.masks[layer, head]

    def weights(self, layer: int, head: int) -> Floats:
        """(row, column) of one head, counted from 0.

        Of a word that is half written at the step, what is written is averaged.
        """
        weights: Floats = self.site.weights[layer, head]
        if not self.words:
            return weights
        allowed, (queries, keys), live = self.site.mask(layer, head), self._pieces, self._step
        out = summed(weights, allowed, queries, keys)
        written = summed(weights[:live], allowed[:live], queries[:live], keys)
        out[: len(written)] = written
        return out

    def drawn(self, layer: int, head: int) -> Bools:
        """(row, column) of what is drawn of one head: where it may look.

        And where an edit put a weight all the same.
        """
        mask = self.mask(layer, head)
        return mask | (self.weights(layer, head) != 0) if self.site.forced else mask

    def cell(self, row: int, column: int) -> tuple[int, int] | None:
        """Where a cell of pieces is shown; None where there is none, or its row is not written."""
        queries, keys = self._pieces
        if not (row < len(queries) and column < len(keys)):
            return None
        at = (_places(queries)[row], _places(keys)[column]) if self.words else (row, column)
        return at if at[0] < self.live else None

    def held(self, options: Options) -> Place:
        """The pinned token among those that are shown."""
        row, column = held(options)
        at = self.cell(row or 0, column or 0) or (None, None)
        return None if row is None else at[0], None if column is None else at[1]


def held(options: Options) -> Place:
    """The pinned token among pieces."""
    if options.held is None:
        return None, None
    axis, place = options.held
    return (place, None) if axis == "query" else (None, place)


def shown(
    trace: AttentionTrace,
    kind: Kind,
    *,
    words: bool,
    step: int | None = None,
    zoom: Part | None = None,
) -> Shown:
    """What a figure shows.

    Args:
        kind: a kind that it has.
        words: rows and columns are words where words have several pieces.
        step: rows that a decoder has written, None for all.
        zoom: rows and columns of pieces in view, None for all; of words those that they lie in.
    """
    site = trace.sites[kind]
    decoder = site.writes
    stepped = decoder and step is not None
    queries = trace.written if decoder else trace.source
    pieces = (queries, trace.keys(kind))
    live = len(queries) if step is None or not decoder else min(step, len(queries))
    reads = reads_of(trace, kind, words=words)
    ends = zoom or ((0, len(pieces[0])), (0, len(pieces[1])))
    if not words:
        part = slice(*ends[0]), slice(*ends[1])
        return Shown(
            kind, site, *pieces, reads, site.allowed, live, stepped, False, part, pieces, live
        )
    masks = site.allowed
    for axis, tokens in zip((-2, -1), pieces, strict=True):
        masks = np.logical_or.reduceat(masks, _starts(tokens), axis=axis)
    rows = len(words_of(queries[:live]))
    named = as_words(pieces[0]), as_words(pieces[1])
    part = _words_in(ends[0], pieces[0]), _words_in(ends[1], pieces[1])
    return Shown(kind, site, *named, reads, masks, rows, stepped, True, part, pieces, live)


def _words_in(pieces: Range, tokens: Sequence[Token]) -> slice:
    """The words that some pieces lie in."""
    places = _places(tokens)[slice(*pieces)]
    return slice(places[0], places[-1] + 1) if places else slice(0, 0)


def reads_of(trace: AttentionTrace, kind: Kind, *, words: bool) -> tuple[tuple[Token, ...], ...]:
    """What each row of a decoder reads, a word what its pieces do; empty in an encoder."""
    if trace.sites[kind].query_axis != "written":
        return ()
    if not words:
        return tuple((token,) for token in trace.target)
    return tuple(tuple(trace.target[at] for at in row) for row in words_of(trace.written))


def read_together(tokens: Sequence[Token]) -> str:
    """What the pieces of a word read, one after the other; of one piece, what it reads."""
    return READ_TOGETHER.join(token.text for token in tokens)


def summed(
    weights: Floats, allowed: Bools, queries: Sequence[Token], keys: Sequence[Token]
) -> Floats:
    """Weights between words: summed over a word's keys, averaged over its queries.

    A word's queries that may look at nothing do not count, so every other row still sums to 1;
    one whose weights all go to no key does, and so does one that was made to look. As in
    Section 4.1 of Clark et al., "What Does BERT Look At?" (2019).

    Args:
        weights, allowed: (query, key) of one head.
    """
    sums = np.add.reduceat(weights.astype(np.float64), _starts(keys), axis=1)
    sums = np.add.reduceat(sums, _starts(queries), axis=0)
    looks = allowed.any(axis=1) | weights.any(axis=1)
    looking = np.add.reduceat(looks.astype(np.int64), _starts(queries))
    return (sums / np.maximum(looking, 1)[:, None]).astype(np.float32)


def trimmed(weights: Floats, share: float) -> Floats:
    """Weights (row, column) with the smallest of each row 0, up to a share of its mass.

    Of equal weights all or none are left out.
    """
    if weights.size == 0:
        return weights
    ascending = np.sort(weights, axis=1)
    sums = ascending.astype(np.float64).cumsum(axis=1)
    over = sums > share * sums[:, -1:]
    least = np.take_along_axis(ascending, over.argmax(axis=1)[:, None], axis=1)
    least[~over.any(axis=1)] = 0
    return np.where(weights < least, np.float32(0), weights)


def zoomed(shown: Shown, words: Mapping[str, str]) -> str:
    """Which rows and columns are in view, "" where all are."""
    rows, columns = shown.part
    size = shown.shape
    if (rows.stop - rows.start, columns.stop - columns.start) == size:
        return ""
    return words["zoom_part"].format(
        top=rows.start + 1, bottom=rows.stop, rows=size[0],
        left=columns.start + 1, right=columns.stop, columns=size[1],
    )  # fmt: skip


def highest(weights: Floats, options: Options) -> float:
    """The value at the end of the scale."""
    return float(weights.max(initial=0.0)) or 1.0 if options.stretch else 1.0


def ends_of_scale(low: float, high: float, *values: Floats) -> list[str]:
    """What stands at the ends and the middle of a scale that may not be long enough.

    What an edit made smaller or larger than its ends has their colours.
    """
    less = any(own.min(initial=0.0) < low - _ROUNDING for own in values)
    more = any(own.max(initial=0.0) > high + _ROUNDING for own in values)
    numbers = [fixed(end, 1) for end in (low, (low + high) / 2, high)]
    return ["≤ " * less + numbers[0], numbers[1], "≥ " * more + numbers[2]]


def _starts(tokens: Sequence[Token]) -> list[int]:
    return [own[0] for own in words_of(tokens)]


def _places(tokens: Sequence[Token]) -> list[int]:
    return [word for word, own in enumerate(words_of(tokens)) for _ in own]
