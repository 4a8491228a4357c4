"""Softmax over the keys that a query may see (Section 3.2.3)."""

from __future__ import annotations

import math

from torch import Tensor


def masked_softmax(scores: Tensor, allowed: Tensor) -> Tensor:
    """Softmax over the last axis: exactly 0 where not allowed, a row of zeros where nothing is.

    Args:
        scores: (batch, head, query, key).
        allowed: bool, True = may attend, broadcastable to `scores`.

    Returns:
        The shape of scores, in their type; float32 under autocast.
    """
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1)
    # A row of nothing but minus infinity came out as NaN.
    return weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)
