"""Names of persons: Korean ones are romanised by rule, others are as they are written in Hangul."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final

from core.grammar import lexicon
from core.grammar.lexicon import Noun, table
from core.grammar.values import attached, is_held_out
from core.text.romanise import romanised


@dataclass(frozen=True)
class Name:
    """A name in both languages, and other spellings: of a Korean one in English, else in Hangul."""

    korean: str
    english: str
    gender: str
    also: tuple[str, ...] = ()


# Syllables of names that read as another word: 우리가 게을러요 is of us, and of no Uri.
_WORDS: Final = (
    "우리", "하나", "나라", "이미", "미리", "아주", "영영", "이하", "이상", "아래", "다소", "단지",
    "슬슬", "연신", "이리", "필경", "한결", "현재", "나름", "아하", "하하", "이해", "이용", "정리",
    "용서", "대화", "화해", "인기", "우연", "우울", "유용", "정신", "정상", "병신", "수수", "대신",
    "예순",
)  # fmt: skip


@cache
def given_names() -> tuple[Name, ...]:
    """Korean given names, commonest syllables first; those of both genders are there twice."""
    rows = table("given_names")
    listed: list[tuple[str, str]] = []
    for place in range(30):  # a column after the other: the first of each row are the commonest
        for row in rows:
            for gender in ("male", "female"):
                seconds = row[gender].split()
                if place < len(seconds):
                    listed.append((row["first"] + seconds[place], gender))
    return _romanised(listed, {noun.english: noun.korean for noun in _named()})


@cache
def unlisted_names() -> tuple[Name, ...]:
    """Every first syllable of a given name before every second one that a gender has.

    They are what teaches syllables: of eight hundred names a model remembers each as a whole.
    """
    rows = table("given_names")
    made: list[tuple[str, str]] = []
    for gender in ("male", "female"):
        seconds = dict.fromkeys(chain.from_iterable(row[gender].split() for row in rows))
        made += [(row["first"] + second, gender) for row in rows for second in seconds]
    of = {noun.english: noun.korean for noun in _named()}
    of.update((name.english, name.korean) for name in given_names())
    listed = {name.korean for name in given_names()}
    return tuple(n for n in _romanised(made, of) if n.korean not in listed and is_kept(n))


def _named() -> tuple[Noun, ...]:
    return tuple(noun for noun in lexicon.load().nouns if "name" in noun.classes)


def _romanised(given: list[tuple[str, str]], of: dict[str, str]) -> tuple[Name, ...]:
    """Names with their genders, without those that are another word or in English another name."""
    words = {n.korean for n in lexicon.load().nouns if not n.classes & {"name", "city"}}
    words |= {adverb.korean for adverb in lexicon.load().adverbs} | {*_WORDS}
    words |= {korean for name in first_names() for korean in (name.korean, *name.also)}
    of.update((name.english, name.korean) for name in first_names())
    found: dict[tuple[str, str], Name] = {}
    for korean, gender in given:
        english = romanised(korean)
        if korean not in words and of.setdefault(english, korean) == korean:
            found[korean, gender] = Name(korean, english, gender)
    return tuple(found.values())


@cache
def first_names() -> tuple[Name, ...]:
    """English and other first names."""
    return tuple(
        Name(row["korean"], row["english"], row["gender"], tuple(filter(None, [row["also"]])))
        for row in table("first_names")
    )


_ROLES: Final = {
    "topic": "은", "subject": "이", "object": "을", "to": "에게", "to_casual": "한테",
    "with": "과", "with_casual": "이랑", "than": "보다",
}  # fmt: skip


@cache
def family_names() -> tuple[Name, ...]:
    """Korean family names as their bearers spell them."""
    return tuple(
        Name(row["korean"], row["english"], "", tuple(filter(None, row["also"].split(","))))
        for row in table("family_names")
    )


@cache
def last_names() -> tuple[Name, ...]:
    """English and other family names."""
    return tuple(Name(row["korean"], row["english"], "") for row in table("last_names"))


@cache
def everyday() -> frozenset[str]:
    """Names that sentences of all kinds have: they are never held out."""
    return frozenset(noun.korean for noun in lexicon.load().nouns if "name" in noun.classes)


@cache
def alike(gender: str) -> tuple[Noun, ...]:
    """All names that training shows, for the place of any other of this gender."""
    return tuple(
        Noun(name.korean, name.english, frozenset({"name"}), frozenset({gender}))
        for name in (*given_names(), *first_names())
        if name.gender == gender and is_kept(name)
    )


def of_people() -> tuple[Noun, ...]:
    """All names that training shows, as nouns."""
    return (*alike("male"), *alike("female"))


def with_particles(name: str) -> dict[str, str]:
    """The particles of `korean.PARTICLES`, by their role, behind a name."""
    return {role: attached(name, particle) for role, particle in _ROLES.items()}


def is_kept(name: Name) -> bool:
    """Whether training may show a first name."""
    ruled = name.english == romanised(name.korean) and name.korean not in everyday()
    return not (ruled and is_held_out(("name", name.korean)))
