"""Positions told within self-attention; "Attention Is All You Need" adds them to what is read.

Rotary (RoFormer, Su et al. 2021, section 3.2) turns queries and keys by their places, so that q·k
depends on the distance. ALiBi (Press et al. 2022, section 3) takes from each score what grows with
the distance. Relative (T5, Raffel et al. 2020, section 2.1) adds what was learned of it.
"""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from core.nn.positions import frequencies

Positions = Literal["sinusoidal", "learned", "rotary", "alibi", "relative", "none"]
"""How a network is told where its tokens stand: added to what it reads (the first two), within
self-attention (the next three), or not at all."""

BUCKETS: Final = 32
"""Groups of distances that a relative bias tells apart, as in T5."""
FARTHEST: Final = 128
"""Tokens from which on all distances are in one group, as in T5."""


class AttentionSizes(Protocol):
    """What is asked of a network's sizes."""

    @property
    def positions(self) -> Positions: ...
    @property
    def heads(self) -> int: ...
    @property
    def d_k(self) -> int: ...


def check_rotary(sizes: AttentionSizes) -> None:
    """That heads are of whole pairs, where those are turned.

    Raises:
        ValueError: they are not.
    """
    if sizes.positions == "rotary" and sizes.d_k % 2:
        raise ValueError(
            f"rotary positions turn pairs: a head's width must be even, not {sizes.d_k}"
        )


class Told(NamedTuple):
    """What self-attention is told of where its tokens stand.

    Attributes:
        turns: cosine and sine, (2, new, d_k / 2), by which new queries and keys are turned.
        bias: (head, new, key) of what is added to the scores.
    """

    turns: Tensor | None = None
    bias: Tensor | None = None

    def turned(self, x: Tensor) -> Tensor:
        """Queries or keys (batch, head, new, d_k) of the new tokens, as q·k takes them."""
        return x if self.turns is None else turn(x, self.turns)


UNTOLD: Final = Told()


class RelativePositions(nn.Module):
    """Tells one stack's self-attention, the same in each of its layers.

    Args:
        both_ways: a query may look at keys after it, too; buckets are for either side then.
    """

    def __init__(self, sizes: AttentionSizes, *, both_ways: bool) -> None:
        super().__init__()
        self.positions = sizes.positions
        self.both_ways = both_ways
        # Made of numpy and plain floats: nothing here is left on the meta device.
        self.pairs = frequencies(sizes.d_k).tolist() if self.positions == "rotary" else []
        self.slopes = slopes(sizes.heads) if self.positions == "alibi" else []
        if self.positions == "relative":
            self.bias = nn.Parameter(torch.zeros(BUCKETS, sizes.heads))

    def forward(self, places: Tensor, past: int = 0) -> Told:
        """What the tokens behind the first `past` of a sequence are told.

        Args:
            places: (key,) int64, of each token of the sequence, one apart; falling, where it is
                read from its end.
        """
        if self.positions == "rotary":
            # In float64, which not every device knows.
            new = places[past:, None].to("cpu", torch.float64)
            angles = new * torch.tensor(self.pairs, dtype=torch.float64)
            turns = torch.stack((angles.cos(), angles.sin())).float()
            return Told(turns=turns.to(places.device))
        if self.positions not in ("alibi", "relative"):
            return UNTOLD
        distance = places - places[past:, None]  # (new, key); a key before its query: negative
        if self.positions == "alibi":
            slopes = torch.tensor(self.slopes, device=places.device)
            return Told(bias=-slopes[:, None, None] * distance.abs())
        found = buckets(distance, both_ways=self.both_ways)
        return Told(bias=self.bias[found].permute(2, 0, 1))


def turn(x: Tensor, turns: Tensor) -> Tensor:
    """Each pair (x_2i, x_2i+1) turned by its angle (RoFormer, equation 34).

    Args:
        x: (..., place, d_k).
        turns: cosine and sine of the angles, (2, place, d_k / 2).
    """
    cosine, sine = turns.to(x.dtype)
    first, second = x.view(*x.shape[:-1], -1, 2).unbind(-1)
    pairs = (first * cosine - second * sine, first * sine + second * cosine)
    return torch.stack(pairs, -1).flatten(-2)


def slopes(heads: int) -> list[float]:
    """What each head's scores lose a token of distance: 2^(-8 i / heads), i from 1.

    Where heads are no power of 2: those of the power below, then every other one of the power
    above, as in the paper's code.
    """
    power = 2 ** int(math.log2(heads))
    plain = [2 ** (-8 * number / power) for number in range(1, power + 1)]
    between = [2 ** (-8 * number / (2 * power)) for number in range(1, 2 * power + 1, 2)]
    return (plain + between)[:heads]


def buckets(distance: Tensor, *, both_ways: bool) -> Tensor:
    """The group of each distance, 0 to BUCKETS - 1: near ones alone, far ones together.

    Half of the groups of a side are of one distance each; the others widen by its logarithm up to
    FARTHEST. One way, keys after the query are with those at it: a mask hides them.

    Args:
        distance: int64, from a query to its key; negative where the key is before it.
        both_ways: keys after the query have half of the groups.
    """
    count = BUCKETS // 2 if both_ways else BUCKETS
    after = torch.where(distance > 0, count, 0) if both_ways else torch.zeros_like(distance)
    apart = distance.abs() if both_ways else (-distance).clamp(min=0)
    alone = count // 2
    share = (apart.clamp(min=1) / alone).log() / math.log(FARTHEST / alone)
    wide = (alone + (share * (count - alone)).long()).clamp(max=count - 1)
    return after + torch.where(apart < alone, apart, wide)
