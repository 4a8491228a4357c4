"""`nn.Linear` and `nn.Dropout`, computed by `core.nn.fast`."""

from __future__ import annotations

from torch import Tensor, nn

from core.nn.fast import functional as fast


class Linear(nn.Linear):
    """x W^T + b."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., inputs) -> (..., outputs)."""
        return fast.linear(x, self.weight, self.bias)


class Dropout(nn.Module):
    """In training each element is dropped with probability p, the others grow by 1 / (1 - p)."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Any shape."""
        return fast.dropout(x, self.p) if self.training else x
