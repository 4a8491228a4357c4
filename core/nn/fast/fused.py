"""Linear maps of many rows, as training asks for them update by update.

In bf16 bias and rectifier are added while a product is still in registers: `F.linear` first writes
the bias to all rows of the product, and reads it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from core.nn.fast.tried import works


def is_fused(x: Tensor) -> bool:
    """Whether a map of x can be: many rows under bf16 autocast in training, where that works."""
    return (
        x.device.type == "cpu"
        and x.dim() == 2
        and len(x) > 0
        and torch.is_grad_enabled()
        and torch.is_autocast_enabled("cpu")
        and torch.get_autocast_dtype("cpu") == torch.bfloat16
        and works(_trial)
    )


def affine(x: Tensor, maps: Sequence[nn.Linear], *, rectified: bool = False) -> Tensor:
    """What each of the maps makes of x, side by side: one product, nearer to the CPU's peak.

    Args:
        x: (..., inputs).
        maps: one or more, of as many inputs, all with a bias.
        rectified: max(0, .) of it.

    Returns:
        (..., sum of their outputs), as autocast rounds it.
    """
    y: Tensor
    if is_fused(x):
        parameters = [p for each in maps for p in (each.weight, each.bias)]
        y = _Fused.apply(x, rectified, *parameters)  # type: ignore[no-untyped-call]
        return y
    if len(maps) == 1:
        y = maps[0](x)
    else:
        weight = torch.cat([each.weight for each in maps])
        y = F.linear(x, weight, torch.cat([each.bias for each in maps]))
    return F.relu(y) if rectified else y


def _trial() -> None:
    # oneDNN has no such product for processors without AVX-512; it says so when it is asked.
    ones = torch.ones(16, 16, dtype=torch.bfloat16)
    _product(ones, ones, ones[0], "relu")


def _product(rows: Tensor, weight: Tensor, bias: Tensor, how: str) -> Tensor:
    y: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, how, [], "")
    return y


class _Fused(torch.autograd.Function):
    """Of x (rows, inputs) and the weight and bias of each map in turn."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rectified: bool, *parameters: Tensor) -> Tensor:
        weight, bias = _beside(parameters[::2]), _beside(parameters[1::2])
        rows = x.bfloat16()
        y = _product(rows, weight, bias, "relu" if rectified else "none")
        ctx.save_for_backward(rows, weight, y if rectified else None)
        ctx.outputs = [len(bias) for bias in parameters[1::2]]
        ctx.kind = x.dtype
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        rows, weight, y = ctx.saved_tensors
        if y is not None:
            gradient = torch.ops.aten.threshold_backward(gradient, y, 0)
        of_x = (gradient @ weight).to(ctx.kind)
        of_weights = torch.split((gradient.t() @ rows).float(), ctx.outputs)
        of_biases = torch.split(gradient.sum(0).float(), ctx.outputs)
        pairs = zip(of_weights, of_biases, strict=True)
        return of_x, None, *(part for pair in pairs for part in pair)


def _beside(parts: Sequence[Tensor]) -> Tensor:
    """In bf16; one alone is not copied twice."""
    return parts[0].bfloat16() if len(parts) == 1 else torch.cat([p.bfloat16() for p in parts])
