"""One small interface over every way in which text becomes token ids."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol

from core.errors import HeadlightError, unusable
from core.reasons import reason_of
from core.trace import Token

TokenizerKind = Literal["sentencepiece", "characters", "marian"]
TOKENIZERS: Final[dict[TokenizerKind, str]] = {
    "sentencepiece": "tokenizer.model",
    "characters": "tokenizer.json",
    "marian": "marian.json",
}
"""The one file of a checkpoint folder that holds a tokenizer, by its kind."""

PAD_ID: Final = 0
UNKNOWN_ID: Final = 1
START_ID: Final = 2
END_ID: Final = 3


@dataclass(frozen=True, slots=True)
class Ends:
    """Ids at the ends of what is read and written.

    Attributes:
        start: what a decoder reads first.
        closing: any of them ends what is written.
        pad: stands for none.
        before, after: between which a source is read.
    """

    start: int = START_ID
    closing: tuple[int, ...] = (END_ID,)
    pad: int = PAD_ID
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = (END_ID,)

    def around(self, ids: Sequence[int]) -> tuple[int, ...]:
        """A source as it is read."""
        return (*self.before, *ids, *self.after)


ENDS: Final = Ends()
"""Those of our own models."""

SPECIAL_PIECES: Final = ("<pad>", "<unk>", "<s>", "</s>")
SPECIAL_TEXTS: Final = ("pad", "unknown", "start", "end")

_SPACE: Final = re.compile(r"\s")
_UNFIT: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class Codec(Protocol):
    """Text to ids and back; who reads texts one by one, and targets as sources, takes that on."""

    @property
    def size(self) -> int:
        """Entries of the vocabulary, special tokens included."""
        ...

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without start and end; NFC and NFD give the same ids."""
        ...

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` of each text, in one go."""
        return [self.encode(text) for text in texts]

    def encode_targets(self, texts: Sequence[str]) -> list[list[int]]:
        """The same of texts that are written: Marian's have pieces of their own."""
        return self.encode_all(texts)

    def decode(self, ids: Sequence[int]) -> str:
        """Text of `ids`, in NFC; special tokens are dropped."""
        ...

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        """`ids` as people read them, grouped into words; special tokens belong to none."""
        ...


class Tokenizer(Codec, Protocol):
    """That of a model of ours. Ids 0 to 3 are pad, unknown, start and end for every kind."""

    @property
    def kind(self) -> TokenizerKind: ...

    def save(self, folder: Path) -> None:
        """Write its file (`TOKENIZERS`) into `folder`."""
        ...


def goes_on(tokenizer: Codec, before: int, ids: Sequence[int]) -> list[bool]:
    """Which of `ids`, each read right after `before`, go on with its word."""
    pairs = (tokenizer.tokens((before, id)) for id in ids)
    return [not own.special and own.word == other.word for other, own in pairs]


def load_tokenizer(kind: TokenizerKind, folder: Path) -> Tokenizer:
    """Open the tokenizer of a checkpoint folder.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid for a malformed file.
    """
    name = TOKENIZERS[kind]
    if not (folder / name).is_file():
        raise HeadlightError("checkpoint_missing", path=str(folder), file=name)
    try:
        return _loaded(kind, folder)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise unusable(folder, name, reason_of(error)) from error


def _loaded(kind: TokenizerKind, folder: Path) -> Tokenizer:
    if kind == "characters":
        from core.text.characters import CharacterTokenizer

        return CharacterTokenizer.load(folder)
    if kind == "marian":
        from core.text.marian import MarianTokenizer

        return MarianTokenizer.load(folder)
    from core.text.pieces import SentencePieceTokenizer

    return SentencePieceTokenizer.load(folder)


def clean(text: str) -> str:
    """NFC without what no tokenizer can hold: lone surrogates and control characters."""
    # NFC last: without what stood between them, two characters may make one.
    return unicodedata.normalize("NFC", _UNFIT.sub("", _SPACE.sub(" ", text)))


def special_token(id: int) -> Token:
    """The token of one of the four special ids."""
    return Token(SPECIAL_PIECES[id], SPECIAL_TEXTS[id], id)
