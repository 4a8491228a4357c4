"""Which head to open with, before anybody has chosen one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.trace import AttentionSite, Token


def most_informative(site: AttentionSite, keys: Sequence[Token]) -> tuple[int, int]:
    """The head that on this input tells most of which row looks by where it looks.

    That is the mutual information of row and key, rows being equally likely, as far as ordinary
    keys give it. A head that looks sharply, but from everywhere at one token, has none. In
    cross-attention only the last layer is asked: rows of an earlier one may look at the word that
    they read, so that a map seems one row off. Of 200 sentences whose links are known, the head
    that `ko-en-everyday` opens with then errs in 3 of 100 links, that of `en-ko-everyday` in 22;
    with all layers asked in 14 and 26.

    Args:
        site: one kind of attention.
        keys: its key tokens; special ones do not count, they are where idle heads rest.

    Returns:
        (layer, head), counted from 0: the first of equals, as where all keys are special.
    """
    ordinary = np.array([not token.special for token in keys], dtype=np.bool_)
    weights = site.weights[..., ordinary].astype(np.float64)  # (layer, head, query, key)
    usual = weights.mean(axis=2, keepdims=True)
    ratio = np.divide(weights, usual, out=np.ones_like(weights), where=weights > 0)
    nats = (weights * np.log(ratio)).sum(axis=3).mean(axis=2)
    if site.kind == "cross":
        nats[:-1] = -np.inf
    layer, head = np.unravel_index(int(nats.argmax()), nats.shape)
    return int(layer), int(head)
