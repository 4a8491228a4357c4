"""Tokens as people read them outside the browser's inspector; the same rules as assets/text.js."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from core.trace import Token

SPECIAL: Final = {
    "<s>": "special_start",
    "</s>": "special_end",
    "<pad>": "special_pad",
    "<unk>": "special_unknown",
}
"""Special pieces, and the fields of `viz.text.inspector` that name them."""


def named(token: Token, words: Mapping[str, str]) -> str:
    """One line without control characters; special tokens by their name in the reader's words."""
    special = SPECIAL.get(token.piece) if token.special else None
    return visible(words[special] if special else token.text)


def visible(text: str) -> str:
    """Text whose every character shows: ␣ for a lone blank, ⟨U+202E⟩ for what would not."""
    if not text:
        return "∅"
    if text.isspace():
        return "␣" * len(text)
    return "".join(_shown(letter) for letter in text)


def _shown(letter: str) -> str:
    category = unicodedata.category(letter)
    unseen = category[0] == "C" or category in ("Zl", "Zp")
    return f"⟨U+{ord(letter):04X}⟩" if unseen and letter != "\u200d" else letter
