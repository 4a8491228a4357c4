"""Korean forms: stems, endings and particles glued by kiwipiepy, behind a small cache."""

from __future__ import annotations

from functools import cache, lru_cache

from core.grammar.needed import packages

with packages():
    from kiwipiepy import Kiwi

_HANGUL, _FINALS = 0xAC00, 28


@lru_cache(maxsize=1)
def _kiwi() -> Kiwi:
    # Its dictionaries of names and misspellings say nothing of how morphemes are joined: without
    # them it opens in 1.2 s of the processor's time, with them in 5.
    return Kiwi(num_workers=1, load_default_dict=False, load_multi_dict=False, load_typo_dict=False)


@cache
def _eojeol(spec: str) -> str:
    pieces = [piece.rpartition("/") for piece in spec.split("+")]
    if len(pieces) == 1:
        return pieces[0][0] or pieces[0][2]
    return str(_kiwi().join([(form, tag) for form, _, tag in pieces]))


def speak(spec: str) -> str:
    """Turn a pattern such as ``카페/NNG+를/JKO 가/VV+었/EP+다/EF`` into Korean.

    Args:
        spec: eojeols separated by blanks; in each, ``form/TAG`` morphemes joined by ``+``,
            or one literal word without a tag; ``~`` joins two eojeols that are written as one.

    Returns:
        The sentence part in Hangul, with allomorphs and irregular stems resolved.
    """
    return " ".join("".join(map(_eojeol, part.split("~"))) for part in spec.split())


def final_consonant(word: str) -> bool:
    """Whether the last syllable of a Hangul word is closed (has a batchim)."""
    return bool((ord(word[-1]) - _HANGUL) % _FINALS)


PARTICLES = {
    "topic": "는/JX", "subject": "가/JKS", "object": "를/JKO", "to": "에게/JKB", "than": "보다/JKB",
    "to_casual": "한테/JKB", "place": "에/JKB", "at": "에서/JKB", "from": "에서/JKB",
    "via": "으로/JKB", "with": "와/JKB", "with_casual": "랑/JKB",
}  # fmt: skip


def with_particle(noun: str, particle: str) -> str:
    """Attach a particle by its role name to a noun phrase (the last eojeol takes it)."""
    if noun.endswith(("여기", "거기", "저기")) and particle in ("at", "from"):
        return noun + "서"
    tag = "NP" if noun in _PRONOUNS else "NNG"
    return speak(f"{noun}/{tag}+{PARTICLES[particle]}")


_PRONOUNS = frozenset({"나", "저", "너", "누구"})


def is_noun(noun: str, style: str, *, past: bool = False, question: bool = False) -> str:
    """The copula on a noun: 학생이다, 학생이에요, 의사예요, 학생이었어요 ...

    Args:
        noun: a Hangul noun phrase.
        style: plain, casual, polite or formal.
        past: past tense.
        question: a question's ending.

    Returns:
        The noun with the copula.
    """
    closed = final_consonant(noun)
    if past:
        stem = noun + ("이었" if closed else "였")
        tails = {"plain": "니" if question else "다", "casual": "어", "polite": "어요"}
        return stem + tails.get(style, "습니까" if question else "습니다")
    if style == "plain":
        return (
            noun + ("이니" if question else "이다")
            if closed
            else noun + ("니" if question else "다")
        )
    if style == "casual":
        return noun + ("이야" if closed else "야")
    if style == "polite":
        return noun + ("이에요" if closed else "예요")
    return noun + ("입니까" if question else "입니다")
