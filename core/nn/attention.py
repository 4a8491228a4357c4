"""Scaled dot-product and multi-head attention (Section 3.2).

Capture is an argument, not a side effect: whoever wants the maps hands in a list, and
nothing is ever stored on a module, so one caller's maps cannot leak into another's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.affine import affine
from core.nn.dropout import dropout
from core.nn.fast.short_rows import rows_are_short
from core.nn.linear import Linear
from core.nn.packing import Packing
from core.nn.softmax import masked_softmax


class AttentionRecord(NamedTuple):
    """What one call of `attend` computed.

    Attributes:
        scores: (batch, head, query, key) q·k / sqrt(d_k), before the mask.
        allowed: bool mask, broadcastable to `scores`.
        weights: (batch, head, query, key) softmax, before dropout.
        queries: (batch, head, query, d_k) as they enter q·k / sqrt(d_k).
        keys: (batch, head, key, d_k), the same.
    """

    scores: Tensor
    allowed: Tensor
    weights: Tensor
    queries: Tensor
    keys: Tensor


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
        capture.append(AttentionRecord(scores, allowed, weights, q, k))
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

    def ask(self, x: Tensor, packing: Packing | None = None) -> Tensor:
        """Queries (batch, head, query, d_k) of x: (batch, query, d_model), or packed."""
        return _heads(x, [self.query], self.heads, packing)[0]

    def project(self, x: Tensor, packing: Packing | None = None) -> KeysValues:
        """Keys and values of x: (batch, key, d_model), or (packed, d_model) where packed."""
        return KeysValues(*_heads(x, [self.key, self.value], self.heads, packing))

    def ask_itself(self, x: Tensor, packing: Packing | None = None) -> tuple[Tensor, KeysValues]:
        """What `ask` and `project` make of the same x."""
        maps = [self.query, self.key, self.value]
        queries, keys, values = _heads(x, maps, self.heads, packing)
        return queries, KeysValues(keys, values)

    def forward(
        self,
        queries: Tensor,
        memory: KeysValues,
        allowed: Tensor,
        capture: list[AttentionRecord] | None = None,
        packing: Packing | None = None,
    ) -> Tensor:
        """Let `queries` look at `memory`.

        Args:
            queries: (batch, head, query, d_k), as asked.
            packing: of the queries.

        Returns:
            (batch, query, d_model), or (packed, d_model) where packed.
        """
        mixed = attend(
            queries,
            memory.keys,
            memory.values,
            allowed,
            dropout_p=self.dropout if self.training else 0.0,
            capture=capture,
        )
        # (batch, query, head * d_v), or (packed, head * d_v)
        joined = mixed.transpose(1, 2).flatten(2) if packing is None else packing.join(mixed)
        return affine(joined, [self.output])


def project_together(
    attentions: Sequence[MultiHeadAttention], x: Tensor, packing: Packing | None
) -> tuple[KeysValues, ...]:
    """What each of several attentions of one size projects of the same x."""
    maps = [each for one in attentions for each in (one.key, one.value)]
    heads = _heads(x, maps, attentions[0].heads, packing)
    return tuple(KeysValues(*pair) for pair in zip(heads[::2], heads[1::2], strict=True))


def _heads(
    x: Tensor, maps: Sequence[nn.Linear], heads: int, packing: Packing | None
) -> tuple[Tensor, ...]:
    """What each map makes of x, as (batch, head, position, width)."""
    # Weights are put side by side anew in each pass: that pays for the many rows of training.
    if not torch.is_grad_enabled() or len({each.out_features for each in maps}) > 1:
        return tuple(_split(each(x), heads, packing) for each in maps)
    y = affine(x, maps)
    if packing is not None:
        return packing.split(y, len(maps), heads)
    parts = y.view(*y.shape[:2], len(maps), heads, -1).permute(2, 0, 3, 1, 4)
    return parts.contiguous().unbind()  # each (batch, head, position, width)


def _split(x: Tensor, heads: int, packing: Packing | None) -> Tensor:
    if packing is not None:
        return packing.split(x, 1, heads)[0]
    batch, length, _ = x.shape
    parts = x.view(batch, length, heads, -1).transpose(1, 2)  # (batch, head, position, width)
    return parts.contiguous()
