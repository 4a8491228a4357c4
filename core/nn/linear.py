"""Linear maps of few rows, as decoding asks for them token by token."""

from __future__ import annotations

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_FEW: Final = 4  # rows
_CACHE: Final = 1 << 18  # bytes of weights that a core keeps from step to step anyhow


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b.

    Args:
        x: (..., inputs).
        weight: (outputs, inputs).
        bias: (outputs,).

    Returns:
        (..., outputs).
    """
    if not _is_narrow(x, weight):
        return F.linear(x, weight, bias)
    # Few rows cost what it costs to read the weights. MKL reads them up to three times as
    # fast with the rows as columns on the right, but not a single one: it is doubled.
    rows = x.reshape(-1, x.shape[-1])
    columns = (rows if len(rows) > 1 else torch.cat((rows, rows))).t()
    product = weight @ columns if bias is None else torch.addmm(bias[:, None], weight, columns)
    return product.t()[: len(rows)].contiguous().view(*x.shape[:-1], -1)


def _is_narrow(x: Tensor, weight: Tensor) -> bool:
    outputs, inputs = weight.shape
    return (
        0 < x.numel() <= _FEW * inputs <= _FEW * outputs
        and weight.nbytes >= _CACHE
        and x.dtype == weight.dtype == torch.float32
        and x.device.type == "cpu"
        and not torch.is_autocast_enabled("cpu")
    )


class Linear(nn.Linear):
    """`linear` with weights of its own."""

    def forward(self, x: Tensor) -> Tensor:
        """(..., inputs) -> (..., outputs)."""
        return linear(x, self.weight, self.bias)
