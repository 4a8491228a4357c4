"""Words that are talked about, as slots: they stay as they are in either language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.grammar.draw import Draw
from core.grammar.values import Value

_ENGLISH: Final = (
    ("apple", "애플"), ("water", "워터"), ("love", "러브"), ("friend", "프렌드"),
    ("thank you", "땡큐"), ("hello", "헬로"), ("dog", "도그"), ("cat", "캣"), ("happy", "해피"),
    ("weekend", "위켄드"), ("birthday", "버스데이"), ("coffee", "커피"), ("school", "스쿨"),
    ("book", "북"), ("good night", "굿나이트"), ("music", "뮤직"), ("umbrella", "엄브렐러"),
    ("library", "라이브러리"), ("teacher", "티처"), ("airport", "에어포트"), ("bread", "브레드"),
    ("mountain", "마운틴"), ("sky", "스카이"), ("family", "패밀리"), ("rainbow", "레인보"),
    ("delicious", "딜리셔스"), ("congratulations", "콩그래츄레이션스"), ("spring", "스프링"),
)  # fmt: skip
"""English words and how Koreans read them, which says their particles."""
_KOREAN: Final = "food,fruit,drink,stationery,job,animal,furniture,body"


def _english_word(draw: Draw) -> Value:
    word, read = draw.word(_ENGLISH)
    return _as_it_is(draw, word, read)


def _korean_word(draw: Draw) -> Value:
    word = draw.noun(_KOREAN).korean
    return _as_it_is(draw, word, word)


def _as_it_is(draw: Draw, word: str, read: str) -> Value:
    spelled = f'"{word}"' if draw.chance(0.6) else word
    return Value((spelled,), (spelled,), read=read)


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {
    "english_word": _english_word,
    "korean_word": _korean_word,
}
