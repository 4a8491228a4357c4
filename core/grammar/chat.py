"""Ordinary sentences as people type them in a chat: into English alone, whose side stays whole."""

from __future__ import annotations

import re
from dataclasses import replace

from core.grammar.draw import Draw
from core.grammar.sentences import Maker, Sentence
from core.grammar.typed import typed_maker

_LAUGH = ("ㅋㅋ", "ㅋㅋㅋ", "ㅎㅎ", "ㅋㅋㅋㅋ", "ㅎㅎㅎ")
_WEEP = ("ㅠㅠ", "ㅜㅜ", "ㅠ", "ㅠㅠㅠ")
_SAD = re.compile(
    r"아프|아파|슬프|슬퍼|피곤|힘들|바빠|배고|외로|우울|못 |없어|없었|잃어|졸려|추워|속상|어려"
)
# Misspellings that are as common as they are wrong; of other words, 낳다 for 낫다 alone.
_SLIPS = (
    ("됐", "됬"), ("돼요", "되요"), ("않", "안"), ("했어", "햇어"), ("었어", "엇어"), ("갔", "갓"),
    ("있어", "잇어"), ("재미있", "재밌"), ("맛있", "맛잇"), ("싶어", "시퍼"), ("좋아", "조아"),
    ("네요", "네여"), ("어요", "어여"), ("해요", "해여"), ("예요", "에요"), ("거예요", "꺼예요"),
    ("할게", "할께"), ("을게", "을께"), ("많이", "마니"), ("괜찮", "괜찬"), ("뭐", "모"),
    ("안 되", "않되"), ("안 돼", "안되"), ("안 돼", "않돼"), ("안 돼요", "않되요"),
    ("안 돼요", "안되요"), (" 안 ", " 않 "), ("재미있", "재밋"), ("재밌", "재밋"),
    ("며칠", "몇일"), ("어떡해", "어떻해"), ("어떻게", "어떡게"), ("금세", "금새"),
    ("설거지", "설겆이"), ("오랜만", "오랫만"), ("았어", "앗어"), ("았습니다", "앗습니다"),
    ("었습니다", "엇습니다"), ("습니다", "슴니다"), ("거예요", "거에요"), ("이에요", "이예요"),
    ("예요", "예여"), ("갈게", "갈께"), ("올게", "올께"), ("줄게", "줄께"), ("같아", "가타"),
    ("같아요", "같애요"), ("싫어", "시러"), ("찌개", "찌게"),
    ("떡볶이", "떡볶기"), ("김치찌개", "김치찌게"), ("깨끗이", "깨끗히"), ("열심히", "열심이"),
    ("일부러", "일부로"), ("베개", "배게"), ("육개장", "육계장"),
    ("때문에", "떄문에"), ("그래서", "그레서"), ("데리고", "대리고"), ("어제", "어재"),
    ("왔", "왓"), ("봤", "봣"), ("샀", "삿"), ("잤", "잣"), ("만났", "만낫"),
    ("얘기", "예기"), ("무릎", "무릅"),
    ("부엌", "부억"), ("커피숍", "커피샵"),
    ("초콜릿", "초콜렛"), ("주스", "쥬스"), ("텔레비전", "텔레비젼"),
    ("케이크를", "케익을"), ("케이크가", "케익이"),
    ("세요", "세여"), ("감사합니다", "감사함니다"), ("나았", "낳았"), ("나으", "낳으"),
    ("나아", "낳아"), ("어이없", "어의없"),
    ("맞춰", "마춰"), ("왠지", "웬지"), ("웬일", "왠일"),
    ("슈퍼마켓", "수퍼마켓"), ("소파", "쇼파"), ("메시지", "메세지"),
)  # fmt: skip


_FORMAL = re.compile(r"(습니다|습니까|니다|니까|시오|시다|다|니)[.?!]?$")


def chatted(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A sentence without its spaces or stop, with a laugh, a tear or a slip of the keys.

    None where nothing came of it, or where nobody chats so.
    """
    if _FORMAL.search(sentence.korean):
        return None
    korean, end = sentence.korean.rstrip("."), ""
    asked = korean.endswith("?")
    if draw.chance(0.35):
        korean = _slipped(draw, korean)
    if draw.chance(0.45) and len(korean) <= 24:
        korean = tight(draw, korean)
    if draw.chance(0.5):
        weeps = bool(_SAD.search(korean)) and not asked
        end = draw.one_of(_WEEP if weeps else _LAUGH)
        end = (" " if draw.chance(0.6) else "") + end
    elif draw.chance(0.25):
        end = draw.one_of(("~", "~~", "!", "!!", "...")) if not asked else draw.one_of(("??", "?!"))
        korean = korean.rstrip("?") if asked else korean
    leads = end.strip()[:1] in ("ㅋ", "ㅎ", "ㅠ", "ㅜ") and draw.chance(0.15)
    spoken = f"{end.strip()} {korean}" if leads else korean + end
    if spoken in (sentence.korean, sentence.korean.rstrip(".")):
        return None
    return replace(sentence, korean=spoken, frame=f"chat:{sentence.frame.partition('.')[0]}")


def _slipped(draw: Draw, korean: str) -> str:
    fitting = [(right, wrong) for right, wrong in _SLIPS if right in korean]
    if not fitting:
        return korean
    right, wrong = draw.one_of(fitting)
    return korean.replace(right, wrong)


def tight(draw: Draw, korean: str) -> str:
    """Without its spaces, all or some of them."""
    if draw.chance(0.5):
        return korean.replace(" ", "")
    words = korean.split(" ")
    line = words[0]
    for word in words[1:]:
        line += word if draw.chance(0.5) else f" {word}"
    return line


def slipped(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A sentence with one or two misspellings and otherwise whole; None where none fits."""
    korean = _slipped(draw, sentence.korean)
    if draw.chance(0.3):
        korean = _slipped(draw, korean)
    if korean == sentence.korean:
        return None
    return replace(sentence, korean=korean, frame=f"slip:{sentence.frame.partition('.')[0]}")


def chat_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, as one chats."""
    return typed_maker(makers, weights, chatted, settled=False)


def slip_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, misspelt."""
    return typed_maker(makers, weights, slipped, settled=False)
