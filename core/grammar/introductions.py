"""People introduce themselves: a greeting, then two or three things about oneself, in one row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.grammar.draw import Draw
from core.grammar.patterns import of_frame, said, with_stop
from core.grammar.sentences import Sentence, Workshop

_AFTER_COMMA: Final = re.compile("(?<=, )My")
_FIRST: Final = ("name.mine", "name.am")
_MORE: Final = ("age.am", "from.job", "from.live", "family.siblings", "from.work_at")
# Whence one is is said once, by Koreans and by others, and only others came to Korea.
_ORIGINS: Final = ("from.came", "from.am", "from.hometown")
_STAYS: Final = ("span.korea", "span.learning")
_KOREAN: Final = {"name": "korean", "place": "home", "city": "homecity", "people": "compatriot"}
_FOREIGN: Final = {"name": "foreign", "place": "abroad", "city": "farcity", "people": "foreigner"}
_MOST_WORDS: Final = 14


@dataclass(frozen=True)
class _Line:
    """A fixed sentence: ways to say it in Korean and in English, the usual one first."""

    korean: tuple[str, ...]
    english: tuple[str, ...]


_HELLO: Final = (
    _Line(("안녕하세요,",), ("Hello,", "Hi,")),
    _Line(("안녕하세요.", "안녕하세요?", "안녕하세요!", "안녕하십니까?"), ("Hello.", "Hi.")),
)
_ASKED: Final = _Line(("이름이 뭐예요?",), ("What is your name?", "What's your name?"))
_PLEASED: Final = _Line(
    ("만나서 반가워요.", "만나서 반갑습니다."), ("Nice to meet you.", "Pleased to meet you.")
)


def introduction_sentence(shop: Workshop) -> Sentence | None:
    """Hello, I am Anna. I am from Canada. Nice to meet you."""
    draw = shop.draw
    parts: list[Sentence] = []
    if draw.chance(0.7):
        parts.append(_spoken(draw, draw.one_of(_HELLO)))
    slots, stays = draw.one_of(((_KOREAN, ()), (_FOREIGN, _STAYS)))
    frames = [draw.one_of(_FIRST)]
    frames += [draw.one_of(_ORIGINS)] if draw.chance(0.5) else []
    frames += [draw.one_of((*_MORE, *stays))] if draw.chance(0.5) else []
    parts += [_about(draw, frame, slots) for frame in frames]
    if draw.chance(0.5):
        parts.append(_spoken(draw, draw.weighted((_PLEASED, _ASKED), (4, 1))))
    if len(parts) == 1:
        return None
    return _joined(draw, parts)


def _spoken(draw: Draw, line: _Line) -> Sentence:
    return Sentence(draw.variant(line.korean), draw.told(line.english), "")


def _about(draw: Draw, frame: str, slots: Mapping[str, str]) -> Sentence:
    pattern = of_frame(frame)
    polite = tuple(one for one in pattern.korean if one.endswith(("요", "니다", ":이에요}")))
    return with_stop(said(draw, replace(pattern, korean=polite), slots))


def _joined(draw: Draw, parts: list[Sentence]) -> Sentence | None:
    korean = " ".join(part.korean for part in parts)
    if len(korean.split()) > _MOST_WORDS:
        return None
    if korean.endswith(".") and draw.loose(0.3):
        korean = korean[:-1]
    told = " ".join(part.english for part in parts)
    return Sentence(
        korean,
        _AFTER_COMMA.sub(lambda match: match[0].lower(), told),
        f"introduction.{len(parts)}",
        values=frozenset(key for part in parts for key in part.values),
    )
