"""The tokenizer of a Hugging Face folder, its pieces as people read them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Literal

from transformers import PreTrainedTokenizerBase

from core.families.hub.template import Chat, Template, rendered
from core.reasons import RefusedError
from core.text.tokenizer import Ends, clean
from core.text.utf8 import LOST, byte_of, parts, spelled, with_bytes
from core.trace import Token

Spelling = Literal["bytes", "single", "wordpiece", "ends", "joints"]
"""How pieces say where words begin: Ġ over bytes, a space of single bytes, ## within a word, </w>
at the end of the one before, or ▁ before one."""

_JOINT: Final = "▁"
_BREAK: Final = "\n"  # a word by itself, however a vocabulary spells it
_WITHIN: Final = "##"
_ENDS: Final = "</w>"
_PROBES: Final = ("a", "가", "的", "の", "а", "α", "ا", "א", "क", "ก", "1")
"""Texts of which one is read by whom no letter is unknown to, and who has not all of them."""
_NAMED: Final = {
    "bos_token": "start",
    "eos_token": "end",
    "pad_token": "pad",
    "unk_token": "unknown",
}


class HubTokenizer:
    """Satisfies `core.text.tokenizer.Codec`.

    Args:
        rows: of the model's embedding, None for as many as need be. Tokens that were added beyond
            are left out where they are typed: Gemma 3 has one for pictures.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, rows: int | None = None) -> None:
        self._tokenizer = tokenizer
        self._rows = len(tokenizer) if rows is None else rows
        self._special = _special(tokenizer)
        self._added = frozenset(tokenizer.get_added_vocab())
        self.spelling = _spelling(tokenizer)
        self._bytes = _single() if self.spelling == "single" else _bytes()

    @property
    def size(self) -> int:
        return min(len(self._tokenizer), self._rows)

    @property
    def hidden_id(self) -> int | None:
        """What stands in the place of a token that is hidden, where it has such."""
        found = getattr(self._tokenizer, "mask_token_id", None)
        return None if found is None else int(found)

    @property
    def unknown_id(self) -> int | None:
        """What stands for what it has no piece for, where it has such."""
        found = getattr(self._tokenizer, "unk_token_id", None)
        return None if found is None else int(found)

    @property
    def source_language(self) -> str:
        """The language of what it reads, as it is called there ("en", "en_XX"); "" where untold."""
        named = (getattr(self._tokenizer, name, None) for name in ("src_lang", "source_lang"))
        return next((name for name in named if isinstance(name, str)), "")

    def encode(self, text: str) -> list[int]:
        return self.encode_all([text])[0]

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        return self._encoded(text=[clean(text) for text in texts])

    def encode_targets(self, texts: Sequence[str]) -> list[list[int]]:
        return self._encoded(text_target=[clean(text) for text in texts])

    def encode_message(self, text: str, template: Template) -> tuple[int, ...]:
        """Ids of a message within its template, no start put before it that is not the template's.

        In one go, as transformers does: a space that a template ends by is a part of the message's
        first piece. Special tokens that are typed are such, as in any other text (`encode`).
        """
        return tuple(self._encoded(text=[template.around(clean(text))])[0])

    def rendered(self) -> Chat:
        """What its template puts around a message; runs what came with the folder."""
        return rendered(self._tokenizer)

    def _encoded(self, **texts: list[str]) -> list[list[int]]:
        found = self._tokenizer(**texts, add_special_tokens=False, verbose=False)["input_ids"]
        return [[int(id) for id in ids if id < self._rows] for ids in found]

    def decode(self, ids: Sequence[int]) -> str:
        text = self._tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        if LOST in text and self.spelling != "wordpiece":  # bytes that make no character
            text = self._spelled(ids)
        return clean(str(text)).strip()

    def _spelled(self, ids: Sequence[int]) -> str:
        kept = [int(id) for id in ids if id not in self._special]
        found = self._tokenizer.convert_ids_to_tokens(kept)
        pieces = [str(piece) for piece in found if piece is not None]
        if self.spelling in ("bytes", "single"):
            return spelled(b"".join(map(self._raw, pieces)))
        raw = (byte_of(piece) or piece.replace(_JOINT, " ").encode() for piece in pieces)
        return spelled(b"".join(raw))

    def tokens(self, ids: Sequence[int]) -> tuple[Token, ...]:
        found = self._tokenizer.convert_ids_to_tokens(list(ids))
        pieces = ["?" if piece is None else str(piece) for piece in found]
        if self.spelling in ("bytes", "single"):
            raw = [self._raw(piece) for piece in pieces]
            texts = [text.removeprefix(" ") or "␣" for text in parts(raw)]
        else:
            texts = with_bytes(pieces, list(map(_text, pieces)))
        tokens: list[Token] = []
        word = -1
        for id, piece, text in zip(ids, pieces, texts, strict=True):
            if id in self._special:
                tokens.append(Token(piece, self._special[id], int(id)))
                continue
            if not tokens or self._begins(piece, text, tokens[-1]):
                word += 1
            tokens.append(Token(piece, text, int(id), word))
        return tuple(tokens)

    def ends(self, start: int | None, closing: tuple[int, ...], pad: int | None) -> Ends:
        """What its template puts around a source, with what a decoder begins and ends by.

        What it begins by is no text from here on, whatever the tokenizer says of it.

        Args:
            start, closing, pad: where the model has such.

        Raises:
            RefusedError: tokenizer_template where a text does not stand whole within it.
        """
        if start is not None:
            self._special.setdefault(start, "start")
        probe = next(filter(self.encode, _PROBES), _PROBES[0])
        bare = self.encode(probe)
        whole = [int(id) for id in self._tokenizer(probe, verbose=False)["input_ids"]]
        for at in range(len(whole) - len(bare) + 1):
            if bare and whole[at : at + len(bare)] == bare:
                before, after = tuple(whole[:at]), tuple(whole[at + len(bare) :])
                return Ends(-1 if start is None else start, closing, pad or 0, before, after)
        raise RefusedError("tokenizer_template")

    def _begins(self, piece: str, text: str, before: Token) -> bool:
        if before.special or _BREAK in (text[:1], before.text[-1:]):
            return True
        match self.spelling:
            case "wordpiece":
                return not piece.startswith(_WITHIN)
            case "ends":
                return before.piece.endswith(_ENDS)
            case "bytes":
                return piece.startswith((_JOINT, "Ġ"))
            case "single":
                return piece in " \t"
        return piece.startswith(_JOINT)

    def _raw(self, piece: str) -> bytes:
        known = {} if piece in self._added else self._bytes
        if all(letter in known for letter in piece):
            return bytes(known[letter] for letter in piece)
        return piece.encode()  # a piece that was added whole


def _special(tokenizer: PreTrainedTokenizerBase) -> dict[int, str]:
    """What people read for tokens that are no text."""
    named = {
        int(id): str(tokenizer.convert_ids_to_tokens(int(id))).strip("[]<>|") or "?"
        for id in tokenizer.all_special_ids
    }
    for role, name in reversed(_NAMED.items()):
        token = getattr(tokenizer, role, None)
        if token is not None:
            named[int(tokenizer.convert_tokens_to_ids(str(token)))] = name
    return named


def _spelling(tokenizer: PreTrainedTokenizerBase) -> Spelling:
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    ends = any(piece.endswith(_ENDS) for piece in tokenizer.get_vocab())
    if backend is None:
        single = not tokenizer.vocab_files_names  # ByT5's are made of nothing
        return "single" if single else "ends" if ends else "joints"
    told = json.loads(backend.to_str())
    kinds = {part.get("type") for part in _parts(told.get("decoder"))}
    if "ByteLevel" in kinds:
        return "bytes"
    return "wordpiece" if "WordPiece" in kinds else "ends" if ends else "joints"


def _parts(decoder: Any) -> list[dict[str, Any]]:
    if not isinstance(decoder, dict):
        return []
    return [decoder, *(part for part in decoder.get("decoders", ()) if isinstance(part, dict))]


def _text(piece: str) -> str:
    shown = piece.removeprefix(_WITHIN).removeprefix(_JOINT).removesuffix(_ENDS)
    return shown.replace(_JOINT, " ") or "␣"


@cache
def _single() -> dict[str, int]:
    """The same of pieces that are one byte each, by its number."""
    return {chr(byte): byte for byte in range(0x100)}


@cache
def _bytes() -> dict[str, int]:
    """The byte that each sign of a byte-level piece stands for (Radford et al. 2019, their BPE).

    Bytes that print stand for themselves, all others for the signs from U+0100 on, in order.
    """
    prints = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(0x100) if byte not in prints]
    shown = {chr(0x100 + at): byte for at, byte in enumerate(hidden)}
    return {**{chr(byte): byte for byte in prints}, **shown}
