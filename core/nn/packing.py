"""Real positions alone: padding is laid out for attention, and nowhere else."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx


class Packing(NamedTuple):
    """Where the real positions of a padded batch stand.

    Attributes:
        places: (real,) int64, ascending, each among batch * length.
        rows: (batch, length) int64, the number of each real position; elsewhere `real`.
    """

    places: Tensor
    rows: Tensor

    @classmethod
    def of(cls, real: Tensor) -> Self:
        """From (batch, length) bool."""
        places = real.flatten().nonzero()[:, 0]
        rows = torch.full(real.shape, len(places), device=real.device)
        rows.view(-1)[places] = torch.arange(len(places), device=real.device)
        return cls(places, rows)

    def pack(self, x: Tensor) -> Tensor:
        """(batch, length, width) -> (real, width)."""
        return _select(x.flatten(0, 1), self.places, self.rows.flatten())

    def unpack(self, x: Tensor) -> Tensor:
        """(real, width) -> (batch, length, width), 0 at padding."""
        return _select(x, self.rows.flatten(), self.places).view(*self.rows.shape, -1)


def _select(x: Tensor, rows: Tensor, inverse: Tensor) -> Tensor:
    selected: Tensor = _Select.apply(x, rows, inverse)  # type: ignore[no-untyped-call]
    return selected


class _Select(torch.autograd.Function):
    """Rows of x, and zeros for a row beyond its last.

    Its gradient is a selection, too, since no row is taken twice; torch's own would add rows.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, x: Tensor, rows: Tensor, inverse: Tensor) -> Tensor:
        ctx.save_for_backward(inverse)
        return _rows(x, rows)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (inverse,) = ctx.saved_tensors
        return _rows(gradient, inverse), None, None


def _rows(x: Tensor, rows: Tensor) -> Tensor:
    if len(rows) > len(x):
        x = torch.cat((x, x.new_zeros(1, x.shape[1])))
    return x.index_select(0, rows)
