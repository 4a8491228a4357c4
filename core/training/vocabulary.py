"""One vocabulary in terms of another: a run with weights of another, but its own pieces."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from core.text.pieces import JOINT
from core.text.tokenizer import END_ID, Tokenizer
from core.text.utf8 import byte_of

_SPECIAL: Final = range(END_ID + 1)


def spellings(own: Tokenizer, theirs: Tokenizer) -> list[list[int]]:
    """For each entry of `own` the entries of `theirs` that spell it, none where nothing does.

    The same piece where there is one; otherwise the longest that fit, from the left. A character
    that they have no entry of is spelled by its jamo, or by its bytes, or without its accent, or
    left out.
    """
    known = {piece: id for id, piece in enumerate(_pieces(theirs)) if id not in _SPECIAL}
    for blank, other in ((JOINT, " "), (" ", JOINT)):
        if other in known:
            known.setdefault(blank, known[other])
    longest = max(map(len, known), default=1)
    return [
        [id] if id in _SPECIAL else list(_spelling(piece, known, longest))
        for id, piece in enumerate(_pieces(own))
    ]


def _pieces(tokenizer: Tokenizer) -> list[str]:
    return [token.piece for token in tokenizer.tokens(range(tokenizer.size))]


def _spelling(piece: str, known: Mapping[str, int], longest: int) -> Iterator[int]:
    if byte_of(piece) is not None:  # no text
        yield from (id for id in (known.get(piece),) if id is not None)
        return
    at = 0
    while at < len(piece):
        end = min(len(piece), at + longest)
        while end > at and piece[at:end] not in known:
            end -= 1
        if end > at:
            yield known[piece[at:end]]
        else:
            yield from _parts(piece[at], known)
        at = max(end, at + 1)


def _parts(letter: str, known: Mapping[str, int]) -> list[int]:
    """A character by its jamo, by its bytes, or without its accent, whichever are all known."""
    jamo = list(unicodedata.normalize("NFD", letter))
    bare = [part for part in jamo if not unicodedata.combining(part)]
    for parts in (jamo, [f"<0x{byte:02X}>" for byte in letter.encode()], bare):
        if all(part in known for part in parts):
            return [known[part] for part in parts]
    return []
