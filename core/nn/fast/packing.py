"""Real positions alone: padding is laid out for attention, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass(frozen=True)
class Packing:
    """Where the real positions of a padded batch stand.

    A few rows of filler follow them: a product of a new shape costs the CPU almost a
    millisecond before it starts, so that batches of about the same size are made equal.
    Nobody looks at filler, and no gradient comes from it.

    Attributes:
        places: (packed,) int64, each row's among batch * length, ascending; then, of filler,
            batch * length.
        rows: (batch, length) int64, the row of each real position; elsewhere `packed`.
    """

    places: Tensor
    rows: Tensor
    _moves: dict[tuple[int, int], tuple[Tensor, Tensor]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, real: Tensor) -> Self:
        """From (batch, length) bool."""
        found = real.flatten().nonzero()[:, 0]
        places = F.pad(found, (0, _rounded(len(found)) - len(found)), value=real.numel())
        rows = torch.full(real.shape, len(places), device=real.device)
        rows.view(-1)[found] = torch.arange(len(found), device=real.device)
        return cls(places, rows)

    def tokens(self, ids: Tensor) -> Tensor:
        """(batch, length) -> (packed,), anything in filler."""
        return ids.flatten()[self.places.clamp(max=ids.numel() - 1)]

    def split(self, x: Tensor, maps: int, heads: int) -> tuple[Tensor, ...]:
        """(packed, maps * heads * width) -> of each map (batch, heads, length, width).

        Anything at padding. One move, where unpacking and transposing would be two a map.
        """
        batch, length = self.rows.shape
        into, back = self._between(maps, heads)
        width = x.shape[-1] // (maps * heads)
        parts = _move(x.reshape(-1, width), into, back, maps)
        return tuple(part.view(batch, heads, length, width) for part in parts)

    def join(self, x: Tensor) -> Tensor:
        """(batch, heads, length, width) -> (packed, heads * width), anything in filler."""
        heads, width = x.shape[1], x.shape[3]
        into, back = self._between(1, heads)
        (rows,) = _move(x.reshape(-1, width), back, into, 1)
        return rows.view(-1, heads * width)

    def _between(self, maps: int, heads: int) -> tuple[Tensor, Tensor]:
        """Between rows of (packed, maps, heads) and of (maps, batch, heads, length).

        Both are beyond the last row where the other side has none.
        """
        if (maps, heads) not in self._moves:
            part = torch.arange(maps * heads, device=self.rows.device).view(maps, 1, heads, 1)
            real = (self.rows < len(self.places))[:, None]
            into = self.rows[:, None] * len(part.flatten()) + part * real
            back = torch.arange(into.numel(), device=into.device).view(into.shape)
            back = back.permute(1, 3, 0, 2).flatten(0, 1).flatten(1)  # (batch * length, parts)
            beyond = back.new_full((1, maps * heads), into.numel())
            back = torch.cat((back, beyond))[self.places]
            self._moves[maps, heads] = into.flatten(), back.flatten()
        return self._moves[maps, heads]


def _rounded(count: int) -> int:
    """At least count, by half a percent more on average, and never 0."""
    step = 1 << max(0, count.bit_length() - 7)
    return max(1, -(-count // step)) * step


def _move(x: Tensor, there: Tensor, back: Tensor, parts: int) -> tuple[Tensor, ...]:
    moved: tuple[Tensor, ...] = _Move.apply(x, there, back, parts)  # type: ignore[no-untyped-call]
    return moved


class _Move(torch.autograd.Function):
    """Rows of x in another order, as equal parts; anything for a row beyond its last.

    Its gradient is a move, too, since no row is needed twice; torch's own would add rows.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, there: Tensor, back: Tensor, parts: int) -> tuple[Tensor, ...]:
        ctx.save_for_backward(back)
        return F.embedding(there.clamp(max=len(x) - 1), x).chunk(parts)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        (back,) = ctx.saved_tensors
        zeros = gradients[0].new_zeros(1, gradients[0].shape[1])
        return F.embedding(back, torch.cat((*gradients, zeros))), None, None, None
