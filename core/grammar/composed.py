"""What people type beside single words in Latin letters, in Hangul: made of words with a spelling.

The same texts in another case (*chopin* and *CHOPIN* as *Chopin* 쇼팽), lines of several words
(*I love you* 아이 러브 유), names side by side (*marie curie* 마리 퀴리), initials (*GPU* 지피유),
and what stays as it is: numbers (*Galaxy 24* 갤럭시 24), Korean (*우리 cafe ㅋㅋ* 우리 카페 ㅋㅋ),
pictures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from string import ascii_uppercase
from typing import Final

_NAMES: Final = (
    "에이 비 시 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 아르 에스 티 유 브이 더블유 "
    "엑스 와이 제트"
)
LETTERS: Final[Mapping[str, str]] = dict(zip(ascii_uppercase, _NAMES.split(), strict=True))
_MOST: Final = 6  # words in a line: behind them people type no more into one field
_JAMO: Final = tuple("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ")
_CHATTED: Final = tuple("ㅋㅋㅋㅎㅎㅠㅠㅜㅡㅇ")  # those that people write most
_PICTURES: Final = (*range(0x1F600, 0x1F650), *range(0x1F300, 0x1F5FF), *range(0x1F90C, 0x1FA00))
_WORD: Final = re.compile(r"([A-Za-z'’]+)([,?!]?)")
_NAME: Final = re.compile("[A-Z][a-z]+ [A-Z][a-z]+")
_CLOSED: Final = "[B-DF-HJ-NP-TV-XZ]"  # a letter that is no vowel
# Read as a word, since there is a syllable in it (NASA), or nothing else (GO).
_READ: Final = re.compile(f"{_CLOSED}[AEIOUY]+{_CLOSED}|^{_CLOSED}[AEIOUY]+$")


def recased(
    spelled: Mapping[str, str], words: Collection[str] = (), seed: int = 0
) -> Iterator[tuple[str, str]]:
    """Each text as people type it, too: it is spelled alike in small letters and in capitals.

    In small letters, and with a capital first; with one at each word what is in small letters (a
    name may be: *elon musk*) and a sixth of the rest; a sixth in capitals. A model of characters
    knows a word in the case that it was taught it in, and in no other.

    Args:
        words: English words in small letters; what is in capitals and one of them stays (*IT*).
    """
    chance = random.Random(seed)
    for latin, hangul in spelled.items():
        if latin.isupper() and latin.lower() in words:
            continue
        ways = [latin.lower(), _capital(latin)]
        if chance.random() < 1 / 6 or latin == latin.lower():
            ways.append(" ".join(map(_capital, latin.split(" "))))
        if chance.random() < 1 / 6:
            ways.append(latin.upper())
        for way in dict.fromkeys(ways):
            if way not in spelled and len(way) == len(latin):  # ß and İ have no other case
                yield way, hangul


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lines(texts: Iterable[str], spelled: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Short lines of English whose every word has a spelling, word for word.

    Args:
        spelled: the Hangul of single words; a word in small letters stands for it in capitals, too.
    """
    for text in dict.fromkeys(texts):
        line = text.rstrip(".")
        words = [_spelled(word, spelled) for word in line.split(" ")]
        if 2 <= len(words) <= _MOST and all(words):
            yield line, " ".join(words)


def _spelled(word: str, spelled: Mapping[str, str]) -> str:
    """A word with the mark behind it; nothing where it has no spelling."""
    found = _WORD.fullmatch(word)
    if found is None:
        return ""
    hangul = spelled.get(found[1]) or spelled.get(found[1].lower())
    return f"{hangul}{found[2]}" if hangul else ""


def apart(
    spelled: Sequence[tuple[str, str]], count: int, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """Two words side by side, or three (a third); a third of all in small letters.

    What is written apart stays apart: loan-words, which are often joined, teach the contrary.

    Args:
        spelled: single words.
    """
    chance = random.Random(seed)
    for _ in range(count):
        words = chance.sample(spelled, chance.choice((2, 2, 3)))
        latin, hangul = (" ".join(side) for side in zip(*words, strict=True))
        yield (latin.lower() if chance.random() < 1 / 3 else latin), hangul


def crossed(spelled: Mapping[str, str], count: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Names of which a half is of one and a half of another; a third of them in small letters.

    *Marie Curie* and *Taylor Swift* also give *Marie Swift*. As they stay apart, so do the new
    ones: loan-words, many of them places (*Castle Hills* 캐슬힐스), teach the contrary.

    Args:
        spelled: among others names of two words, in Hangul apart.
    """
    names = [
        (latin.split(" "), hangul.split(" "))
        for latin, hangul in spelled.items()
        if _NAME.fullmatch(latin) and hangul.count(" ") == 1
    ]
    chance = random.Random(seed)
    for _ in range(count):
        (first, first_hangul), (last, last_hangul) = chance.sample(names, 2)
        latin = f"{first[0]} {last[1]}"
        hangul = f"{first_hangul[0]} {last_hangul[1]}"
        yield (latin.lower() if chance.random() < 1 / 3 else latin), hangul


def initials(count: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Letters that make no syllable, two to four, read by their names; a fifth in small ones."""
    chance = random.Random(seed)
    seen = set[str]()
    while len(seen) < count:
        letters = "".join(chance.choices(tuple(LETTERS), k=chance.choice((2, 3, 3, 3, 4))))
        if letters not in seen and not _READ.search(letters):
            seen.add(letters)
            hangul = "".join(LETTERS[letter] for letter in letters)
            yield (letters.lower() if chance.random() < 0.2 else letters), hangul


def numbered(
    spelled: Sequence[tuple[str, str]], count: int, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """A number, alone (a fifth), before or behind a word; it is copied."""
    chance = random.Random(seed)
    for _ in range(count):
        number = str(chance.randrange(10 ** chance.randint(1, 4)))
        latin, hangul = chance.choice(spelled)
        kind = chance.random()
        if kind < 0.2:
            yield number, number
        elif kind < 0.4:
            yield f"{number} {latin}", f"{number} {hangul}"
        else:
            yield f"{latin} {number}", f"{hangul} {number}"


def copied(
    korean: Sequence[str], spelled: Sequence[tuple[str, str]], count: int, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """Korean words, which are copied: one, two, one that is asked, or one beside a spelled word."""
    chance = random.Random(seed)
    for _ in range(count):
        word, other = chance.sample(korean, 2)
        latin, hangul = chance.choice(spelled)
        shape = chance.choice(("{0}", "{0} {1}", "{0}?", "{2} {0}", "{0} {2}"))
        yield shape.format(word, other, latin), shape.format(word, other, hangul)


def chat(
    spelled: Sequence[tuple[str, str]], count: int, seed: int = 0
) -> Iterator[tuple[str, str]]:
    """What people chat with, copied: single jamo (ㅋㅋㅋ, ㅇㅋ), and pictures (a quarter).

    Alone (half of them), before or behind a word, or two of them. A vocabulary without pictures
    has one entry for all that is unknown: it is copied, too, and no letter stands for it.
    """
    chance = random.Random(seed)
    for _ in range(count):
        sign, other = _chatted(chance), _chatted(chance)
        latin, hangul = chance.choice(spelled)
        shape = chance.choice(("{0}", "{0}", "{0}", "{0} {1}", "{2} {0}", "{0} {2}"))
        yield shape.format(sign, other, latin), shape.format(sign, other, hangul)


def _chatted(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.25:
        return chr(chance.choice(_PICTURES)) * chance.choice((1, 1, 1, 2, 3))
    if kind < 0.75:
        return chance.choice(_CHATTED) * chance.choice((1, 2, 2, 2, 3, 3, 4, 5))
    return "".join(chance.choices(_JAMO, k=chance.choice((1, 2, 2, 2, 3))))
