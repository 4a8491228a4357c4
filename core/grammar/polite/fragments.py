"""What ends without a verb: a word, an exclamation, a noun."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.grammar.polite.morphs import Edit, Morph, listed

_NEUTRAL: Final = listed(
    "네 예 아니요 아뇨 와 우와 와우 아 오 어머 아야 만세 브라보 이런 젠장 세상에 맙소사 아이고"
    " 건배 화이팅 파이팅 여보세요 안녕하세요 하하 야호 쉿 하느님 여보 아멘 아이쿠 저런 자"
    " 흠 음 앗 헉 에이 어휴 저기"
)
# Words by themselves, and how they are said politely.
_WORDS: Final = {
    "왜": "왜요", "정말": "정말요", "진짜": "진짜요", "아직": "아직요", "글쎄": "글쎄요",
    "물론": "물론이죠", "응": "네", "그래": "그래요", "그럼": "그럼요", "아니": "아니요",
    "천만에": "천만에요", "그치": "그렇죠", "잠깐": "잠깐만요", "잠깐만": "잠깐만요",
    "아니야": "아니에요", "좋아": "좋아요", "설마": "설마요",
    "미안": "미안해요", "감사": "감사해요", "축하": "축하해요", "부탁": "부탁해요",
    "조심": "조심하세요", "별로": "별로요",
}  # fmt: skip
_NOUNS: Final = ("NNG", "NNP", "NR", "SN", "SL", "SH", "XSN")
# A verb that was read as a noun, misspelt or alone, ends in these: 가, 못 살아.
_VERBLIKE: Final = ("가", "다", "아", "어", "해", "라", "자", "야", "니", "지", "네")
_GREETED: Final = re.compile(r"\b(hi|hello|hey|good (morning|afternoon|evening))\b", re.I)
_LEAVING: Final = re.compile(r"\b(bye|goodbye|farewell|see you)\b", re.I)


def interjections(morphs: Sequence[Morph], english: str) -> list[Edit] | None:
    """Edits of the words within a sentence that are said to friends: 응, 아니, 안녕."""
    edits = []
    for at, morph in enumerate(morphs):
        closes = at + 1 == len(morphs) or morphs[at + 1].sign
        if morph.tag != "IC" or morph.form in _NEUTRAL or morph.form.endswith(("요", "죠")):
            continue
        if morph.form == "안녕":
            said = _greeting(english)
        elif not closes and morph.form in ("그래", "그럼", "아니", "글쎄", "정말", "진짜"):
            continue
        else:
            said = _WORDS.get(morph.form)
        if said is None:
            return None
        edits.append(Edit(morph.start, morph.end, said))
    return edits


def _greeting(english: str) -> str | None:
    if _GREETED.search(english):
        return "안녕하세요"
    return "안녕히 가세요" if _LEAVING.search(english) else None


def fragment(text: str, morphs: Sequence[Morph], *, ended: bool) -> list[Edit] | None:
    """Edits of a sentence that no ending closes; None where it is not sure what it stands for.

    One that is `ended` goes on with whom it is said to: 고마워, 톰.
    """
    words = [at for at, morph in enumerate(morphs) if not morph.sign]
    last, stop = morphs[words[-1]], text[morphs[words[-1]].end :].lstrip()[:1]
    word = text[last.start : last.end]
    if last.tag == "IC" or (last.tag == "JX" and last.form == "요"):
        return []  # told by `interjections`, or polite
    if word in _WORDS:
        return [Edit(last.start, last.end, _WORDS[word])]
    if last.tag == "JX" and last.form in ("도", "만") and len(words) <= 3:
        return [Edit(last.end, last.end, "요")]
    if last.tag == "JKO" and morphs[words[-1] - 1].tag == "NNB" and word.endswith("걸"):
        return [Edit(last.end, last.end, "요")]
    if last.tag not in _NOUNS or word.endswith(_VERBLIKE):
        return None
    before = morphs[words[-1] - 1] if words[-1] else None
    if before is not None and before.tag == "SP":
        return [] if ended else None
    return [] if stop in ("", ".") else None
