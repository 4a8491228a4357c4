"""Whether an -어 is a request: Korean does not show it (가 is "Go" and "I go"), English does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from core.grammar.needed import packages
from core.grammar.polite.morphs import Morph, listed

with packages():
    from lemminflect import getAllLemmas

_LEADS: Final = listed(
    "please now just so and but then ok okay hey well oh always never kindly quickly slowly"
    " carefully first here everybody everyone somebody someone guys"
)
# Verbs of the dictionary that open statements too, and names.
_OTHERWISE: Final = listed(
    "can will may must might need could should like love thank bless wish hope people water"
    " time work tom mary bob mark jack bill nick pat rob sue frank grant josh john dan jim ken"
)
_FINITE: Final = listed("is are was were has had can will does did would")

# A verb and these are no request: See you, Talk to you later.
_TO_YOU: Final = re.compile(r"[a-z']+ (to )?(you|ya)\b")
_HEARD: Final = re.compile(r"\b(hear|listen)", re.I)
_LIFTED: Final = re.compile(r"\b(lift|raise|hold|pick|put|carry)\b", re.I)

# Nobody asks for these.
_STATES: Final = listed(
    "싶 않 못하 알 모르 바라 원하 보이 들리 생기 걸리 맞 좋아하 싫어하 사랑하 나 살 틀리 지"
    " 미치 되 늙 닮 죽 아프 필요하 마르 지치 춥 남 다치 고맙"
)
_SPOKEN: Final = listed("사랑 부탁 축하 감사 환영 약속 동의 맹세 이해 기대 필요 생각")
# -어야 하, -나 보, -어도 되: it must be, it seems, one may.
_NEVER_BEFORE: Final = ("어야", "나", "ᆫ가", "은가", "는가", "어도", "면", "으면", "ᆯ까")
_ANYONE: Final = ("너", "네", "니", "당신", "너희", "누군가", "모두", "아무")


@cache
def requested(english: str) -> bool | None:
    """Whether an English sentence asks someone to do something; None without a sentence."""
    words = re.findall(r"[a-z']+", _without_name(english.strip()).lower())
    while words and words[0] in _LEADS:
        if words[0] == "please":
            return True
        words = words[1:]
    if not words:
        return None
    if english.rstrip("\"'” ").endswith("?") or (words[1:2] and words[1] in _FINITE):
        return False
    if words[0] in ("don't", "be", "do") or words[-1] == "please":
        return True
    if words[0] in _OTHERWISE or _TO_YOU.match(" ".join(words)):
        return False
    return _verb(words[0])


def _without_name(english: str) -> str:
    """An English sentence without who is called before it: Tom, eat; but not Eat, Tom."""
    named = re.match(r"([A-Z]\w*), (.*)", english, re.DOTALL)
    if named is None:
        return english
    rest = named[2]
    called = re.fullmatch(r"(?!I\b)(my )?[A-Z]?\w+[.!]*", rest) is not None
    return english if called and opens_with_request(english) else rest


def opens_with_request(english: str) -> bool:
    """Whether a verb by itself opens a sentence, as in Look, I go."""
    opens = re.match(r"([A-Z]\w*),", english)
    first = opens[1].lower() if opens else ""
    return bool(first) and first not in _OTHERWISE | _LEADS and _verb(first)


def is_told_apart(text: str, stem: Morph, english: str) -> bool:
    """Whether a request is of one verb: 들어 is of 듣다 (listen) and of 들다 (lift)."""
    if stem.form not in ("듣", "들") or text[stem.start : stem.start + 2] != "들어":
        return True
    heard, lifted = _HEARD.search(english), _LIFTED.search(english)
    return bool(heard if stem.form == "듣" else lifted and not heard)


@cache
def _verb(word: str) -> bool:
    return word in getAllLemmas(word, upos="VERB").get("VERB", ())


def each_sentence(english: str, count: int) -> list[str]:
    """The sentences of an English text where there are as many as asked, else blanks."""
    guarded = re.sub(r"\b(Mr|Mrs|Ms|Dr|St|Mt)\.", r"\1", english.strip())
    found = re.split(r"(?<=[.!?])\s+", guarded) if count > 1 else [guarded]
    return found if len(found) == count else [""] * count


def can_be_asked(morphs: Sequence[Morph], stem: int) -> bool:
    """Whether a stem can be a request at all: 걷 can, 좋 and 알 cannot."""
    verb = morphs[stem]
    before = morphs[stem - 1] if stem else None
    acts = verb.tag.split("-")[0] in ("VV", "VX", "XSV") or verb.form == "있"
    if not acts or verb.form in _STATES:
        return False
    if before is not None and verb.tag == "XSV" and before.form in _SPOKEN:
        return False
    if before is not None and before.tag == "EC" and verb.form in ("하", "되", "보"):
        return before.form not in _NEVER_BEFORE
    return True


def has_subject(morphs: Sequence[Morph], stem: int) -> bool:
    """Whether who does it is told, and is not whom one talks to."""
    within = False  # a clause of its own, whose subject need not be that of the stem
    for at in range(stem - 1, 0, -1):
        morph = morphs[at]
        joins = morph.tag == "EC" and morphs[at + 1].tag[:2] != "VX"
        within = within or joins or morph.tag in ("ETM", "ETN")
        topic = morph.tag == "JX" and morph.form in ("은", "는", "ᆫ")
        if (topic or (morph.tag == "JKS" and not within)) and morphs[at - 1].form not in _ANYONE:
            return True
    return False
