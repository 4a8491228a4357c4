"""A checkpoint of our Transformer as a MarianMT folder, and such a folder as a checkpoint."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sentencepiece
import torch
from pydantic import TypeAdapter, ValidationError
from transformers import MarianConfig, MarianMTModel
from transformers import MarianTokenizer as TheirTokenizer

from core.checkpoint.config import CheckpointConfig, Language
from core.checkpoint.folder import Checkpoint
from core.errors import HeadlightError
from core.families.hub.claim import invalid
from core.families.hub.folder import CONFIG
from core.families.hub.loading import load
from core.families.hub.marian import Order, is_marian, marian_of, transformer_of
from core.nn.transformer import Transformer, TransformerConfig
from core.reasons import RefusedError
from core.text.marian import NONE, MarianTokenizer
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import END_ID, PAD_ID, SPECIAL_PIECES, START_ID, UNKNOWN_ID

Tokenizer = SentencePieceTokenizer | MarianTokenizer

_MODELS: Final = ("source.spm", "target.spm")
_VOCABULARY: Final = "vocab.json"
_CARD: Final = "README.md"
_LONGEST: Final = 200_000  # characters of a card
_LANGUAGE: Final[TypeAdapter[str]] = TypeAdapter(Language)
_UNDETERMINED: Final = "und"


def write_marian(checkpoint: Checkpoint[Transformer], folder: Path) -> None:
    """Writes a folder: weights in float32, configuration, tokenizer, and the card.

    Raises:
        RefusedError: marian_none, for what Marian has not: pre-norm, other positions than sines,
            heads of another width than d_model / heads, or a tokenizer of characters.
        OSError: as the disk gives it.
    """
    network, tokenizer = checkpoint.model, checkpoint.tokenizer
    if not isinstance(tokenizer, Tokenizer) or not is_marian(network.config):
        raise RefusedError("marian_none")
    theirs = marian_of(network, _order(network.config.d_model, tokenizer))
    folder.mkdir(parents=True, exist_ok=True)
    theirs.save_pretrained(folder)
    _write_tokenizer(checkpoint.config, tokenizer, folder)
    if checkpoint.card:
        (folder / _CARD).write_text(checkpoint.card, "utf-8")


@dataclass(frozen=True, slots=True, eq=False)
class Converted:
    """What a MarianMT folder is as a checkpoint of ours.

    Attributes:
        card: text of its README.md, where it has one.
    """

    config: CheckpointConfig[TransformerConfig]
    model: Transformer
    tokenizer: Tokenizer
    card: str | None


def read_marian(folder: Path) -> Converted:
    """Opens a folder, which has been tried (`core.families.hub.trial`).

    Raises:
        HeadlightError: checkpoint_missing or checkpoint_invalid.
        RefusedError: marian_other, marian_option, marian_ids, special_ids or tokenizer_entries.
    """
    theirs = load(folder, torch.device("cpu")).network.model
    if not isinstance(theirs, MarianMTModel):
        raise RefusedError("marian_other", name=type(theirs).__name__)
    reads = _their_tokenizer(folder)
    tokenizer = _tokenizer(reads, theirs.config)
    order = _order(theirs.config.d_model, tokenizer)
    if len(order.rows) != theirs.config.vocab_size:
        wanted = theirs.config.vocab_size
        raise RefusedError("tokenizer_entries", count=len(order.rows), wanted=wanted)
    network = transformer_of(theirs, order)
    longest = min(network.config.max_length, reads.model_max_length)
    try:
        config = CheckpointConfig[TransformerConfig](
            model=network.config,
            tokenizer=tokenizer.kind,
            source_language=_language(reads.source_lang),
            target_language=_language(reads.target_lang),
            max_source=longest,
            max_target=longest,
        )
    except ValidationError as error:
        raise invalid(folder, CONFIG, error) from error
    card = folder / _CARD
    text = card.read_text("utf-8", "replace")[:_LONGEST] if card.is_file() else None
    return Converted(config, network, tokenizer, text)


def _order(d_model: int, tokenizer: Tokenizer) -> Order:
    if isinstance(tokenizer, MarianTokenizer):
        return Order.of(d_model, tokenizer.theirs)
    return Order.of(d_model, range(tokenizer.size))


def _write_tokenizer(config: CheckpointConfig[Any], tokenizer: Tokenizer, folder: Path) -> None:
    if isinstance(tokenizer, MarianTokenizer):
        models, pieces = (tokenizer.source, tokenizer.target), tokenizer.pieces
        ends = _order(config.model.d_model, tokenizer).ends()
        special = (ends["pad_token_id"], tokenizer.theirs[UNKNOWN_ID], ends["eos_token_id"])
        pad, unknown, end = (pieces[id] for id in special)
    else:
        models, pieces = (tokenizer.model, tokenizer.model), _pieces(tokenizer.model)
        pad, unknown, _, end = SPECIAL_PIECES
    for name, model in zip(_MODELS, models, strict=True):
        (folder / name).write_bytes(model)
    settings = {
        "tokenizer_class": "MarianTokenizer",
        "source_lang": config.source_language,
        "target_lang": config.target_language,
        "separate_vocabs": False,
        "model_max_length": config.max_source,
        "pad_token": pad,
        "unk_token": unknown,
        "eos_token": end,
    }
    ids = {piece: id for id, piece in enumerate(pieces)}
    for name, told in ((_VOCABULARY, ids), ("tokenizer_config.json", settings)):
        text = json.dumps(told, ensure_ascii=False, indent=2)
        (folder / name).write_text(text + "\n", "utf-8")


def _pieces(model: bytes) -> tuple[str, ...]:
    """Of a SentencePiece model, by its own ids."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return tuple(str(processor.IdToPiece(id)) for id in range(processor.GetPieceSize()))


def _their_tokenizer(folder: Path) -> Any:
    for name in (*_MODELS, _VOCABULARY):
        if not (folder / name).is_file():
            raise HeadlightError("checkpoint_missing", path=str(folder), file=name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it recommends a package for punctuation
        return TheirTokenizer.from_pretrained(folder, local_files_only=True)


def _tokenizer(theirs: Any, config: MarianConfig) -> Tokenizer:
    """That of ours which reads and writes as theirs: SentencePiece's alone where it is enough."""
    if theirs.separate_vocabs:
        raise RefusedError("marian_option", option="separate_vocabs", value="True")
    pieces = tuple(sorted(theirs.encoder, key=theirs.encoder.__getitem__))
    if [theirs.encoder[piece] for piece in pieces] != list(range(len(pieces))):
        raise RefusedError("marian_ids")
    pad, start, end = config.pad_token_id, config.decoder_start_token_id, config.eos_token_id
    for option, id in (("pad_token_id", pad), ("decoder_start_token_id", start)):
        if not isinstance(id, int):
            raise RefusedError("marian_option", option=option, value=str(id)[:60])
    if not isinstance(end, int):
        raise RefusedError("marian_option", option="eos_token_id", value=str(end)[:60])
    special = (NONE if pad == start else pad, int(theirs.unk_token_id), start, end)
    source = theirs.spm_source.serialized_model_proto()
    target = theirs.spm_target.serialized_model_proto()
    ours = (PAD_ID, UNKNOWN_ID, START_ID, END_ID)
    if special == ours and source == target and pieces == _pieces(source):
        return SentencePieceTokenizer(source)
    return MarianTokenizer(source, target, pieces, special)


def _language(tag: object) -> str:
    try:
        return _LANGUAGE.validate_python(tag)
    except ValidationError:
        return _UNDETERMINED
