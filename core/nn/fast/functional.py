"""The functions that layers are made of, in the ways that are the fastest here.

Plainly they are `torch.nn.functional.linear` and `dropout`, `core.nn.softmax.masked_softmax`, and
equation 1 as `core.nn.attention.attend` writes it out.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from core.nn.fast.dropout import dropout
from core.nn.fast.few_rows import linear
from core.nn.fast.short_rows import rows_are_short
from core.nn.fast.softmax import masked_softmax

__all__ = ["attention", "dropout", "linear", "masked_softmax"]


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    allowed: Tensor,
    *,
    bias: Tensor | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """softmax(QK^T / sqrt(d_k)) V, and zeros for a query with no allowed key.

    Args:
        q: (batch, head, query, d_k).
        k: (batch, head, key, d_k).
        v: (batch, head, key, d_v).
        allowed: bool, True = may attend, broadcastable to (batch, head, query, key).
        bias: added to the scores, (head, query, key).

    Returns:
        (batch, head, query, d_v).
    """
    # A bias and a mask as one would need a row with no allowed key to be looked for.
    if bias is not None or _explicit_is_faster(q, k):
        scores = q / math.sqrt(q.shape[-1]) @ k.mT
        weights = masked_softmax(scores if bias is None else scores + bias, allowed)
        return dropout(weights, dropout_p).to(v.dtype) @ v
    # A mask that hides nothing, as of one new token, would be translated at each call.
    hides = q.device.type != "cpu" or not allowed.all()
    mask = allowed if hides else None
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout_p)


def _explicit_is_faster(q: Tensor, k: Tensor) -> bool:
    # Measured on AVX-512 CPUs: the backward pass of fused bf16 attention is slow enough
    # that bf16 training is 2 to 3 times faster with the softmax written out.
    if q.device.type != "cpu":
        return False
    if q.dtype == torch.bfloat16 and torch.is_grad_enabled():
        return True
    return rows_are_short(torch.Size((*q.shape[:3], k.shape[2])), q.dtype)
