"""What is no sentence: laughter and tears told short, mash, marks and addresses copied."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Final

from core.grammar.draw import Draw
from core.grammar.sentences import Maker, Sentence, Workshop

COPY: Final = "bare.copy"
_JAMO: Final = "ㅁㄴㅇㄹㅎㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ"
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ", "ㅁㄴㅇㄹㅎㅗㅓㅏㅣ")
_EMOJI: Final = (
    "😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰🙂🤗🤔😐😑🙄😏😣😥😮😪😫😴😌😛😜😝🤤😒😓😔😕🙃😲😖😞😟😤😢😭😨😩😬"
    "😰😱😳😵😡😠😷🤒🤕🤢😇🤫🙏👍👎👏🙌💪👋👌🤝💕💖💔💯🔥✨🎉🎂🎁⭐🌟🌈🌸🌹🍀🐶🐱🐰🐻🐼🍎🍕🍔🍜🍚🍺☕"
    "⚽🏀🚗🚌🚆🏠📱💻📚✅❌❗❓"
)
_HOSTS: Final = ("naver.com", "gmail.com", "daum.net", "example.com", "google.com", "kakao.com")
_SITES: Final = (*_HOSTS, "youtube.com", "github.com", "wikipedia.org", "korea.kr", "snu.ac.kr")
_SYLLABLES: Final = ("ba", "do", "ka", "lin", "mo", "nu", "ri", "sol", "ta", "vex", "wi", "zen")
_Filled = Callable[[Draw], str]


def _letters(draw: Draw, alphabet: str, least: int, most: int) -> str:
    return "".join(draw.one_of(alphabet) for _ in range(draw.one_of(range(least, most + 1))))


def _slide(draw: Draw) -> str:
    """Neighbours on the keyboard: asdf, qwer, ㅁㄴㅇㄹ."""
    row = draw.one_of(_ROWS)
    size = draw.one_of(range(3, 7))
    start = draw.one_of(range(len(row) - size + 1))
    return row[start : start + size] * draw.weighted((1, 2), (4, 1))


def _mash(draw: Draw) -> str:
    return _letters(draw, string.ascii_lowercase, 3, 8)


def _jamo(draw: Draw) -> str:
    """Jamo of more than one kind: ㅋㅋ is laughter, and ㅇㅋ is a word."""
    made = _letters(draw, _JAMO, 3, 7)
    return made if len(set(made)) > 2 else _slide(draw)


def _code(draw: Draw) -> str:
    """abc123, A7, test2024."""
    letters = draw.one_of((string.ascii_lowercase, string.ascii_uppercase))
    return _letters(draw, letters, 1, 4) + _letters(draw, string.digits, 1, 4)


def _emoji(draw: Draw) -> str:
    one = draw.one_of(_EMOJI)
    return draw.weighted((one, one * 2, one * 3, one + draw.one_of(_EMOJI)), (4, 2, 1, 3))


def _marks(draw: Draw) -> str:
    return draw.one_of("?!~?!") * draw.one_of(range(1, 7)) if draw.chance(0.6) else _odd(draw)


def _odd(draw: Draw) -> str:
    return _letters(draw, "?!~^-_*#;:()@%&+=/", 1, 3)


def _host(draw: Draw) -> str:
    name = "".join(draw.one_of(_SYLLABLES) for _ in range(draw.one_of((2, 3))))
    return draw.one_of(
        (draw.one_of(_SITES), name + draw.one_of((".com", ".co.kr", ".org", ".net")))
    )


def _address(draw: Draw) -> str:
    head = draw.one_of(("", "www.", "https://", "http://", "https://www."))
    return head + _host(draw) + draw.one_of(("", "", f"/{_mash(draw)}"))


def _mail(draw: Draw) -> str:
    name = "".join(draw.one_of(_SYLLABLES) for _ in range(draw.one_of((2, 3))))
    return f"{name}{draw.one_of(('', _letters(draw, string.digits, 1, 3)))}@{draw.one_of(_HOSTS)}"


_COPIED: Final[tuple[tuple[_Filled, float], ...]] = (
    (_slide, 3), (_mash, 5), (_jamo, 4), (_code, 4), (_emoji, 5), (_marks, 2),
    (_address, 3), (_mail, 3),
    (lambda draw: draw.one_of(string.ascii_letters), 0.4),
)  # fmt: skip

# What is laughed or sighed, how often the last of it may stand, and what that is called.
_INTO_ENGLISH: Final = (
    ("ㅋ", "Haha."), ("ㅎ", "Hehe."), ("ㅠ", "T_T"), ("ㅜ", "T_T"), ("하", "Haha."),
    ("히", "Hehe."), ("ㅇ", "Yeah."), ("ㄱ", "Let's go."), ("ㄴ", "No, no."),
)  # fmt: skip
# Words of initials, which people type more than once: ㄱㅅㄱㅅ.
_INITIALS: Final = (
    ("ㄱㅅ", "Thanks."), ("ㅊㅋ", "Congrats!"), ("ㅇㅋ", "Okay."), ("ㅎㅇ", "Hi."),
    ("ㅂㅂ", "Bye-bye."), ("ㅃㅃ", "Bye-bye."), ("ㅈㅅ", "Sorry."), ("ㄱㅊ", "All good."),
    ("넹", "Okay."), ("넵", "Yes, sure."), ("웅", "Yeah."), ("응", "Yeah."), ("노", "No."),
)  # fmt: skip
_INTO_KOREAN: Final = (("ha", "하"), ("he", "헤"), ("hi", "히"), ("ho", "호"))
_SAID: Final = (
    ("lol", "ㅋㅋ"),
    ("LOL", "ㅋㅋ"),
    ("lmao", "ㅋㅋㅋㅋ"),
    ("T_T", "ㅠㅠ"),
    ("T.T", "ㅠㅠ"),
)


def _sigh(draw: Draw) -> Sentence:
    if not draw.settled and draw.chance(0.3):
        one, english = draw.one_of(_INITIALS)
        end = draw.one_of(("", "", "~", "!", "ㅋㅋ", " ㅋㅋ", "ㅎㅎ", " ㅎㅎ"))
        return Sentence(one * draw.one_of((1, 1, 2, 2, 3)) + end, english, "bare.sigh")
    if not draw.settled:
        one, english = draw.weighted(_INTO_ENGLISH, (8, 4, 4, 3, 1, 0.5, 0.2, 0.2, 0.2))
        least, most = 1 if one in "ㅋㅎ" else 2, 4 if one in "ㅇㄱㄴ" else 20
        return Sentence(one * draw.one_of(range(least, most)), english, "bare.sigh")
    if draw.chance(0.2):
        english, korean = draw.one_of(_SAID)
        return Sentence(korean, english, "bare.sigh")
    one, korean = draw.weighted(_INTO_KOREAN, (6, 1, 0.3, 1))
    times = draw.one_of(range(3, 9))  # twice is a phrase
    return Sentence(korean * times, one * times, "bare.sigh")


def _copied(draw: Draw) -> Sentence:
    same = draw.weighted(*zip(*_COPIED, strict=True))(draw)
    return Sentence(same, same, COPY, values=frozenset({("copy", same)}))


def stray_sentence(shop: Workshop) -> Sentence:
    """ㅋㅋㅋㅋ: Haha. asdf: asdf. What is copied can be held out."""
    return _sigh(shop.draw) if shop.draw.chance(0.08) else _copied(shop.draw)


MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((stray_sentence, 4),)
