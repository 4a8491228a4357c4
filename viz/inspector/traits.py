"""What a head did on this input, as five numbers: enough to describe a picture in words."""

from __future__ import annotations

import numpy as np

from core.trace import AttentionSite, Floats, Token


def head_traits(site: AttentionSite, keys: tuple[Token, ...]) -> dict[str, list[list[float]]]:
    """Means over the queries that may look at anything.

    Args:
        site: one kind of attention.
        keys: its key tokens, `columns` of them.

    Returns:
        (layer, head) nested lists, rounded to four digits: `entropy` in bits; `first`, the
        weight on the first key; `special`, the weight on special tokens. Where queries and
        keys are positions of one sequence, also `diagonal` and `previous`, the weight on
        the key at the query's own position and on the one before it. In `decoder_self` the
        key at a row's own position is the token that the row reads, not the one it writes.
    """
    live = site.allowed.any(axis=1)
    special = np.array([token.special for token in keys], dtype=np.bool_)
    rows = max(int(live.sum()), 1)
    shape = (site.layers, site.heads)
    # Position 3 of a sentence and position 3 of its translation have nothing in common.
    shifts = {} if site.kind == "cross" else {"diagonal": 0, "previous": -1}
    traits = {name: np.zeros(shape) for name in ("entropy", *shifts, "first", "special")}
    for layer in range(site.layers):
        weights = site.weights[layer]  # (head, query, key)
        traits["entropy"][layer] = _entropy(weights).sum(axis=1) / rows
        for name, shift in shifts.items():
            band = np.diagonal(weights, offset=shift, axis1=1, axis2=2)
            traits[name][layer] = band.sum(axis=1, dtype=np.float64) / rows
        if len(keys):
            traits["first"][layer] = weights[:, :, 0].sum(axis=1, dtype=np.float64) / rows
            marked = weights[:, :, special]
            traits["special"][layer] = marked.sum(axis=(1, 2), dtype=np.float64) / rows
    return {name: np.round(values, 4).tolist() for name, values in traits.items()}


def _entropy(weights: Floats) -> Floats:
    """(head, query) entropy in bits of (head, query, key); 0 log 0 is 0."""
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return np.asarray(-(weights * logs).sum(axis=2))
