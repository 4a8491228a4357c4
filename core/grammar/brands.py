"""Brands as values of slots, by kind: in Hangul, or in Latin letters within Korean."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.values import Value

KINDS: Final = (
    "stream", "messenger", "social", "site", "helper", "gadget", "maker", "car", "cafe", "mart",
    "online", "drink", "snack", "band", "train", "game", "film", "tool", "exam", "wear",
)  # fmt: skip


@cache
def of_kind(kind: str) -> tuple[Value, ...]:
    """The brands of a kind, each spelled as Koreans do, now and then in its other letters."""
    return tuple(
        _brand(row["korean"], row["english"], row["read"])
        for row in table("brands")
        if kind in row["kind"].split(",")
    )


def _brand(korean: str, english: str, read: str) -> Value:
    """넷플릭스, Netflix or netflix, read 넷플릭스; KTX, ktx or 케이티엑스, read 케이티엑스."""
    usual, other = (korean,) * 4, (read or english,) * 2
    return Value((*usual, *other, english.lower()), (english,), read=read or korean)


def _slot(kind: str) -> Callable[[Draw], Value]:
    return lambda draw: draw.word(of_kind(kind))


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {kind: _slot(kind) for kind in KINDS}
