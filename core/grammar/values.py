"""What fills a slot of a pattern: the same name, number or time in both languages.

A tenth of the values is held out, by a hash of the value: no training sentence has them, so that
what a model does with them is a rule that it has learnt.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_SHARE: Final = 10
KINDS: Final = ("name", "number", "time", "copy")
"""Of values that are held out, each with a table of its own."""

Key = tuple[str, str]
"""The kind of a value and what it is."""


@dataclass(frozen=True)
class Value:
    """Spellings in both languages, the usual one first; `keys` say what could be held out.

    `is_called`: a given name that friends put 이 behind, as 지영이. `read`: how spellings in Latin
    letters are read, which says their particles.
    """

    korean: tuple[str, ...]
    english: tuple[str, ...]
    keys: frozenset[Key] = frozenset()
    is_called: bool = False
    read: str = ""


@lru_cache(65_536)
def is_held_out(key: Key) -> bool:
    """Whether training never shows this value."""
    digest = hashlib.sha256("=".join(key).encode()).hexdigest()
    return int(digest[:12], 16) % _SHARE == 0


def held_kind(keys: frozenset[Key]) -> str | None:
    """The kind of the first value that is held out, None where none is."""
    held = {kind for kind, value in keys if is_held_out((kind, value))}
    return next((kind for kind in KINDS if kind in held), None)


# --- particles ------------------------------------------------------------------------------------

_OPEN: Final = {
    "이에요": "예요", "이라고": "라고", "이라는": "라는", "이야": "야", "이다": "다",
    "이세요": "세요", "이십니다": "십니다", "이네요": "네요", "이었어요": "였어요",
    "아": "야", "이": "가", "이잖아요": "잖아요", "이잖아": "잖아",
    "이거든요": "거든요", "이거든": "거든",
    "은": "는", "을": "를", "과": "와", "이랑": "랑", "으로": "로",
}  # fmt: skip
"""Particles after a consonant, and after a vowel."""
_DIGIT_FINALS: Final = {"1": "ㄹ", "3": "ㅁ", "6": "ㄱ", "7": "ㄹ", "8": "ㄹ", "0": "ㅇ"}
_LIQUID: Final = 8  # the place of ㄹ among the finals


def attached(word: str, particle: str, read: str = "") -> str:
    """A word with a particle, which is named as it is after a consonant.

    The word may end in a digit, which is read: 3은, 2는. A time such as 3:45 ends in 분. One in
    Latin letters is as it is `read`: iPhone을, KTX를.
    """
    other = _OPEN.get(particle, particle)
    last = read[-1] if read and not "가" <= word[-1] <= "힣" else word[-1]
    if ":" in word:
        closed, liquid = True, False  # 3:45 is read with 분
    elif last.isdigit():
        closed, liquid = last in _DIGIT_FINALS, _DIGIT_FINALS.get(last) == "ㄹ"
    else:
        final = (ord(last) - 0xAC00) % 28
        closed, liquid = final > 0, final == _LIQUID
    return word + (particle if closed and not (liquid and particle == "으로") else other)
