"""Rows of attention in which weights were put in the place of what a softmax makes of scores."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.trace import AttentionSite, Bools

_APART: Final = 1e-5  # between a weight and the softmax of its row, beyond any rounding


def forced_rows(site: AttentionSite) -> Bools | None:
    """Which rows of each head: of what an edit reaches, not all need to be otherwise.

    Returns:
        (layer, head, query); None where weights are all a softmax's. Without scores nothing tells
        one row from another, and each may be one.
    """
    if not site.forced:
        return None
    if site.scores is None:
        return np.ones(site.weights.shape[:3], np.bool_)
    found: Bools = np.zeros(site.weights.shape[:3], np.bool_)
    for at in np.ndindex(site.layers, site.heads):  # one at a time: comparing takes memory
        allowed = site.mask(*at)
        scores = np.where(allowed, site.scores[at].astype(np.float64), -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True, initial=-1e300))
        total = powers.sum(-1, keepdims=True)
        softmax = np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)
        if site.sinks is not None:
            softmax *= 1 - site.sinks[at][:, None]
        found[at] = (np.abs(site.weights[at] - softmax) > _APART).any(-1)
    return found if found.any() else None
