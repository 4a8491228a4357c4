"""What a person typed, as tokenizers take it."""

from __future__ import annotations

import unicodedata
from typing import Final

from core.errors import HeadlightError
from core.text.tokenizer import clean

MAX_CHARACTERS: Final = 10_000


def readable(text: str) -> str:
    """Text as tokenizers take it, refused before any of their work where it is no sentence.

    Raises:
        HeadlightError: text_too_large or text_empty.
    """
    if len(text) > MAX_CHARACTERS:
        raise HeadlightError("text_too_large", size=len(text), limit=MAX_CHARACTERS)
    cleaned = clean(text).strip()
    if all(unicodedata.category(character) in ("Cf", "Zs") for character in cleaned):
        raise HeadlightError("text_empty")
    return cleaned


def readable_or_empty(text: str) -> str:
    """The same; "" for what is refused."""
    try:
        return readable(text)
    except HeadlightError:
        return ""
