"""Which head to open with, before anybody has chosen one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.trace import AttentionSite, Token


def most_focused(site: AttentionSite, keys: Sequence[Token]) -> tuple[int, int]:
    """The head that on this input puts most of each row on one ordinary token.

    Args:
        site: one kind of attention.
        keys: its key tokens; special ones do not count, they are where idle heads rest.

    Returns:
        (layer, head), counted from 0: the highest mean over rows of the largest weight on a
        key that is not special. The first of equals, (0, 0) where all keys are special.
    """
    ordinary = np.array([not token.special for token in keys], dtype=np.bool_)
    largest = site.weights[..., ordinary].max(axis=3, initial=0.0)  # (layer, head, query)
    layer, head = np.unravel_index(int(largest.mean(axis=2).argmax()), (site.layers, site.heads))
    return int(layer), int(head)
