"""Scaled dot-product and multi-head attention (Section 3.2).

Capture is an argument, not a side effect: whoever wants the maps, or to edit them, hands in a
spot, a function that is shown each tensor under its name and returns the one to go on with
(`core.probe.Spot`). Nothing is ever stored on a module, so one caller's maps cannot leak into
another's. `fast` computes the same functions in the ways that are the fastest here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.nn.fast import functional as fast
from core.nn.modules import Linear
from core.nn.relative import UNTOLD, Told
from core.probe import Spot, untouched


class KeysValues(NamedTuple):
    """Projected keys (batch, head, key, d_k) and values (batch, head, key, d_v)."""

    keys: Tensor
    values: Tensor

    def extend(self, newer: KeysValues) -> KeysValues:
        """The same with later positions after them."""
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
    bias: Tensor | None = None,
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
        bias: added to the scores, (head, query, key).
        dropout_p: probability of dropping a weight; 0 outside training.
        spot: sees queries, keys, scores, mask, weights (before dropout) and outputs.

    Returns:
        (batch, head, query, d_v).
    """
    if spot is untouched:  # nobody looks: one kernel may compute all of it
        return fast.attention(q, k, v, allowed, bias=bias, dropout_p=dropout_p)
    q, k = spot("queries", q), spot("keys", k)
    # Scaled before the product, which has more cells.
    scores = (q / math.sqrt(q.shape[-1])) @ k.mT  # (batch, head, query, key)
    if bias is not None:
        scores = scores + bias
    scores = spot("scores", scores)
    allowed = spot("mask", allowed, scores.shape)
    weights = spot("weights", fast.masked_softmax(scores, allowed))
    mixed = fast.dropout(weights, dropout_p).to(v.dtype) @ v  # autocast leaves softmax in float32
    return spot("outputs", mixed)


def shares(mixed: Tensor, weight: Tensor) -> Tensor:
    """Each head's share of what all heads together add to the residual stream.

    Head h adds r_h = mixed_h W_h^O, with the rows of W^O that are its own, and all heads r, the
    sum of these; the bias of W^O is nobody's. Its share is r_h · r / |r|², as far as it goes
    along with the sum: the shares of a row sum to 1, one that goes against it is negative, and
    where nothing is added all are 0.

    Args:
        mixed: (batch, head, query, d_v), as `attend` gives it.
        weight: W^O as a linear layer keeps it, (d_model, head * d_v).

    Returns:
        (batch, head, query).
    """
    batch, heads, length, width = mixed.shape
    added = mixed.transpose(1, 2).flatten(2) @ weight.mT  # r: (batch, query, d_model)
    along = (added @ weight).view(batch, length, heads, width).transpose(1, 2)
    products = (mixed * along).sum(-1)  # r_h · r = mixed_h · (W_h^O r)
    whole = products.sum(1, keepdim=True)  # |r|²
    return torch.where(whole > 0, products / whole, 0.0)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """(batch, position, head * width) -> (batch, head, position, width), as kernels want it."""
    batch, length, _ = x.shape
    return x.view(batch, length, heads, -1).transpose(1, 2).contiguous()


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, ..., head_h) W^O (Section 3.2.2).

    head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V), the W_i of all heads side by side in one map.
    Each map has a bias, which the paper does not print; that of W^O belongs to no head, so it stays
    where every head's output is edited away.

    Keys and values are projected apart from the queries, since a decoder projects those of its
    source and of its past once.

    Args:
        d_model: width of the residual stream.
        heads: number of heads h.
        d_k, d_v: width of one head's keys and values.
        dropout: on the attention weights; 0: the paper has none (Section 5.4).
    """

    def __init__(self, d_model: int, heads: int, d_k: int, d_v: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.query = Linear(d_model, heads * d_k)
        self.key = Linear(d_model, heads * d_k)
        self.value = Linear(d_model, heads * d_v)
        self.output = Linear(heads * d_v, d_model)

    def project_queries(self, x: Tensor, told: Told = UNTOLD) -> Tensor:
        """Q W^Q of x (batch, query, d_model): (batch, head, query, d_k)."""
        return told.turned(split_heads(self.query(x), self.heads))

    def project_keys_values(self, x: Tensor, told: Told = UNTOLD) -> KeysValues:
        """K W^K and V W^V of x (batch, key, d_model)."""
        keys, values = (split_heads(each(x), self.heads) for each in (self.key, self.value))
        return KeysValues(told.turned(keys), values)

    def forward(
        self,
        queries: Tensor,
        keys_values: KeysValues,
        allowed: Tensor,
        spot: Spot = untouched,
        told: Told = UNTOLD,
    ) -> Tensor:
        """Let projected queries look at projected keys and values.

        Args:
            queries: (batch, head, query, d_k).
            keys_values: of the same sequence, or of the encoder's output.
            allowed: bool, broadcastable to (batch, head, query, key).
            told: of where they stand, as the projections were told.

        Returns:
            (batch, query, d_model).
        """
        dropout_p = self.dropout if self.training else 0.0
        mixed = attend(
            queries, *keys_values, allowed, bias=told.bias, dropout_p=dropout_p, spot=spot
        )
        concatenated = mixed.transpose(1, 2).flatten(2)  # (batch, query, head * d_v)
        out: Tensor = self.output(concatenated)
        return out
