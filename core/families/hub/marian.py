"""Our Transformer as transformers' MarianMT and that as ours: the same numbers, renamed.

Marian adds the same sines and cosines to its embeddings, but all sines first, then all cosines.
Nothing else of a Transformer depends on the order of the numbers in its residual stream: so all
that reads or writes it is put into that order. So are the ids of its vocabulary, where it has
another order than ours (`core.text.marian`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from pydantic import ValidationError
from torch import Tensor, nn
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from core.nn.attention import MultiHeadAttention
from core.nn.layers import Activation, AddNorm, DecoderLayer, EncoderLayer, FeedForward
from core.nn.transformer import Transformer, TransformerConfig
from core.reasons import RefusedError
from core.text.marian import NONE
from core.text.tokenizer import END_ID, PAD_ID, START_ID

_ACTIVATIONS: Final[Mapping[str, Activation]] = {
    "silu": "silu",
    "swish": "silu",  # the name that Marian's own have
    "relu": "relu",
    "gelu": "gelu",
}
_NEVER: Final = -100.0
"""Logit of an entry that Marian has not: of its probability float32 holds nothing beside others."""
_SAME: Final = 1e-3  # between two tables of positions, one of them perhaps stored in float16


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How Marian orders what we do.

    Attributes:
        stream: which place of our residual stream is at each of its own.
        ids: its id of each of ours; `NONE` of an entry that it has not.
    """

    stream: Tensor
    ids: Tensor

    @classmethod
    def of(cls, d_model: int, ids: Sequence[int]) -> Order:
        """Places of sines come first, then those of cosines."""
        stream = torch.tensor([*range(0, d_model, 2), *range(1, d_model, 2)])
        return cls(stream, torch.tensor(ids))

    @property
    def rows(self) -> Tensor:
        """Our id of each of its own."""
        return self.ids.argsort()[int((self.ids == NONE).sum()) :]

    def ends(self) -> dict[str, int]:
        """Its special ids, as its configurations name them."""
        ids = self.ids[: END_ID + 1].tolist()
        return {
            "pad_token_id": ids[START_ID] if ids[PAD_ID] == NONE else ids[PAD_ID],
            "eos_token_id": ids[END_ID],
            "decoder_start_token_id": ids[START_ID],
        }


def is_marian(sizes: TransformerConfig) -> bool:
    """Whether Marian has all that a Transformer of these sizes is made of."""
    square = sizes.heads * sizes.d_k == sizes.heads * sizes.d_v == sizes.d_model
    return sizes.norm == "post" and sizes.positions == "sinusoidal" and square


def marian_of(network: Transformer, order: Order) -> MarianMTModel:
    """The MarianMT of the same numbers, in eval mode."""
    theirs = MarianMTModel(_config(network.config, order)).eval()
    never = order.ids[list(network.config.never_written)].tolist()
    theirs.generation_config = GenerationConfig(
        **order.ends(), bad_words_ids=[[id] for id in never if id != NONE] or None
    )
    with torch.no_grad():
        for ours, taken, other in _matched(network, theirs, order):
            other.copy_(ours[taken])
    return theirs


def transformer_of(theirs: MarianMTModel, order: Order) -> Transformer:
    """The Transformer of ours of the same numbers, in eval mode.

    What drops out in training beside `dropout` and `attention_dropout` is left behind.

    Raises:
        RefusedError: marian_option, naming the first that no Transformer of ours has.
    """
    _check_options(theirs)
    network = Transformer(_sizes(theirs, order)).eval().requires_grad_(False)
    assert network.positions is not None
    for stack in (theirs.model.encoder, theirs.model.decoder):
        added, own = stack.embed_positions.weight, network.positions[:, order.stream]
        if not torch.allclose(added, own, atol=_SAME, rtol=0):
            raise RefusedError("marian_option", option="embed_positions", value="learned")
    lacked = order.ids == NONE
    with torch.no_grad():
        network.embedding.weight[lacked] = 0.0
        if network.output_bias is not None:
            network.output_bias[lacked] = _NEVER
        for ours, taken, other in _matched(network, theirs, order):
            ours[taken] = other
    return network


# Configurations


def _config(sizes: TransformerConfig, order: Order) -> MarianConfig:
    names = {own: name for name, own in _ACTIVATIONS.items()}
    return MarianConfig(
        vocab_size=len(order.rows),
        d_model=sizes.d_model,
        encoder_layers=sizes.encoder_layers,
        decoder_layers=sizes.decoder_layers,
        encoder_ffn_dim=sizes.d_ff,
        decoder_ffn_dim=sizes.d_ff,
        encoder_attention_heads=sizes.heads,
        decoder_attention_heads=sizes.heads,
        dropout=sizes.dropout,
        attention_dropout=sizes.attention_dropout,
        activation_dropout=0.0,
        activation_function=names[sizes.activation],
        scale_embedding=True,
        max_position_embeddings=sizes.max_length,
        bos_token_id=None,
        forced_eos_token_id=None,
        architectures=["MarianMTModel"],
        **order.ends(),
    )


def _check_options(theirs: MarianMTModel) -> None:
    config, written = theirs.config, theirs.generation_config
    never = written.bad_words_ids or ()
    fits = {
        "activation_function": config.activation_function in _ACTIVATIONS,
        "scale_embedding": config.scale_embedding,
        "share_encoder_decoder_embeddings": config.share_encoder_decoder_embeddings,
        "tie_word_embeddings": config.tie_word_embeddings,
        "decoder_vocab_size": config.decoder_vocab_size == config.vocab_size,
        "decoder_attention_heads": (
            config.decoder_attention_heads == config.encoder_attention_heads
        ),
        "decoder_ffn_dim": config.decoder_ffn_dim == config.encoder_ffn_dim,
        # transformers builds these three as if they were not there
        "normalize_before": not getattr(config, "normalize_before", False),
        "normalize_embedding": not getattr(config, "normalize_embedding", False),
        "add_final_layer_norm": not getattr(config, "add_final_layer_norm", False),
        "forced_bos_token_id": written.forced_bos_token_id is None,
        "bad_words_ids": all(len(word) == 1 and 0 <= word[0] < config.vocab_size for word in never),
    }
    for option, fit in fits.items():
        if not fit:
            found = getattr(written if hasattr(written, option) else config, option)
            raise RefusedError("marian_option", option=option, value=str(found)[:60])


def _sizes(theirs: MarianMTModel, order: Order) -> TransformerConfig:
    config = theirs.config
    lacked = (order.ids == NONE).nonzero()[:, 0].tolist()
    never = [int(order.rows[word[0]]) for word in theirs.generation_config.bad_words_ids or ()]
    values = {
        "vocab_size": len(order.ids),
        "encoder_layers": config.encoder_layers,
        "decoder_layers": config.decoder_layers,
        "d_model": config.d_model,
        "d_ff": config.encoder_ffn_dim,
        "heads": config.encoder_attention_heads,
        "dropout": config.dropout,
        "attention_dropout": config.attention_dropout,
        "activation": _ACTIVATIONS[config.activation_function],
        "output_bias": bool(lacked) or bool(theirs.final_logits_bias.any()),
        "max_length": config.max_position_embeddings,
        "never_written": sorted({*lacked, *never}),
    }
    try:
        return TransformerConfig.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        option = ".".join(map(str, fault["loc"])) or "d_model"
        value = str(fault["input"])[:60]
        raise RefusedError("marian_option", option=option, value=value) from None


# Weights


_Taken = tuple[Any, ...]
_Match = tuple[Tensor, _Taken, Tensor]


def _matched(network: Transformer, theirs: MarianMTModel, order: Order) -> Iterator[_Match]:
    """Each tensor of ours, what is taken of it, and the tensor of theirs that is the same."""
    rows, stream = order.rows, order.stream
    yield network.embedding.weight, (rows[:, None], stream), theirs.model.shared.weight
    if network.output_bias is not None:
        yield network.output_bias, (rows,), theirs.final_logits_bias[0]
    for ours, other in _parts(network, theirs):
        yield from _inside(ours, other, stream)


def _parts(network: Transformer, theirs: MarianMTModel) -> Iterator[tuple[nn.Module, Any]]:
    """Ours beside theirs, layer by layer."""
    encoder = zip(network.encoder, theirs.model.encoder.layers, strict=True)
    decoder = zip(network.decoder, theirs.model.decoder.layers, strict=True)
    for layer, other in (*encoder, *decoder):
        assert isinstance(layer, EncoderLayer | DecoderLayer)
        yield layer.self_attention, other.self_attn
        yield layer.self_attention_norm, other.self_attn_layer_norm
        if isinstance(layer, DecoderLayer):
            yield layer.cross_attention, other.encoder_attn
            yield layer.cross_attention_norm, other.encoder_attn_layer_norm
        yield layer.feed_forward, other
        yield layer.feed_forward_norm, other.final_layer_norm


def _inside(ours: nn.Module, theirs: Any, stream: Tensor) -> Iterator[_Match]:
    """Of what reads the residual stream the columns in order, of what writes it the rows."""
    whole, columns, rows = (...,), (slice(None), stream), (stream,)
    match ours:
        case MultiHeadAttention():
            for reads, other in (
                (ours.query, theirs.q_proj),
                (ours.key, theirs.k_proj),
                (ours.value, theirs.v_proj),
            ):
                yield reads.weight, columns, other.weight
                yield reads.bias, whole, other.bias
            yield ours.output.weight, rows, theirs.out_proj.weight
            yield ours.output.bias, rows, theirs.out_proj.bias
        case FeedForward():
            yield ours.inner.weight, columns, theirs.fc1.weight
            yield ours.inner.bias, whole, theirs.fc1.bias
            yield ours.outer.weight, rows, theirs.fc2.weight
            yield ours.outer.bias, rows, theirs.fc2.bias
        case AddNorm():
            yield ours.layer_norm.weight, rows, theirs.weight
            yield ours.layer_norm.bias, rows, theirs.bias
