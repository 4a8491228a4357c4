"""Pieces of one word as one token: with its sums, the twin of web/views/units.js."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from unicodedata import normalize

from core.studies.words import words_of
from core.text.utf8 import byte_of, rejoined
from core.trace import Token
from viz.text.tokens import visible

_JAMO: Final = re.compile("[\u1100-\u11ff]")
_SPACES: Final = ("▁", " ")  # pieces that only part two words


def as_words(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """One token a word, as long as there is one, spelled by its pieces."""
    words = ([tokens[at] for at in word] for word in words_of(tokens))
    return tuple(own[0] if len(own) == 1 else replace(own[0], text=spelt(own)) for own in words)


def spelt(pieces: Sequence[Token]) -> str:
    """Pieces of one word as the word: bytes as characters, jamo as syllables."""
    out, raw = "", b""
    alone: dict[str, str] = {}  # how a jamo is shown that is no part of a syllable
    for token in (*pieces, None):
        byte = token and byte_of(token.piece)
        if byte:
            raw += byte
            continue
        if raw:
            out += _kept(raw.decode("utf-8-sig", "replace"))
            raw = b""
        if token is None or token.special or _is_space(token):
            continue
        if _JAMO.fullmatch(token.piece):
            alone[token.piece] = visible(token.text)
            out += token.piece
        else:
            out += _kept(token.text)
    out = rejoined(out)
    if alone:
        out = _JAMO.sub(lambda letter: alone.get(letter[0], letter[0]), normalize("NFC", out))
    return visible(out) if out else ""


def _is_space(token: Token) -> bool:
    """It is no letter of its word; Ġ is a letter of Maltese, too."""
    return token.piece in _SPACES or (token.piece == "Ġ" and token.text == "␣")


def _kept(text: str) -> str:
    """A text as it is, to be made visible with what stands beside it; but for blanks."""
    return text if text.strip() else visible(text)
