"""Pieces of one word as one token: with its sums, the twin of web/views/units.js."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from unicodedata import normalize

from core.studies.words import words_of
from core.trace import Token
from viz.text.tokens import visible

_BYTE: Final = re.compile(r"<0x([0-9A-F]{2})>")
_JAMO: Final = re.compile("[\u1100-\u11ff]")
_SPACE: Final = "▁"  # a lone joint is no letter of its word


def as_words(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """One token a word, as long as there is one, spelled by its pieces."""
    words = ([tokens[at] for at in word] for word in words_of(tokens))
    return tuple(own[0] if len(own) == 1 else replace(own[0], text=spelt(own)) for own in words)


def spelt(pieces: Sequence[Token]) -> str:
    """Pieces of one word as the word: bytes as characters, jamo as syllables."""
    out, raw = "", b""
    alone: dict[str, str] = {}  # how a jamo is shown that is no part of a syllable
    for token in (*pieces, None):
        byte = token and _BYTE.fullmatch(token.piece)
        if byte:
            raw += bytes([int(byte[1], 16)])
            continue
        if raw:
            out += visible(raw.decode("utf-8-sig", "replace"))
            raw = b""
        if token is None or token.piece == _SPACE or token.special:
            continue
        if _JAMO.fullmatch(token.piece):
            alone[token.piece] = visible(token.text)
            out += token.piece
        else:
            out += visible(token.text)
    if not alone:
        return out
    return _JAMO.sub(lambda letter: alone.get(letter[0], letter[0]), normalize("NFC", out))
