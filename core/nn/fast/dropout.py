"""Dropout (Section 5.4) whose mask is cheap to draw on a CPU, where it is a tenth of training."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def dropout(x: Tensor, p: float) -> Tensor:
    """x with each element dropped with probability p, and the others scaled by 1 / (1 - p).

    A pure function of torch's random state.

    Args:
        p: 0 to 1, 1 excluded; on a CPU cut to a multiple of 2^-16.

    Returns:
        The shape and type of x; x itself for p = 0.
    """
    if p == 0.0:
        return x
    if x.device.type != "cpu":
        return F.dropout(x, p)
    return x * _scaled_mask(x, p)


def _scaled_mask(x: Tensor, p: float) -> Tensor:
    # Sixteen random bits decide on an element, so one draw of 64 serves four, and nothing
    # passes through bool, whose conversions are slow: 4 times faster than F.dropout.
    draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
    bits = draws.view(torch.int16)[: x.numel()].view(x.shape)  # uniform from -2^15 to 2^15 - 1
    kept = bits.ge_(int(p * 2**16) - 2**15).to(x.dtype)
    return kept.mul_(1 / (1 - p))
