"""Korean in Latin letters, names above all.

The Revised Romanization of Korean (notice 2014-42 of the Ministry of Culture, Sports and Tourism),
of which part III, 4 says that sound changes within a given name are not written: 복남 is Boknam.
Libraries write them (Bongnam), since they are made for words; so the three tables stand here.
"""

from __future__ import annotations

from typing import Final

_INITIALS: Final = ("g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch",
                    "k", "t", "p", "h")  # fmt: skip
_VOWELS: Final = ("a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u",
                  "wo", "we", "wi", "yu", "eu", "ui", "i")  # fmt: skip
_FINALS: Final = ("", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l",
                  "m", "p", "p", "t", "t", "ng", "t", "t", "k", "t", "p", "t")  # fmt: skip
_FIRST: Final = 0xAC00


def syllable(hangul: str) -> str:
    """One syllable by itself: 현 is hyeon.

    Raises:
        ValueError: this is no Hangul syllable.
    """
    place = ord(hangul) - _FIRST
    if not 0 <= place < len(_INITIALS) * len(_VOWELS) * len(_FINALS):
        raise ValueError(f"no Hangul syllable: {hangul}")
    rest, final = divmod(place, len(_FINALS))
    initial, vowel = divmod(rest, len(_VOWELS))
    return _INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]


def romanised(name: str) -> str:
    """A given name: 지영 is Jiyeong.

    Raises:
        ValueError: it is not written in Hangul alone.
    """
    letters = "".join(map(syllable, name)).replace("lr", "ll")
    return letters[0].upper() + letters[1:]
