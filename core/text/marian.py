"""A MarianMT model's own pieces: a SentencePiece model a side, and one list that numbers both.

What it numbers otherwise than we do is put into our order: the four special tokens first, then all
others as they come. Where its padding is also what it begins to write with, that is our start
token, and our padding is one entry more.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import sentencepiece

from core.reasons import RefusedError
from core.text.jamo import standing
from core.text.pieces import JOINT, piece_tokens, processor_of
from core.text.tokenizer import END_ID, PAD_ID, SPECIAL_PIECES, TOKENIZERS, UNKNOWN_ID, Codec, clean
from core.trace import Token

NONE: Final = -1
_OPENS, _CLOSES = ">>", "<<"  # around the language that a text is to be written in


class MarianTokenizer(Codec):
    """Reads and writes as transformers' `MarianTokenizer`; markup such as </s> is text here.

    Args:
        source, target: serialised SentencePiece models of what is read and of what is written.
        pieces: of all entries of the list, by its own ids.
        special: its ids of padding, unknown, start and end; `NONE` for padding that is the start,
            too.

    Raises:
        RefusedError: one of the models is none, or special ids are beyond the list or the same.
    """

    kind: Literal["marian"] = "marian"

    def __init__(
        self, source: bytes, target: bytes, pieces: Sequence[str], special: Sequence[int]
    ) -> None:
        self.source, self.target, self.pieces = source, target, tuple(pieces)
        self._source, self._target = processor_of(source), processor_of(target)
        ends = special[1:] if special and special[PAD_ID] == NONE else special
        if len(special) != len(SPECIAL_PIECES) or len({*ends} & {*range(len(pieces))}) < len(ends):
            raise RefusedError("special_ids", found=str(tuple(special)))
        rest = (id for id in range(len(pieces)) if id not in special)
        self.theirs = (*special, *rest)
        self._ids = {self.pieces[id]: own for own, id in enumerate(self.theirs) if own > END_ID}

    @classmethod
    def load(cls, folder: Path) -> MarianTokenizer:
        told = json.loads((folder / TOKENIZERS[cls.kind]).read_text(encoding="utf-8"))
        pieces, special = told["pieces"], told["special"]
        source, target = (
            base64.b64decode(told[side], validate=True) for side in ("source", "target")
        )
        if not all(isinstance(piece, str) for piece in pieces):
            raise RefusedError("marian_ids")
        if not all(type(id) is int for id in special):
            raise RefusedError("special_ids", found=str(special)[:60])
        return cls(source, target, pieces, special)

    @property
    def size(self) -> int:
        return len(self.theirs)

    def encode(self, text: str) -> list[int]:
        return self._encoded(self._source, text)

    def encode_targets(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._encoded(self._target, text) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        pieces = [self.pieces[self.theirs[id]] for id in ids if id > END_ID]
        # Marian puts together what it wrote by the model of what it reads.
        return standing(clean(self._source.DecodePieces(pieces).replace(JOINT, " "))).strip()

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        pieces = [self.pieces[self.theirs[id]] if id > END_ID else "" for id in ids]
        return piece_tokens(ids, pieces)

    def save(self, folder: Path) -> None:
        told = {
            "source": base64.b64encode(self.source).decode(),
            "target": base64.b64encode(self.target).decode(),
            "special": self.theirs[: len(SPECIAL_PIECES)],
            "pieces": self.pieces,
        }
        text = json.dumps(told, ensure_ascii=False)
        (folder / TOKENIZERS[self.kind]).write_text(text, encoding="utf-8")

    def _encoded(self, model: sentencepiece.SentencePieceProcessor, text: str) -> list[int]:
        text, language = clean(text), []
        if text.startswith(_OPENS) and (end := text.find(_CLOSES)) > 0:
            end += len(_CLOSES)
            text, language = text[end:], [text[:end]]
        pieces = [*language, *model.EncodeAsPieces(text)]
        return [self._ids.get(piece, UNKNOWN_ID) for piece in pieces]
