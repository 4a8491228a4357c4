"""A Transformer's pass over batches with padding, as training makes them: the same numbers as
`Transformer.start` and `decode`, with nothing spent on padding, and in training one product for
all maps of the same rows.

What is packed is (packed, d_model): the real positions, one behind another, and a little filler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.nn.attention import KeysValues, MultiHeadAttention, attend, split_heads
from core.nn.fast.fused import affine
from core.nn.fast.packing import Packing
from core.nn.layers import ACTIVATIONS, EncoderLayer, FeedForward
from core.nn.masks import causal_mask
from core.nn.relative import UNTOLD, Told

if TYPE_CHECKING:
    from core.nn.transformer import DecoderState, Transformer


def serves(source_allowed: Tensor) -> bool:
    """Whether a batch of sources is better read here: it has padding, or is trained on.

    Args:
        source_allowed: (batch, 1, 1, source) bool.
    """
    return torch.is_grad_enabled() or not bool(source_allowed.all())


def start(model: Transformer, source: Tensor, source_allowed: Tensor) -> tuple[KeysValues, ...]:
    """Each decoder layer's keys and values of the encoder's output, as `Transformer.start`."""
    packing = None if source_allowed.all() else Packing.of(source_allowed[:, 0, 0])
    x = _embed(model, source, packing)
    told = model.encoder_relative(torch.arange(source.shape[1], device=source.device))
    for layer in model.encoder:
        assert isinstance(layer, EncoderLayer)
        y = layer.self_attention_norm.enter(x)
        y = _attend_itself(layer.self_attention, y, source_allowed, packing, told)
        x = layer.self_attention_norm.leave(x, y)
        y = _feed_forward(layer.feed_forward, layer.feed_forward_norm.enter(x))
        x = layer.feed_forward_norm.leave(x, y)
    encoded = model.encoder_norm(x)
    readers = [layer.cross_attention for layer in model.decoder_layers()]
    maps = [each for reader in readers for each in (reader.key, reader.value)]
    heads = _heads(encoded, maps, readers[0].heads, packing)
    return tuple(KeysValues(*pair) for pair in zip(heads[::2], heads[1::2], strict=True))


def decode(model: Transformer, target: Tensor, state: DecoderState, real: Tensor) -> Tensor:
    """Hidden states of a target's real positions, as `Transformer.decode` of a whole target.

    Args:
        target: (batch, target) ids, padding at the end of a row.
        state: at the start.
        real: (batch, target) bool.

    Returns:
        (packed, d_model), filler last.
    """
    packing = Packing.of(real)
    allowed = causal_mask(target.shape[1], target.device)
    x = _embed(model, target, packing)
    told = model.decoder_relative(torch.arange(target.shape[1], device=target.device))
    for layer, memory in zip(model.decoder_layers(), state.memory, strict=True):
        y = layer.self_attention_norm.enter(x)
        y = _attend_itself(layer.self_attention, y, allowed, packing, told)
        x = layer.self_attention_norm.leave(x, y)
        y, reader = layer.cross_attention_norm.enter(x), layer.cross_attention
        (queries,) = _heads(y, [reader.query], reader.heads, packing)
        y = _mixed(reader, queries, memory, state.source_allowed, packing)
        x = layer.cross_attention_norm.leave(x, y)
        y = _feed_forward(layer.feed_forward, layer.feed_forward_norm.enter(x))
        x = layer.feed_forward_norm.leave(x, y)
    hidden: Tensor = model.decoder_norm(x)
    return hidden


def _embed(model: Transformer, ids: Tensor, packing: Packing | None) -> Tensor:
    if packing is None:
        return model.embed(ids)
    x = model.embedding(packing.tokens(ids)) * math.sqrt(model.config.d_model)
    positions = model.positions_of(ids)
    if positions is not None:
        x = x + F.embedding(packing.places % ids.shape[1], positions)
    embedded: Tensor = model.embedding_dropout(x)
    return embedded


def _attend_itself(
    attention: MultiHeadAttention,
    y: Tensor,
    allowed: Tensor,
    packing: Packing | None,
    told: Told,
) -> Tensor:
    maps = [attention.query, attention.key, attention.value]
    queries, keys, values = _heads(y, maps, attention.heads, packing)
    queries, memory = told.turned(queries), KeysValues(told.turned(keys), values)
    return _mixed(attention, queries, memory, allowed, packing, told)


def _mixed(
    attention: MultiHeadAttention,
    queries: Tensor,
    memory: KeysValues,
    allowed: Tensor,
    packing: Packing | None,
    told: Told = UNTOLD,
) -> Tensor:
    dropout_p = attention.dropout if attention.training else 0.0
    mixed = attend(queries, *memory, allowed, bias=told.bias, dropout_p=dropout_p)
    joined = mixed.transpose(1, 2).flatten(2) if packing is None else packing.join(mixed)
    return affine(joined, [attention.output])


def _feed_forward(network: FeedForward, x: Tensor) -> Tensor:
    if network.activation == "relu":  # which a product takes with it
        return affine(affine(x, [network.inner], rectified=True), [network.outer])
    y = ACTIVATIONS[network.activation](affine(x, [network.inner]))
    return affine(y, [network.outer])


def _heads(
    x: Tensor, maps: Sequence[nn.Linear], heads: int, packing: Packing | None
) -> tuple[Tensor, ...]:
    """What each map makes of x, as (batch, head, position, width)."""
    # Weights are put side by side anew in each pass: that pays for the many rows of training.
    if not torch.is_grad_enabled() or len({each.out_features for each in maps}) > 1:
        if packing is None:
            return tuple(split_heads(each(x), heads) for each in maps)
        return tuple(packing.split(each(x), 1, heads)[0] for each in maps)
    y = affine(x, maps)
    if packing is not None:
        return packing.split(y, len(maps), heads)
    parts = y.view(*y.shape[:2], len(maps), heads, -1).permute(2, 0, 3, 1, 4)
    return parts.contiguous().unbind()  # each (batch, head, position, width)
