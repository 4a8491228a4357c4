"""torch's modules over the functions that are the fastest here."""

from __future__ import annotations

from torch import Tensor, nn

from core.nn.fast.functional import dropout, linear


class Linear(nn.Linear):
    """x W^T + b."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., inputs) -> (..., outputs)."""
        return linear(x, self.weight, self.bias)


class Dropout(nn.Module):
    """In training each element dropped with probability p (Section 5.4); else nothing."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Any shape."""
        return dropout(x, self.p) if self.training else x
