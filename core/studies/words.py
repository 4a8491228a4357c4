"""Words of a sequence, by their pieces."""

from __future__ import annotations

from collections.abc import Sequence

from core.trace import Token


def words_of(tokens: Sequence[Token]) -> list[list[int]]:
    """Positions of each word's pieces; a special token is a word by itself."""
    words: list[list[int]] = []
    for at, token in enumerate(tokens):
        if at and not token.special and token.word == tokens[at - 1].word:
            words[-1].append(at)
        else:
            words.append([at])
    return words
