"""Scaled dot-product and multi-head attention (Section 3.2).

Capture is an argument, not a side effect: whoever wants the maps hands in a list, and
nothing is ever stored on a module, so one caller's maps cannot leak into another's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.dropout import dropout
from core.nn.linear import Linear
from core.nn.packing import Packing
from core.nn.softmax import masked_softmax, rows_are_short


class AttentionRecord(NamedTuple):
    """What one call of `attend` computed.

    Attributes:
        scores: (batch, head, query, key) q·k / sqrt(d_k), before the mask.
        allowed: bool mask, broadcastable to `scores`.
        weights: (batch, head, query, key) softmax, before dropout.
    """

    scores: Tensor
    allowed: Tensor
    weights: Tensor


class KeysValues(NamedTuple):
    """Projected keys (batch, head, key, d_k) and values (batch, head, key, d_v)."""

    keys: Tensor
    values: Tensor

    def extend(self, newer: KeysValues) -> KeysValues:
        """The same with later positions behind."""
        return KeysValues(
            torch.cat((self.keys, newer.keys), dim=2),
            torch.cat((self.values, newer.values), dim=2),
        )


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    allowed: Tensor,
    *,
    dropout_p: float = 0.0,
    capture: list[AttentionRecord] | None = None,
) -> Tensor:
    """Attention(Q, K, V) = softmax(QK^T / sqrt(d_k)) V (equation 1).

    A query with no allowed key gets zeros on both paths.

    Args:
        q: (batch, head, query, d_k).
        k: (batch, head, key, d_k).
        v: (batch, head, key, d_v).
        allowed: bool, True = may attend, broadcastable to (batch, head, query, key).
        dropout_p: probability of dropping a weight; 0 outside training.
        capture: receives one record; asking for it takes the explicit path.

    Returns:
        (batch, head, query, d_v).
    """
    if capture is None and not _explicit_is_faster(q, k):
        # A mask that hides nothing, as of one new token, would be translated at each call.
        hides = q.device.type != "cpu" or not allowed.all()
        mask = allowed if hides else None
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout_p)
    scores = q / math.sqrt(q.shape[-1]) @ k.mT  # (batch, head, query, key)
    weights = masked_softmax(scores, allowed)
    if capture is not None:
        capture.append(AttentionRecord(scores, allowed, weights))
    return dropout(weights, dropout_p).to(v.dtype) @ v  # (batch, head, query, d_v)


def _explicit_is_faster(q: Tensor, k: Tensor) -> bool:
    # Measured on AVX-512 CPUs: the backward pass of fused bf16 attention is slow enough
    # that bf16 training is 2 to 3 times faster with the softmax written out.
    if q.device.type != "cpu":
        return False
    if q.dtype == torch.bfloat16 and torch.is_grad_enabled():
        return True
    return rows_are_short(torch.Size((*q.shape[:3], k.shape[2])), q.dtype)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O (Section 3.2.2).

    Args:
        d_model: width of the residual stream.
        heads: number of heads h.
        d_k, d_v: width of one head's keys and values.
        dropout: on the attention weights; 0 as printed in the paper.
    """

    def __init__(self, d_model: int, heads: int, d_k: int, d_v: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.query = Linear(d_model, heads * d_k)
        self.key = Linear(d_model, heads * d_k)
        self.value = Linear(d_model, heads * d_v)
        self.output = Linear(heads * d_v, d_model)

    def project(self, x: Tensor, packing: Packing | None = None) -> KeysValues:
        """Keys and values of x: (batch, key, d_model), or (real, d_model) where packed."""
        return KeysValues(self._split(self.key(x), packing), self._split(self.value(x), packing))

    def forward(
        self,
        x: Tensor,
        memory: KeysValues,
        allowed: Tensor,
        capture: list[AttentionRecord] | None = None,
        packing: Packing | None = None,
    ) -> Tensor:
        """Let x look at `memory`.

        Args:
            x: (batch, query, d_model), or (real, d_model) where packed.
            packing: of the queries.

        Returns:
            The shape of x.
        """
        mixed = attend(
            self._split(self.query(x), packing),
            memory.keys,
            memory.values,
            allowed,
            dropout_p=self.dropout if self.training else 0.0,
            capture=capture,
        )
        joined = mixed.transpose(1, 2).flatten(2)  # (batch, query, head * d_v)
        output: Tensor = self.output(joined if packing is None else packing.pack(joined))
        return output

    def _split(self, x: Tensor, packing: Packing | None) -> Tensor:
        if packing is not None:
            x = packing.unpack(x)
        batch, length, _ = x.shape
        heads = x.view(batch, length, self.heads, -1).transpose(1, 2)  # (batch, head, position, d)
        return heads.contiguous()
