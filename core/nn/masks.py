"""Who may attend to whom. Bool, True = may attend, broadcastable to (batch, head, query, key)."""

from __future__ import annotations

import torch
from torch import Tensor


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Every query may look at every key that is not padding.

    Args:
        ids: (batch, key) token ids.

    Returns:
        (batch, 1, 1, key) bool.
    """
    return (ids != pad_id)[:, None, None, :]


def causal_mask(queries: int, device: torch.device | str = "cpu", *, past: int = 0) -> Tensor:
    """Query t may look at keys up to itself: nothing flows left from later positions (3.2.3).

    Args:
        queries: how many new positions attend now.
        past: how many earlier positions are already cached as keys.

    Returns:
        (1, 1, queries, past + queries) bool.
    """
    allowed = torch.ones(queries, past + queries, dtype=torch.bool, device=device)
    return allowed.tril(past)[None, None]  # key j <= past + query t
