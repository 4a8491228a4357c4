"""Linear maps of many rows, as training asks for them update by update."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def affine(x: Tensor, maps: Sequence[nn.Linear], *, rectified: bool = False) -> Tensor:
    """What each of the maps makes of x, side by side: one product, nearer to the CPU's peak.

    Args:
        x: (..., inputs).
        maps: one or more, of as many inputs, all with a bias.
        rectified: max(0, .) of it.

    Returns:
        (..., sum of their outputs).
    """
    if _is_fused(x):
        parameters = [p for each in maps for p in (each.weight, each.bias)]
        y: Tensor = _Fused.apply(x, rectified, *parameters)  # type: ignore[no-untyped-call]
        return y
    if len(maps) == 1:
        y = maps[0](x)
    else:
        weight = torch.cat([each.weight for each in maps])
        y = F.linear(x, weight, torch.cat([each.bias for each in maps]))
    return F.relu(y) if rectified else y


def _is_fused(x: Tensor) -> bool:
    return (
        x.device.type == "cpu"
        and x.dim() == 2
        and len(x) > 0
        and torch.is_grad_enabled()
        and torch.is_autocast_enabled("cpu")
        and torch.get_autocast_dtype("cpu") == torch.bfloat16
        and torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    )


class _Fused(torch.autograd.Function):
    """In bf16, with bias and rectifier added while a product is still in registers.

    `F.linear` first writes the bias to all rows of the product, and reads it again.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, rectified: bool, *parameters: Tensor) -> Tensor:
        weight, bias = _beside(parameters[::2]), _beside(parameters[1::2])
        rows = x.bfloat16()
        how = "relu" if rectified else "none"
        y: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, how, [], "")
        ctx.save_for_backward(rows, weight, y if rectified else None)
        ctx.outputs = [len(bias) for bias in parameters[1::2]]
        ctx.kind = x.dtype
        return y

    @staticmethod
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
