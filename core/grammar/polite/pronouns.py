"""I and you as strangers say them: 저 and 당신, with the particles that these take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.grammar.polite.morphs import Edit, Morph

_I: Final = {"나": "저", "내": "제", "난": "저는", "날": "저를"}
_YOU: Final = {"넌": "당신은", "널": "당신을", "너흰": "여러분은", "너흴": "여러분을"}
# What follows 너 and 너희 follows a closed syllable in 당신 and 여러분.
_CLOSED: Final = {"는": "은", "가": "이", "를": "을", "와": "과", "랑": "이랑", "로": "으로",
                  "나": "이나", "라도": "이라도", "라고": "이라고"}  # fmt: skip
# No polite word says these of whom they mean.
_CASUAL: Final = {"자네", "그대", "얘", "걔", "쟤", "너네", "니네", "네놈", "임마", "얘네", "걔네",
                  "이놈", "이년", "짐", "우리네", "니들", "지"}  # fmt: skip
_OWNED: Final = ("거", "것", "꺼")
# What stands between a comma and whom one calls: 내 착한 아이야.
_MODIFIERS: Final = ("NNG", "NNP", "NP", "JKG", "MM", "VA", "ETM", "XSN", "XSA")
# What ends a verb before them without a comma: 일어나 아이야.
_SAID: Final = ("어", "아", "여", "어라", "아라", "거라", "니", "냐")
_IS: Final = re.compile(r"\b(is|are|am|was|were|be|been)\b|['’](s|re|m)\b", re.I)
# 너 before these is no topic.
_BOUND: Final = ("자신", "같", "없이", "때문", "말", "혼자", "스스로", "정도", "뿐", "대신", "외",
                 "만큼", "보고", "빼", "하나", "등")  # fmt: skip


def pronouns(text: str, sentence: Sequence[Morph]) -> list[Edit] | None:
    """Edits that make the pronouns of a sentence polite; None where that is not sure."""
    edits: list[Edit] = []
    for at, morph in enumerate(sentence):
        if morph.tag == "JKV":
            edit = _called(sentence, at)
        elif morph.tag == "IC" and morph.form in ("네", "니") and _leads(sentence, at):
            edit = _you(text, sentence, at)
        elif morph.tag == "MM" and _owns(sentence, at):
            mine = morph.form == "내"
            edit = Edit(morph.start, morph.end, "제") if mine else _you(text, sentence, at)
        elif morph.tag != "NP":
            continue
        elif morph.form in _CASUAL:
            return None
        elif morph.form in ("나", "내"):
            said = _I.get(text[morph.start])
            edit = Edit(morph.start, morph.start + 1, said) if said else None
        elif morph.form in ("너", "네", "니", "너희"):
            edit = _you(text, sentence, at)
        else:
            continue
        if not edit:
            return None
        edits.append(edit)
    return edits


def _leads(sentence: Sequence[Morph], at: int) -> bool:
    """Whether a 네 is of a noun after it (your): yes would have a comma."""
    return at + 1 < len(sentence) and sentence[at + 1].tag[:2] == "NN"


def _owns(sentence: Sequence[Morph], at: int) -> bool:
    """Whether a 내, 네 or 니 that was not read as a pronoun is one: 내 거."""
    follows = sentence[at + 1].form if at + 1 < len(sentence) else ""
    return sentence[at].form in ("내", "네", "니") and follows in _OWNED


def calls(text: str, sentence: Sequence[Morph], english: str) -> bool:
    """Whether 야 may call someone where it was read as a copula: 일어나라, 아이야."""
    for at, morph in enumerate(sentence[:-1]):
        bare = morph.tag == "VCP" and sentence[at + 1].form == "야" and text[morph.start] != "이"
        noun = sentence[at - 1] if at else morph
        if not bare or (noun.tag not in ("NNG", "NNP", "XSN") and noun.form != "자기"):
            continue
        before = at - 1
        while before >= 0 and sentence[before].tag.split("-")[0] in _MODIFIERS:
            before -= 1
        if before >= 0 and sentence[before].tag in ("EC", "EF") and sentence[before].form in _SAID:
            return True
        if before >= 0 and not sentence[before].sign:
            continue  # something is told of someone: 톰은 의사야
        words = [other for other in sentence[: before + 1] if not other.sign]
        if english and not _IS.search(english):
            return True
        if words and (words[-1].tag != "IC" or not english):
            return True
    return False


def _called(sentence: Sequence[Morph], at: int) -> Edit | None:
    """톰아 is 톰 씨."""
    named = at > 0 and sentence[at - 1].tag == "NNP" and sentence[at].form in ("아", "야")
    return Edit(sentence[at].start, sentence[at].end, " 씨") if named else None


def _you(text: str, sentence: Sequence[Morph], at: int) -> Edit | None:
    start = sentence[at].start
    plural = sentence[at].form == "너희"
    word = text[start : start + 1 + plural]
    end = start + len(word)
    if word in _YOU:
        return Edit(start, end, _YOU[word])
    if plural and text[end : end + 1] == "들":
        end += 1
    you = "여러분" if plural else "당신"
    after = [morph for morph in sentence[at + 1 :] if morph.start >= end]
    adjacent = next((morph for morph in after if morph.start == end), None)
    if word in ("네", "니"):
        if text[end : end + 1] in ("가", "게"):
            return Edit(start, end + 1, you + {"가": "이", "게": "에게"}[text[end]])
        if adjacent is not None and not adjacent.sign:
            return None
        owned = after and after[0].form in _OWNED
        return Edit(start, end, you if owned else you + "의")
    if word not in ("너", "너희"):
        return None
    if adjacent is None or adjacent.sign:
        if plural and after and after[0].tag == "NNG":
            return None  # 너희 부모님: whose they are is not told
        return Edit(start, end, you + _topic(sentence, at, after, plural=plural))
    if adjacent.tag == "VCP":
        return _before_copula(after, Edit(start, end, you))
    for particle in sorted(_CLOSED, key=len, reverse=True):
        if adjacent.tag[0] == "J" and adjacent.form == particle:
            return Edit(start, adjacent.end, you + _CLOSED[particle])
    return Edit(start, end, you) if adjacent.tag[0] in "JXV" else None


def _topic(sentence: Sequence[Morph], at: int, after: Sequence[Morph], *, plural: bool) -> str:
    """A bare 너 that opens a sentence is its topic: 당신은."""
    words = [morph for morph in sentence[:at] if not morph.sign]
    if plural or words or not after or after[0].sign or after[0].form.startswith(_BOUND):
        return ""
    return "은"


def _before_copula(after: Sequence[Morph], edit: Edit) -> Edit | None:
    """너라면 is 당신이라면; what ends a sentence is written with its ending."""
    copula, *ending = after
    if not ending or (copula.end > copula.start and ending[0].start > copula.start):
        return edit
    if ending[0].tag == "EF":
        return edit if ending[0].form in ("다", "야", "니", "냐", "ᆸ니다", "ᆸ니까") else None
    return Edit(edit.start, edit.end, edit.text + "이")
