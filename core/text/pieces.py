"""SentencePiece sub-words (Kudo and Richardson, 2018), with bytes for what it never saw.

Byte-pair encoding, as in Section 5.1 of the paper. On our pairs the unigram model needs about
8 % more tokens, and parts common words from their space ("␣ went"), which reads badly.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

import sentencepiece

from core.reasons import RefusedError
from core.text.bpe_dropout import with_dropout
from core.text.jamo import standing
from core.text.tokenizer import (
    END_ID,
    PAD_ID,
    START_ID,
    TOKENIZERS,
    UNKNOWN_ID,
    Codec,
    clean,
    special_token,
)
from core.text.utf8 import LOST, byte_of, spelled, with_bytes
from core.trace import Token

JOINT: Final = "▁"  # SentencePiece's mark for the space before a word
_SAMPLE: Final = 400_000  # sentences that a vocabulary is learnt from


class BpeDropout(NamedTuple):
    """How texts are cut otherwise than usual (Provilkov et al., 2020).

    Attributes:
        share: of the merges of two pieces that are left out, 0 to 1.
        seed: equal ones leave out the same of the same texts.
    """

    share: float
    seed: int


class SentencePieceTokenizer(Codec):
    """A SentencePiece model of any type.

    Args:
        model: the serialised model, as `train` returns it or a checkpoint holds it.
        dropout: how `encode_all` and `encode_targets` cut texts for training; None: as usual.

    Raises:
        ValueError: when `model` is not a SentencePiece model with our special ids.
    """

    kind: Literal["sentencepiece"] = "sentencepiece"

    def __init__(self, model: bytes, dropout: BpeDropout | None = None) -> None:
        self.model = model
        self._dropout = dropout
        self._processor = processor = processor_of(model)
        found = (processor.pad_id(), processor.unk_id(), processor.bos_id(), processor.eos_id())
        if found != (PAD_ID, UNKNOWN_ID, START_ID, END_ID):
            raise RefusedError("special_ids", found=str(found))

    @classmethod
    def train(cls, sentences: Iterable[str], vocab_size: int) -> SentencePieceTokenizer:
        """Learn a vocabulary of `vocab_size` entries from raw sentences.

        Args:
            sentences: any iterable of text; of more than 400,000 a sample is used, the same
                whenever they are the same in their order.
            vocab_size: entries, the four special ones and 256 bytes included.

        Raises:
            ValueError: when the sentences are too few for `vocab_size`, or have more letters.
        """
        written = io.BytesIO()
        texts = list(sentences)
        if len(texts) > _SAMPLE:  # what SentencePiece itself draws differs from process to process
            texts = random.Random(0).sample(texts, _SAMPLE)
        try:
            sentencepiece.SentencePieceTrainer.Train(
                sentence_iterator=(clean(text) for text in texts),
                model_writer=written,
                model_type="bpe",
                vocab_size=vocab_size,
                character_coverage=0.9998,
                byte_fallback=True,
                split_digits=True,
                pad_id=PAD_ID,
                unk_id=UNKNOWN_ID,
                bos_id=START_ID,
                eos_id=END_ID,
                input_sentence_size=_SAMPLE,
                shuffle_input_sentence=True,
                num_threads=1,  # more threads change the result
                minloglevel=2,
            )
        except RuntimeError as error:  # the place in its source, in brackets, says nothing
            said = str(error).rpartition("] ")[2].rstrip(". ")
            raise RefusedError("vocabulary", said=said) from error
        return cls(written.getvalue())

    @classmethod
    def load(cls, folder: Path) -> SentencePieceTokenizer:
        return cls((folder / TOKENIZERS[cls.kind]).read_bytes())

    def dropping(self, share: float, seed: int) -> SentencePieceTokenizer:
        """The same vocabulary, for texts that shall teach how words are spelled."""
        return SentencePieceTokenizer(self.model, BpeDropout(share, seed))

    @property
    def size(self) -> int:
        return int(self._processor.GetPieceSize())

    def encode(self, text: str) -> list[int]:
        return [int(id) for id in self._processor.EncodeAsIds(clean(text))]

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        cleaned = [clean(text) for text in texts]
        if self._dropout is not None:
            return self._with_dropout(cleaned, self._dropout)
        ids: list[list[int]] = self._processor.EncodeAsIds(cleaned, num_threads=1)
        return ids

    def _with_dropout(self, cleaned: Sequence[str], dropout: BpeDropout) -> list[list[int]]:
        chance = random.Random(dropout.seed)
        ids = {self._processor.IdToPiece(id): id for id in range(END_ID + 1, self.size)}
        merged = {piece: id for piece, id in ids.items() if len(piece) > 1 and not byte_of(piece)}
        cut = self._processor.EncodeAsPieces(cleaned, num_threads=1)
        return [
            [
                ids.get(piece, UNKNOWN_ID)
                for word in _words(usual)
                for piece in with_dropout(word, merged, dropout.share, chance)
            ]
            for usual in cut
        ]

    def decode(self, ids: Sequence[int]) -> str:
        kept = [id for id in ids if id > END_ID]
        text = str(self._processor.DecodeIds(kept))
        if LOST in text:  # bytes that make no character
            pieces = [self._processor.IdToPiece(int(id)) for id in kept]
            raw = (byte_of(piece) or piece.replace(JOINT, " ").encode() for piece in pieces)
            text = spelled(b"".join(raw)).removeprefix(" ")
        return standing(clean(text))

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        return piece_tokens(ids, [self._processor.IdToPiece(int(id)) for id in ids])

    def save(self, folder: Path) -> None:
        (folder / TOKENIZERS[self.kind]).write_bytes(self.model)


def processor_of(model: bytes) -> sentencepiece.SentencePieceProcessor:
    """A serialised SentencePiece model, opened.

    Raises:
        RefusedError: it is none.
    """
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(model)
    except RuntimeError as error:
        raise RefusedError("sentencepiece_none") from error
    return processor


def _words(pieces: Sequence[str]) -> Iterator[list[str]]:
    """The letters of each word, from its pieces; a byte counts as one."""
    word: list[str] = []
    for piece in pieces:
        if piece.startswith(JOINT) and word:
            yield word
            word = []
        word.extend([piece] if byte_of(piece) else piece)
    if word:
        yield word


def piece_tokens(ids: Sequence[int], pieces: Sequence[str]) -> tuple[Token, ...]:
    """Ids as people read them, by the piece of each."""
    shown = [standing(piece.removeprefix(JOINT)) or "␣" for piece in pieces]
    texts = with_bytes(pieces, shown)
    tokens: list[Token] = []
    word = -1
    for id, piece, text in zip(ids, pieces, texts, strict=True):
        if id <= END_ID:
            tokens.append(special_token(int(id)))
            continue
        if word < 0 or piece.startswith(JOINT):
            word += 1
        tokens.append(Token(piece, text, int(id), word))
    return tuple(tokens)
