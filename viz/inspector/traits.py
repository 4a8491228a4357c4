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
        (layer, head) nested lists, rounded to four digits: `entropy` in bits; `diagonal`,
        `previous` and `first`, the weight on the key at the query's own position, on the
        one before it, on the first key; `special`, the weight on special tokens.
    """
    live = site.allowed.any(axis=1)
    special = np.array([token.special for token in keys], dtype=np.bool_)
    rows = max(int(live.sum()), 1)
    shape = (site.layers, site.heads)
    traits = {
        name: np.zeros(shape) for name in ("entropy", "diagonal", "previous", "first", "special")
    }
    for layer in range(site.layers):
        weights = site.weights[layer]  # (head, query, key)
        traits["entropy"][layer] = _entropy(weights).sum(axis=1) / rows
        for name, shift in (("diagonal", 0), ("previous", -1)):
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
