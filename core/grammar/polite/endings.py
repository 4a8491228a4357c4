"""Final endings in 해요체: 간다, 가, 갑니다 are 가요; 가니 is 가요?; 가라 is 가세요."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from core.grammar.korean import final_consonant
from core.grammar.polite.morphs import Edit, Morph, joined, listed
from core.grammar.polite.requests import can_be_asked, has_subject, is_told_apart, requested

# What becomes of an ending, by its form. What is not here is left to someone who knows.
_SAID: Final = listed("다 ᆫ다 는다 습니다 ᆸ니다 니 으니 냐 으냐 느냐 습니까 ᆸ니까 자")
_CASUAL: Final = listed("어 아 여 야")
_ASKED: Final = listed("어라 아라 여라 거라 너라 라 으라 ᆸ시오 읍시오 십시오 으십시오 시오")
_WITH_YO: Final = listed(
    "네 군 는군 로군 더군 거든 잖아 ᆯ게 을게 ᆯ께 을께 ᆯ래 을래 ᆯ걸 을걸 는걸 ᆫ걸 은걸 던걸"
    " 더라고 대 ᆫ대 는대 래 ᆯ까 을까 ᆫ가 은가 나 던가 다니까 텐데 는데 ᆫ데 은데 던데"
)
# Nothing goes on after these.
_ORDERS: Final = listed("어라 아라 여라 거라 너라")
# A clause that stops where another would follow.
_CLAUSES: Final = listed(
    "는데 ᆫ데 은데 던데 니까 으니까 다고 ᆫ다고 는다고 냐고 자고 려고 으려고 을려고 거든 어서 아서"
    " 지만 고 다니까 ᆫ다니까 라니까 ᆯ까 을까 나"
)
_REPLACED: Final = {"지": "죠", "구나": "군요", "는가": "나요", "더라": "더라고요"}
_WHETHER: Final = ("는지", "ᆫ지", "은지", "ᆯ지", "을지", "던지", "든지")
_POLITE: Final = ("요", "죠")
_KEPT: Final = ("ᆸ시다", "읍시다")
_FORMULAS: Final = ("감사합니다", "감사드립니다", "죄송합니다", "고맙습니다", "미안합니다",
                    "실례합니다", "축하합니다", "환영합니다", "반갑습니다", "부탁드립니다",
                    "뵙겠습니다", "잘 먹겠습니다")  # fmt: skip
_MINDS: Final = ("알", "모르", "좋", "싶", "하", "되", "않", "있", "없")
_TENSES: Final = ("었", "았", "였", "겠", "었었")
_HONORED: Final = {"먹": "드세요", "자": "주무세요", "있": "계세요", "주무시": "주무세요",
                   "드시": "드세요", "계시": "계세요"}  # fmt: skip
# Short stems, which no vowel follows: 갖는다, but 가져요.
_WHOLE: Final = {"갖": "가지", "딛": "디디", "머물": "머무르", "서툴": "서투르", "서둘": "서두르"}
_VERBS: Final = ("VV", "VX", "XSV")
_DOUBLE_S: Final = 20  # ㅆ, as a final consonant
# Contractions that the library leaves open, and those that it makes of 시.
_CONTRACTED: Final = {"되어요": "돼요", "하여요": "해요", "보아요": "봐요", "주어요": "줘요"}

Edits = list[Edit] | None


def is_ending(morphs: Sequence[Morph], at: int, *, asked: bool) -> bool:
    """Whether a morpheme ends a sentence, or what is said before a comma (서둘러, 늦겠다)."""
    if morphs[at].tag == "EF" or (morphs[at].tag == "EC" and morphs[at].form.endswith(_POLITE)):
        return True
    after = morphs[at + 1 :]
    if morphs[at].tag != "EC" or all(morph.sign for morph in after):
        return morphs[at].tag == "EC"
    words = [morph for morph in after if not morph.sign]
    called = len(words) == 1 and words[0].tag in ("NNP", "NNG")  # 고마워, 톰
    if after[0].tag != "SP":
        return False
    return morphs[at].form in _ORDERS or ((asked or called) and morphs[at].form in _CASUAL)


def ending(
    text: str, morphs: Sequence[Morph], at: int, *, english: str, said: dict[int, str]
) -> Edits:
    """Edits that make one ending polite.

    Args:
        text: the whole text.
        morphs: the sentence.
        at: which of them is the ending.
        english: what the sentence means; empty where that is unknown.
        said: what is written before a place instead of what the text has there.

    Returns:
        The edits, none for what is polite already; None where it is not sure.
    """
    last = morphs[at]
    written = text[last.start : last.end]
    follows = morphs[at + 1] if at + 1 < len(morphs) else None
    if last.form.endswith(_POLITE) or written.endswith(_POLITE) or last.form in _KEPT:
        return [] if follows is None or follows.sign else None
    if follows is not None and not follows.sign:
        if at > 1 and last.form == "ᆫ가" and morphs[at - 2].tag == "NP":  # 뭔가, 누군가
            return []
        return [] if follows.tag in ("JKQ", "JX") and follows.form in ("고", "라고", "요") else None
    if text[: last.end].endswith(_FORMULAS):
        return []
    if last.tag == "EC" and last.form not in _CLAUSES | _CASUAL | _SAID | _ORDERS:
        return None
    if last.form in _WITH_YO | _CLAUSES:
        return [Edit(last.end, last.end, "요")]
    if last.form in _WHETHER:
        return None
    for old, new in _REPLACED.items():
        if last.form.endswith(old) and written.endswith(old):
            return [Edit(last.end - len(old), last.end, new)]
    return _conjugated(text, morphs, at, english, said)


def _conjugated(
    text: str, morphs: Sequence[Morph], at: int, english: str, said: dict[int, str]
) -> Edits:
    last, stem_at = morphs[at], at - 1
    while stem_at >= 0 and morphs[stem_at].tag == "EP":
        if morphs[stem_at].form not in (*_TENSES, "시", "으시"):
            return None
        stem_at -= 1
    if stem_at < 0:
        return None
    stem, tensed = morphs[stem_at], morphs[at - 1].form in _TENSES
    honors = not tensed and morphs[at - 1].tag == "EP"
    announced = last.form == "습니다" and morphs[at - 1].form == "겠"
    if announced and stem.form not in _MINDS:  # 연기되겠습니다 is more than a guess
        return None
    if last.form in _SAID and tensed:
        doubled = (ord(text[last.start - 1]) - 0xAC00) % 28 == _DOUBLE_S
        return [Edit(last.start, last.end, "어요")] if doubled else None
    if tensed:
        return [Edit(last.end, last.end, "요")] if last.form in _CASUAL else None
    if stem.tag in ("VCP", "VCN") and last.form in _SAID | _CASUAL:
        return _copula(text, morphs, stem_at, last, said, honors=honors)
    kind = _kind(text, morphs, stem_at, last, requested(english))
    if kind == "asked" and not is_told_apart(text, stem, english):
        return None
    if kind is None or (stem_at and morphs[stem_at - 1].end > stem.start):
        return [Edit(last.end, last.end, "요")] if kind == "casual" and not honors else None
    if kind == "casual" and not honors:
        return [Edit(last.end, last.end, "요")]
    return [Edit(stem.start, last.end, _spoken(stem, honors=honors, asks=kind == "asked"))]


def _kind(
    text: str, morphs: Sequence[Morph], stem: int, last: Morph, asked: bool | None
) -> Literal["said", "casual", "asked"] | None:
    """What is done with an ending: requests are told from statements by who does it."""
    form, verb = last.form, morphs[stem]
    if verb.tag[0] not in "VX":
        return None
    if form in _ASKED:
        return "asked" if verb.tag.split("-")[0] in _VERBS and verb.form != "달" else None
    if form in _SAID:
        return "said"
    if form not in _CASUAL:
        return None
    question = "?" in text[last.end : last.end + 2]
    if question or not can_be_asked(morphs, stem):
        return "casual"
    if verb.form == "말" and (verb.tag == "VX" or (stem and morphs[stem - 1].tag != "JKO")):
        return "asked"
    subject = has_subject(morphs, stem)
    tried = verb.tag == "VX" and stem > 0 and morphs[stem - 1].tag == "EC"  # 또 봐 is not
    if tried and verb.form in ("주", "보") and not subject:
        return "asked"
    if asked is None:
        return "casual" if subject else None
    if asked and subject:
        return None
    return "asked" if asked else "casual"


def _spoken(stem: Morph, *, honors: bool, asks: bool) -> str:
    """A stem in the polite present, or as a request."""
    if asks and stem.form == "말":
        return "마세요"
    if stem.form in _HONORED and (asks or stem.form.endswith("시")):
        return _HONORED[stem.form]
    stem = replace(stem, form=_WHOLE.get(stem.form, stem.form))
    if honors or asks:
        word = joined(stem, ("시", "EP"), ("어요", "EF"))
        return word.removesuffix("셔요").removesuffix("시어요").removesuffix("세요") + "세요"
    word = joined(stem, ("어요", "EF"))
    return _CONTRACTED.get(word, word)


def _copula(
    text: str, morphs: Sequence[Morph], at: int, last: Morph, said: dict[int, str], *, honors: bool
) -> Edits:
    """이다: 학생이에요, 의사예요, 거예요."""
    copula = morphs[at]
    if copula.tag == "VCN":
        return None if honors else [Edit(copula.start, last.end, "아니에요")]
    if at == 0:
        return None
    noun = morphs[at - 1]
    shown = text[copula.start] == "이" and copula.end > copula.start
    if noun.form in ("것", "거") and noun.tag == "NNB":
        return None if honors else [Edit(noun.start, last.end, "거예요")]
    if last.start < noun.end or copula.start < noun.end:  # 뭡니까
        if noun.tag not in ("NP", "NNB") or honors or final_consonant(noun.form):
            return None
        return [Edit(noun.start, last.end, noun.form + "예요")]
    before = said.get(noun.end, text[noun.end - 1])
    if honors:
        return [Edit(copula.start, last.end, "이세요" if shown else "세요")]
    hangul = "가" <= before[-1] <= "힣"
    closed = final_consonant(before) if hangul else shown
    return [Edit(copula.start, last.end, "이에요" if closed else "예요")]
