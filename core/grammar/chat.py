"""Ordinary sentences as people type them in a chat: into English alone, whose side stays whole."""

from __future__ import annotations

import re
from dataclasses import replace

from core.grammar.draw import Draw
from core.grammar.sentences import Maker, Sentence, Workshop

_LAUGH = ("ㅋㅋ", "ㅋㅋㅋ", "ㅎㅎ", "ㅋㅋㅋㅋ", "ㅎㅎㅎ")
_WEEP = ("ㅠㅠ", "ㅜㅜ", "ㅠ", "ㅠㅠㅠ")
_SAD = re.compile(
    r"아프|아파|슬프|슬퍼|피곤|힘들|바빠|배고|외로|우울|못 |없어|없었|잃어|졸려|추워|속상|어려"
)
# Misspellings that are as common as they are wrong.
_SLIPS = (
    ("됐", "됬"), ("돼", "되"), ("않", "안"), ("했어", "햇어"), ("었어", "엇어"), ("갔", "갓"),
    ("있어", "잇어"), ("재미있", "재밌"), ("맛있", "맛잇"), ("싶어", "시퍼"), ("좋아", "조아"),
    ("네요", "네여"), ("어요", "어여"), ("해요", "해여"), ("예요", "에요"), ("거예요", "꺼예요"),
    ("할게", "할께"), ("을게", "을께"), ("많이", "마니"), ("괜찮", "괜찬"), ("뭐", "모"),
)  # fmt: skip


def chatted(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A sentence without its spaces or stop, with a laugh, a tear or a slip of the keys.

    None where nothing came of it.
    """
    korean, end = sentence.korean.rstrip("."), ""
    asked = korean.endswith("?")
    if draw.chance(0.35):
        korean = _slipped(draw, korean)
    if draw.chance(0.45) and len(korean) <= 24:
        korean = _tight(draw, korean)
    if draw.chance(0.5):
        weeps = bool(_SAD.search(korean)) and not asked
        end = draw.one_of(_WEEP if weeps else _LAUGH)
        end = (" " if draw.chance(0.6) else "") + end
    elif draw.chance(0.25):
        end = draw.one_of(("~", "~~", "!", "!!", "...")) if not asked else draw.one_of(("??", "?!"))
        korean = korean.rstrip("?") if asked else korean
    spoken = korean + end
    if spoken in (sentence.korean, sentence.korean.rstrip(".")):
        return None
    return replace(sentence, korean=spoken, frame=f"chat:{sentence.frame.partition('.')[0]}")


def _slipped(draw: Draw, korean: str) -> str:
    fitting = [(right, wrong) for right, wrong in _SLIPS if right in korean]
    if not fitting:
        return korean
    right, wrong = draw.one_of(fitting)
    return korean.replace(right, wrong)


def _tight(draw: Draw, korean: str) -> str:
    """Without spaces, all or some."""
    if draw.chance(0.5):
        return korean.replace(" ", "")
    words = korean.split(" ")
    line = words[0]
    for word in words[1:]:
        line += word if draw.chance(0.5) else f" {word}"
    return line


def chat_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, as one chats.

    Sentences of held-out frames are left to those that test them; what stands alone, as a time, is
    none.
    """

    def chat_sentence(shop: Workshop) -> Sentence | None:
        draw = shop.draw
        if draw.settled:
            return None
        made = draw.weighted(makers, weights)(shop)
        if made is None or made.frame in shop.frames.heldout or made.frame.startswith("bare."):
            return None
        register = re.search(r"(습니다|습니까|니다|니까|시오|시다|다|니)[.?!]?$", made.korean)
        return None if register else chatted(draw, made)

    return chat_sentence
