"""Letters of Hangul: as syllables are made of them, and as they stand alone on a page."""

from __future__ import annotations

import unicodedata
from typing import Final

LEADS, VOWELS, TAILS = 0x1100, 0x1161, 0x11A7
"""Code points of the first conjoining jamo of each place; of tails, one before it."""
ALONE: Final = {
    **dict(zip(range(LEADS, LEADS + 19), "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ", strict=True)),
    **dict(
        zip(range(VOWELS, VOWELS + 21), "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ", strict=True)
    ),
    **dict(enumerate("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ", start=TAILS + 1)),
}
"""Conjoining jamo, which draw badly where they make no syllable, as people write them alone."""


def standing(text: str) -> str:
    """NFC, with jamo that make no syllable as people write them: ㅋㅋㅋ.

    SentencePiece reads by NFKC, which makes conjoining jamo of those too, and so models write them.
    """
    return unicodedata.normalize("NFC", text).translate(ALONE)
