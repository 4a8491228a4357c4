"""The peers, of our sizes and with our weights: what they compute is what we compute."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import MarianMTModel
from transformers.utils import logging

from core.families.hub.marian import Order, marian_of
from core.nn.attention import MultiHeadAttention
from core.nn.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
from core.nn.transformer import Transformer, TransformerConfig
from core.text.examples import Batch
from core.text.tokenizer import PAD_ID

SMOOTHING = 0.1


class TorchTranslator(nn.Module):
    """`torch.nn.Transformer` as its tutorials dress it: embedding, positions, generator."""

    positions: Tensor

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.transformer = nn.Transformer(
            config.d_model,
            config.heads,
            config.encoder_layers,
            config.decoder_layers,
            config.d_ff,
            config.dropout,
            batch_first=True,
        )
        self.generator = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.generator.weight = self.embedding.weight
        self.register_buffer("positions", torch.empty(config.max_length, config.d_model))

    def embed(self, ids: Tensor) -> Tensor:
        scaled = self.embedding(ids) * math.sqrt(self.config.d_model)
        summed: Tensor = self.dropout(scaled + self.positions[: ids.shape[1]])
        return summed

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """(batch, source), (batch, target) ids -> (batch, target, vocab)."""
        length = target.shape[1]
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        padding = source == PAD_ID
        # Targets are padded at the end: the causal mask suffices, and is the fastest way.
        hidden = self.transformer(
            self.embed(source),
            self.embed(target),
            tgt_mask=future,
            tgt_is_causal=True,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        logits: Tensor = self.generator(hidden)
        return logits


def torch_translator(ours: Transformer) -> TorchTranslator:
    """`nn.Transformer` with our weights, in train mode."""
    theirs = TorchTranslator(ours.config)
    assert ours.positions is not None
    with torch.no_grad():
        theirs.embedding.weight.copy_(ours.embedding.weight)
        theirs.positions.copy_(ours.positions)
        carry_stacks(ours, theirs.transformer)
    return theirs


def carry_stacks(ours: Transformer, theirs: nn.Transformer) -> None:
    """Copy the weights of our layers into PyTorch's module of the same sizes."""
    for layer, other in zip(ours.encoder, theirs.encoder.layers, strict=True):
        assert isinstance(layer, EncoderLayer)
        assert isinstance(other, nn.TransformerEncoderLayer)
        _carry_joint(layer.self_attention, other.self_attn)
        _carry_feed_forward(layer.feed_forward, other.linear1, other.linear2)
        _carry_norm(layer.self_attention_norm, other.norm1)
        _carry_norm(layer.feed_forward_norm, other.norm2)
    for decoder, other in zip(ours.decoder, theirs.decoder.layers, strict=True):
        assert isinstance(decoder, DecoderLayer)
        assert isinstance(other, nn.TransformerDecoderLayer)
        _carry_joint(decoder.self_attention, other.self_attn)
        _carry_joint(decoder.cross_attention, other.multihead_attn)
        _carry_feed_forward(decoder.feed_forward, other.linear1, other.linear2)
        _carry_norm(decoder.self_attention_norm, other.norm1)
        _carry_norm(decoder.cross_attention_norm, other.norm2)
        _carry_norm(decoder.feed_forward_norm, other.norm3)


def marian(ours: Transformer) -> MarianMTModel:
    """The MarianMT of `transformers` with our weights, in train mode."""
    logging.set_verbosity_error()
    own = torch.arange(ours.config.d_model), torch.arange(ours.config.vocab_size)
    theirs = marian_of(ours, Order(*own))  # gradients lie as ours do
    with torch.no_grad():
        for stack in (theirs.model.encoder, theirs.model.decoder):
            stack.embed_positions.weight.copy_(ours.positions)
            stack.embed_positions.weight.requires_grad_(False)
    # Nobody ends early: the length of an output is prescribed.
    theirs.config.eos_token_id = theirs.generation_config.eos_token_id = None
    return theirs.train()


def marian_logits(model: MarianMTModel, batch: Batch) -> Tensor:
    """(batch, target, vocab)."""
    logits: Tensor = model(
        input_ids=batch.source,
        attention_mask=(batch.source != PAD_ID).long(),
        decoder_input_ids=batch.target,
        use_cache=False,
    ).logits
    return logits


def mean_loss(logits: Tensor, batch: Batch) -> Tensor:
    """Label-smoothed, over the real tokens; how PyTorch's users write it."""
    return F.cross_entropy(
        logits.flatten(0, 1),
        batch.written.flatten(),
        ignore_index=PAD_ID,
        label_smoothing=SMOOTHING,
    )


def _carry_joint(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    assert theirs.in_proj_bias is not None
    parts = (ours.query, ours.key, ours.value)
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def _carry_feed_forward(ours: FeedForward, inner: nn.Module, outer: nn.Module) -> None:
    inner.load_state_dict(ours.inner.state_dict())
    outer.load_state_dict(ours.outer.state_dict())


def _carry_norm(ours: AddNorm, theirs: nn.Module) -> None:
    theirs.load_state_dict(ours.layer_norm.state_dict())
