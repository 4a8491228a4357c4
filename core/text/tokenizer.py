"""One small interface over every way in which text becomes token ids."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, Protocol

from core.trace import Token

TokenizerKind = Literal["sentencepiece", "characters"]

PAD_ID: Final = 0
UNKNOWN_ID: Final = 1
START_ID: Final = 2
END_ID: Final = 3

SPECIAL_PIECES: Final = ("<pad>", "<unk>", "<s>", "</s>")
SPECIAL_TEXTS: Final = ("pad", "unknown", "start", "end")


class Tokenizer(Protocol):
    """Text to ids and back. Ids 0 to 3 are pad, unknown, start and end for every kind."""

    @property
    def kind(self) -> TokenizerKind: ...

    @property
    def file_name(self) -> str:
        """The one file of a checkpoint folder that holds this tokenizer."""
        ...

    @property
    def size(self) -> int:
        """Entries of the vocabulary, special tokens included."""
        ...

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without start and end; NFC and NFD give the same ids."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Text of `ids`, in NFC; special tokens are dropped."""
        ...

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        """`ids` as people read them, grouped into words; special tokens belong to none."""
        ...

    def save(self, folder: Path) -> None:
        """Write `file_name` into `folder`."""
        ...


def load_tokenizer(kind: TokenizerKind, folder: Path) -> Tokenizer:
    """Open the tokenizer of a checkpoint folder.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid for a malformed file.
    """
    if kind == "characters":
        from core.text.characters import CharacterTokenizer

        return CharacterTokenizer.load(folder)
    from core.text.pieces import SentencePieceTokenizer

    return SentencePieceTokenizer.load(folder)


def clean(text: str) -> str:
    """NFC without what no tokenizer can hold: lone surrogates and control characters."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        " " if character.isspace() else character
        for character in composed
        if character.isspace() or unicodedata.category(character) not in ("Cs", "Cc")
    )


def special_token(id: int) -> Token:
    """The token of one of the four special ids."""
    return Token(SPECIAL_PIECES[id], SPECIAL_TEXTS[id], id)
