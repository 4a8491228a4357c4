"""Our Transformer as a MarianMT folder, which transformers opens: the same numbers, renamed.

Marian adds the same sines and cosines to its embeddings, but all sines first, then all cosines.
Nothing else of a Transformer depends on the order of the numbers in its residual stream: so all
that reads or writes it is put into that order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sentencepiece
import torch
from torch import Tensor, nn
from transformers import GenerationConfig, MarianConfig, MarianMTModel

from core.checkpoint.folder import Checkpoint
from core.nn.attention import MultiHeadAttention
from core.nn.layers import AddNorm, DecoderLayer, EncoderLayer, FeedForward
from core.nn.transformer import Transformer, TransformerConfig
from core.reasons import RefusedError
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import END_ID, PAD_ID, SPECIAL_PIECES, START_ID

_PIECES: Final = ("source.spm", "target.spm")


def write_marian(checkpoint: Checkpoint[Transformer], folder: Path) -> None:
    """Writes a folder: weights in float32, configuration, tokenizer, and the card.

    Raises:
        RefusedError: marian_none, for what Marian has not: pre-norm, other positions than sines,
            heads of another width than d_model / heads, or another tokenizer than SentencePiece's.
        OSError: as the disk gives it.
    """
    network, tokenizer = checkpoint.model, checkpoint.tokenizer
    sizes = network.config
    fits = sizes.norm == "post" and sizes.positions == "sinusoidal"
    fits = fits and sizes.heads * sizes.d_k == sizes.heads * sizes.d_v == sizes.d_model
    if not fits or not isinstance(tokenizer, SentencePieceTokenizer):
        raise RefusedError("marian_none")
    theirs = marian_of(network, marian_order(sizes.d_model))
    theirs.generation_config = GenerationConfig(
        pad_token_id=PAD_ID, eos_token_id=END_ID, decoder_start_token_id=START_ID
    )
    folder.mkdir(parents=True, exist_ok=True)
    theirs.save_pretrained(folder)
    _write_tokenizer(tokenizer, folder, checkpoint.config.max_source)
    if checkpoint.card:
        (folder / "README.md").write_text(checkpoint.card, "utf-8")


def marian_order(d_model: int) -> Tensor:
    """Places in our residual stream, in the order of Marian's: those of sines, then of cosines."""
    return torch.tensor([*range(0, d_model, 2), *range(1, d_model, 2)])


def marian_of(network: Transformer, order: Tensor) -> MarianMTModel:
    """The MarianMT of the same numbers, in eval mode.

    Args:
        order: which of ours is at each place of its residual stream.
    """
    theirs = MarianMTModel(_config(network.config)).eval()
    with torch.no_grad():
        theirs.model.shared.weight.copy_(network.embedding.weight[:, order])
        for ours, other in _parts(network, theirs):
            _carry(ours, other, order)
    return theirs


def _config(sizes: TransformerConfig) -> MarianConfig:
    return MarianConfig(
        vocab_size=sizes.vocab_size,
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
        activation_function="relu",
        scale_embedding=True,
        max_position_embeddings=sizes.max_length,
        pad_token_id=PAD_ID,
        bos_token_id=None,
        eos_token_id=END_ID,
        decoder_start_token_id=START_ID,
        forced_eos_token_id=None,
        architectures=["MarianMTModel"],
    )


def _parts(network: Transformer, theirs: MarianMTModel) -> Iterator[tuple[nn.Module, Any]]:
    """Ours beside theirs, layer by layer."""
    for layer, other in zip(network.encoder, theirs.model.encoder.layers, strict=True):
        assert isinstance(layer, EncoderLayer)
        yield layer.self_attention, other.self_attn
        yield layer.self_attention_norm, other.self_attn_layer_norm
        yield layer.feed_forward, other
        yield layer.feed_forward_norm, other.final_layer_norm
    for decoder, other in zip(network.decoder, theirs.model.decoder.layers, strict=True):
        assert isinstance(decoder, DecoderLayer)
        yield decoder.self_attention, other.self_attn
        yield decoder.self_attention_norm, other.self_attn_layer_norm
        yield decoder.cross_attention, other.encoder_attn
        yield decoder.cross_attention_norm, other.encoder_attn_layer_norm
        yield decoder.feed_forward, other
        yield decoder.feed_forward_norm, other.final_layer_norm


def _carry(ours: nn.Module, theirs: Any, order: Tensor) -> None:
    """Copies a part: columns of what reads the residual stream in order, rows of what writes it."""
    match ours:
        case MultiHeadAttention():
            for name in ("query", "key", "value"):
                reads, other = getattr(ours, name), getattr(theirs, f"{name[0]}_proj")
                other.weight.copy_(reads.weight[:, order])
                other.bias.copy_(reads.bias)
            _written(ours.output, theirs.out_proj, order)
        case FeedForward():
            theirs.fc1.weight.copy_(ours.inner.weight[:, order])
            theirs.fc1.bias.copy_(ours.inner.bias)
            _written(ours.outer, theirs.fc2, order)
        case AddNorm():
            theirs.weight.copy_(ours.layer_norm.weight[order])
            theirs.bias.copy_(ours.layer_norm.bias[order])


def _written(ours: Any, theirs: Any, order: Tensor) -> None:
    theirs.weight.copy_(ours.weight[order])
    theirs.bias.copy_(ours.bias[order])


def _write_tokenizer(tokenizer: SentencePieceTokenizer, folder: Path, longest: int) -> None:
    tokenizer.save(folder)
    raw = (folder / tokenizer.file_name).read_bytes()
    (folder / tokenizer.file_name).unlink()
    for name in _PIECES:
        (folder / name).write_bytes(raw)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=raw)
    ids = {str(pieces.IdToPiece(id)): id for id in range(pieces.GetPieceSize())}
    pad, unknown, _, end = SPECIAL_PIECES
    settings = {
        "tokenizer_class": "MarianTokenizer",
        "source_lang": "src",
        "target_lang": "tgt",
        "separate_vocabs": False,
        "model_max_length": longest,
        "pad_token": pad,
        "unk_token": unknown,
        "eos_token": end,
    }
    for name, told in (("vocab.json", ids), ("tokenizer_config.json", settings)):
        text = json.dumps(told, ensure_ascii=False, indent=2)
        (folder / name).write_text(text + "\n", "utf-8")
