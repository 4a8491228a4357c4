"""What a head did on this input, as a few numbers: enough to describe a picture in words."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from core.trace import AttentionSite, Floats, Token

_SHIFTS: Final = {"previous": -1, "diagonal": 0, "next": 1}


def head_traits(site: AttentionSite, keys: tuple[Token, ...]) -> dict[str, list[list[float]]]:
    """Means over the queries that may look at anything.

    Where an edit put weights in their place, they are means over the queries that look anywhere,
    of what share of its own weight each has on a key: rows may sum to any number there.

    Args:
        site: one kind of attention.
        keys: its key tokens, `columns` of them.

    Returns:
        (layer, head) nested lists, rounded to four digits: `entropy` in bits, in which what goes
        to no key is one more; `distance`, how far off the diagonal the head looks; `first`, the
        weight on the first key; `special`, the weight on special tokens. Where queries and keys
        are positions of one sequence, `distance` is in tokens, and there are `diagonal`,
        `previous` and, in the encoder, `next`: the weight on the key at the query's own position,
        on the one before it and on the one after it. In `decoder_self` the key at a row's own
        position is the token that the row reads, not the one it writes. In `cross` both positions
        count as shares of their sequence, and `distance` is 0 to 1.
    """
    special = np.array([token.special for token in keys], dtype=np.bool_)
    live = site.allowed.any(axis=-1).sum(axis=-1)  # of each head, or of all
    shape = (site.layers, site.heads)
    rows = np.maximum(np.broadcast_to(live, shape), 1)
    # Position 3 of a sentence and position 3 of its translation have nothing in common, and the
    # causal mask of a decoder leaves no weight on what comes next.
    shifts = {
        name: shift
        for name, shift in _SHIFTS.items()
        if site.one_sequence and not (site.writes and shift > 0)
    }
    away = _away(site)  # (query, key)
    names = ("entropy", "distance", *shifts, "first", "special")
    traits = {name: np.zeros(shape) for name in names}
    for layer in range(site.layers):
        weights = site.weights[layer]  # (head, query, key)
        sinks = None if site.sinks is None else site.sinks[layer]
        if site.forced:
            weights, sinks, looking = _shared(weights, sinks)
            rows[layer] = np.maximum(looking, 1)
        traits["entropy"][layer] = _entropy(weights, sinks).sum(axis=1) / rows[layer]
        traits["distance"][layer] = (
            np.einsum("hqk,qk->h", weights, away, dtype=np.float64) / rows[layer]
        )
        for name, shift in shifts.items():
            band = np.diagonal(weights, offset=shift, axis1=1, axis2=2)
            traits[name][layer] = band.sum(axis=1, dtype=np.float64) / rows[layer]
        if len(keys):
            traits["first"][layer] = weights[:, :, 0].sum(axis=1, dtype=np.float64) / rows[layer]
            marked = weights[:, :, special]
            traits["special"][layer] = marked.sum(axis=(1, 2), dtype=np.float64) / rows[layer]
    # What is added makes a -0.0, which is an entropy of none, a 0.0.
    return {name: (np.round(values, 4) + 0.0).tolist() for name, values in traits.items()}


def _shared(
    weights: Floats, sinks: Floats | None
) -> tuple[Floats, Floats | None, npt.NDArray[np.intp]]:
    """The same rows of (head, query, key) as shares of their sums; and of each head how many.

    Rows of no weight at all stay so, and are not counted.
    """
    sums = weights.sum(axis=-1, dtype=np.float64)
    if sinks is not None:
        sums += sinks
    looking = sums > 0
    sums[~looking] = 1
    own = None if sinks is None else (sinks / sums).astype(np.float32)
    return (weights / sums[..., None]).astype(np.float32), own, looking.sum(axis=-1)


def _away(site: AttentionSite) -> Floats:
    """(query, key) distance from the diagonal: in tokens, or between two sequences as a share."""
    rows, columns = site.shape
    query, key = np.arange(rows, dtype=np.float32), np.arange(columns, dtype=np.float32)
    if not site.one_sequence:
        query /= max(rows - 1, 1)
        key /= max(columns - 1, 1)
    return np.asarray(np.abs(query[:, None] - key[None, :]))


def _entropy(weights: Floats, sinks: Floats | None) -> npt.NDArray[np.float64]:
    """(head, query) entropy in bits of (head, query, key); 0 log 0 is 0.

    Args:
        sinks: (head, query) what of each row no key has: with it, a row is a distribution.
    """
    whole = weights if sinks is None else np.concatenate([weights, sinks[..., None]], axis=-1)
    logs = np.log2(whole, out=np.zeros_like(whole), where=whole > 0)
    return np.asarray(-np.einsum("hqk,hqk->hq", whole, logs, dtype=np.float64))
