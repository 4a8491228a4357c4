"""Scaled dot-product and multi-head attention (Section 3.2).

Capture is an argument, not a side effect: whoever wants the maps, or another course of things,
hands in a spot (`core.probe`), and nothing is ever stored on a module, so one caller's maps
cannot leak into another's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.nn.fast.functional import attention, dropout, masked_softmax
from core.nn.modules import Linear
from core.probe import Spot, untouched


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

    def select(self, rows: Tensor) -> KeysValues:
        """The same of some rows of the batch, by their places (row,) int64."""
        return KeysValues(self.keys.index_select(0, rows), self.values.index_select(0, rows))


def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    allowed: Tensor,
    *,
    dropout_p: float = 0.0,
    spot: Spot = untouched,
) -> Tensor:
    """Attention(Q, K, V) = softmax(QK^T / sqrt(d_k)) V (equation 1).

    A query with no allowed key gets zeros.

    Args:
        q: (batch, head, query, d_k).
        k: (batch, head, key, d_k).
        v: (batch, head, key, d_v).
        allowed: bool, True = may attend, broadcastable to (batch, head, query, key).
        dropout_p: probability of dropping a weight; 0 outside training.
        spot: sees queries, keys, scores, mask, weights (before dropout) and outputs.

    Returns:
        (batch, head, query, d_v).
    """
    if spot is untouched:
        return attention(q, k, v, allowed, dropout_p=dropout_p)
    q, k = spot("queries", q), spot("keys", k)
    scores = spot("scores", q / math.sqrt(q.shape[-1]) @ k.mT)  # (batch, head, query, key)
    allowed = spot("mask", allowed, scores.shape)
    weights = spot("weights", masked_softmax(scores, allowed))
    return spot("outputs", dropout(weights, dropout_p).to(v.dtype) @ v)


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

    def ask(self, x: Tensor) -> Tensor:
        """What x (batch, query, d_model) looks for: queries (batch, head, query, d_k)."""
        return self._split(self.query(x))

    def remember(self, x: Tensor) -> KeysValues:
        """What there is of x (batch, key, d_model) to look at."""
        return KeysValues(self._split(self.key(x)), self._split(self.value(x)))

    def forward(
        self, queries: Tensor, memory: KeysValues, allowed: Tensor, spot: Spot = untouched
    ) -> Tensor:
        """Let `queries` (batch, head, query, d_k) look at `memory`: (batch, query, d_model)."""
        dropout_p = self.dropout if self.training else 0.0
        mixed = attend(queries, *memory, allowed, dropout_p=dropout_p, spot=spot)
        out: Tensor = self.output(mixed.transpose(1, 2).flatten(2))  # (batch, query, head * d_v)
        return out

    def _split(self, x: Tensor) -> Tensor:
        """(batch, position, head * width) -> (batch, head, position, width)."""
        batch, length, _ = x.shape
        return x.view(batch, length, self.heads, -1).transpose(1, 2).contiguous()
