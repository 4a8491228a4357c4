"""What telling positions within self-attention does to scores, before any word has a say.

Each map is (query, key) and made by the very layer that attention asks (`core.nn.relative`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch

from core.nn.positions import Doubles
from core.nn.relative import BUCKETS, Positions, RelativePositions, buckets

HEADS: Final = 8
"""Of the paper's base model; ALiBi's slopes depend on how many there are."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    positions: Positions
    heads: int
    d_k: int


def rotary_map(length: int, width: int) -> Doubles:
    """q·k of queries and keys that are all alike, each turned to its place, 1 at distance 0.

    Args:
        width: of a head, even.

    Returns:
        (query, key) from -1 to 1: the mean of cos((p - q) w_i) over the pairs (RoFormer, 3.2.2).
    """
    told = RelativePositions(_Sizes("rotary", 1, width), both_ways=True)(torch.arange(length))
    turned = told.turned(torch.ones(1, 1, length, width))[0, 0].double()
    scores: Doubles = (turned @ turned.T / width).numpy()
    return scores


def alibi_map(length: int) -> Doubles:
    """What ALiBi adds to scores: (head, query, key), 0 or less (Press et al. 2022, section 3)."""
    told = RelativePositions(_Sizes("alibi", HEADS, 2), both_ways=True)(torch.arange(length))
    assert told.bias is not None
    bias: Doubles = told.bias.double().numpy()
    return bias


def bucket_map(length: int) -> Doubles:
    """Which of T5's groups each distance is in: (query, key), 0 to BUCKETS - 1.

    Keys after the query have the second half of them, as in an encoder.
    """
    places = torch.arange(length)
    found: Doubles = buckets(places - places[:, None], both_ways=True).double().numpy()
    assert found.max(initial=0) < BUCKETS
    return found


def unevenness(scores: Doubles) -> float:
    """The largest difference between two entries of one distance: 0 where distance is all.

    Args:
        scores: (query, key), as many of either.
    """
    length = len(scores)
    lines = (scores.diagonal(at) for at in range(1 - length, length))
    return float(max(np.ptp(line) for line in lines))
