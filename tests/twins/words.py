"""Attention between words: what it is between their pieces, added up and averaged.

The slow twin of `viz.export.paper.shown.summed` and of viz/inspector/web/views/units.js.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.studies.words import words_of
from core.trace import Bools, Floats, Token


def word_weights(
    weights: Floats,
    queries: Sequence[Token],
    keys: Sequence[Token],
    allowed: Bools | None = None,
) -> Floats:
    """Weights between words: summed over a word's keys, averaged over its queries.

    A word's queries that may look at nothing do not count, so every other row still sums to 1;
    one whose weights all go to no key does, and so does one that was made to look. As in
    Section 4.1 of Clark et al., "What Does BERT Look At?" (2019).

    Args:
        weights: (query, key) of one head.
        queries, keys: tokens of the two axes.
        allowed: (query, key), None where every query may look at something.

    Returns:
        (word, word) in the order of the tokens.

    Raises:
        ValueError: when the axes are not as long as the tokens.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"{weights.shape} weights for {len(queries)} queries, {len(keys)} keys")
    rows, columns = words_of(queries), words_of(keys)
    out = np.zeros((len(rows), len(columns)), np.float64)
    for row, own in enumerate(rows):
        looking = [at for at in own if allowed is None or allowed[at].any() or weights[at].any()]
        for column, looked_at in enumerate(columns):
            if looking:
                put = weights[np.ix_(looking, looked_at)].sum(axis=1, dtype=np.float64)
                out[row, column] = put.mean()
    return out.astype(np.float32)
